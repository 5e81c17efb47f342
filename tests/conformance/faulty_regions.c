/* SPDX-License-Identifier: MIT
 *
 * A value with one pointer that leads out of the memory of the call.
 */
#include "faulty.h"

/* Writable: what is constant in a library may be part of a value. */
static int64_t mine[8];

typedef struct parts {
  polycodec_array list, content;
  const polycodec_array* children[1];
  polycodec_bytes names[1];
  int64_t shape[1], strides[1], offsets[2];
  polycodec_node node;
  polycodec_extension extension;
  polycodec_tagged tagged;
  char text[8];
} parts;

int32_t make_stray(polycodec_call* call, polycodec_node* out, polycodec_error* error) {
  parts* p = polycodec_arena_alloc(call->arena, sizeof *p, sizeof(void*), error);
  if (p == NULL) return error->code;
  memset(p, 0, sizeof *p);
  /* A list of one list of one number. */
  p->list.struct_size = p->content.struct_size = sizeof p->list;
  p->list.layout = POLYCODEC_LAYOUT_LIST_OFFSETS;
  p->list.length = p->content.length = 1;
  p->offsets[1] = 1;
  p->list.offsets = (polycodec_column){p->offsets, 8, POLYCODEC_DTYPE_INT64, 0};
  p->list.n_children = 1;
  p->list.children = p->children;
  p->children[0] = &p->content;
  p->names[0] = (polycodec_bytes){p->text, 4};
  memcpy(p->text, "name", 4);
  p->content.dtype = POLYCODEC_DTYPE_UINT8;
  p->content.item_size = 1;
  p->content.data = p->content.buffer = p->text;
  p->content.buffer_size = 1;
  p->content.ndim = 1;
  p->shape[0] = p->strides[0] = 1;
  p->content.shape = p->shape;
  p->content.strides = p->strides;
  *out = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
  out->as.array = &p->list;
  mine[0] = 1;
  if (has_fault("STRAY_SHAPE")) {
    p->content.shape = mine;
  } else if (has_fault("STRAY_STRIDES")) {
    p->content.strides = mine;
  } else if (has_fault("STRAY_BUFFER")) {
    p->content.data = p->content.buffer = mine;
  } else if (has_fault("STRAY_COLUMN")) {
    p->list.offsets.data = mine;
  } else if (has_fault("STRAY_SHORT_COLUMN")) {
    int64_t* last = polycodec_arena_alloc(call->arena, sizeof *last, sizeof *last, error);
    if (last == NULL) return error->code;
    *last = 0;
    p->list.offsets.data = last; /* of two items */
  } else if (has_fault("STRAY_CHILDREN")) {
    p->list.children = (const polycodec_array* const*)(const void*)mine;
  } else if (has_fault("STRAY_CHILD")) {
    p->children[0] = (const polycodec_array*)(const void*)mine;
  } else if (has_fault("STRAY_NAME")) {
    p->list.layout = POLYCODEC_LAYOUT_RECORD;
    memset(&p->list.offsets, 0, sizeof p->list.offsets);
    p->list.names = p->names;
    p->names[0].data = mine;
  } else if (has_fault("STRAY_UNUSED")) {
    p->list.buffer = mine; /* of a leaf */
    p->list.buffer_size = sizeof mine;
  } else if (has_fault("STRAY_METADATA")) {
    p->list.metadata = (const polycodec_node*)(const void*)mine;
  } else if (has_fault("STRAY_NODES")) {
    *out = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 1);
    out->as.data = mine;
  } else if (has_fault("STRAY_EXTENSION")) {
    *out = polycodec_node_make(POLYCODEC_KIND_EXTENSION, 0, 0);
    out->as.extension = &p->extension;
    p->extension = (polycodec_extension){{mine, 4}, &p->node};
  } else if (has_fault("STRAY_MEMBER")) {
    *out = polycodec_node_make(POLYCODEC_KIND_UNION, 0, 0);
    out->as.tagged = &p->tagged;
    p->tagged.node = (const polycodec_node*)(const void*)mine;
  } else if (has_fault("STRAY_MISALIGNED")) {
    *out = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 1);
    out->as.data = (const char*)&p->offsets + 1;
  }
  return POLYCODEC_OK;
}
