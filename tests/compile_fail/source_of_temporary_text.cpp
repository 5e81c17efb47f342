// SPDX-License-Identifier: MIT
#include <polycodec/polycodec.hpp>

// The text dies before it is read.
polycodec::Source open(const std::string& text) {
#if defined(MUST_NOT_COMPILE)
  return polycodec::Source::view(text + "!");
#else
  return polycodec::Source::owned(text + "!");
#endif
}
