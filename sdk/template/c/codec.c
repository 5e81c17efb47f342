/* SPDX-License-Identifier: MIT
 * Netstrings, `5:hello,0:,`, as a list of byte strings: an example that works, to be replaced by your format. */
#include <polycodec/abi.h>

#include "polycodec_manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct codec { uint64_t max_length; } codec;

static int32_t fail(polycodec_error* error, int32_t code, uint64_t offset, const char* message) {
  if (error != NULL) {
    memset(error, 0, sizeof *error);
    error->struct_size = sizeof *error;
    error->code = code;
    error->offset = offset;
    snprintf(error->message, sizeof error->message, "%s", message);
  }
  return code;
}

static int32_t codec_open(const polycodec_host* host, const polycodec_node* options, void** instance,
                          polycodec_error* error) {
  (void)host;
  codec* self = malloc(sizeof *self);
  if (self == NULL) return fail(error, POLYCODEC_ERROR_MEMORY, POLYCODEC_NO_OFFSET, "no memory for the codec");
  self->max_length = (uint64_t)1 << 30;
  /* The host has checked the options against the schema in the manifest: names, types and bounds. */
  for (uint64_t i = 0; options != NULL && i < polycodec_node_size(options); ++i) {
    const polycodec_node* key = &options->as.nodes[2 * i];
    const polycodec_node* value = key + 1;
    if (polycodec_node_size(key) == 10 && memcmp(key->as.data, "max_length", 10) == 0 &&
        (value->kind == POLYCODEC_UNSIGNED || value->kind == POLYCODEC_SIGNED))
      self->max_length = value->as.u64;
  }
  *instance = self;
  return POLYCODEC_OK;
}

static void codec_close(void* instance) { free(instance); }

/* Reads one netstring at *at; item->data views the input. */
static int32_t next(const codec* self, polycodec_bytes in, uint64_t* at, polycodec_bytes* item,
                    polycodec_error* error) {
  const uint8_t* p = in.data;
  uint64_t length = 0, digits = 0;
  for (; *at < in.size && p[*at] != ':'; ++*at, ++digits) {
    if (p[*at] < '0' || p[*at] > '9' || (digits > 0 && length == 0))
      return fail(error, POLYCODEC_ERROR_MALFORMED, *at, "expected a length and ':'");
    length = length * 10 + (uint64_t)(p[*at] - '0');
    if (length > self->max_length) return fail(error, POLYCODEC_ERROR_LIMIT, *at, "longer than max_length");
  }
  if (*at == in.size) return fail(error, POLYCODEC_ERROR_TRUNCATED, *at, "the input ends inside a length");
  if (digits == 0) return fail(error, POLYCODEC_ERROR_MALFORMED, *at, "expected a length and ':'");
  ++*at;
  if (length >= in.size - *at) return fail(error, POLYCODEC_ERROR_TRUNCATED, *at, "the input ends inside a string");
  *item = (polycodec_bytes){p + *at, length};
  *at += length;
  if (p[*at] != ',') return fail(error, POLYCODEC_ERROR_MALFORMED, *at, "expected ',' after the string");
  ++*at;
  return POLYCODEC_OK;
}

