/* SPDX-License-Identifier: MIT
 *
 * The filter "test.mask": the size in eight bytes, and each byte with its bits inverted.
 */
#include "faulty.h"

enum { head_size = 8 };

static int32_t put_inverted(polycodec_sink* sink, const uint8_t* bytes, uint64_t size,
                            polycodec_error* error) {
  static uint8_t mine[16];
  if (has_fault("FOREIGN_FILTERED") && size != 0 && size <= sizeof mine) {
    for (uint64_t i = 0; i < size; ++i) mine[i] = (uint8_t)~bytes[i];
    return sink->reference(sink, mine, size, error);
  }
  while (size != 0) {
    uint8_t part[256];
    const uint64_t n = size < sizeof part ? size : sizeof part;
    for (uint64_t i = 0; i < n; ++i) part[i] = (uint8_t)~bytes[i];
    TRY(polycodec_sink_put(sink, part, n, error));
    bytes += n;
    size -= n;
  }
  return POLYCODEC_OK;
}

static int32_t encode(const polycodec_filter_instance* self, polycodec_call* call,
                      const polycodec_bytes* pieces, uint64_t n, polycodec_sink* sink,
                      polycodec_error* error) {
  uint8_t head[head_size];
  uint64_t size = 0;
  (void)self;
  if (has_fault("ONE_PIECE") && n > 3) n = 3;
  for (uint64_t i = 0; i < n; ++i) size += pieces[i].size;
  TRY(charge(call, n + size / 8, error));
  store64(head, size);
  TRY(polycodec_sink_put(sink, head, head_size, error));
  for (uint64_t i = 0; i < n; ++i) TRY(put_inverted(sink, pieces[i].data, pieces[i].size, error));
  return POLYCODEC_OK;
}

static int32_t decode(const polycodec_filter_instance* self, polycodec_call* call,
                      polycodec_bytes bytes, uint64_t expected_size, polycodec_sink* sink,
                      polycodec_error* error) {
  const uint8_t* at = bytes.data;
  (void)self;
  if (bytes.size < head_size || load64(at) != bytes.size - head_size)
    return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, 0, "the size is not that of the bytes");
  const uint64_t size = bytes.size - head_size;
  if (expected_size != POLYCODEC_SIZE_UNKNOWN && expected_size != size && !has_fault("ANY_SIZE"))
    return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, 0, "not the expected size");
  TRY(charge(call, 1 + size / 8, error));
  return put_inverted(sink, at + head_size, size, error);
}

static int32_t decoded_size(const polycodec_filter_instance* self, polycodec_call* call,
                            polycodec_bytes bytes, uint64_t* size, polycodec_error* error) {
  (void)self, (void)call;
  if (bytes.size < head_size)
    return polycodec_fail(error, POLYCODEC_ERROR_TRUNCATED, bytes.size, "there is no size");
  *size = load64(bytes.data);
  if (has_fault("BAD_HINT")) ++*size;
  return POLYCODEC_OK;
}

static void release(const polycodec_filter_instance* self) {
  (void)self;
}

static int32_t open_instance(const polycodec_filter* self, polycodec_call* call,
                             const polycodec_node* options,
                             const polycodec_filter_instance** instance, polycodec_error* error) {
  static const polycodec_filter_instance constant = {sizeof constant, 0,      NULL, encode, decode,
                                                     decoded_size,    release};
  (void)self, (void)call, (void)options, (void)error;
  *instance = &constant;
  return POLYCODEC_OK;
}

static const polycodec_filter filter = {.struct_size = sizeof filter,
                                        .capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
                                        .name = "test.mask",
                                        .open = open_instance};
static const polycodec_filter* const items[] = {&filter};
const polycodec_filters faulty_filters = {sizeof faulty_filters, 1, items};
