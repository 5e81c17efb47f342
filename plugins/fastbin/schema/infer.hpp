// SPDX-License-Identifier: MIT
// A schema for a value that has none.
#pragma once

#include <polycodec/view.hpp>

#include "schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

/// The schema whose struct `root` holds `value`, an object. Structs are called after the members
/// that hold them. Numbers keep their types; where items of a list differ in them, the least
/// integer type that holds all, or float64. Lists without items are taken for `vector<float64>`,
/// bytes are `vector<byte>`, members of unions are variants; enums are never inferred. Throws
/// Error(type) with the path where no schema can say it: null, lists of lists, items or members
/// that have no type in common, objects whose members differ, names that are none; and
/// Error(option) for a `root` or `name_space` that is not a name.
Schema infer_schema(const View& value, std::string_view root = "Root",
                    std::string_view name_space = "inferred");

struct GuessedMember;

/// A type without names of structs; `unknown` is that of the items of an empty list.
struct Guess {
  enum class Kind : std::uint8_t { unknown, primitive, text, structure, list, variant };
  Kind kind = Kind::unknown;
  Primitive primitive = Primitive::float64;
  std::vector<GuessedMember> members;
  std::vector<Guess> of;  ///< the type of a list's items; the alternatives of a variant
};

struct GuessedMember {
  std::string name;
  Guess type;
};

/// The type of one value. Throws Error(type) with `path` (or one below it) if there is none.
Guess guess(const View& item, const std::string& path, std::uint32_t depth = 0);

/// The type that holds what both hold. Throws Error(type) with `path` if there is none.
Guess join(Guess a, Guess b, const std::string& path);

}  // namespace polycodec::fastbin
