// SPDX-License-Identifier: MIT
// A typed leaf that was found in a body, and the values that it may be. All functions throw Error
// with the path of the leaf.
#pragma once

#include "decoding.hpp"
#include "json_text.hpp"
#include "leaf.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::yggdrasil {

/// A schema that was read: many leaves have the same one.
struct LeafSchema {
  std::string base64;
  Leaf leaf;
  NodeView object;                           ///< all of it
  std::string_view text;                     ///< as JSON
  const polycodec_node* metadata = nullptr;  ///< what does not follow from the node; NULL: nothing
  /// Attributes of a node that would otherwise be written without a schema.
  const polycodec_node* mark = nullptr;
  std::uint64_t nodes = 0;  ///< of the attributes
  std::uint32_t levels = 0;

  /// Sets what is known of attributes: units, titles, and the words of the schema where several
  /// would do.
  void find_attributes(Builder& out);
};

/// The parts of a leaf, and where they are.
struct FoundLeaf {
  const LeafSchema* schema;
  std::string_view data;  ///< base64
  std::uint64_t data_at;  ///< offset of the data
  std::uint64_t start;    ///< offset of the string
  std::uint32_t depth;
  bool exact;        ///< the offset of each character is known
  bool raw = false;  ///< the data are the bytes themselves

  /// What the data are as a text.
  Origin data_origin() const noexcept { return {data_at, !raw, exact}; }
};

/// Decodes the data, which must be `size` bytes, to `to` (found_data.cpp).
void fill(const Decoding& state, const FoundLeaf& found, void* to, std::uint64_t size);
/// The bytes of the data, in the memory of the value.
std::span<std::byte> data_of(const Decoding& state, const FoundLeaf& found,
                             std::uint64_t alignment);
/// The bytes of the data as characters, which may be any.
std::string_view chars_of(const Decoding& state, const FoundLeaf& found,
                          std::uint64_t alignment = 1);
/// An array without shape has as many elements as there are data.
void take_shape_from_data(const Decoding& state, Leaf& leaf, std::uint64_t size, std::uint64_t at);

/// The node with the attributes of the leaf. `plain`: without any, the node would be written
/// without a schema.
polycodec_node with_attributes(Decoding& state, const FoundLeaf& found, const polycodec_node& node,
                               bool plain);

// Numbers, strings and arrays (found_numbers.cpp).
polycodec_node scalar_of(Decoding& state, const FoundLeaf& found);
polycodec_node text_of(Decoding& state, const FoundLeaf& found);
polycodec_node array_of(Decoding& state, const FoundLeaf& found);

// Others (found_other.cpp). Names stay names: nothing is resolved, imported or run.
polycodec_node name_of(Decoding& state, const FoundLeaf& found, std::string_view extension);
polycodec_node geometry_of(Decoding& state, const FoundLeaf& found, std::string_view codec);
polycodec_node unknown_of(Decoding& state, const FoundLeaf& found);

// Words of our own (found_own.cpp).
polycodec_node own_of(Decoding& state, const FoundLeaf& found);
/// True for a leaf that says what the list is that it is first in.
bool is_marker(const polycodec_node& node) noexcept;
/// What a list is whose first node is a marker.
polycodec_node own_list(Decoding& state, const polycodec_node* nodes, std::uint64_t count,
                        std::uint64_t offset);
/// True for the columns of a table that we wrote: arrays of one dimension and one length, with
/// different titles.
bool is_table(const polycodec_node* nodes, std::uint64_t count);
polycodec_node table_of(Builder& out, const polycodec_node* nodes, std::uint64_t count);

}  // namespace polycodec::yggdrasil
