// SPDX-License-Identifier: MIT
// What the schema in a typed leaf
// says: `{"type":"ndarray","subtype":"float","precision":8,"shape":[3]}`. What yggdrasil has no
// type for is written with words of our own: `{"type":"polycodec","kind":"map"}`. Readers of the
// real libraries keep such a leaf as an opaque string.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/node_view.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace polycodec::yggdrasil {

/// The marker around the parts of a typed leaf.
inline constexpr std::string_view marker = "-YGG-";
/// A string of at least so many bytes that starts and ends with the marker is a typed leaf.
inline constexpr std::size_t least_leaf = 10;

inline bool looks_typed(std::string_view text) noexcept {
  return text.size() >= least_leaf && text.starts_with(marker) && text.ends_with(marker);
}

/// The words that `type` may be. Those from int_ to unicode stand for a scalar of that subtype.
enum class TypeWord : std::uint8_t {
  scalar,
  int_,
  uint,
  float_,
  complex,
  bytes,
  unicode,
  ndarray,
  array1d,
  class_name,
  function_name,
  instance,
  schema,
  ply,
  obj,
  own,    ///< "polycodec": values that yggdrasil has no type for
  other,  ///< any other word
};
std::string_view to_string(TypeWord word) noexcept;
/// TypeWord::other for a word that is none.
TypeWord type_word(std::string_view text) noexcept;

enum class Subtype : std::uint8_t { none, int_, uint, float_, complex, string, bytes, unicode };
std::string_view to_string(Subtype subtype) noexcept;

/// How the characters of a string are stored; `none`: bytes.
enum class Encoding : std::uint8_t { none, ascii, utf8, utf16, utf32, ucs4 };
std::string_view to_string(Encoding encoding) noexcept;
/// The encoding with this name; Encoding::none if there is none.
Encoding encoding_from(std::string_view name) noexcept;

/// A schema, understood. `precision` counts bytes of an element.
struct Leaf {
  TypeWord type = TypeWord::other;
  Subtype subtype = Subtype::none;
  Encoding encoding = Encoding::none;
  bool has_precision = false;
  bool has_shape = false;
  std::uint64_t precision = 0;
  std::vector<std::int64_t> shape;

  // What follows from it (see resolve()).
  std::uint8_t dtype = 0;       ///< 0: not a scalar or array
  std::uint32_t item_size = 0;  ///< bytes of an element
  std::uint64_t count = 1;      ///< elements
  std::uint64_t bytes = 0;      ///< bytes of all elements
  bool sized = false;           ///< `bytes` is known

  bool is_array() const noexcept { return type == TypeWord::ndarray || type == TypeWord::array1d; }
  bool is_scalar() const noexcept { return type <= TypeWord::unicode; }
  bool is_string() const noexcept { return subtype >= Subtype::string; }

  /// Reads the members of a schema that matter here. `bits`: precision counts bits. Throws Error
  /// without offset and path for what is not a schema.
  static Leaf from(NodeView schema, bool bits);
  /// Finds element type and sizes. Throws Error for subtypes, precisions and shapes that do not fit
  /// each other. An array without shape is refused, unless the caller takes it from the data.
  void resolve(bool shape_needed = true);

 private:
  void resolve_scalar_type();
};

/// True for dtypes of leaves of the format, and their subtype.
bool has_subtype(std::uint32_t dtype) noexcept;
Subtype subtype_of(std::uint32_t dtype) noexcept;

/// True for members of a schema that a Leaf stands for; all others are attributes.
bool is_leaf_key(std::string_view key) noexcept;

/// In the schema of the first column: this JSON array of arrays is a table.
inline constexpr char own_table_text[] = "polycodec:table";
inline constexpr std::string_view own_table_key =
    own_table_text;  // its address tells it from what a body says
/// Before attributes whose names mean something else in a schema.
inline constexpr std::string_view own_prefix = "polycodec:";

/// `kind` of a leaf of our own. The first three stand first in a JSON array and say what the array
/// is.
enum class OwnKind : std::uint8_t { map, extension, member, scalar, ndarray, time, none };
std::string_view to_string(OwnKind kind) noexcept;
OwnKind own_kind(std::string_view word) noexcept;

/// True for dtypes that yggdrasil has no subtype for.
constexpr bool is_own_dtype(std::uint32_t dtype) noexcept {
  return dtype == POLYCODEC_DTYPE_INT128 || dtype == POLYCODEC_DTYPE_UINT128 ||
         dtype == POLYCODEC_DTYPE_FLOAT128 || dtype == POLYCODEC_DTYPE_COMPLEX32 ||
         dtype == POLYCODEC_DTYPE_TIMESTAMP64 || dtype == POLYCODEC_DTYPE_DURATION64;
}
/// The name of such a dtype in a schema, such as "datetime64"; "" for others.
std::string_view own_dtype_name(std::uint32_t dtype) noexcept;
/// DTYPE_NONE for a name that is none.
std::uint8_t own_dtype(std::string_view name) noexcept;

}  // namespace polycodec::yggdrasil
