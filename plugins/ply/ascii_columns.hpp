// SPDX-License-Identifier: MIT
// The columns of an element of an ascii body, while they are being filled.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/dtype.hpp>

#include "decode.hpp"
#include "header.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace polycodec::ply {

/// Lists are taken to be of one length until one is not.
struct AsciiColumn {
  std::byte* data = nullptr;   // items, one after another
  std::uint64_t used = 0;      // items
  std::uint64_t capacity = 0;  // items
  std::uint64_t length = 0;    // of every list so far, while offsets is NULL
  std::uint64_t next = 0;      // items of a row that is being read
  std::uint64_t* offsets = nullptr;
};

/// One column for each property; those that nobody wants stay empty.
class AsciiColumns {
 public:
  AsciiColumns(const Element& element, const Chosen& chosen, Builder& out)
      : element_(element), chosen_(chosen), out_(out), all_(element.properties.size()) {}

  AsciiColumn& operator[](std::size_t i) noexcept { return all_[i]; }
  std::size_t size() const noexcept { return all_.size(); }

  /// Room for all rows of numbers that are not in lists.
  void reserve_numbers() {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (chosen_[i] && !element_.properties[i].is_list()) reserve(i, element_.count);
  }
  /// Numbers go to those of `whole`, from `row` on: those that are not in lists, and those in lists
  /// as long as these are of the length of all before them.
  void use_numbers_of(const AsciiColumns& whole, std::uint64_t row) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!chosen_[i]) continue;
      if (!element_.properties[i].is_list()) {
        all_[i].data = whole.all_[i].data + row * item_size(i);
        continue;
      }
      if (!whole.has_room(i, row, element_.count)) continue;
      all_[i].data = whole.place(i, row);
      all_[i].capacity = element_.count * whole.all_[i].length;
      all_[i].length = whole.all_[i].length;
    }
  }
  /// Room for the lists of `rows` rows from `row` on, the next one, if they are of the length of
  /// all before them.
  void make_room(std::uint64_t row, std::uint64_t rows, std::uint64_t most) {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (chosen_[i] && element_.properties[i].is_list() && all_[i].offsets == nullptr &&
          all_[i].length != 0 && rows <= most / all_[i].length)
        make_room(i, row, rows, rows * all_[i].length, most);
  }
  /// True if the lists of `part`, rows from `row` on, are where they belong.
  bool are_in_place(std::uint64_t row, const AsciiColumns& part) const noexcept {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (chosen_[i] && element_.properties[i].is_list() && !is_in_place(i, row, part))
        return false;
    return true;
  }
  /// Lists of a part that are in `whole`, from `row` on, go to other memory.
  void leave(const AsciiColumns& whole, std::uint64_t row) {
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (chosen_[i] && element_.properties[i].is_list() && all_[i].capacity != 0 &&
          whole.all_[i].data != nullptr && all_[i].data == whole.place(i, row))
        reserve(i, all_[i].capacity);
  }

  /// Room in a column of lists for `items` more: for as many rows as are to come after `row`, if
  /// they are like the `rows` that these are, but for no more items than `most`.
  void make_room(std::size_t i, std::uint64_t row, std::uint64_t rows, std::uint64_t items,
                 std::uint64_t most) {
    const AsciiColumn& c = all_[i];
    if (items <= c.capacity - c.used) return;
    const std::uint64_t left = element_.count - row;
    const std::uint64_t each = items / rows + (items % rows != 0 ? 1 : 0);
    const std::uint64_t wanted = each > most / left ? most : each * left;
    reserve(i, c.used + std::max({items, wanted, std::min(c.used, most)}));
  }
  /// List number `row` of column `i` has `items`, unlike those before it.
  void become_ragged(std::size_t i, std::uint64_t row, std::uint64_t items) {
    if (row == 0)
      all_[i].length = items;
    else
      make_offsets(all_[i], row);
  }

  /// Where the lists of a part go.
  using Places = std::vector<std::uint64_t>;
  /// Makes room for the lists of `part`, rows from `row` on, the next one; copy_lists() fills it.
  Places make_room(std::uint64_t row, const AsciiColumns& part, std::uint64_t most) {
    Places places(all_.size());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!chosen_[i] || !element_.properties[i].is_list()) continue;
      AsciiColumn& c = all_[i];
      const AsciiColumn& more = part.all_[i];
      make_room(i, row, part.element_.count, more.used, most);
      if (c.offsets == nullptr &&
          (more.offsets != nullptr || (row != 0 && more.length != c.length)))
        make_offsets(c, row);
      if (c.offsets == nullptr) c.length = more.length;
      places[i] = c.used;
      c.used += more.used;
    }
    return places;
  }
  /// [thread-safe] for different parts.
  void copy_lists(std::uint64_t row, const AsciiColumns& part, const Places& places) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!chosen_[i] || !element_.properties[i].is_list()) continue;
      AsciiColumn& c = all_[i];
      const AsciiColumn& more = part.all_[i];
      if (more.used != 0 && !is_at(i, places[i], more))
        std::memcpy(c.data + places[i] * item_size(i), more.data,
                    static_cast<std::size_t>(more.used * item_size(i)));
      if (c.offsets == nullptr) continue;
      std::uint64_t* const to = c.offsets + row;
      for (std::uint64_t k = 1; k <= part.element_.count; ++k)
        to[k] = places[i] + (more.offsets != nullptr ? more.offsets[k] : k * more.length);
    }
  }

  Columns finish() {
    Columns columns;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Property& p = element_.properties[i];
      AsciiColumn& c = all_[i];
      if (!chosen_[i]) {
        columns.push_back(nullptr);
        continue;
      }
      if (c.data == nullptr) reserve(i, 0);
      const std::uint32_t size = dtype_size(p.dtype);
      const auto rows = static_cast<std::int64_t>(element_.count);
      const std::uint64_t items = p.is_list() ? c.used : element_.count;
      const std::string_view bytes = to_string_view(c.data, static_cast<std::size_t>(items * size));
      const std::int64_t total[] = {static_cast<std::int64_t>(items)};
      if (!p.is_list()) {
        columns.push_back(out_.ndarray(bytes, p.dtype, size, total));
      } else if (c.offsets == nullptr && rows != 0) {
        const std::int64_t shape[] = {rows, static_cast<std::int64_t>(c.length)};
        columns.push_back(out_.ndarray(bytes, p.dtype, size, shape));
      } else {
        const std::uint64_t* offsets =
            c.offsets != nullptr ? c.offsets : out_.store(std::uint64_t{0});
        columns.push_back(out_.list_offsets(
            std::span<const std::uint64_t>(offsets, static_cast<std::size_t>(element_.count + 1)),
            out_.ndarray(bytes, p.dtype, size, total)));
      }
    }
    return columns;
  }

 private:
  std::byte* place(std::size_t i, std::uint64_t row) const noexcept {
    return all_[i].data + row * all_[i].length * item_size(i);
  }
  bool has_room(std::size_t i, std::uint64_t row, std::uint64_t rows) const noexcept {
    const AsciiColumn& c = all_[i];
    if (c.offsets != nullptr || c.length == 0) return false;
    const std::uint64_t most = c.capacity / c.length;
    return row <= most && rows <= most - row;
  }
  bool is_at(std::size_t i, std::uint64_t item, const AsciiColumn& more) const noexcept {
    return more.data == all_[i].data + item * item_size(i);
  }
  bool is_in_place(std::size_t i, std::uint64_t row, const AsciiColumns& part) const noexcept {
    const AsciiColumn& c = all_[i];
    const AsciiColumn& more = part.all_[i];
    return c.offsets == nullptr && more.offsets == nullptr && more.length == c.length &&
           c.data != nullptr && is_at(i, row * c.length, more) && c.used == row * c.length;
  }
  std::uint64_t item_size(std::size_t i) const noexcept {
    return dtype_size(element_.properties[i].dtype);
  }

  void reserve(std::size_t i, std::uint64_t items) {
    const std::uint64_t size = item_size(i);
    auto* const data = reinterpret_cast<std::byte*>(
        out_.allocate<std::uint64_t>(items / 8 * size + items % 8 * size / 8 + 1));
    AsciiColumn& c = all_[i];
    if (c.used != 0) std::memcpy(data, c.data, static_cast<std::size_t>(c.used * size));
    c.data = data;
    c.capacity = items;
  }

  // The lists before `row` are of one length.
  void make_offsets(AsciiColumn& c, std::uint64_t row) {
    c.offsets = out_.allocate<std::uint64_t>(element_.count + 1);
    for (std::uint64_t i = 0; i <= row; ++i) c.offsets[i] = i * c.length;
  }

  const Element& element_;
  const Chosen& chosen_;
  Builder& out_;
  std::vector<AsciiColumn> all_;
};

}  // namespace polycodec::ply
