/* SPDX-License-Identifier: MIT
 *
 * A reference codec for images: "KIMG", the channels (0: an array of two dimensions, 3 or 4), rows
 * and columns in 32 bits, and of each sample the difference to the pixel before it.
 */
#include <polycodec/abi.h>

#include <string.h>

/* mutants from here */

/* Sizes are little-endian, as the machine is. */
static uint64_t load_size(const uint8_t* p) {
  uint32_t size;
  memcpy(&size, p, sizeof size);
  return size;
}

static void store_size(uint8_t* p, uint64_t n) {
  const uint32_t size = (uint32_t)n;
  memcpy(p, &size, sizeof size);
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  (void)self;
  const uint8_t* p = (const uint8_t*)input->bytes.data;
  const uint64_t size = input->bytes.size;
  if (size < 13)
    return polycodec_fail(error, POLYCODEC_ERROR_TRUNCATED, size, "the header is cut off");
  if (memcmp(p, "KIMG", 4) != 0)
    return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, 0, "expected 'KIMG'");
  const uint64_t channels = p[4];
  if (channels != 0 && channels != 3 && channels != 4)
    return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, 4, "expected 0, 3 or 4 channels");
  const uint64_t samples = channels == 0 ? 1 : channels;
  const uint64_t rows = load_size(p + 5);
  const uint64_t columns = load_size(p + 9);
  uint64_t count;
  if (__builtin_mul_overflow(rows * columns, samples, &count))
    return polycodec_fail(error, POLYCODEC_ERROR_LIMIT, 5, "the image is too large");
  if (count > size - 13)
    return polycodec_fail(error, POLYCODEC_ERROR_TRUNCATED, size, "the samples are cut off");
  if (count < size - 13)
    return polycodec_fail(error, POLYCODEC_ERROR_TRAILING, 13 + count, "bytes follow the image");
  if (polycodec_spend(call, 1 + count / 16, error) != POLYCODEC_OK) return error->code;

  uint8_t* out = polycodec_arena_alloc(call->arena, count, sizeof(char), error);
  if (out == NULL) return error->code;
  for (uint64_t i = 0; i < count; ++i) {
    const uint8_t before = i < samples ? 0 : out[i - samples];
    out[i] = (uint8_t)(p[13 + i] + before);
  }

  polycodec_array* array = polycodec_arena_alloc(call->arena, sizeof *array, sizeof(void*), error);
  if (array == NULL) return error->code;
  int64_t* shape = polycodec_arena_alloc(call->arena, 6 * sizeof *shape, sizeof(void*), error);
  if (shape == NULL) return error->code;
  polycodec_node* node = polycodec_arena_alloc(call->arena, sizeof *node, sizeof(void*), error);
  if (node == NULL) return error->code;
  memset(array, 0, sizeof *array);
  shape[0] = (int64_t)rows;
  shape[1] = (int64_t)columns;
  shape[2] = (int64_t)samples;
  shape[3] = (int64_t)(columns * samples);
  shape[4] = (int64_t)samples;
  shape[5] = 1;
  array->struct_size = sizeof *array;
  array->dtype = POLYCODEC_DTYPE_UINT8;
  array->length = rows;
  array->data = out;
  array->buffer = out;
  array->buffer_size = count;
  array->ndim = channels == 0 ? 2 : 3;
  array->item_size = 1;
  array->shape = shape;
  array->strides = shape + 3;
  *node = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
  node->as.array = array;
  *root = node;
  return POLYCODEC_OK;
}

static int32_t encode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_node* root, const polycodec_output* output,
                      polycodec_error* error) {
  (void)self;
  polycodec_sink* sink = output->sink;
  const polycodec_node* node = polycodec_node_proper(root);
  if (node->kind != POLYCODEC_KIND_ARRAY)
    return polycodec_fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET, "expected an array");
  const polycodec_array* a = node->as.array;
  if (a->layout != POLYCODEC_LAYOUT_NDARRAY || a->dtype != POLYCODEC_DTYPE_UINT8)
    return polycodec_fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET,
                          "expected an array of uint8");
  if (a->ndim != 2 && !(a->ndim == 3 && (a->shape[2] == 3 || a->shape[2] == 4)))
    return polycodec_fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET,
                          "expected rows, columns and channels");
  for (uint32_t i = 0; i < a->ndim; ++i)
    if (a->shape[i] > UINT32_MAX)
      return polycodec_fail(error, POLYCODEC_ERROR_RANGE, POLYCODEC_NO_OFFSET, "too many rows");
  if (node != root || a->metadata != NULL) {
    const polycodec_bytes path = {"$", 1};
    const polycodec_bytes what = {"metadata", 8};
    const int32_t lost = call->report_loss(call, POLYCODEC_LOSS_DATA, path, what, error);
    if (lost != POLYCODEC_OK) return lost;
  }

  const int64_t samples = a->ndim == 2 ? 1 : a->shape[2];
  const int64_t row_stride = a->strides[0];
  const int64_t column_stride = a->strides[1];
  const int64_t sample_stride = a->strides[a->ndim - 1];
  uint8_t head[13] = "KIMG";
  head[4] = (uint8_t)(a->ndim == 2 ? 0 : a->shape[2]);
  store_size(head + 5, (uint64_t)a->shape[0]);
  store_size(head + 9, (uint64_t)a->shape[1]);
  if (polycodec_sink_put(sink, head, sizeof head, error) != POLYCODEC_OK) return error->code;
  uint8_t before[4] = {0, 0, 0, 0};
  for (int64_t row = 0; row < a->shape[0]; ++row) {
    const uint64_t row_size = (uint64_t)(a->shape[1] * samples);
    if (polycodec_spend(call, 1 + row_size / 16, error) != POLYCODEC_OK) return error->code;
    for (int64_t column = 0; column < a->shape[1]; ++column) {
      const uint8_t* pixel = (const uint8_t*)a->data + row * row_stride + column * column_stride;
      if (sink->limit - sink->cursor < samples)
        if (sink->grow(sink, (uint64_t)samples, error) != POLYCODEC_OK) return error->code;
      for (int64_t i = 0; i < samples; ++i) {
        const uint8_t sample = pixel[i * sample_stride];
        sink->cursor[i] = (uint8_t)(sample - before[i]);
        before[i] = sample;
      }
      sink->cursor += samples;
    }
  }
  return POLYCODEC_OK;
}

/* mutants to here */

#define CODEC_NAME "mutants.image"
#include "reference.h"
