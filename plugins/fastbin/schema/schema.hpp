// SPDX-License-Identifier: MIT
// The schema of fastbin buffers: enums, structs and how they lie in memory. Whatever spelling a
// schema was written in, this is what codec, generator and command line work with.
#pragma once

#include <polycodec/dtype.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// The builtin scalar types. `character` is an unsigned byte (`char`), `byte` another
/// (`std::byte`).
enum class Primitive : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  character,
  byte,
  boolean,
};
inline constexpr std::size_t primitive_count = 13;

/// The name in schemas, such as "float64", "char" or "bool".
constexpr std::string_view primitive_name(Primitive p) noexcept {
  constexpr std::string_view names[primitive_count] = {
      "int8",   "int16",   "int32",   "int64", "uint8", "uint16", "uint32",
      "uint64", "float32", "float64", "char",  "byte",  "bool"};
  return names[static_cast<std::size_t>(p)];
}
/// The primitive of this name, or nothing.
constexpr std::optional<Primitive> primitive_from_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < primitive_count; ++i)
    if (primitive_name(static_cast<Primitive>(i)) == name) return static_cast<Primitive>(i);
  return std::nullopt;
}
/// Bytes of one value where it is not widened to a slot: in vectors and variants.
constexpr std::uint32_t native_size(Primitive p) noexcept {
  constexpr std::uint8_t sizes[primitive_count] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1, 1, 1};
  return sizes[static_cast<std::size_t>(p)];
}
constexpr bool is_signed(Primitive p) noexcept {
  return p <= Primitive::int64;
}
constexpr bool is_float(Primitive p) noexcept {
  return p == Primitive::float32 || p == Primitive::float64;
}
/// The element type that a value of this type has.
constexpr std::uint8_t dtype_of_primitive(Primitive p) noexcept {
  constexpr std::uint8_t dtypes[primitive_count] = {
      POLYCODEC_DTYPE_INT8,    POLYCODEC_DTYPE_INT16,  POLYCODEC_DTYPE_INT32,
      POLYCODEC_DTYPE_INT64,   POLYCODEC_DTYPE_UINT8,  POLYCODEC_DTYPE_UINT16,
      POLYCODEC_DTYPE_UINT32,  POLYCODEC_DTYPE_UINT64, POLYCODEC_DTYPE_FLOAT32,
      POLYCODEC_DTYPE_FLOAT64, POLYCODEC_DTYPE_UINT8,  POLYCODEC_DTYPE_UINT8,
      POLYCODEC_DTYPE_BOOLEAN};
  return dtypes[static_cast<std::size_t>(p)];
}

/// The unit of the format: all objects start at multiples of it, counted from the root, and all
/// sizes are multiples.
inline constexpr std::uint64_t word_size = 8;

enum class Kind : std::uint8_t {
  primitive,
  text,         ///< `string`
  enumeration,  ///< `enum:Name`
  structure,    ///< `struct:Name`
  vector,       ///< `vector<T>`
  variant,      ///< `Variant<T, ...>`
};

/// The type of a member, of the items of a vector, or of an alternative of a variant.
struct Type {
  Kind kind = Kind::primitive;
  Primitive primitive = Primitive::int8;  ///< of kind primitive; of an enumeration, its storage
  std::uint32_t index = 0;                ///< enumeration, structure: which one of the schema
  std::vector<Type> of;  ///< vector: the one type of its items; variant: its alternatives

  const Type& item() const noexcept { return of.front(); }
  /// True for what is one number in the buffer: primitives and enumerations.
  bool is_scalar() const noexcept { return kind == Kind::primitive || kind == Kind::enumeration; }
};

/// One name of an enumeration.
struct EnumMember {
  std::string name;
  std::uint64_t bits =
      0;  ///< the value in the width of the storage, zero above: what is in buffers
  std::vector<std::string>
      texts;  ///< what `parse_NAME` understands; the name itself if the schema says nothing
  std::vector<std::string> doc;  ///< lines
  std::uint32_t line = 0;        ///< in the schema's text; 0 if there is none
};

struct Enum {
  std::string name;
  Primitive storage = Primitive::uint8;  ///< an integer, `char` or `bool`
  bool generate_parse = false;
  std::vector<std::string> doc;
  std::vector<EnumMember> members;
  std::uint32_t line = 0;
  std::map<std::uint64_t, std::uint32_t> by_bits;  ///< bits of a value -> index of its first member

