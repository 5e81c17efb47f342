// SPDX-License-Identifier: MIT
// Parts of a value by path.
#pragma once

#include <polycodec/abi.h>

#include <string>
#include <string_view>
#include <vector>

namespace polycodec::c {

/// A node, or an array that is a column; the other one is null.
struct Part {
  const polycodec_node* node = nullptr;
  const polycodec_array* array = nullptr;
};

/// The part of a valid value at a path (base/path_steps.hpp): names of members and columns, indices
/// of items. Throws Status::option for text that is not a path, Status::not_found.
Part find_part(const polycodec_node* root, std::string_view path);

/// Throws Status::not_found, with those of the `known` names that are like it.
[[noreturn]] void throw_no_name(const std::string& wanted, const std::vector<std::string>& known);

}  // namespace polycodec::c
