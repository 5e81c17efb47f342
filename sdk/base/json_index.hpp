// SPDX-License-Identifier: MIT
// Where the tokens of JSON are, found 64 bytes at a time: a reader that jumps from one to the next
// need not look for ends of strings and after spaces.
#pragma once

#include <base/cpu.hpp>

#include <cstddef>
#include <cstdint>

namespace polycodec {

/// The places of a piece of text, a few kilobytes, that is read in order. The text is JSON as far
/// as it was read; what comes then may be anything. Outside of strings a place is one of these:
/// - a bracket;
/// - a comma or colon that is not right before one of the others;
/// - the first byte of anything else: a number, a word, or what is wrong.
/// Between two places is the rest of a number or word, then spaces, then maybe that comma or colon.
/// Of strings, places are both quotes, and within them the first of bytes in a row that need a
/// look: `\`, control characters, and what is not ASCII. So a string whose quotes are neighbors
/// here stands for itself.
class JsonIndex {
 public:
  using Place = std::uint16_t;
  /// Places that a reader may take before it compares next() with low() again.
  static constexpr std::size_t ahead = 8;
  /// Bytes of the text that are there after the start of each token.
  static constexpr std::ptrdiff_t readable = 64;

  const char* base() const noexcept { return base_; }
  /// Offsets from base().
  const Place* next() const noexcept { return next_; }
  const Place* low() const noexcept { return low_; }
  void take_until(const Place* next) noexcept { next_ = next; }

  /// Moves to the first place at or after `p`, which is outside of strings and not within a number
  /// or word; the text ends at `end`. False if there is no index: little text is left, it has few
  /// tokens, or this machine has no quick way.
  bool seek(const char* p, const char* end) noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(base_);
    if (at < size_) {
      while (next_ < low_ && *next_ < at) ++next_;
      if (next_ < low_) return true;
    }
    return fill(p, end);
  }
  /// The text is another one.
  void forget() noexcept {
    size_ = 0;
    rest_ = nullptr;
  }

 private:
  static constexpr std::size_t least = 512;
  static constexpr std::size_t most = 4096;

  bool fill(const char* p, const char* end) noexcept;

  const char* base_ = nullptr;
  const char* rest_ = nullptr;  // no index before it
  std::size_t size_ = 0;
  const Place* next_ = nullptr;
  const Place* low_ = nullptr;
  Place places_[most + 64];
};

namespace detail {

// Writes the places in 64 * `blocks` <= 65536 bytes of text, which a readable byte follows, to
// `places`, which has room for one a byte and 64 more, with the instructions of `level`, which the
// processor must have. Returns how many there are.
std::size_t json_places_at(CpuLevel level, const char* text, std::size_t blocks,
                           JsonIndex::Place* places) noexcept;

}  // namespace detail
}  // namespace polycodec
