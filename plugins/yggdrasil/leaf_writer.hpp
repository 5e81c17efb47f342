// SPDX-License-Identifier: MIT
// Typed leaves: schemas, scalars, strings, and arrays of elements.
#pragma once

#include <polycodec/array_view.hpp>

#include "leaf.hpp"
#include "writing.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::yggdrasil {

/// Attributes as far as they say how a node is written.
struct LeafWords {
  std::string_view type{}, subtype{}, encoding{};
  bool any = false;  ///< there are attributes at all

  static LeafWords of(const polycodec_node* attributes);
};

/// What goes into the schema of a leaf, beside its attributes.
struct LeafHead {
  TypeWord type = TypeWord::scalar;
  Subtype subtype = Subtype::none;  ///< none: not written
  bool has_precision = false;
  std::uint64_t precision = 0;  ///< bytes
  bool has_shape = false;
  std::span<const std::int64_t> shape{};
  Encoding encoding = Encoding::none;  ///< none: not written
  bool has_title = false;  ///< a column of a table: then `title` is not among the attributes
  std::string_view title{};
  bool table = false;       ///< the first column of a table
  std::string_view more{};  ///< further members as JSON, each with a comma before it
};

/// Writes leaves: the data of arrays goes from the array straight to the output.
class LeafWriter {
 public:
  explicit LeafWriter(Writing& state) noexcept : state_(state) {}

  /// A number; `bits`: it in little-endian order.
  void scalar(std::uint32_t dtype, const std::byte* bits, const polycodec_node* attributes);
  void text(std::string_view text, const polycodec_node* attributes);
  void bytes(std::string_view bytes, const polycodec_node* attributes);
  /// A class, a function, or the text of a geometry. The old dialects have it as a string.
  void name(TypeWord type, std::string_view text, const polycodec_node* attributes);
  /// An array whose elements have a subtype. `title`: a column of a table, the `first` of it.
  void array(const polycodec_array& array, const polycodec_node* attributes,
             const std::string_view* title = nullptr, bool first = false);
  /// A leaf with these data and the schema of `head`.
  void leaf(const LeafHead& head, const polycodec_node* attributes, std::string_view data);
  /// A leaf with this schema, as JSON, and these data.
  void leaf(std::string_view schema, const void* data, std::uint64_t size);
  void leaf(std::string_view schema, const polycodec_array& elements);
  /// The first item of a JSON array that says what the array is. `more`: further members.
  void own_marker(OwnKind kind, std::string_view more);
  /// From now on arrays are written without their data.
  void leave_out_data() noexcept { without_data_ = true; }

 private:
  void open(const LeafHead& head, const polycodec_node* attributes, const LeafWords& used);
  void head(std::string_view schema);
  void base64(const void* data, std::uint64_t size, bool lines = false);
  void elements(const polycodec_array& array);
  void close(const void* data, std::uint64_t size);
  void close();
  void member(std::string_view key, std::string_view text);
  void members(const polycodec_node* attributes, const LeafWords& used, bool typed,
               std::string_view except);

  Writing& state_;
  std::string schema_;
  std::array<std::string, POLYCODEC_DTYPE_COUNT> heads_;  // of scalars without attributes
  bool looks_typed_text_ = false;  // the leaf is a text that a reader would otherwise take for one
  bool without_data_ = false;
};

// Words of our own (encode_own.cpp).
void put_own_scalar(Writing& state, LeafWriter& leaves, std::uint32_t dtype, const std::byte* bytes,
                    std::uint64_t size, const polycodec_node* attributes);
void put_own_array(Writing& state, LeafWriter& leaves, const polycodec_array& array,
                   const polycodec_node* attributes);
void put_own_time(Writing& state, LeafWriter& leaves, const polycodec_time& time, bool point,
                  const polycodec_node* attributes);

/// Writes a value of the codecs ply and obj as their text, if it is one and they are there; false:
/// it has to be written in another way.
bool put_geometry(Writing& state, LeafWriter& leaves, const polycodec_node& node,
                  const polycodec_node* attributes);

/// A value as JSON inside of a leaf (encode.cpp). `part`: the member of the leaf. `plain`: it holds
/// no typed leaves.
std::string json_of(const Writing& around, const polycodec_node& value, std::uint64_t depth,
                    std::string_view part = {}, bool plain = false);
/// The leaf of an instance (encode_instance.cpp).
void put_instance(Writing& state, LeafWriter& leaves, NodeView payload,
                  const polycodec_node* attributes);

}  // namespace polycodec::yggdrasil
