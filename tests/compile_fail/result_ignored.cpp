// SPDX-License-Identifier: MIT
#include <polycodec/registry.hpp>

// An error that nobody looks at is no error handling.
void use(const polycodec::Codec& codec, const polycodec::Source& source) {
#if defined(MUST_NOT_COMPILE)
  codec.try_decode(source);
#else
  if (!codec.try_decode(source).ok()) return;
#endif
}
