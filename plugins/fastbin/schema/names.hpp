// SPDX-License-Identifier: MIT
// Names in schemas: of types, of the values of enums, and those that a language forbids.
#pragma once

#include "json_tree.hpp"
#include "schema.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// Why `name` cannot name an enum, a struct, a member or a part of the namespace, or "" if it can:
/// it must be an identifier (letters, digits and underscores in ASCII), and none of the names that
/// generated classes use themselves (`buffer`, `buffer_size`, `owns_buffer`, and what starts with
/// `fastbin_`). Keywords are names: generated code spells them with an underscore after them.
std::string name_problem(std::string_view name);

/// The same for a namespace, names with `::` between them.
std::string namespace_problem(std::string_view name_space);

/// Reads an integer, a boolean (storage `bool`), or a text that is an integer literal of C++
/// (decimal, 0x, 0b, a character such as 'A'), which the original generator copies into the code.
/// `bits` gets it in the width of `storage`, zero above. Returns what is wrong, or "". A `char` may
/// be -128 to 255.
std::string read_enum_value(const JsonNode& node, Primitive storage, std::uint64_t& bits);

/// A type as it is written: `enum:` and `struct:` with names that nobody has looked up.
struct WrittenType {
  Kind kind = Kind::primitive;
  Primitive primitive = Primitive::int8;
  std::string name;             ///< of the enum or struct
  std::vector<WrittenType> of;  ///< as Type::of
};

/// Parses `int32`, `string`, `enum:E`, `struct:S`, `vector<T>`, `Variant<T, ..>` or `variant<T,
/// ..>`, with spaces between the parts. Checks what may be in what: vectors hold primitives,
/// enums, strings and structs; variants hold primitives, enums, strings, structs and vectors of
/// primitives or enums, at most 255, none twice. Returns what is wrong, or "".
std::string parse_type(std::string_view text, WrittenType& type);

}  // namespace polycodec::fastbin