static int32_t codec_decode(void* instance, const polycodec_call* call, const polycodec_input* input,
                            polycodec_arena* arena, const polycodec_node** root, polycodec_error* error) {
  polycodec_bytes item;
  uint64_t count = 0;
  /* Counted before memory is taken, which no number in the input can then make too large. */
  for (uint64_t at = 0; at < input->bytes.size; ++count) {
    if (count >= call->limits->max_elements)
      return fail(error, POLYCODEC_ERROR_LIMIT, at, "more strings than the limits allow");
    if (count % 65536 == 0 && call->cancelled != NULL && call->cancelled(call))
      return fail(error, POLYCODEC_ERROR_CANCELLED, at, "cancelled by the host");
    const int32_t code = next(instance, input->bytes, &at, &item, error);
    if (code != POLYCODEC_OK) return code;
  }
  polycodec_node* nodes = polycodec_arena_alloc(arena, (count + 1) * sizeof *nodes, sizeof(void*));
  if (nodes == NULL)
    return fail(error, POLYCODEC_ERROR_LIMIT, POLYCODEC_NO_OFFSET, "the value needs more memory than is allowed");
  nodes[0] = polycodec_node_make(POLYCODEC_LIST, 0, count);
  nodes[0].as.nodes = nodes + 1;
  for (uint64_t at = 0, i = 1; at < input->bytes.size; ++i) {
    next(instance, input->bytes, &at, &item, NULL);
    nodes[i] = polycodec_node_make(POLYCODEC_BINARY, 0, item.size);
    nodes[i].as.data = item.data;
  }
  *root = nodes;
  return POLYCODEC_OK;
}

/* Copies a few bytes through the sink's window. */
static int32_t put(polycodec_sink* sink, const void* data, uint64_t size, polycodec_error* error) {
  if ((uint64_t)(sink->limit - sink->cursor) < size) {
    const int32_t code = sink->grow(sink, size, error);
    if (code != POLYCODEC_OK) return code;
  }
  if (size != 0) memcpy(sink->cursor, data, size);
  sink->cursor += size;
  return POLYCODEC_OK;
}

static const polycodec_node* without_attributes(const polycodec_node* node) {
  return node->kind == POLYCODEC_ANNOTATED ? node->as.annotated->node : node;
}

static int32_t codec_encode(void* instance, const polycodec_call* call, const polycodec_node* root,
                            polycodec_sink* sink, polycodec_error* error) {
  (void)instance;
  root = without_attributes(root);
  if (root->kind != POLYCODEC_LIST && root->kind != POLYCODEC_TUPLE)
    return fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET, "expected a list of byte strings");
  for (uint64_t i = 0; i < polycodec_node_size(root); ++i) {
    if (i % 65536 == 0 && call->cancelled != NULL && call->cancelled(call))
      return fail(error, POLYCODEC_ERROR_CANCELLED, POLYCODEC_NO_OFFSET, "cancelled by the host");
    const polycodec_node* item = without_attributes(&root->as.nodes[i]);
    if (item->kind != POLYCODEC_BINARY && item->kind != POLYCODEC_STRING)
      return fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET, "expected a list of byte strings");
    char head[24];
    const unsigned long long size = polycodec_node_size(item);
    const int written = snprintf(head, sizeof head, "%llu:", size);
    int32_t code = put(sink, head, (uint64_t)written, error);
    if (code == POLYCODEC_OK) code = sink->reference(sink, item->as.data, size, error); /* copied only if small */
    if (code == POLYCODEC_OK) code = put(sink, ",", 1, error);
    if (code != POLYCODEC_OK) return code;
  }
  return POLYCODEC_OK;
}

static const polycodec_codec codec_object = {
    .struct_size = sizeof(polycodec_codec),
    .capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE | POLYCODEC_TAKES_BYTES,
    .name = POLYCODEC_MANIFEST_CODEC_0_NAME,
    .description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION,
    .open = codec_open,
    .close = codec_close,
    .decode = codec_decode,
    .encode = codec_encode};
static const polycodec_codec* const codec_list[] = {&codec_object};
static const polycodec_codecs codecs = {sizeof codecs, 1, codec_list};

static const void* get_interface(const char* id) {
  return strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0 ? &codecs : NULL;
}

POLYCODEC_EXPORT const polycodec_plugin polycodec_plugin_v1 = {
    sizeof(polycodec_plugin), POLYCODEC_ABI_MAJOR, POLYCODEC_ABI_MAJOR, 0, POLYCODEC_MANIFEST_ID,
    POLYCODEC_MANIFEST_VERSION, NULL, NULL, get_interface};
