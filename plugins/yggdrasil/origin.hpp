// SPDX-License-Identifier: MIT
// Where the bytes of a text are in the input: errors in a text that was base64 name the byte that
// they came from.
#pragma once

#include <cstdint>

namespace polycodec::yggdrasil {

/// A text that is (part of) the input, or was decoded from base64 in it.
struct Origin {
  std::uint64_t start = 0;  ///< offset of the first byte, or of its base64
  bool base64 = false;
  bool exact = true;  ///< false: only `start` is known

  /// The offset in the input of byte `at` of the text.
  std::uint64_t offset(std::uint64_t at) const noexcept {
    if (!exact) return start;
    return start + (base64 ? at / 3 * 4 + at % 3 : at);
  }
};

}  // namespace polycodec::yggdrasil
