// SPDX-License-Identifier: MIT
// Columns that grow item by item while text is read.
#pragma once

#include <model/type/type.hpp>

#include "core/text/parse.hpp"

#include <memory>

namespace polycodec::text {

/// Above so many elements, a missing item is left out and the others are found by an index.
inline constexpr std::uint64_t max_missing_weight = 64;

/// The items of a columnar array to be.
class Column {
 public:
  virtual ~Column() = default;
  /// Reads one item. After an exception the column is good for nothing.
  virtual void append(Parser& parser) = 0;
  /// Adds an item that stands for a missing one: no more than max_missing_weight elements.
  virtual void append_missing(Parser& parser) = 0;
  /// About how many elements append_missing() adds.
  virtual std::uint64_t missing_weight() const noexcept { return 1; }
  /// The array of all items, in the arena.
  virtual polycodec_array* finish(Builder& builder) = 0;
};

/// The column for items of type `t`. `parser` tells whether it may throw NotColumnar.
std::unique_ptr<Column> make_column(Parser& parser, const type::Type& t);

/// The same for records, tuples, options, unions and annotated types (column_nested.cpp).
std::unique_ptr<Column> make_nested_column(Parser& parser, const type::Type& t);

/// True if missing items of type `t` are left out of a column, as they would take too much room.
bool has_large_filler(const type::Type& t) noexcept;

/// True if items of type `t` are kept as documents, one by one.
bool is_document_column(const type::Type& t, bool loose) noexcept;

}  // namespace polycodec::text
