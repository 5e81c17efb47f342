/* SPDX-License-Identifier: MIT
 *
 * The codec "test.faulty". A node is a byte for its kind (0 null, 1 bytes, 2 list), the size in
 * eight bytes, and the bytes or items.
 */
#include "faulty.h"

#include <stdio.h>

enum { head_size = 9 };

/* -- decoding -- */

typedef struct scan {
  polycodec_call* call;
  const uint8_t *start, *at, *end;
  uint64_t wanted; /* bytes from `start` that the value takes at least, if it was cut */
} scan;

static int32_t cut(scan* in, uint64_t missing, polycodec_error* error) {
  in->wanted = (uint64_t)(in->at - in->start) + missing;
  const uint64_t offset = has_fault("BAD_OFFSET") ? 1000 : (uint64_t)(in->end - in->start);
  return polycodec_fail(error, POLYCODEC_ERROR_TRUNCATED, offset, "the value is cut");
}

static int32_t read_node(scan* in, polycodec_node* out, uint32_t depth, polycodec_error* error) {
  if ((uint64_t)(in->end - in->at) < head_size) return cut(in, head_size, error);
  const uint8_t kind = in->at[0];
  const uint64_t size = load64(in->at + 1);
  in->at += head_size;
  const uint64_t left = (uint64_t)(in->end - in->at);
  TRY(charge(in->call, 1, error));
  if (kind == 0 && size == 0) {
    *out = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
    return POLYCODEC_OK;
  }
  if ((kind != 1 && kind != 2) || size > POLYCODEC_MAX_NODE_SIZE)
    return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED,
                          (uint64_t)(in->at - head_size - in->start), "an unknown kind or size");
  if (kind == 1) {
    if (size > left) return cut(in, size, error);
    *out = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, size);
    out->as.data = in->at;
    static uint8_t mine[16];
    if (has_fault("FOREIGN_POINTER") && size <= sizeof mine)
      out->as.data = memcpy(mine, in->at, size);
    in->at += size;
    if (strncmp(the_fault(), "STRAY_", 6) == 0) return make_stray(in->call, out, error);
    return POLYCODEC_OK;
  }
  if (size > left / head_size) return cut(in, size * head_size, error);
  if (depth >= in->call->limits->max_depth || size > in->call->limits->max_elements ||
      !polycodec_stack_left(in->call))
    return polycodec_fail(error, POLYCODEC_ERROR_LIMIT, POLYCODEC_NO_OFFSET,
                          "deeper than max_depth, or more items than max_elements");
  TRY(charge(in->call, size, error));
  polycodec_node* items =
      polycodec_arena_alloc(in->call->arena, size * sizeof *items, sizeof(void*), error);
  if (items == NULL && !has_fault("IGNORES_NULL")) return error->code;
  *out = polycodec_node_make(POLYCODEC_KIND_LIST, 0, size);
  out->as.nodes = items;
  for (uint64_t i = 0; i < size; ++i) TRY(read_node(in, &items[i], depth + 1, error));
  return POLYCODEC_OK;
}

