/* SPDX-License-Identifier: MIT
 *
 * A plugin for test_unused_fields.py: an array of two items of the layout that the first byte says,
 * in which the field that the second byte says is set. Pointers lead to a page that nobody can
 * read, so what follows them ends the process.
 */
#define _DEFAULT_SOURCE
#include <polycodec/abi.h>

#include <string.h>
#include <sys/mman.h>

enum field {
  none,
  data,
  buffer,
  shape,
  strides,
  first_column,
  second_column,
  children,
  names,
  nodes
};

typedef struct parts {
  polycodec_array array, leaf;
  const polycodec_array* children[1];
  polycodec_bytes names[1];
  int64_t shape[1], strides[1], numbers[2], zeros[2], small[2], large[2], offsets[3];
  uint8_t mask[2];
  polycodec_node root, items[2];
} parts;

static const void* forbidden_page(void) {
  static const void* page;
  if (page == NULL) page = mmap(NULL, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page;
}

static void set_leaf(parts* p, polycodec_array* a) {
  a->dtype = POLYCODEC_DTYPE_INT64;
  a->item_size = 8;
  a->ndim = 1;
  a->data = a->buffer = p->numbers;
  a->buffer_size = sizeof p->numbers;
  a->shape = p->shape;
  a->strides = p->strides;
}

static polycodec_column column(const int64_t* items) {
  return (polycodec_column){items, 8, POLYCODEC_DTYPE_INT64, 0};
}

static void set_layout(parts* p, polycodec_array* a) {
  const polycodec_column mask = {p->mask, 1, POLYCODEC_DTYPE_UINT8, 0};
  switch (a->layout) {
    case POLYCODEC_LAYOUT_NDARRAY:
      set_leaf(p, a);
      return;
    case POLYCODEC_LAYOUT_DOCUMENT:
      a->nodes = p->items;
      return;
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
      a->offsets = column(p->offsets);
      break;
    case POLYCODEC_LAYOUT_LIST_VIEW:
      a->starts = column(p->small), a->stops = column(p->large);
      break;
    case POLYCODEC_LAYOUT_LIST_FIXED:
      a->list_size = 1;
      break;
    case POLYCODEC_LAYOUT_RECORD:
      a->names = p->names;
      break;
    case POLYCODEC_LAYOUT_UNION:
      a->tags = column(p->zeros), a->index = column(p->small);
      break;
    case POLYCODEC_LAYOUT_INDEXED:
      a->index = column(p->small);
      break;
    case POLYCODEC_LAYOUT_CHUNKED:
      p->offsets[1] = 2;
      a->offsets = column(p->offsets);
      break;
    default:
      a->mask = mask;
  }
  a->children = p->children;
  a->n_children = 1;
}

static void set_field(polycodec_array* a, int field) {
  const void* const page = forbidden_page();
  const polycodec_column stray = {page, 8, POLYCODEC_DTYPE_INT64, 0};
  switch (field) {
    case data:
      a->data = page;
      return;
    case buffer:
      a->buffer = page, a->buffer_size = 1 << 16;
      return;
    case shape:
      a->shape = page, a->ndim = 3;
      return;
    case strides:
      a->strides = page, a->ndim = 3;
      return;
    case first_column:
      a->index = stray;
      return;
    case second_column:
      a->tags = stray;
      return;
    case children:
      a->children = page, a->n_children = 3;
      return;
    case names:
      a->names = page;
      return;
    case nodes:
      a->nodes = page;
      return;
    default:
      return;
  }
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  const uint8_t* const bytes = input->bytes.data;
  (void)self;
  if (input->bytes.size != 2 || bytes[0] >= POLYCODEC_LAYOUT_COUNT)
    return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, 0, "a layout and a field are wanted");
  parts* const p = polycodec_arena_alloc(call->arena, sizeof *p, sizeof(void*), error);
  if (p == NULL) return error->code;
  memset(p, 0, sizeof *p);
  p->array.struct_size = p->leaf.struct_size = sizeof p->array;
  p->array.length = p->leaf.length = p->shape[0] = 2;
  p->strides[0] = 8;
  p->numbers[1] = p->small[1] = p->offsets[1] = p->large[0] = 1;
  p->offsets[2] = p->large[1] = 2;
  p->mask[0] = 1;
  p->children[0] = &p->leaf;
  p->names[0] = (polycodec_bytes){"x", 1};
  p->items[0] = p->items[1] = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  set_leaf(p, &p->leaf);
  p->array.layout = bytes[0];
  set_layout(p, &p->array);
  set_field(&p->array, bytes[1]);
  p->root = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
  p->root.as.array = &p->array;
  *root = &p->root;
  return POLYCODEC_OK;
}

static void release(const polycodec_instance* self) {
  (void)self;
}

static int32_t open_instance(const polycodec_codec* self, polycodec_call* call,
                             const polycodec_node* options, const polycodec_instance** instance,
                             polycodec_error* error) {
  static const polycodec_instance constant = {
      .struct_size = sizeof constant, .decode = decode, .release = release};
  (void)self, (void)call, (void)options, (void)error;
  *instance = &constant;
  return POLYCODEC_OK;
}

static const polycodec_codec codec = {.struct_size = sizeof codec,
                                      .capabilities = POLYCODEC_CAN_DECODE,
                                      .name = "test.unused",
                                      .open = open_instance};
static const polycodec_codec* const items[] = {&codec};
static const polycodec_codecs codecs = {sizeof codecs, 1, items};

static const void* get_interface(const polycodec_plugin* self, const char* id) {
  (void)self;
  return strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0 ? &codecs : NULL;
}

POLYCODEC_EXPORT extern const polycodec_plugin polycodec_plugin_v2;
const polycodec_plugin polycodec_plugin_v2 = {.struct_size = sizeof(polycodec_plugin),
                                              .abi = POLYCODEC_ABI_VERSION,
                                              .id = "test.unused",
                                              .version = "0.1.0",
                                              .get_interface = get_interface};
