/* SPDX-License-Identifier: MIT
 *
 * A correct plugin (codec "test.faulty": a byte string is itself), and with one of the FAULT_* macros one that breaks
 * the contract where only use shows it. The conformance kit must find each. */
#include <polycodec/abi.h>

#include "polycodec_manifest.h"

#include <stdio.h>
#include <string.h>

static int32_t fail(polycodec_error* error, int32_t code, const char* message) {
  if (error != NULL) {
    memset(error, 0, sizeof *error);
    error->struct_size = sizeof *error;
    error->code = code;
    error->offset = POLYCODEC_NO_OFFSET;
    strncpy(error->message, message, sizeof error->message - 1);
  }
  return code;
}

static int32_t open_instance(const polycodec_host* host, const polycodec_node* options, void** instance,
                             polycodec_error* error) {
  (void)options, (void)error;
  *instance = NULL;
#ifdef FAULT_KEEPS_MEMORY
  if (host->allocate(host, 16, 8) == NULL) return fail(error, POLYCODEC_ERROR_MEMORY, "no memory");
#endif
  (void)host;
  return POLYCODEC_OK;
}

static void close_instance(void* instance) {
  (void)instance;
}

static int32_t decode(void* instance, const polycodec_call* call, const polycodec_input* input,
                      polycodec_arena* arena, const polycodec_node** root, polycodec_error* error) {
  (void)instance, (void)call, (void)error;
#ifdef FAULT_PRINTS
  puts("decoding");
#endif
#ifdef FAULT_HANGS
  for (volatile int forever = 1; input->bytes.size == 0 && forever;) continue;
#endif
#ifdef FAULT_READS_BEYOND
  const volatile uint8_t* bytes = input->bytes.data;
  if (input->bytes.size > 0 && bytes[input->bytes.size] == 7) return POLYCODEC_ERROR_INTERNAL;
#endif
#ifdef FAULT_WRITES_INPUT
  if (input->bytes.size > 0) *(uint8_t*)(uintptr_t)input->bytes.data = 0;
#endif
#ifdef FAULT_BAD_OFFSET
  if (input->bytes.size < 3) {
    fail(error, POLYCODEC_ERROR_TRUNCATED, "too short");
    if (error != NULL) error->offset = 1000;
    return POLYCODEC_ERROR_TRUNCATED;
  }
#endif
  polycodec_node* node = polycodec_arena_alloc(arena, sizeof *node, sizeof(void*));
#ifndef FAULT_IGNORES_NULL
  if (node == NULL) return fail(error, POLYCODEC_ERROR_LIMIT, "no memory for the value");
#endif
  *node = polycodec_node_make(POLYCODEC_BINARY, 0, input->bytes.size);
  node->as.data = input->bytes.data;
  *root = node;
  return POLYCODEC_OK;
}

static int32_t encode(void* instance, const polycodec_call* call, const polycodec_node* root, polycodec_sink* sink,
                      polycodec_error* error) {
  (void)instance, (void)call;
#ifdef FAULT_SILENT
  if (root->kind != POLYCODEC_BINARY) return fail(error, POLYCODEC_ERROR_UNSUPPORTED, "");
#endif
  if (root->kind != POLYCODEC_BINARY && root->kind != POLYCODEC_STRING)
    return fail(error, POLYCODEC_ERROR_UNSUPPORTED, "expected bytes");
  const uint64_t size = polycodec_node_size(root);
  if (size > POLYCODEC_MAX_WINDOW) return fail(error, POLYCODEC_ERROR_UNSUPPORTED, "too long for this codec");
#ifdef FAULT_IGNORES_SINK
  if ((uint64_t)(sink->limit - sink->cursor) < size && sink->grow(sink, size, error) != POLYCODEC_OK)
    return POLYCODEC_OK;
#else
  if ((uint64_t)(sink->limit - sink->cursor) < size) {
    const int32_t code = sink->grow(sink, size, error);
    if (code != POLYCODEC_OK) return code;
  }
#endif
  if (size != 0) memcpy(sink->cursor, root->as.data, size);
#ifdef FAULT_RANDOM
  static uint8_t count;
  if (size != 0) sink->cursor[0] = ++count;
#endif
  sink->cursor += size;
#ifdef FAULT_LEAVES_WINDOW
  sink->cursor += 1 + (sink->limit - sink->cursor);
#endif
  return POLYCODEC_OK;
}

static const polycodec_codec codec = {
    .struct_size = sizeof(polycodec_codec),
    .capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE | POLYCODEC_TAKES_BYTES,
    .name = POLYCODEC_MANIFEST_CODEC_0_NAME,
    .description = POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION,
    .open = open_instance,
    .close = close_instance,
    .decode = decode,
    .encode = encode};
static const polycodec_codec* const list[] = {&codec};
static const polycodec_codecs codecs = {sizeof codecs, 1, list};

static const void* get_interface(const char* id) {
#ifdef FAULT_ANY_INTERFACE
  (void)id;
  return &codecs;
#else
  return strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0 ? &codecs : NULL;
#endif
}

POLYCODEC_EXPORT
#ifndef FAULT_WRITABLE
const
#endif
    polycodec_plugin polycodec_plugin_v1 = {sizeof(polycodec_plugin),
                                            POLYCODEC_ABI_MAJOR,
                                            POLYCODEC_ABI_MAJOR,
                                            0,
                                            POLYCODEC_MANIFEST_ID,
                                            POLYCODEC_MANIFEST_VERSION,
                                            NULL,
                                            NULL,
                                            get_interface};
