// SPDX-License-Identifier: MIT
// What is known of a type while values are looked at.
#pragma once

#include <polycodec/view.hpp>

#include "schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

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
