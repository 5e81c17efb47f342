// SPDX-License-Identifier: MIT
// Buffers to values: the check after which all else trusts them, scalars as nodes and columns,
// and vectors of items that differ in size as columns.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/call.hpp>
#include <polycodec/codec.hpp>

#include "codec.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// Checks that `bytes` start with a buffer of the plan's root struct, and returns how many bytes it
/// takes. Nothing outside `bytes` is read, nothing is allocated, and every word is looked at once;
/// vectors of numbers and of fixed structs take constant time, unless they hold booleans, or enums
/// and the settings want to know all of them. Throws Error with offset, path and a detail
/// `fastbin.` truncated, not_finalized, bad_size, out_of_range, reserved_bits, bad_pad, bad_length,
/// bad_count, bad_variant_index, bad_variant_size, bad_bool, bad_enum, bad_utf8, size_mismatch,
/// trailing, bad_alignment.
std::uint64_t verify(const Plan& plan, const Call& call, std::string_view bytes);

/// The scalar whose native bytes are at `p`: a number of its width, a boolean, or the name of
/// an enum's value (the number if it has none).
polycodec_node scalar_node(const Plan& plan, const Type& type, const std::byte* p);

/// The text of `size` bytes at `p`, a view; lenient if it is not UTF-8.
polycodec_node text_node(const std::byte* p, std::uint64_t size);

/// A column of `count` scalars, `stride` bytes apart from `p` on, inside `buffer`, which outlives
/// the value. Numbers are a view. Enums are names by index: a view as well where the values of the
/// enum count up from 0; one node each if a value has no name.
const polycodec_array* leaf_column(const Plan& plan, const Type& type, std::string_view buffer,
                                   const std::byte* p, std::int64_t stride, std::uint64_t count,
                                   Builder& out, Meter& pace);

/// `count` fixed structs, `stride` bytes apart: a record of such columns.
const polycodec_array* fixed_rows(const Plan& plan, const Struct& s, std::string_view buffer,
                                  const std::byte* p, std::int64_t stride, std::uint64_t count,
                                  Builder& out, Meter& pace);

/// A record of columns that are called like the members of `s`.
const polycodec_array* struct_record(const Plan& plan, const Struct& s, std::uint64_t length,
                                     std::span<const polycodec_array* const> columns, Builder& out);

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
      nullptr;  ///< strings and vectors of numbers: where they start in the region, in items.
                ///< Other vectors: offsets in the column of their items. Variants: which value
                ///< of the alternative's column it is
  std::uint64_t* stops = nullptr;  ///< strings and vectors of numbers: where they end
  std::uint8_t* tags = nullptr;    ///< variants: the alternative
  bool not_utf8 = false;           ///< a text so far was not UTF-8
  std::vector<RowColumn>
      children;  ///< members of a struct, items of a vector, alternatives of a variant
};

/// Makes the columns of one vector of a verified buffer. Strings and vectors of numbers are views
/// of the buffer, scalars are copied (their distances differ), and nothing is walked twice but to
/// count what nested vectors hold.
class RowColumns {
 public:
  /// `region` is the vector with its header; it starts at a multiple of 8 from the root and
  /// outlives the value.
  RowColumns(const Plan& plan, std::string_view region, Builder& out, Meter& pace)
      : plan_(plan), schema_(plan.schema()), region_(region), out_(out), pace_(pace) {}

  /// The items of the vector: structs or strings.
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

/// Verifies `bytes` and makes an OBJECT of its root struct. The value views `bytes`, and names in
/// the arena of the instance.
Node decode(const Plan& plan, const Call& call, std::string_view bytes, Builder& out);

}  // namespace polycodec::fastbin
