// SPDX-License-Identifier: MIT
// The ABI header in C++: it compiles alone, and its structs lie as they do in C.
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
  return POLYCODEC_HAS(polycodec_arena, arena, adopt);
}

polycodec_node make(polycodec_call* call, uint64_t size, polycodec_error* error);
polycodec_node make(polycodec_call* call, uint64_t size, polycodec_error* error) {
  polycodec_node node = polycodec_node_make(POLYCODEC_KIND_BINARY, POLYCODEC_DTYPE_NONE,
                                            size & POLYCODEC_MAX_NODE_SIZE);
  if (polycodec_stack_left(call) == 0 || polycodec_spend(call, size / 16, error) != POLYCODEC_OK)
    polycodec_fail(error, POLYCODEC_ERROR_LIMIT, POLYCODEC_NO_OFFSET, "no more");
  node.as.data = polycodec_arena_alloc(call->arena, polycodec_node_size(&node), 8, error);
  return *polycodec_node_proper(&node);
}

int32_t put(polycodec_sink* sink, polycodec_error* error);
int32_t put(polycodec_sink* sink, polycodec_error* error) {
  return polycodec_sink_put(sink, POLYCODEC_ENTRY_SYMBOL, sizeof POLYCODEC_ENTRY_SYMBOL, error);
}

}  // namespace polycodec_test
