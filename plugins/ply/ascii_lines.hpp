// SPDX-License-Identifier: MIT
// Rows of ascii bodies in their usual form: each is a line, with one blank between numbers.
#pragma once

#include <base/line_numbers.hpp>

#include "ascii_columns.hpp"
#include "header.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace polycodec::ply {

/// The greatest length that the type of a list's length holds.
inline std::int64_t greatest_length(const Property& p) {
  return with_type(p.count_dtype, [](auto type) -> std::int64_t {
    if constexpr (std::is_floating_point_v<decltype(type)>)
      return 0;
    else
      return static_cast<std::int64_t>(std::numeric_limits<decltype(type)>::max());
  });
}

/// Neighbors of one type, which are read in one loop, or neighbors that nobody wants.
struct Group {
  std::size_t first, last;
};

/// Reads usual rows, of which all numbers are wanted. Any other row, and what is wrong, is left to
/// others, as are the last rows of a text.
class AsciiLines {
 public:
  AsciiLines(const Element& element, const Chosen& chosen, const std::vector<Group>& groups,
             AsciiColumns& columns)
      : element_(element), groups_(groups), columns_(columns) {
    const bool all = std::find(chosen.begin(), chosen.end(), false) == chosen.end();
    if (all && std::endian::native == std::endian::little) tries_ = most_tries;
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const Property& p = element.properties[i];
      most_.push_back(p.is_list() ? greatest_length(p) : 0);
      if (p.is_list()) lists_.push_back(i);
    }
  }

  /// Reads rows from number `row` on, which begins at `at`: those before `last` that begin before
  /// `stop`. Moves `at` behind them; returns the number of the row there.
  std::uint64_t read(std::uint64_t row, std::uint64_t last, const char*& at, const char* stop,
                     const char* end) {
    if (tries_ == 0) return row;
    const Group& only = groups_.front();
    const Property& p = element_.properties[only.first];
    const auto rows_of = [&](const auto& read_row) {
      return rows(row, last, at, stop, end, read_row);
    };
    const std::uint64_t read_to =
        groups_.size() != 1
            ? rows_of([&](LineNumbers& numbers, const char*& in, std::uint64_t of) {
                return mixed(numbers, in, of);
              })
            : with_type(p.dtype, [&](auto type) {
                using T = decltype(type);
                if (p.is_list())
                  return rows_of([&](LineNumbers& numbers, const char*& in, std::uint64_t) {
                    return list<T>(numbers, in, only.first);
                  });
                return rows_of([&](LineNumbers& numbers, const char*& in, std::uint64_t of) {
                  return scalars<T>(numbers, in, only, of);
                });
              });
    // A file of other rows is not looked at twice for long.
    tries_ = read_to != row ? most_tries : tries_ - 1;
    return read_to;
  }

 private:
  template <class ReadRow>
  std::uint64_t rows(std::uint64_t row, std::uint64_t last, const char*& at, const char* stop,
                     const char* end, const ReadRow& read_row) {
    for (; row < last && at < stop && end - at >= LineNumbers::line_bytes; ++row) {
      const char* in = at;
      LineNumbers numbers(in, end);
      if (!read_row(numbers, in, row)) break;
      in += *in == ' ' ? 1 : 0;
      in += in[0] == '\r' && in[1] == '\n' ? 1 : 0;
      if (*in != '\n') break;
      at = in + 1;
      for (const std::size_t i : lists_) {
        AsciiColumn& c = columns_[i];
        c.used += c.next;
        if (c.offsets != nullptr) c.offsets[row + 1] = c.used;
      }
    }
    return row;
  }

  template <class T>
  [[gnu::always_inline]] bool scalars(LineNumbers& numbers, const char*& at, const Group& group,
                                      std::uint64_t row) const {
    for (std::size_t i = group.first; i < group.last; ++i) {
      if (i != group.first && *at++ != ' ') return false;
      if (!numbers.number(at, reinterpret_cast<T*>(columns_[i].data)[row])) return false;
    }
    return true;
  }

  // Lists of another length, and those that need more room, are left to others.
  template <class T>
  [[gnu::always_inline]] bool list(LineNumbers& numbers, const char*& at,
                                   std::size_t property) const {
    AsciiColumn& c = columns_[property];
    std::int64_t length = 0;
    if (!numbers.number(at, length) || length < 0 || length > most_[property]) return false;
    const auto items = static_cast<std::uint64_t>(length);
    if (items > c.capacity - c.used || (c.offsets == nullptr && items != c.length)) return false;
    auto* const to = reinterpret_cast<T*>(c.data) + c.used;
    for (std::uint64_t i = 0; i < items; ++i)
      if (*at++ != ' ' || !numbers.number(at, to[i])) return false;
    c.next = items;
    return true;
  }

  [[gnu::always_inline]] bool mixed(LineNumbers& numbers, const char*& at,
                                    std::uint64_t row) const {
    for (const Group& group : groups_) {
      if (group.first != 0 && *at++ != ' ') return false;
      const Property& p = element_.properties[group.first];
      const bool good = with_type(p.dtype, [&](auto type) {
        using T = decltype(type);
        return p.is_list() ? list<T>(numbers, at, group.first)
                           : scalars<T>(numbers, at, group, row);
      });
      if (!good) return false;
    }
    return true;
  }

  static constexpr int most_tries = 16;

  const Element& element_;
  const std::vector<Group>& groups_;
  AsciiColumns& columns_;
  std::vector<std::int64_t> most_;  // the greatest length of lists
  std::vector<std::size_t> lists_;
  int tries_ = 0;
};

}  // namespace polycodec::ply
