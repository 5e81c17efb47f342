// SPDX-License-Identifier: MIT
// Writing a value as one expression and its blobs.
#pragma once

#include <polycodec/array_view.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include "rows.hpp"
#include "survey.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace polycodec::awkward {

/// Writes one array, or whatever else the root is: its blobs as they are met, the schema last. For
/// one call.
///
/// Documents become list, tuple, dict and json expressions; lists of like items become arrays,
/// column by column. Arrays become calls of constructors. What a view leaves out is not written:
/// offsets, starts and stops become counts, selected rows are gathered, and a content shared by
/// several rows is written once. An array that is in several places is written once and
/// referred to.
///
/// The functions below write its parts. They throw Error(unsupported), or Error(limit) for what
/// nests too deep, with the path of what the format cannot hold.
struct Encoder : Writing {
  using Writing::Writing;

  /// Writes all of it.
  void write(NodeView root);

  Survey survey{*this};
  const polycodec_node* about = nullptr;  ///< attributes of the root, some of which the schema has
  std::unordered_map<const polycodec_array*, std::uint64_t> written;  ///< whole, with their ids
};

// Documents (encode.cpp).
void put_node(Encoder& e, const polycodec_node& n);
void put_list(Encoder& e, const polycodec_node& n, const polycodec_node* attributes);
/// A node that is plain JSON, as it is.
void put_json(Encoder& e, const polycodec_node& n);
/// Ends an expression object: its id, if it is referred to, and the extra members.
void end_node(Encoder& e, const polycodec_node& n, std::string_view extra,
              const polycodec_node* attributes);
/// `], "id": 5}` with the extra members. `attributes`: of the array, but for `own`.
void end_call(Encoder& e, std::uint64_t id, std::string_view extra = {},
              const polycodec_node* attributes = nullptr,
              std::initializer_list<std::string_view> own = {});
/// The extra members of a node, and those of an array.
void extra_member(Encoder& e, std::string_view extra, const polycodec_node* attributes);
void extra_of_array(Encoder& e, std::string_view extra, const polycodec_node* attributes,
                    std::initializer_list<std::string_view> own);
/// A member of the object `polycodec` (extras.hpp) that is true.
inline std::string true_extra(std::string_view word) {
  return SchemaText().string(word).raw(": true").text();
}

// Lists of like nodes (encode_rows.cpp).
using Nodes = std::span<const polycodec_node* const>;
/// True if the items can be one array whose items are all alike.
bool is_columnar(Encoder& e, Nodes items);
void put_column(Encoder& e, Nodes items, std::string_view context);
/// A scalar that JSON has not, as the one element of an array.
void put_single(Encoder& e, const polycodec_node& n, const polycodec_node* attributes);

// Arrays (encode_columns.cpp).
void put_array(Encoder& e, const polycodec_array& a, const polycodec_node* attributes);
/// The chosen rows of an array of the value.
void put_column(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context);
/// The same of any array, as the expression with this id.
void put_column_as(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
                   std::uint64_t id);
void put_fixed_lists(Encoder& e, const polycodec_array& a, const polycodec_array& content,
                     std::uint64_t size, const Rows& rows, std::uint64_t id);
/// Around the columns of a table; `bare_rows` are those of a table without columns. The second
/// returns what the expression says beside its call.
void begin_table(Encoder& e, std::uint64_t bare_rows);
std::string end_columns(Encoder& e, bool tuple, std::uint64_t bare_rows);

// Arrays that choose among others (encode_nested.cpp).
void put_union(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
               std::uint64_t id);
void put_masked(Encoder& e, const polycodec_array& a, const Rows& rows, std::uint64_t id);
void put_bit_masked(Encoder& e, const polycodec_array& a, const Rows& rows, std::uint64_t id);
void put_indexed(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
                 std::uint64_t id);
void put_chunked(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
                 std::uint64_t id);

// What was inert in a file (encode_inert.cpp).
/// The name of the function that would make objects of the items of `a`, if these are the content
/// of an ObjectArray.
const polycodec_node* generator_of(const polycodec_array& a);
void put_objects(Encoder& e, const polycodec_array& a, const polycodec_node& generator,
                 const Rows& rows, std::uint64_t id);
/// The name of the function that would make an array of a class of `a`, a table of the columns of
/// that class or lists of such; NULL for others.
const polycodec_node* class_of(const polycodec_array& a);
void put_class(Encoder& e, const polycodec_array& a, const polycodec_node& name, const Rows& rows,
               std::uint64_t id);
/// Writes an extension that stands for a dtype or a function; false if it stands for neither.
bool put_inert(Encoder& e, const polycodec_node& n, const polycodec_node* attributes);

// Leaves (encode_leaf.cpp).
void put_leaf(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
              std::uint64_t id, std::string_view extra = {});
void put_flat_leaf(Encoder& e, std::string_view bytes, std::uint32_t dtype, std::uint32_t item_size,
                   std::uint32_t unit, std::string_view context, std::uint64_t id,
                   std::string_view extra = {}, const polycodec_node* attributes = nullptr);
/// An array without items.
inline void put_nothing(Encoder& e, std::uint64_t id) {
  put_flat_leaf(e, {}, POLYCODEC_DTYPE_FLOAT64, 8, 0, {}, id);
}
/// An array of elements made here, which are in memory only once when what follows is written.
template <class T>
void put_made_leaf(Encoder& e, std::vector<T> items, std::string_view context,
                   std::uint32_t dtype = dtype_of<T>) {
  const T* const kept = Builder(e.call).store_all(std::span<const T>(items));
  put_flat_leaf(e, bytes_of(std::span(kept, items.size())), dtype, sizeof(T), 0, context,
                e.next_id());
}

}  // namespace polycodec::awkward
