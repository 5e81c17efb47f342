// SPDX-License-Identifier: MIT
// Limits in JSON, and the lines of JSON.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// The limits in `object`, which the schema of configuration files has checked, over `base`.
Limits read_limits(NodeView object, Limits base);

/// The line, counted from 1, on which the value at `path` (keys, and indices as decimal numbers)
/// is in the JSON text `text`; where there is no such value, that of the innermost one around
/// it. For messages about a configuration.
POLYCODEC_API std::size_t line_in_json(std::string_view text, std::vector<std::string> path);

/// Limits from JSON text such as `{"max_depth": 64}`, over `base`. `notices`, if not null, gets a
/// line for each old word. Throws Status::option.
POLYCODEC_API Limits parse_limits(std::string_view text, const Limits& base = {},
                                  std::vector<std::string>* notices = nullptr);

}  // namespace polycodec
