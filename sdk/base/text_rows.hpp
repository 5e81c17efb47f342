// SPDX-License-Identifier: MIT
// Lines of plain numbers, many at once. A line is a code and a space, unless the code is empty, and
// numbers with a space between them.
#pragma once

#include <base/decimal_batch.hpp>
#include <base/text_block.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace polycodec {

/// What every line begins and ends with. Neither is longer than two characters.
struct LineFrame {
  std::string_view code;
  std::string_view newline;

  char* begin(char* to) const noexcept {
    if (code.empty()) return to;
    to = put_short(to, code);
    *to++ = ' ';
    return to;
  }
  /// `to` is behind a space.
  char* end(char* to) const noexcept { return put_short(to - 1, newline); }
  /// Bytes of both, and what is written behind a number.
  static constexpr std::size_t room = 32;
};

/// Floats of this machine in one row each, `stride` bytes apart.
struct FloatColumn {
  const std::byte* first = nullptr;
  std::int64_t stride = 0;
};

/// Lines of floats: as many columns as a line of a mesh has at most.
inline constexpr std::size_t most_float_columns = 16;

/// Prints rows [first, last) of 1 to most_float_columns columns.
inline void print_float_rows(TextBlock& text, std::span<const FloatColumn> columns,
                             std::uint64_t first, std::uint64_t last, const LineFrame& frame) {
  std::array<FloatTexts, most_float_columns> texts;
  for (std::uint64_t from = first; from < last; from += decimal_batch) {
    const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(decimal_batch, last - from));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const FloatColumn& column = columns[i];
      texts[i].print(column.first + static_cast<std::int64_t>(from) * column.stride, column.stride,
                     rows);
    }
    char* to = text.reserve(rows * (columns.size() * 16 + LineFrame::room));
    for (std::size_t row = 0; row < rows; ++row) {
      to = frame.begin(to);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        to = texts[i].put(to, row);
        *to++ = ' ';
      }
      to = frame.end(to);
    }
    text.commit(to);
  }
}

/// Lines of integers from 0 to IntegerTexts::greatest, which are printed when there are many.
class IntegerRows {
 public:
  static constexpr std::uint64_t most_numbers = decimal_batch;  ///< of a line

  IntegerRows(TextBlock& text, const LineFrame& frame) noexcept : text_(text), frame_(frame) {}

  /// A line of 1 to most_numbers numbers, to be filled in before the next one.
  std::uint32_t* add(std::size_t count) {
    if (numbers_ + count > decimal_batch) print();
    std::uint32_t* const line = &all_[numbers_];
    counts_[lines_++] = static_cast<std::uint8_t>(count);
    numbers_ += count;
    return line;
  }
  /// Fills a line with int32 of this machine, `stride` bytes apart, and `more` added to each. False
  /// if one is not below `bound`.
  static bool fill(std::uint32_t* line, const std::byte* first, std::int64_t stride,
                   std::uint64_t count, std::uint32_t bound, std::uint32_t more) noexcept {
    bool all = true;
    for (std::uint64_t i = 0; i < count; ++i, first += stride) {
      std::uint32_t number;
      std::memcpy(&number, first, sizeof number);
      all = all & (number < bound);
      line[i] = number + more;
    }
    return all;
  }
  /// Takes back the last line.
  void drop() noexcept { numbers_ -= counts_[--lines_]; }
  /// Prints what was added: before other text, and at the end.
  void print() {
    if (lines_ == 0) return;
    texts_.print(all_.data(), numbers_);
    char* to = text_.reserve(numbers_ * 16 + lines_ * LineFrame::room);
    std::size_t at = 0;
    for (std::size_t line = 0; line < lines_; ++line) {
      to = frame_.begin(to);
      for (const std::size_t end = at + counts_[line]; at < end; ++at) {
        to = texts_.put(to, at);
        *to++ = ' ';
      }
      to = frame_.end(to);
    }
    text_.commit(to);
    numbers_ = lines_ = 0;
  }

 private:
  TextBlock& text_;
  const LineFrame frame_;
  std::array<std::uint32_t, decimal_batch> all_;
  std::array<std::uint8_t, decimal_batch> counts_;
  std::size_t numbers_ = 0, lines_ = 0;
  IntegerTexts texts_;
};

}  // namespace polycodec