static int32_t read_root(scan* in, const polycodec_node** root, polycodec_error* error) {
  polycodec_node* node = polycodec_arena_alloc(in->call->arena, sizeof *node, sizeof(void*), error);
  if (node == NULL && !has_fault("IGNORES_NULL")) return error->code;
  TRY(read_node(in, node, 0, error));
  if (has_fault("REPLACES") && in->call->projection != NULL)
    *node = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  if (has_fault("GROWS_CREDIT")) in->call->credit += 1000000000;
  if (has_fault("MOVES_CURSOR") && in->call->arena->cursor != NULL)
    in->call->arena->cursor = in->call->arena->limit + 1;
  *root = node;
  return POLYCODEC_OK;
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  (void)self;
  const uint8_t* bytes = input->bytes.data;
  scan in = {call, bytes, bytes, bytes + input->bytes.size, 0};
  if (has_fault("PRINTS")) puts("decoding");
  if (has_fault("HANGS"))
    for (volatile int forever = 1; input->bytes.size == 0 && forever;) continue;
  const volatile uint8_t* beyond = in.end;
  if (has_fault("READS_BEYOND") && input->bytes.size > 0 && *beyond == 7)
    return POLYCODEC_ERROR_INTERNAL;
  if (has_fault("WRITES_INPUT") && input->bytes.size > 0) *(uint8_t*)(uintptr_t)bytes = 0;
  if (has_fault("READS_NOTHING"))
    return polycodec_fail(error, POLYCODEC_ERROR_UNSUPPORTED, 0, "this codec reads nothing");
  TRY(read_root(&in, root, error));
  if (in.at == in.end) return POLYCODEC_OK;
  return polycodec_fail(error, POLYCODEC_ERROR_TRAILING, (uint64_t)(in.at - in.start),
                        "bytes after the value");
}

static int32_t next(polycodec_reader* self, polycodec_call* call, polycodec_step* step,
                    polycodec_error* error) {
  (void)self;
  const uint8_t* bytes = step->bytes.data;
  scan in = {call, bytes, bytes, bytes + step->bytes.size, 0};
  step->root = NULL;
  step->consumed = step->wanted = 0;
  if (step->bytes.size == 0) return step->wanted = head_size, POLYCODEC_OK;
  const int32_t code = read_root(&in, &step->root, error);
  step->consumed = code == POLYCODEC_OK ? (uint64_t)(in.at - in.start) : 0;
  if (has_fault("SWALLOWS_END") && code == POLYCODEC_ERROR_TRUNCATED && step->final) {
    step->consumed = step->bytes.size;
    return POLYCODEC_OK;
  }
  if (has_fault("TAKES_TOO_MUCH") && code == POLYCODEC_OK) step->consumed = step->bytes.size;
  if (code != POLYCODEC_ERROR_TRUNCATED || step->final) return code;
  step->root = NULL;
  step->wanted = has_fault("WANTS_NOTHING") ? step->bytes.size : in.wanted;
  return POLYCODEC_OK;
}

static void release_reader(polycodec_reader* self) {
  (void)self;
}

static int32_t open_reader(const polycodec_instance* self, polycodec_call* call,
                           polycodec_reader** reader, polycodec_error* error) {
  static polycodec_reader stateless = {sizeof stateless, 0, NULL, next, release_reader};
  (void)self, (void)call, (void)error;
  *reader = &stateless;
  return POLYCODEC_OK;
}

/* -- encoding -- */

static int32_t put(polycodec_sink* sink, const void* data, uint64_t size, polycodec_error* error) {
  const int32_t code = polycodec_sink_put(sink, data, size, error);
  return has_fault("IGNORES_SINK") ? POLYCODEC_OK : code;
}

static int32_t write_node(polycodec_call* call, const polycodec_node* node, polycodec_sink* sink,
                          uint32_t depth, polycodec_error* error) {
  uint8_t head[head_size] = {0};
  const uint64_t size = polycodec_node_size(node);
  TRY(charge(call, 1, error));
  if (node->kind == POLYCODEC_KIND_NULL) return put(sink, head, head_size, error);
  store64(head + 1, size);
  if (node->kind == POLYCODEC_KIND_BINARY || node->kind == POLYCODEC_KIND_STRING) {
    head[0] = 1;
    TRY(charge(call, size / 16, error));
    TRY(put(sink, head, head_size, error));
    static uint8_t mine[16];
    if (has_fault("FOREIGN_REFERENCE") && size != 0 && size <= sizeof mine)
      return sink->reference(sink, memcpy(mine, node->as.data, size), size, error);
    return size < 4096 ? put(sink, node->as.data, size, error)
                       : sink->reference(sink, node->as.data, size, error);
  }
  if (node->kind != POLYCODEC_KIND_LIST)
    return polycodec_fail(error, POLYCODEC_ERROR_UNSUPPORTED, POLYCODEC_NO_OFFSET,
                          has_fault("SILENT") ? "" : "expected null, bytes, a string or a list");
  if (depth >= call->limits->max_depth && !has_fault("IGNORES_DEPTH"))
    return polycodec_fail(error, POLYCODEC_ERROR_LIMIT, POLYCODEC_NO_OFFSET,
                          "deeper than max_depth");
  if (!polycodec_stack_left(call) && !has_fault("IGNORES_STACK"))
    return polycodec_fail(error, POLYCODEC_ERROR_LIMIT, POLYCODEC_NO_OFFSET, "the stack ends");
  head[0] = 2;
  TRY(put(sink, head, head_size, error));
  for (uint64_t i = 0; i < size; ++i)
    TRY(write_node(call, &node->as.nodes[i], sink, depth + 1, error));
  return POLYCODEC_OK;
}

