/* SPDX-License-Identifier: MIT
 *
 * A reference codec for tables: "KTAB", rows and columns in 32 bits, and of each column its type
 * ('d': float64, 'i': int64, 't': text), the size of its name in 32 bits, the name, and the rows.
 * Texts are their ends in 32 bits and then their bytes.
 */
#include <polycodec/abi.h>

#include <string.h>

/* mutants from here */

typedef struct cursor {
  const uint8_t* begin;
  uint64_t size;
  uint64_t at;
} cursor;

/* Sizes are little-endian, as the machine is. */
static uint64_t load_size(const uint8_t* p) {
  uint32_t size;
  memcpy(&size, p, sizeof size);
  return size;
}

/* The next `count` items of `each` bytes, or NULL. */
static const uint8_t* take(cursor* in, uint64_t count, uint64_t each, polycodec_error* error) {
  if (count > (in->size - in->at) / each) {
    polycodec_fail(error, POLYCODEC_ERROR_TRUNCATED, in->size, "the table is cut off");
    return NULL;
  }
  const uint8_t* p = in->begin + in->at;
  in->at += count * each;
  return p;
}

static void set_numbers(polycodec_array* a, uint8_t dtype, const uint8_t* data, uint64_t each,
                        int64_t* shape) {
  a->dtype = dtype;
  a->data = data;
  a->buffer = data;
  a->buffer_size = a->length * each;
  a->ndim = 1;
  a->item_size = (uint32_t)each;
  shape[0] = (int64_t)a->length;
  shape[1] = (int64_t)each;
  a->shape = shape;
  a->strides = shape + 1;
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  (void)self;
  cursor in = {(const uint8_t*)input->bytes.data, input->bytes.size, 0};
  const uint8_t* head = take(&in, 12, 1, error);
  if (head == NULL) return error->code;
  if (memcmp(head, "KTAB", 4) != 0)
    return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, 0, "expected 'KTAB'");
  const uint64_t rows = load_size(head + 4);
  const uint64_t columns = load_size(head + 8);
  if (columns > in.size - in.at)
    return polycodec_fail(error, POLYCODEC_ERROR_TRUNCATED, in.size, "the columns are cut off");
  if (columns > call->limits->max_nodes)
    return polycodec_fail(error, POLYCODEC_ERROR_LIMIT, 8, "more columns than max_nodes");
  if (polycodec_spend(call, 1 + columns * 16 + in.size / 16, error) != POLYCODEC_OK)
    return error->code;

  /* The table, then its columns, each with the bytes of a text. */
  polycodec_array* arrays =
      polycodec_arena_alloc(call->arena, (1 + 2 * columns) * sizeof *arrays, sizeof(void*), error);
  if (arrays == NULL) return error->code;
  const polycodec_array** children =
      polycodec_arena_alloc(call->arena, 2 * columns * sizeof *children, sizeof(void*), error);
  if (children == NULL) return error->code;
  polycodec_bytes* names =
      polycodec_arena_alloc(call->arena, columns * sizeof *names, sizeof(void*), error);
  if (names == NULL) return error->code;
  int64_t* shapes =
      polycodec_arena_alloc(call->arena, columns * 2 * sizeof *shapes, sizeof(void*), error);
  if (shapes == NULL) return error->code;
  polycodec_node* node = polycodec_arena_alloc(call->arena, sizeof *node, sizeof(void*), error);
  if (node == NULL) return error->code;
  memset(arrays, 0, (1 + 2 * columns) * sizeof *arrays);
  arrays->struct_size = sizeof *arrays;
  arrays->layout = POLYCODEC_LAYOUT_RECORD;
  arrays->length = rows;
  arrays->n_children = (uint32_t)columns;
  arrays->children = children;
  arrays->names = names;

  for (uint64_t i = 0; i < columns; ++i) {
    const uint8_t* start = take(&in, 5, 1, error);
    if (start == NULL) return error->code;
    const uint64_t name_size = load_size(start + 1);
    const uint8_t* name = take(&in, name_size, 1, error);
    if (name == NULL) return error->code;
    names[i].data = name;
    names[i].size = name_size;
    for (uint64_t j = 0; j < i; ++j)
      if (names[j].size == name_size && memcmp(names[j].data, name, name_size) == 0)
        return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, in.at, "two columns have one name");
    polycodec_array* column = arrays + 1 + i;
    children[i] = column;
    column->struct_size = sizeof *column;
    column->length = rows;
    if (*start == 'd' || *start == 'i') {
      const uint8_t* data = take(&in, rows, 8, error);
      if (data == NULL) return error->code;
      set_numbers(column, *start == 'd' ? POLYCODEC_DTYPE_FLOAT64 : POLYCODEC_DTYPE_INT64, data, 8,
                  shapes + 2 * i);
      continue;
    }
    if (*start != 't')
      return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, in.at,
                            "expected a column of d, i or t");
    const uint8_t* ends = take(&in, rows + 1, 4, error);
    if (ends == NULL) return error->code;
    uint64_t last = 0;
    for (uint64_t row = 0; row <= rows; ++row) {
      const uint64_t end = load_size(ends + 4 * row);
      if (end < last)
        return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, in.at,
                              "a text ends before it begins");
      last = end;
    }
    const uint8_t* bytes = take(&in, last, 1, error);
    if (bytes == NULL) return error->code;
    polycodec_array* content = arrays + 1 + columns + i;
    children[columns + i] = content;
    content->struct_size = sizeof *content;
    content->length = last;
    set_numbers(content, POLYCODEC_DTYPE_UINT8, bytes, 1, shapes + 2 * i);
    column->layout = POLYCODEC_LAYOUT_LIST_OFFSETS;
    column->flags = POLYCODEC_ARRAY_STRING;
    column->offsets.data = ends;
    column->offsets.stride = 4;
    column->offsets.dtype = POLYCODEC_DTYPE_UINT32;
    column->n_children = 1;
    column->children = children + columns + i;
  }
  if (in.at != in.size)
    return polycodec_fail(error, POLYCODEC_ERROR_TRAILING, in.at, "bytes follow the table");
  *node = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
  node->as.array = arrays;
  *root = node;
  return POLYCODEC_OK;
}

