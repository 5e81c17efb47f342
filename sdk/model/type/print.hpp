// SPDX-License-Identifier: MIT
// The canonical text of a type.
#pragma once

#include <model/type/text.hpp>
#include <model/type/type.hpp>
#include <polycodec/dtype.hpp>

#include <string>

namespace polycodec::type {

/// Appends the canonical text of `type`: printable ASCII, one space after each comma and colon and
/// around `*` and
/// `->`, no other space. Two types are equal exactly if their strings are, and parse() gives the
/// type back. Recursion is bounded by Type::max_depth.
void print_to(std::string& out, const Type& type);

/// The canonical text of `type`.
std::string print(const Type& type);

}  // namespace polycodec::type
