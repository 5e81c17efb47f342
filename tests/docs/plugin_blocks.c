/* SPDX-License-Identifier: MIT
 * The C that pages show to authors of plugins, as they show it. It is compiled, and tests/docs
 * compares it with the pages. */
#include <polycodec/abi.h>

#include <stddef.h>
#include <string.h>

/* clang-format off */
/* docs/writing-a-plugin.md */
static int32_t decode(const polycodec_instance* self, polycodec_call* call, const polycodec_input* input,
                      const polycodec_node** root, polycodec_error* error) {
  polycodec_node* node = polycodec_arena_alloc(call->arena, sizeof *node, _Alignof(polycodec_node), error);
  if (node == NULL) return error->code;
  *node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, input->bytes.size);
  node->as.data = input->bytes.data;
  *root = node;
  return POLYCODEC_OK;
}

/* docs/abi.md: a charge, and two of its mistakes */
static int32_t charge(polycodec_call* call, uint64_t size, polycodec_error* error) {
  if (polycodec_spend(call, 1 + size / 16, error) != POLYCODEC_OK) return error->code;
  return POLYCODEC_OK;
}
uint32_t read_u32(const void* in);
static polycodec_node* trust(polycodec_call* call, const void* in, polycodec_error* error) {
  uint32_t count = read_u32(in);
  polycodec_node* items = polycodec_arena_alloc(call->arena, count * sizeof *items, 8, error);
  return items;
}
static void use_cursor_again(polycodec_sink* sink, const void* data, polycodec_error* error) {
  uint8_t* p = sink->cursor;
  sink->grow(sink, 100, error);
  memcpy(p, data, 100);
}
/* clang-format on */
