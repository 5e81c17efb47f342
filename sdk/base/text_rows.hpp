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
class LineFrame {
 public:
  LineFrame(std::string_view code, std::string_view newline) noexcept
      : begin_size_(code.empty() ? 0 : code.size() + 1),
        between_size_(newline.size() + begin_size_) {
    char* const end = put_short(between_.data(), newline);
    if (!code.empty()) *put_short(end, code) = ' ';
  }

  /// Begins the first line.
  char* begin(char* to) const noexcept {
    std::memcpy(to, between_.data() + between_size_ - begin_size_, 4);
    return to + begin_size_;
  }
  /// Ends a line and begins the next one. `to` is after a space.
  char* next(char* to) const noexcept {
    std::memcpy(to - 1, between_.data(), between_.size());
    return to - 1 + between_size_;
  }
  /// Takes back the beginning of a line.
  char* end(char* to) const noexcept { return to - begin_size_; }
  /// Bytes of both, and what is written after a number.
  static constexpr std::size_t room = 32;

 private:
  std::array<char, 8> between_{};
  std::size_t begin_size_, between_size_;
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
                             std::uint64_t first, std::uint64_t last, const LineFrame frame) {
  std::array<FloatTexts, most_float_columns> texts;
  for (std::uint64_t from = first; from < last; from += decimal_batch) {
    const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(decimal_batch, last - from));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const FloatColumn& column = columns[i];
      texts[i].print(column.first + static_cast<std::int64_t>(from) * column.stride, column.stride,
                     rows);
    }
    char* to = frame.begin(text.reserve((rows + 1) * (columns.size() * 16 + LineFrame::room)));
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        to = texts[i].put(to, row);
        *to++ = ' ';
      }
      to = frame.next(to);
    }
    text.commit(frame.end(to));
  }
}

/// Fills in each `step`th of `numbers` with int32 of this machine, `stride` bytes apart, and `more`
/// added to each. False if one is not from 0 to `bound` - 1.
inline bool fill_integers(std::uint32_t* numbers, std::size_t step, const std::byte* first,
                          std::int64_t stride, std::uint64_t count, std::uint32_t bound,
                          std::uint32_t more) noexcept {
  bool all = true;
  for (std::uint64_t i = 0; i < count; ++i, first += stride, numbers += step) {
    std::uint32_t number;
    std::memcpy(&number, first, sizeof number);
    all = all & (number < bound);
    *numbers = number + more;
  }
  return all;
}

/// Some rows of as many numbers each.
struct GatheredRows {
  std::size_t rows = 0, numbers = 0;
};

/// Prints rows of integers from 0 to IntegerTexts::greatest, and returns the first row of another
/// kind, or `last`. `gather(row, numbers, room)` fills in the numbers of this row, and maybe of
/// rows after it, but no more than `room` numbers. It returns no rows if this one is of another
/// kind or has more numbers. After number i of a row comes separator i % n, of one or two
/// characters. Rows have a multiple of n numbers, and the last separator is a space.
template <std::size_t n, class Gather>
std::uint64_t print_integer_rows(TextBlock& text, const LineFrame frame,
                                 const std::array<std::string_view, n>& separators,
                                 std::uint64_t first, std::uint64_t last, const Gather& gather) {
  std::array<std::array<char, 2>, n> between;
  std::array<std::size_t, n> sizes;
  for (std::size_t i = 0; i < n; ++i) {
    put_short(between[i].data(), separators[i]);
    sizes[i] = separators[i].size();
  }
  std::array<std::uint32_t, decimal_batch> numbers{}, counts;
  IntegerTexts texts;
  for (;;) {
    std::size_t lines = 0, all = 0;
    while (first + lines != last) {
      const GatheredRows some = gather(first + lines, numbers.data() + all, decimal_batch - all);
      if (some.rows == 0) break;
      for (std::size_t i = 0; i < some.rows; ++i)
        counts[lines++] = static_cast<std::uint32_t>(some.numbers);
      all += some.rows * some.numbers;
    }
    if (lines == 0) return first;
    texts.print(numbers, all);
    char* to = frame.begin(text.reserve(all * 16 + (lines + 1) * LineFrame::room));
    std::size_t at = 0;
    for (std::size_t line = 0; line < lines; ++line) {
      for (const std::size_t end = at + counts[line]; at < end;) {
        for (std::size_t i = 0; i < n; ++i) {
          to = texts.put(to, at++);
          std::memcpy(to, between[i].data(), 2);
          to += sizes[i];
        }
      }
      to = frame.next(to);
    }
    text.commit(frame.end(to));
    first += lines;
  }
}

}  // namespace polycodec
