// SPDX-License-Identifier: MIT
// The limit of nesting.
#pragma once

#include <polycodec/error.hpp>

#include <cstdint>
#include <string>

namespace polycodec {

/// The error of what nests deeper than `max_depth`.
[[gnu::cold, gnu::noinline]] inline Error depth_error(std::uint32_t max_depth) {
  return {Status::limit,
          "nested deeper than the limit of " + std::to_string(max_depth) + " levels"};
}

inline void check_depth(std::uint32_t depth, std::uint32_t max_depth) {
  if (depth > max_depth) [[unlikely]]
    throw depth_error(max_depth);
}
inline void check_depth(std::uint32_t depth, std::uint32_t max_depth, const std::string& path) {
  if (depth > max_depth) [[unlikely]]
    throw depth_error(max_depth).path(path);
}

}  // namespace polycodec
