// SPDX-License-Identifier: MIT
// POLYCODEC_SANITIZED: this build has AddressSanitizer, which is slow and takes much memory and
// stack.
#pragma once

#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#define POLYCODEC_SANITIZED 1
#elif defined(__has_feature)
#define POLYCODEC_SANITIZED __has_feature(address_sanitizer)
#else
#define POLYCODEC_SANITIZED 0
#endif

namespace polycodec::test {

/// True if a build with a sanitizer is to run all that others run.
inline bool runs_all() {
  static const bool is_full = std::getenv("POLYCODEC_FULL") != nullptr;
  return is_full;
}

/// Of so many alike cases, how many this build runs: all, or a fourth with AddressSanitizer, for
/// which it is the code that matters. All of them with POLYCODEC_FULL.
inline unsigned cases_of(unsigned all) {
  return POLYCODEC_SANITIZED == 0 || runs_all() ? all : (all + 3) / 4;
}

}  // namespace polycodec::test
