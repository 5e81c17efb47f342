// SPDX-License-Identifier: MIT
// The notation of types in schemas, before names are looked up.
#pragma once

#include "schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// A type as it is written: `enum:` and `struct:` with names that nobody has looked up.
struct WrittenType {
  Kind kind = Kind::primitive;
  Primitive primitive = Primitive::int8;
  std::string name;             ///< of the enum or struct
  std::vector<WrittenType> of;  ///< as Type::of
};

/// Parses `int32`, `string`, `enum:E`, `struct:S`, `vector<T>`, `Variant<T, ..>` or `variant<T,
/// ..>`, with blanks between the parts. Checks what may stand in what: vectors hold primitives,
/// enums, strings and structs; variants hold primitives, enums, strings, structs and vectors of
/// primitives or enums, at most 255, none twice. Returns what is wrong, or "".
std::string parse_type(std::string_view text, WrittenType& type);

}  // namespace polycodec::fastbin
