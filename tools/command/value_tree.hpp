// SPDX-License-Identifier: MIT
// A value as a tree of lines for users, cut where it is long.
#pragma once

#include <polycodec/polycodec.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace polycodec::cli {

/// One line of the tree.
struct TreeNode {
  std::string
      label;  ///< how the parent calls it: a member's name, an item's number; "" for the root
  std::string what;     ///< kind or form with its size, such as "list of 3"
  std::string preview;  ///< first and last items, or the scalar itself
  std::vector<TreeNode> children;
  std::uint64_t omitted = 0;   ///< children that are not shown ..
  std::size_t omitted_at = 0;  ///< .. after so many of those that are
};

struct TreeOptions {
  std::size_t max_depth = 6;
  std::size_t first = 6;  ///< children shown from the front ..
  std::size_t last = 2;   ///< .. and from the back
  /// Memory of all lines. Those beyond it are left out: values share parts, and so have more lines
  /// than memory.
  std::size_t max_bytes = std::size_t{8} << 20;
};

/// Types and previews charge the budget of the walk that this is called in.
TreeNode make_tree(const Value& value, const TreeOptions& options = {});

/// The tree as text, with lines that show what belongs to what.
std::string render(const TreeNode& tree, std::size_t width);

}  // namespace polycodec::cli
