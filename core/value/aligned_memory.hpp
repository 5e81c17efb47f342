// SPDX-License-Identifier: MIT
// Memory of a builder at an alignment that C++ types do not have.
#pragma once

#include <polycodec/builder.hpp>

#include <cstddef>
#include <cstdint>

namespace polycodec {

/// `size` bytes at `align`. Throws what the arena reports when it refuses memory.
inline std::byte* aligned_memory(Builder& out, std::uint64_t size, std::uint64_t align = 64) {
  auto error = make_error();
  void* memory = polycodec_arena_alloc(out.arena(), size, align, &error);
  if (memory == nullptr) throw to_error(error.code, error);
  return static_cast<std::byte*>(memory);
}

}  // namespace polycodec
