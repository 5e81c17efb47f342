// SPDX-License-Identifier: MIT
// The texts of many numbers at once, by AVX2 on processors that have it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polycodec {

/// The most numbers of a batch.
inline constexpr std::size_t decimal_batch = 64;

/// Up to decimal_batch floats as print_decimal() writes them: a float never takes more than 15
/// characters.
class FloatTexts {
 public:
  /// `count` floats of this machine, `stride` bytes apart.
  void print(const std::byte* first, std::int64_t stride, std::size_t count) noexcept;
  /// Writes text `i` and returns its end; up to 16 bytes from `to` on are written.
  char* put(char* to, std::size_t i) const noexcept {
    std::memcpy(to, texts_[i].data(), 16);
    return to + sizes_[i];
  }

 private:
  using Text = std::array<char, 16>;
  std::array<Text, decimal_batch> texts_;
  std::array<std::uint8_t, decimal_batch> sizes_;

  friend struct FloatKernel;
};

/// Up to decimal_batch integers as print_decimal() writes them.
class IntegerTexts {
 public:
  /// The greatest number that print() takes.
  static constexpr std::uint32_t greatest = 99'999'999;

  /// The first `count` numbers, which are up to `greatest`.
  void print(const std::array<std::uint32_t, decimal_batch>& numbers, std::size_t count) noexcept;
  /// Writes text `i` and returns its end; up to 8 bytes from `to` on are written.
  char* put(char* to, std::size_t i) const noexcept {
    std::memcpy(to, &words_[i], 8);
    return to + sizes_[i];
  }

 private:
  std::array<std::uint64_t, decimal_batch> words_;
  std::array<std::uint32_t, decimal_batch> sizes_;
};

}  // namespace polycodec