static int32_t put_size(polycodec_sink* sink, uint64_t n, polycodec_error* error) {
  const uint32_t size = (uint32_t)n;
  if (n > UINT32_MAX)
    return polycodec_fail(error, POLYCODEC_ERROR_RANGE, POLYCODEC_NO_OFFSET, "more than 2^32");
  return polycodec_sink_put(sink, &size, sizeof size, error);
}

static int32_t report(polycodec_call* call, polycodec_error* error) {
  const polycodec_bytes path = {"$", 1};
  const polycodec_bytes what = {"metadata", 8};
  return call->report_loss(call, POLYCODEC_LOSS_DATA, path, what, error);
}

/* The type of a column, or 0. */
static uint8_t type_of(const polycodec_array* a) {
  const int is_text =
      a->layout == POLYCODEC_LAYOUT_LIST_OFFSETS && (a->flags & POLYCODEC_ARRAY_STRING);
  const int is_numbers = a->layout == POLYCODEC_LAYOUT_NDARRAY && a->ndim == 1 &&
                         a->byte_order == POLYCODEC_LITTLE_ENDIAN;
  return is_text                               ? 't'
         : !is_numbers                         ? 0
         : a->dtype == POLYCODEC_DTYPE_FLOAT64 ? 'd'
         : a->dtype == POLYCODEC_DTYPE_INT64   ? 'i'
                                               : 0;
}

/* An offset of a list of texts, which is of 4 or 8 bytes. */
static uint64_t offset_of(const polycodec_array* a, uint64_t i) {
  const uint8_t* p = (const uint8_t*)a->offsets.data + (int64_t)i * a->offsets.stride;
  uint64_t wide;
  uint32_t narrow;
  if (a->offsets.dtype == POLYCODEC_DTYPE_INT64 || a->offsets.dtype == POLYCODEC_DTYPE_UINT64) {
    memcpy(&wide, p, sizeof wide);
    return wide;
  }
  memcpy(&narrow, p, sizeof narrow);
  return narrow;
}

static int32_t encode_texts(const polycodec_array* a, uint64_t rows, polycodec_sink* sink,
                            polycodec_error* error) {
  const uint64_t first = offset_of(a, 0);
  const uint64_t size = offset_of(a, rows) - first;
  for (uint64_t i = 0; i <= rows; ++i)
    if (put_size(sink, offset_of(a, i) - first, error) != POLYCODEC_OK) return error->code;
  return sink->reference(sink, (const uint8_t*)a->children[0]->data + first, size, error);
}

static int32_t encode_numbers(const polycodec_array* a, uint64_t rows, polycodec_sink* sink,
                              polycodec_error* error) {
  for (uint64_t i = 0; i < rows; ++i) {
    const uint8_t* p = (const uint8_t*)a->data + (int64_t)i * a->strides[0];
    if (polycodec_sink_put(sink, p, 8, error) != POLYCODEC_OK) return error->code;
  }
  return POLYCODEC_OK;
}

static int32_t encode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_node* root, const polycodec_output* output,
                      polycodec_error* error) {
  (void)self;
  polycodec_sink* sink = output->sink;
  const polycodec_node* node = polycodec_node_proper(root);
  if (node->kind != POLYCODEC_KIND_ARRAY)
    return polycodec_fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET, "expected a table");
  const polycodec_array* table = node->as.array;
  if (table->layout != POLYCODEC_LAYOUT_RECORD || table->names == NULL)
    return polycodec_fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET, "expected a table");
  const uint64_t cells = table->length * table->n_children;
  if (polycodec_spend(call, 1 + cells, error) != POLYCODEC_OK) return error->code;
  int has_metadata = node != root || table->metadata != NULL;
  for (uint32_t i = 0; i < table->n_children; ++i) {
    const polycodec_array* column = table->children[i];
    if (type_of(column) == 0)
      return polycodec_fail(error, POLYCODEC_ERROR_UNSUPPORTED, POLYCODEC_NO_OFFSET,
                            "expected float64, int64 or text");
    has_metadata |= column->metadata != NULL;
  }
  if (has_metadata)
    if (report(call, error) != POLYCODEC_OK) return error->code;
  if (polycodec_sink_put(sink, "KTAB", 4, error) != POLYCODEC_OK) return error->code;
  if (put_size(sink, table->length, error) != POLYCODEC_OK) return error->code;
  if (put_size(sink, table->n_children, error) != POLYCODEC_OK) return error->code;
  for (uint32_t i = 0; i < table->n_children; ++i) {
    const polycodec_array* column = table->children[i];
    const polycodec_bytes name = table->names[i];
    const uint8_t type = type_of(column);
    if (polycodec_sink_put(sink, &type, 1, error) != POLYCODEC_OK) return error->code;
    if (put_size(sink, name.size, error) != POLYCODEC_OK) return error->code;
    if (polycodec_sink_put(sink, name.data, name.size, error) != POLYCODEC_OK) return error->code;
    const int32_t code = type == 't' ? encode_texts(column, table->length, sink, error)
                                     : encode_numbers(column, table->length, sink, error);
    if (code != POLYCODEC_OK) return code;
  }
  return POLYCODEC_OK;
}

/* mutants to here */

#define CODEC_NAME "mutants.table"
#include "reference.h"