  /// The first member with this value, or NULL.
  const EnumMember* find(std::uint64_t bits) const noexcept {
    const auto at = by_bits.find(bits);
    return at == by_bits.end() ? nullptr : &members[at->second];
  }
  /// The member of this name, or NULL; linear.
  const EnumMember* find(std::string_view name_wanted) const noexcept {
    for (const EnumMember& m : members)
      if (m.name == name_wanted) return &m;
    return nullptr;
  }
  /// True for a member of `members` whose value an earlier one has: another name of it.
  bool is_alias(const EnumMember& member) const noexcept { return find(member.bits) != &member; }
  /// The value as a decimal integer, with its sign if the storage has one.
  std::string value_text(const EnumMember& member) const;
  /// The value, if the storage has a sign.
  std::int64_t signed_value(const EnumMember& member) const;
};

/// A member of a struct.
struct Field {
  std::string name;
  Type type;
  std::vector<std::string> doc;
  std::uint32_t line = 0;
  /// Where the member starts, from the start of its struct (whose size word comes first if it is
  /// variable). Nothing after a variable member, whose end only the buffer tells.
  std::optional<std::uint64_t> offset;
  /// Bytes of the member if its size is fixed (a slot, a fixed struct); 0 if it is variable.
  std::uint64_t fixed_size = 0;
  bool is_fixed() const noexcept { return fixed_size != 0; }
};

struct Struct {
  std::string name;
  std::vector<std::string> doc;
  std::vector<Field> fields;
  std::uint32_t line = 0;
  bool fixed = false;            ///< all members are, recursively; then there is no size word
  std::uint64_t fixed_size = 0;  ///< of a fixed struct: 8 times its scalar leaves
  std::uint64_t min_size = 0;    ///< the least that one takes; fixed_size if fixed. A multiple of 8
  std::uint32_t parts =
      0;  ///< structs, vectors, variants and scalars in it, all nesting written out
  std::uint32_t depth = 0;  ///< levels of structs, vectors and variants in it, itself included

  const Field* find(std::string_view name_wanted) const noexcept {
    for (const Field& f : fields)
      if (f.name == name_wanted) return &f;
    return nullptr;
  }
};

/// A checked schema. Structs come in the order of their definition, each after all that it uses.
/// Immutable once made.
struct Schema {
  /// Bounds on what nesting may multiply to; a struct beyond them is an error of the schema.
  static constexpr std::uint32_t max_parts = 65536;
  static constexpr std::uint32_t max_depth = 64;

  std::string name_space;  ///< such as "a::b"; empty if the schema names none
  std::vector<Enum> enums;
  std::vector<Struct> structs;

  const Enum* find_enum(std::string_view name) const noexcept {
    for (const Enum& e : enums)
      if (e.name == name) return &e;
    return nullptr;
  }
  const Struct* find_struct(std::string_view name) const noexcept {
    for (const Struct& s : structs)
      if (s.name == name) return &s;
    return nullptr;
  }
  const Enum& enum_of(const Type& type) const noexcept { return enums[type.index]; }
  const Struct& struct_of(const Type& type) const noexcept { return structs[type.index]; }
  bool is_fixed(const Type& type) const noexcept {
    return type.is_scalar() || (type.kind == Kind::structure && structs[type.index].fixed);
  }
  /// The canonical spelling: `vector<struct:Point>`, `Variant<int32, string>`.
  std::string type_text(const Type& type) const;
};

/// A use of the schema language that the original generator for C++ does not accept, and what it
/// is.
struct Extension {
  std::string path;  ///< such as "structs.Points.items"
  std::uint32_t line = 0;
  std::string what;  ///< such as "vector<string>"
};
/// All extensions in the schema, in its order: vectors of enums and of strings, vectors in
/// variants.
std::vector<Extension> extensions(const Schema& schema);

/// Works out offsets, sizes and bounds of the last struct of `schema`, whose members are set and
/// use earlier structs only. Returns what is wrong with it, or "".
std::string lay_out_last(Schema& schema);

}  // namespace polycodec::fastbin
