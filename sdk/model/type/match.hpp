// SPDX-License-Identifier: MIT
// Does a type fit a pattern? The rules are in docs/type-notation.md.
#pragma once

#include <model/type/layout.hpp>
#include <model/type/type.hpp>
#include <polycodec/error.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace polycodec::type {

/// What a variable of a pattern stands for: a type (`T`), one dimension (`N * T`), a run of
/// dimensions (`A... * T`), a number of repetitions (`3**N * T`), or the word before a bracket
/// (`T[U]`: Kind::option, pointer or indexed).
using Binding = std::variant<Type, Dim, std::vector<Dim>, std::uint64_t, Kind>;

/// The variables of a pattern by name.
using Bindings = std::map<std::string, Binding, std::less<>>;

/// True if the concrete type `candidate` fits `pattern`, each variable of the pattern standing for
/// one thing throughout. A candidate that is not concrete fits no pattern. On success the variables
/// are written to `bindings`, unless it is NULL; on failure it is unchanged. Of several ways to
/// share dimensions among ellipses the one that gives fewer to the leftmost is taken. Throws
/// Error(limit) if a pattern with many ellipses takes too long.
bool matches(const Type& pattern, const Type& candidate, Bindings* bindings = nullptr);

}  // namespace polycodec::type
