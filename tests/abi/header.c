/* SPDX-License-Identifier: MIT
 * The headers of C: they compile alone, and the structs lie as they were released. */
/* clang-format off */
#include <polycodec/items.h> /* before what it needs */
#include <polycodec/abi.h>
#include <polycodec/items.h> /* the guards hold */
/* clang-format on */

#define POLYCODEC_CHECK(condition, text) _Static_assert(condition, text);
#include "layout.h"

/* Everything that the header defines is used once, so that a warning inside it is seen. */
const char* polycodec_test_entry_symbol(void);
const char* polycodec_test_entry_symbol(void) {
  return POLYCODEC_ENTRY_SYMBOL;
}

int polycodec_test_knows_adopt(const polycodec_arena* arena);
int polycodec_test_knows_adopt(const polycodec_arena* arena) {
  return POLYCODEC_HAS(polycodec_arena, arena, adopt);
}

polycodec_node polycodec_test_make(polycodec_call* call, uint64_t size, polycodec_error* error);
polycodec_node polycodec_test_make(polycodec_call* call, uint64_t size, polycodec_error* error) {
  polycodec_node node = polycodec_node_make(POLYCODEC_KIND_BINARY, POLYCODEC_DTYPE_NONE,
                                            size & POLYCODEC_MAX_NODE_SIZE);
  if (polycodec_stack_left(call) == 0 || polycodec_spend(call, size / 16, error) != POLYCODEC_OK)
    polycodec_fail(error, POLYCODEC_ERROR_LIMIT, POLYCODEC_NO_OFFSET, "no more");
  node.as.data = polycodec_arena_alloc(call->arena, polycodec_node_size(&node), 8, error);
  return *polycodec_node_proper(&node);
}

uint64_t polycodec_test_items(const polycodec_array* array);
uint64_t polycodec_test_items(const polycodec_array* array) {
  polycodec_rows rows = polycodec_rows_of(array, 0);
  uint64_t sum = polycodec_column_length(array->layout, array->length, array->n_children, 0);
  uint64_t left = array->length;
  while (left != 0) {
    const polycodec_run run = polycodec_rows_next(&rows, left);
    int64_t tag = 0;
    if (run.array != NULL && run.array->layout == POLYCODEC_LAYOUT_NDARRAY)
      sum += polycodec_element(run.array, run.at) != NULL;
    if (run.array != NULL && run.array->layout == POLYCODEC_LAYOUT_UNION)
      sum += polycodec_union_item(run.array, run.at, &tag).index;
    if (run.array != NULL && polycodec_is_text(run.array))
      sum += polycodec_text_item(run.array, run.at).size;
    left -= run.count;
  }
  return sum + polycodec_item_at(array, 0).index;
}

int32_t polycodec_test_put(polycodec_sink* sink, polycodec_error* error);
int32_t polycodec_test_put(polycodec_sink* sink, polycodec_error* error) {
  return polycodec_sink_put(sink, POLYCODEC_ENTRY_SYMBOL, sizeof POLYCODEC_ENTRY_SYMBOL, error);
}
