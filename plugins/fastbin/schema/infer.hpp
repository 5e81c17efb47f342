// SPDX-License-Identifier: MIT
// A schema for a value that has none.
#pragma once

#include <polycodec/view.hpp>

#include "schema.hpp"

#include <string_view>

namespace polycodec::fastbin {

/// The schema whose struct `root` holds `value`, an object. Structs are called after the members
/// that hold them. Numbers keep their types; where items of a list differ in them, the least
/// integer type that holds all, or float64. Lists without items are taken for `vector<float64>`,
/// bytes are `vector<byte>`, members of unions are variants; enums are never inferred. Throws
/// Error(type) with the path where no schema can say it: null, lists of lists, items or members
/// that have no type in common, objects whose members differ, names that are none; and
/// Error(option) for a `root` or `name_space` that is no name.
Schema infer_schema(const View& value, std::string_view root = "Root",
                    std::string_view name_space = "inferred");

}  // namespace polycodec::fastbin
