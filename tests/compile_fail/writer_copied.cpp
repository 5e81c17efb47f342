// SPDX-License-Identifier: MIT
#include <polycodec/writer.hpp>

// Two cursors into one sink would overwrite each other.
void use(polycodec::Writer& writer) {
#if defined(MUST_NOT_COMPILE)
  polycodec::Writer other(writer);
  other.put_u8(1);
#else
  writer.put_u8(1);
#endif
}
