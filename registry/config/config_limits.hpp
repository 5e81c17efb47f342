// SPDX-License-Identifier: MIT
// Limits in JSON, and the lines of JSON.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace polycodec {

/// The limits in `object`, which the schema of configuration files has checked, over `base`.
Limits read_limits(NodeView object, Limits base);

/// The line, counted from 1, on which the value at `path` (keys, and indices as decimal numbers)
/// is in the JSON text `text`; where there is no such value, that of the innermost one around
/// it. For messages about a configuration.
POLYCODEC_API std::size_t line_in_json(std::string_view text, std::vector<std::string> path);

/// The same for many paths of one text, which is gone through once if they come in its order.
class POLYCODEC_API JsonLines {
 public:
  /// `text` outlives this.
  explicit JsonLines(std::string_view text);
  std::size_t line(const std::vector<std::string>& path);

 private:
  /// A list or object that was looked into: the way to it, and what is in it.
  struct Level {
    std::string part;
    std::string_view text;
    std::unordered_map<std::string, std::string_view> items = {};
    bool is_known = false;
  };
  std::string_view text_;
  std::vector<std::size_t> newlines_;
  std::vector<Level> levels_;  // the way to the last one
};

}  // namespace polycodec
