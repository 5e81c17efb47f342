// SPDX-License-Identifier: MIT
// The limit of nesting: max_depth, and the stack of the thread.
#pragma once

#include <base/stack.hpp>
#include <polycodec/error.hpp>

#include <cstdint>
#include <string>

namespace polycodec {

/// The error of what nests deeper than `max_depth`.
[[gnu::cold, gnu::noinline]] inline Error depth_error(std::uint32_t max_depth) {
  return {Status::limit, "nested deeper than max_depth (" + std::to_string(max_depth) + ")"};
}

/// So many levels fit on every stack: the reserve holds them.
inline constexpr std::uint32_t shallow_depth = 16;

/// Throws Error(limit) if a recursive function at this depth must go no deeper on this stack.
inline void check_stack(std::uint64_t depth) {
  if (depth > shallow_depth && is_stack_low()) [[unlikely]]
    throw Error(Status::limit,
                "the value is nested too deeply for this stack: use a thread with a larger stack");
}

/// Throws Error(limit) beyond `max_depth` and beyond the stack.
inline void check_depth(std::uint32_t depth, std::uint32_t max_depth) {
  if (depth > max_depth) [[unlikely]]
    throw depth_error(max_depth);
  check_stack(depth);
}
inline void check_depth(std::uint32_t depth, std::uint32_t max_depth, const std::string& path) {
  try {
    check_depth(depth, max_depth);
  } catch (Error& e) {
    throw Error(e).path(path);
  }
}

}  // namespace polycodec
