/* SPDX-License-Identifier: MIT
 *
 * The plugin that the registry's tests load. Codec test.raw decodes bytes as they are, except that
 *   "N..." is the value that the host's decode_with makes of the rest with test.raw (a nested call),
 *   "F"    is the result of the registered function test.answer,
 *   "T"    is the notation of the registered type test.point,
 *   "C"    is POLYCODEC_ERROR_CANCELLED if the host wants the call to end, else the bytes.
 */
#include <polycodec/abi.h>

#include "polycodec_manifest.h"

#include <string.h>

static polycodec_bytes text(const char* s) {
  polycodec_bytes b;
  b.data = s;
  b.size = strlen(s);
  return b;
}

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

static int32_t give(polycodec_arena* arena, uint8_t kind, polycodec_bytes bytes, const polycodec_node** root,
                    polycodec_error* error) {
  polycodec_node* node = polycodec_arena_alloc(arena, sizeof *node, sizeof(void*));
  if (node == NULL) return fail(error, POLYCODEC_ERROR_LIMIT, "no memory for the value");
  *node = polycodec_node_make(kind, 0, bytes.size);
  node->as.data = bytes.data;
  *root = node;
  return POLYCODEC_OK;
}

typedef struct instance {
  const polycodec_host* host;
  int64_t level;
} instance;

static int32_t open_instance(const polycodec_host* host, const polycodec_node* options, void** made,
                             polycodec_error* error) {
  instance* self = host->allocate(host, sizeof *self, sizeof(void*));
  if (self == NULL) return fail(error, POLYCODEC_ERROR_MEMORY, "no memory");
  self->host = host;
  self->level = 1;
  if (options != NULL) {
    for (uint64_t i = 0; i < polycodec_node_size(options); ++i) {
      const polycodec_node* key = &options->as.nodes[2 * i];
      if (polycodec_node_size(key) == 5 && memcmp(key->as.data, "level", 5) == 0) self->level = key[1].as.i64;
    }
  }
  *made = self;
  host->log(host, POLYCODEC_LOG_DEBUG, text("opened"));
  return POLYCODEC_OK;
}

static void close_instance(void* made) {
  instance* self = made;
  self->host->free(self->host, self);
}

static int32_t decode_bytes(instance* self, const polycodec_call* call, polycodec_bytes bytes, polycodec_arena* arena,
                            const polycodec_node** root, polycodec_error* error) {
  const polycodec_host* host = self->host;
  const char first = bytes.size > 0 ? *(const char*)bytes.data : 0;
  if (first == 'N') {
    polycodec_bytes rest;
    rest.data = (const char*)bytes.data + 1;
    rest.size = bytes.size - 1;
    return host->decode_with(host, call, text("test.raw"), NULL, rest, arena, root, error);
  }
  if (first == 'F') {
    polycodec_bytes path[2];
    polycodec_node args = polycodec_node_make(POLYCODEC_LIST, 0, 0);
    path[0] = text("test");
    path[1] = text("answer");
    return host->call_function(host, call, path, 2, &args, NULL, arena, root, error);
  }
  if (first == 'T') {
    polycodec_bytes notation;
    const int32_t code = host->lookup_type(host, text("test.point"), &notation, error);
    return code != POLYCODEC_OK ? code : give(arena, POLYCODEC_STRING, notation, root, error);
  }
  if (first == 'C' && call->cancelled != NULL && call->cancelled(call) != 0)
    return fail(error, POLYCODEC_ERROR_CANCELLED, "cancelled");
  return give(arena, POLYCODEC_BINARY, bytes, root, error);
}

static int32_t decode(void* made, const polycodec_call* call, const polycodec_input* input, polycodec_arena* arena,
                      const polycodec_node** root, polycodec_error* error) {
  return decode_bytes(made, call, input->bytes, arena, root, error);
}

static int32_t encode(void* made, const polycodec_call* call, const polycodec_node* root, polycodec_sink* sink,
                      polycodec_error* error) {
  instance* self = made;
  (void)call;
  if (self->level != 1) {
    if (sink->cursor == sink->limit) {
      const int32_t code = sink->grow(sink, 1, error);
      if (code != POLYCODEC_OK) return code;
    }
    *sink->cursor++ = (uint8_t)('0' + self->level);
  }
  if (root->kind != POLYCODEC_BINARY) return fail(error, POLYCODEC_ERROR_UNSUPPORTED, "only bytes can be written");
  return sink->reference(sink, root->as.data, polycodec_node_size(root), error);
}

