// SPDX-License-Identifier: MIT
#include <polycodec/builder.hpp>

#include <string>

// Nobody runs destructors in an arena.
void use(polycodec::Builder& out) {
#if defined(MUST_NOT_COMPILE)
  out.allocate<std::string>(1);
#else
  out.allocate<char>(1);
#endif
}
