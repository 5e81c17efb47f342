// SPDX-License-Identifier: MIT
// A value as a table of columns that PLY can write, whatever the value is made of.
#pragma once

#include <polycodec/codec.hpp>
#include <polycodec/view.hpp>

#include "codec.hpp"
#include "header.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace polycodec::ply {

/// Evenly spaced numbers in memory.
struct Run {
  const std::byte* data;
  std::uint64_t count;
  std::int64_t stride;
};

/// The numbers of one property. Views the value, or memory of the Table.
struct Source {
  enum class Kind : std::uint8_t { scalar, fixed_list, list };
  Kind kind = Kind::scalar;
  std::uint8_t byte_order = 0;
  std::uint32_t dtype = 0;
  const std::byte* data = nullptr;
  std::int64_t row_stride = 0;             ///< of scalars and fixed lists
  std::int64_t item_stride = 0;            ///< of items of a list
  std::uint64_t length = 0;                ///< of a fixed list
  const polycodec_array* list = nullptr;   ///< a list form over a leaf, or
  const std::uint64_t* offsets = nullptr;  ///< offsets of the Table
  const polycodec_array* leaf =
      nullptr;  ///< the leaf that `data` belongs to, if it views the value

  /// The items of a list, or the one number of a scalar.
  Run row(std::uint64_t i) const noexcept {
    const std::byte* const at = data + static_cast<std::int64_t>(i) * row_stride;
    if (kind == Kind::scalar) return {at, 1, 0};
    if (kind == Kind::fixed_list) return {at, length, item_stride};
    const ArrayView::Range r =
        list != nullptr ? ArrayView(*list).range(i) : ArrayView::Range{offsets[i], offsets[i + 1]};
    return {data + static_cast<std::int64_t>(r.begin) * item_stride, r.end - r.begin, item_stride};
  }
};

/// One element with what its rows hold.
struct ElementSource {
  Element element;
  std::vector<Source> sources;
};

/// What is to be written: a header, and columns for every element of it. Views the value that it
/// was made of.
struct Table {
  Header header;
  std::vector<ElementSource> elements;

  /// Throws Error with the path of what PLY cannot hold. `value` has been validated.
  static Table from(const Settings& settings, const Call& call, NodeView value);

  Table() = default;
  Table(Table&&) = default;
  Table& operator=(Table&&) = default;

  // Memory of columns that had to be converted, and of names; addresses must not change.
  std::deque<std::vector<std::byte>> bytes;
  std::deque<std::vector<std::uint64_t>> offsets;
};

/// The value of a column in a row.
using GetItem = std::function<View(std::uint64_t row)>;

/// Copies a column into memory of `table`. The type is that of all numbers if it is one of PLY;
/// otherwise integers become int or uint (uchar, if it is a part of a `color` and they fit), and
/// floating-point numbers float or double, whichever holds all of them exactly. Throws Error(type)
/// for what is not a number, Error(range) for integers beyond 32 bits, or that a double among
/// others does not hold; `path` is the column's.
Source convert_column(std::uint64_t rows, const GetItem& get, Table& table, const std::string& path,
                      bool color);

/// Writes the rows of an element as numbers in the byte order of the format. Rows that already
/// are in memory as they are to be written are referenced, not copied.
void encode_binary_element(const Call& call, const ElementSource& element, Format format,
                           Writer& out);
}  // namespace polycodec::ply