/* A stream of messages that end with '.'. */
static int32_t stream_next(void* made, const polycodec_call* call, polycodec_bytes bytes, int32_t final,
                           polycodec_arena* arena, const polycodec_node** root, uint64_t* consumed, uint64_t* wanted,
                           polycodec_error* error) {
  const char* end = bytes.size > 0 ? memchr(bytes.data, '.', (size_t)bytes.size) : NULL;
  if (end == NULL) {
    *wanted = bytes.size + 1;
    return final != 0 ? fail(error, POLYCODEC_ERROR_TRUNCATED, "the last message has no end") : POLYCODEC_OK;
  }
  bytes.size = (uint64_t)(end - (const char*)bytes.data);
  *consumed = bytes.size + 1;
  return decode_bytes(made, call, bytes, arena, root, error);
}

static uint32_t score_of(polycodec_bytes head, char own) {
  const char* p = head.data;
  if (head.size == 0) return 0;
  if (p[0] == 'E') return 60; /* both are equally likely */
  if (p[0] == 'W') return 20; /* both are thinkable */
  return p[0] == own ? 80 : 0;
}

static int32_t sniff_raw(polycodec_bytes head, uint64_t total, polycodec_sniff* sniff, polycodec_error* error) {
  (void)total;
  (void)error;
  sniff->score = score_of(head, 'R');
  strcpy(sniff->reason, "first byte");
  return POLYCODEC_OK;
}

static int32_t sniff_twin(polycodec_bytes head, uint64_t total, polycodec_sniff* sniff, polycodec_error* error) {
  (void)total;
  (void)error;
  sniff->score = score_of(head, 'V');
  strcpy(sniff->reason, "first byte");
  return POLYCODEC_OK;
}

static const polycodec_codec raw = {
    sizeof(polycodec_codec),
    POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE | POLYCODEC_TAKES_BYTES | POLYCODEC_CAN_STREAM,
    POLYCODEC_MANIFEST_CODEC_0_NAME,
    POLYCODEC_MANIFEST_CODEC_0_DESCRIPTION,
    &sniff_raw,
    &open_instance,
    &close_instance,
    &decode,
    &encode,
    NULL,
    &stream_next,
    NULL};
static const polycodec_codec twin = {sizeof(polycodec_codec),
                                     POLYCODEC_CAN_DECODE | POLYCODEC_TAKES_BYTES,
                                     POLYCODEC_MANIFEST_CODEC_1_NAME,
                                     POLYCODEC_MANIFEST_CODEC_1_DESCRIPTION,
                                     &sniff_twin,
                                     &open_instance,
                                     &close_instance,
                                     &decode,
                                     NULL,
                                     NULL,
                                     NULL,
                                     NULL};
static const polycodec_codec* const codec_list[] = {&twin, &raw}; /* the order need not be the manifest's */
static const polycodec_codecs codecs = {sizeof codecs, 2, codec_list};

static int32_t answer(const polycodec_host* host, const polycodec_call* call, const polycodec_node* args,
                      const polycodec_node* kwargs, polycodec_arena* arena, const polycodec_node** result,
                      polycodec_error* error) {
  polycodec_node* node = polycodec_arena_alloc(arena, sizeof *node, sizeof(void*));
  (void)host;
  (void)call;
  (void)args;
  (void)kwargs;
  if (node == NULL) return fail(error, POLYCODEC_ERROR_LIMIT, "no memory for the value");
  *node = polycodec_node_make(POLYCODEC_SIGNED, POLYCODEC_INT64, 0);
  node->as.i64 = 42;
  *result = node;
  return POLYCODEC_OK;
}

static const char* const answer_path[] = {"test", "answer"};
static const polycodec_function answer_function = {
    sizeof(polycodec_function), 2, answer_path, "forty-two", 0, 0, &answer};
static const polycodec_function* const function_list[] = {&answer_function};
static const polycodec_functions functions = {sizeof functions, 1, function_list};

static const polycodec_named_type point = {sizeof(polycodec_named_type), 0, "test.point", "{x: float64, y: float64}"};
static const polycodec_named_type* const type_list[] = {&point};
static const polycodec_types types = {sizeof types, 1, type_list};

static const void* get_interface(const char* id) {
  if (strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0) return &codecs;
  if (strcmp(id, POLYCODEC_FUNCTIONS_INTERFACE) == 0) return &functions;
  return strcmp(id, POLYCODEC_TYPES_INTERFACE) == 0 ? &types : NULL;
}

POLYCODEC_EXPORT extern const polycodec_plugin polycodec_plugin_v1;
const polycodec_plugin polycodec_plugin_v1 = {
    sizeof(polycodec_plugin), 1, 1, 0, POLYCODEC_MANIFEST_ID, POLYCODEC_MANIFEST_VERSION, NULL, NULL, &get_interface};
