// SPDX-License-Identifier: MIT
// Vectors of items that differ in size, as columns: one pass finds what the format has no offsets
// for.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>

#include "plan.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polycodec::fastbin {

/// What all rows have in one place of their type: the values so far, in the arena, and the columns
/// inside.
struct RowColumn {
  const Type* type = nullptr;
  std::uint64_t capacity = 0;  ///< rows that will come at most
  std::uint64_t rows = 0;      ///< rows so far, also those without a value
  std::uint64_t values = 0;    ///< rows so far that have a value
  std::int64_t* index =
      nullptr;                   ///< which value each row has, -1 for none; NULL while all have one
  std::byte* scalars = nullptr;  ///< scalars, packed
  std::uint64_t* starts =
      nullptr;  ///< texts and vectors of numbers: where they start in the region, in items.
                ///< Other vectors: offsets in the column of their items. Variants: which value
                ///< of the alternative's column it is
  std::uint64_t* stops = nullptr;  ///< texts and vectors of numbers: where they end
  std::uint8_t* tags = nullptr;    ///< variants: the alternative
  bool not_utf8 = false;           ///< a text so far was not UTF-8
  std::vector<RowColumn>
      children;  ///< members of a struct, items of a vector, alternatives of a variant
};

/// Makes the columns of one vector of a verified buffer. Texts and vectors of numbers are views of
/// the buffer, scalars are copied (their distances differ), and nothing is walked twice but to
/// count what nested vectors hold.
class RowColumns {
 public:
  /// `region` is the vector with its header; it starts at a multiple of 8 from the root and
  /// outlives the value.
  RowColumns(const Plan& plan, std::string_view region, Builder& out, Meter& pace)
      : plan_(plan), schema_(plan.schema()), region_(region), out_(out), pace_(pace) {}

  /// The items of the vector: structs or texts.
  const polycodec_array* items(const Type& item);

 private:
  RowColumn make(const Type& type) const;
  bool holds_lists(const Type& type) const;
  void set_capacity(RowColumn& c, std::uint64_t rows) const;
  void count(RowColumn& c, std::uint64_t at) const;
  void count_payload(RowColumn& c, std::uint64_t at, std::uint64_t size) const;
  void allocate(RowColumn& c);

  void add_row(RowColumn& c);
  void add_missing(RowColumn& c);
  void add(RowColumn& c, std::uint64_t at);
  void add_scalar(RowColumn& c, std::uint64_t at);
  void add_scalars(RowColumn& c, std::uint64_t at, std::uint64_t n);
  void add_text(RowColumn& c, std::uint64_t at, std::uint64_t size);
  void add_packed(RowColumn& c, std::uint64_t at, std::uint64_t size);
  void add_struct(RowColumn& c, std::uint64_t at);
  void add_list(RowColumn& c, std::uint64_t at);
  void add_variant(RowColumn& c, std::uint64_t at);
  void add_payload(RowColumn& c, std::uint64_t at, std::uint64_t size);

  const polycodec_array* finish(const RowColumn& c);
  const polycodec_array* finish_values(const RowColumn& c);
  const polycodec_array* finish_views(const RowColumn& c, std::uint32_t dtype, std::uint8_t flags);
  const polycodec_array* finish_texts(const RowColumn& c);

  const std::byte* base() const noexcept {
    return reinterpret_cast<const std::byte*>(region_.data());
  }
  /// True for vectors that can be views of the buffer: those of numbers.
  static bool is_view(const Type& vector) noexcept {
    const Type& item = vector.item();
    return item.kind == Kind::primitive && item.primitive != Primitive::boolean;
  }

  const Plan& plan_;
  const Schema& schema_;
  std::string_view region_;
  Builder& out_;
  Meter& pace_;
};

}  // namespace polycodec::fastbin
