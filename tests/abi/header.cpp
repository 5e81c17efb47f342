// SPDX-License-Identifier: MIT
// The headers of C in C++: they compile alone, and the structs lie as they do in C.
#include <polycodec/items.h>
// Twice: the guards hold.
#include <polycodec/abi.h>
#include <polycodec/items.h>

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

uint64_t items(const polycodec_array* array);
uint64_t items(const polycodec_array* array) {
  polycodec_rows rows = polycodec_rows_of(array, 0);
  int64_t tag = 0;
  uint64_t sum = polycodec_rows_next(&rows, array->length).count +
                 polycodec_column_length(array->layout, array->length, array->n_children, 1);
  if (polycodec_is_text(array)) sum += polycodec_text_item(array, 0).size;
  if (array->layout == POLYCODEC_LAYOUT_UNION) sum += polycodec_union_item(array, 0, &tag).index;
  return sum + (polycodec_element(polycodec_item_at(array, 0).array, 0) != nullptr ? 1u : 0u);
}

int32_t put(polycodec_sink* sink, polycodec_error* error);
int32_t put(polycodec_sink* sink, polycodec_error* error) {
  return polycodec_sink_put(sink, POLYCODEC_ENTRY_SYMBOL, sizeof POLYCODEC_ENTRY_SYMBOL, error);
}

}  // namespace polycodec_test
