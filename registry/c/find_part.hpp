// SPDX-License-Identifier: MIT
// Parts of a value by path.
#pragma once

#include <polycodec/abi.h>

#include <string_view>

namespace polycodec::c {

/// A node, or an array that is a column; the other one is null.
struct Part {
  const polycodec_node* node = nullptr;
  const polycodec_array* array = nullptr;
};

/// The part of a valid value at a path (base/path_steps.hpp): names of members and columns, indices
/// of items. Throws Status::option for text that is not a path, Status::not_found.
Part find_part(const polycodec_node* root, std::string_view path);

}  // namespace polycodec::c