static int32_t encode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_node* root, const polycodec_output* output,
                      polycodec_error* error) {
  (void)self;
  polycodec_sink* sink = output->sink;
  if (has_fault("WRITES_NOTHING"))
    return polycodec_fail(error, POLYCODEC_ERROR_UNSUPPORTED, POLYCODEC_NO_OFFSET,
                          "this value has no place in the format");
  if (has_fault("DROPS_METADATA")) root = polycodec_node_proper(root);
  TRY(write_node(call, root, sink, 0, error));
  static uint8_t count;
  ++count;
  if (has_fault("RANDOM")) TRY(put(sink, &count, 1, error));
  if (has_fault("LEAVES_WINDOW")) sink->cursor += 1 + (sink->limit - sink->cursor);
  return POLYCODEC_OK;
}

static int32_t encoded_size(const polycodec_instance* self, polycodec_call* call,
                            const polycodec_node* root, uint64_t* size, polycodec_error* error) {
  (void)self, (void)call, (void)error;
  *size = root->kind == POLYCODEC_KIND_NULL ? head_size : POLYCODEC_SIZE_UNKNOWN;
  if (has_fault("BAD_SIZE") && root->kind != POLYCODEC_KIND_NULL) *size = 1;
  return POLYCODEC_OK;
}

/* -- the codec -- */

static void release(const polycodec_instance* self) {
  (void)self;
}

static int32_t open_instance(const polycodec_codec* self, polycodec_call* call,
                             const polycodec_node* options, const polycodec_instance** instance,
                             polycodec_error* error) {
  static const polycodec_instance constant = {.struct_size = sizeof constant,
                                              .decode = decode,
                                              .encode = encode,
                                              .encoded_size = encoded_size,
                                              .open_reader = open_reader,
                                              .release = release};
  (void)self, (void)call, (void)options, (void)error;
  void* volatile kept = has_fault("KEEPS_MEMORY") ? malloc(64) : NULL;
  (void)kept;
  *instance = &constant;
  return POLYCODEC_OK;
}

static int32_t sniff(const polycodec_codec* self, polycodec_call* call,
                     const polycodec_input* input, polycodec_sniff* found, polycodec_error* error) {
  (void)self, (void)call, (void)error;
  const uint8_t* bytes = input->bytes.data;
  found->score = input->bytes.size >= head_size && bytes[0] <= 2 ? 20 : 0;
  strcpy(found->reason, "it begins with a kind");
  if (has_fault("BAD_SCORE")) found->score *= 10;
  return POLYCODEC_OK;
}

static const polycodec_codec codec = {
    .struct_size = sizeof codec,
    .capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE | POLYCODEC_CAN_READ_STREAM,
    .name = "test.faulty",
    .sniff = sniff,
    .open = open_instance};
static const polycodec_codec* const items[] = {&codec};
const polycodec_codecs faulty_codecs = {sizeof faulty_codecs, 1, items};
