// SPDX-License-Identifier: MIT
// The ABI header in C++: it stands on its own, and its structs lie as they do in C.
#include <polycodec/abi.h>
// Twice: the guard holds.
#include <polycodec/abi.h>

#define POLYCODEC_CHECK(condition, text) static_assert(condition, text);
#include "layout.h"

#include <type_traits>

static_assert(std::is_trivial_v<polycodec_node> && std::is_standard_layout_v<polycodec_node>);
static_assert(std::is_trivial_v<polycodec_array> && std::is_standard_layout_v<polycodec_array>);
static_assert(std::is_trivial_v<polycodec_plugin> && std::is_standard_layout_v<polycodec_plugin>);

namespace polycodec_test {

bool knows_adopt(const polycodec_arena* arena);
bool knows_adopt(const polycodec_arena* arena) {
  return POLYCODEC_HAS(arena, adopt);
}

polycodec_node make(polycodec_arena* arena, uint64_t size);
polycodec_node make(polycodec_arena* arena, uint64_t size) {
  polycodec_node node = polycodec_node_make(POLYCODEC_BINARY, POLYCODEC_DTYPE_NONE, size & POLYCODEC_MAX_NODE_SIZE);
  node.as.data = polycodec_arena_alloc(arena, polycodec_node_size(&node), 8);
  return node;
}

}  // namespace polycodec_test
