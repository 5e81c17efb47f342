// SPDX-License-Identifier: MIT
#include "print_elements.hpp"

#include <base/decimal.hpp>
#include <base/text_rows.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace polycodec::obj {
namespace {

std::string at(std::size_t kind, std::uint64_t row) {
  return "$" + key_step(codes[kind]) + index_step(row);
}

[[noreturn, gnu::noinline]] void too_few(std::size_t kind, std::uint64_t row, std::uint64_t least) {
  constexpr const char* details[] = {"obj.point_empty", "obj.line_too_small", "obj.face_too_small"};
  throw Error(Status::invalid, "too few corners: at least " + std::to_string(least) + " are needed")
      .detail(details[least - 1])
      .path(at(kind, row) + ".v");
}

[[noreturn, gnu::noinline]] void different_lengths(std::size_t kind, std::uint64_t row) {
  throw Error(Status::invalid, "the lists of a row have different lengths")
      .detail("obj.bad_corner")
      .path(at(kind, row));
}

class Printer {
 public:
  Printer(TextBlock& text, const Sources& sources, std::size_t kind, std::string_view newline)
      : text_(text), s_(sources), kind_(kind), newline_(newline) {
    const ElementSource& source = sources.elements[kind - 4];
    lists_[0] = source.vertices;
    // A missing list says that no corner has an index of this kind.
    if (source.has_textures) lists_[1] = source.textures;
    if (source.has_normals) lists_[2] = source.normals;
  }

  void run(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t row = first; row != last;) {
      const Row lists = row_of(row);
      const std::uint64_t before = row;
      if (lists[1].count == 0 && lists[2].count == 0)
        row = print_plain<1>({0}, {" "}, row, last);
      else if (lists[2].count == 0)
        row = print_plain<2>({0, 1}, {"/", " "}, row, last);
      else if (lists[1].count == 0)
        row = print_plain<2>({0, 2}, {"//", " "}, row, last);
      else
        row = print_plain<3>({0, 1, 2}, {"/", "/", " "}, row, last);
      if (row == before) print_row(lists, row++);
    }
  }

 private:
  using Row = std::array<mesh::Lists::Row, 3>;

  Row row_of(std::uint64_t row) const noexcept {
    return {lists_[0].row(row), lists_[1].row(row), lists_[2].row(row)};
  }

  // Prints rows from `first` on that have all indices of the lists `of` and of no other. Returns
  // the first row that is different, or has numbers that are not plain.
  template <std::size_t n>
  std::uint64_t print_plain(const std::array<std::size_t, n>& of,
                            const std::array<std::string_view, n>& separators, std::uint64_t first,
                            std::uint64_t last) {
    for (const std::size_t i : of)
      if (!lists_[i].are_plain_integers() || s_.points[i].rows > IntegerTexts::greatest)
        return first;
    // Then the vertices of many rows are read at once: all rows have as many as this one, and
    // nothing else.
    const bool are_dense = n == 1 && lists_[0].all_have(kind_ - 3) && lists_[1].all_have(0) &&
                           lists_[2].all_have(0) && !lists_[0].plain_items().empty();
    const auto gather = [&](std::uint64_t row, std::uint32_t* numbers,
                            std::size_t room) -> GatheredRows {
      const Row lists = row_of(row);
      const std::uint64_t count = lists[0].count;
      if (are_dense && count != 0) {
        const std::uint64_t rows = std::min(last - row, room / count);
        if (fill_integers(numbers, 1, lists[0].data, 4, rows * count, bound(0), 1))
          return {static_cast<std::size_t>(rows), static_cast<std::size_t>(count)};
      }
      const std::uint64_t all = count + lists[1].count + lists[2].count;
      bool usual = count >= kind_ - 3 && count <= room / n && all == count * n;
      for (std::size_t i = 0; usual && i < n; ++i)
        usual = lists[of[i]].count == count &&
                fill_integers(numbers + i, n, lists[of[i]].data, lists_[of[i]].stride(), count,
                              bound(of[i]), 1);
      return {usual ? std::size_t{1} : 0, static_cast<std::size_t>(count * n)};
    };
    const LineFrame frame(codes[kind_], newline_);
    return print_integer_rows(text_, frame, separators, first, last, gather);
  }

  std::uint32_t bound(std::size_t kind) const noexcept {
    return static_cast<std::uint32_t>(s_.points[kind].rows);
  }

  void print_row(const Row& lists, std::uint64_t row) {
    const auto& [v, vt, vn] = lists;
    if ((vt.count != 0 && vt.count != v.count) || (vn.count != 0 && vn.count != v.count))
      different_lengths(kind_, row);
    if (v.count < kind_ - 3) too_few(kind_, row, kind_ - 3);
    text_.commit(put_short(text_.reserve(2), codes[kind_]));
    for (std::uint64_t i = 0; i < v.count; ++i) {
      char* to = text_.reserve(3 * max_decimal_size);
      *to++ = ' ';
      to = print_decimal(to, index(v, i, 0, row) + 1);
      const std::int64_t t = vt.count == 0 ? -1 : index(vt, i, 1, row);
      const std::int64_t n = vn.count == 0 ? -1 : index(vn, i, 2, row);
      if (t >= 0 || n >= 0) *to++ = '/';
      if (t >= 0) to = print_decimal(to, t + 1);
      if (n >= 0) {
        *to++ = '/';
        to = print_decimal(to, n + 1);
      }
      text_.commit(to);
    }
    text_.commit(put_short(text_.reserve(2), newline_));
  }

  // An index of the points of `kind`; textures and normals may be lacking.
  std::int64_t index(const mesh::Lists::Row& list, std::uint64_t i, std::size_t kind,
                     std::uint64_t row) const {
    const std::int64_t value = lists_[kind].integer(list, i);
    if (value < 0 ? kind != 0 && value == -1
                  : static_cast<std::uint64_t>(value) < s_.points[kind].rows)
      return value;
    bad_index(value, kind, row, i);
  }
  [[noreturn, gnu::noinline]] void bad_index(std::int64_t value, std::size_t kind,
                                             std::uint64_t row, std::uint64_t i) const {
    throw Error(Status::range, "index " + std::to_string(value) + " with " +
                                   std::to_string(s_.points[kind].rows) + " rows")
        .detail("mesh.index_out_of_range")
        .path(at(kind_, row) + key_step(codes[kind]) + index_step(i));
  }

  TextBlock& text_;
  const Sources& s_;
  const std::size_t kind_;
  const std::string_view newline_;
  mesh::Lists lists_[3];  // copies, which no text can overlap
};

}  // namespace

void print_elements(TextBlock& text, const Sources& sources, std::size_t kind,
                    std::string_view newline, std::uint64_t first, std::uint64_t last) {
  Printer(text, sources, kind, newline).run(first, last);
}

}  // namespace polycodec::obj
