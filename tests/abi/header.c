/* SPDX-License-Identifier: MIT
 * The ABI header in C: it stands on its own, and its structs lie as they were released. */
#include <polycodec/abi.h>
#include <polycodec/abi.h> /* the guard holds */

#define POLYCODEC_CHECK(condition, text) _Static_assert(condition, text);
#include "layout.h"

/* Everything that the header defines is used once, so that a warning inside it is seen. */
const char* polycodec_test_entry_symbol(void);
const char* polycodec_test_entry_symbol(void) {
  return POLYCODEC_ENTRY_SYMBOL;
}

int polycodec_test_knows_adopt(const polycodec_arena* arena);
int polycodec_test_knows_adopt(const polycodec_arena* arena) {
  return POLYCODEC_HAS(arena, adopt);
}

polycodec_node polycodec_test_make(polycodec_arena* arena, uint64_t size);
polycodec_node polycodec_test_make(polycodec_arena* arena, uint64_t size) {
  polycodec_node node = polycodec_node_make(POLYCODEC_BINARY, POLYCODEC_DTYPE_NONE, size & POLYCODEC_MAX_NODE_SIZE);
  node.as.data = polycodec_arena_alloc(arena, polycodec_node_size(&node), 8);
  return node;
}
