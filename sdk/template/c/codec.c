/* SPDX-License-Identifier: MIT
 * Netstrings, `5:hello,0:,`, as a list of byte strings: a working example, to be replaced by your format. */
#include <polycodec/abi.h>

#include <string.h>

typedef struct codec {
  polycodec_instance instance; /* first, so that a pointer to it is a pointer to the codec */
  uint64_t max_length;
} codec;

/* Reads one netstring at *at; item->data views the input. */
static int32_t next(const codec* self, polycodec_bytes in, uint64_t* at, polycodec_bytes* item,
                    polycodec_error* error) {
  const uint8_t* p = in.data;
  uint64_t length = 0, digits = 0;
  for (; *at < in.size && p[*at] != ':'; ++*at, ++digits) {
    if (p[*at] < '0' || p[*at] > '9' || (digits > 0 && length == 0))
      return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, *at, "expected a length and ':'");
    length = length * 10 + (uint64_t)(p[*at] - '0');
    if (length > self->max_length) return polycodec_fail(error, POLYCODEC_ERROR_LIMIT, *at, "longer than max_length");
  }
  if (*at == in.size) return polycodec_fail(error, POLYCODEC_ERROR_TRUNCATED, *at, "the input ends inside a length");
  if (digits == 0) return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, *at, "expected a length and ':'");
  if (length >= in.size - ++*at) return polycodec_fail(error, POLYCODEC_ERROR_TRUNCATED, *at, "the string is cut off");
  *item = (polycodec_bytes){p + *at, length};
  *at += length;
  if (p[*at] != ',') return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, *at, "expected ',' after the string");
  ++*at;
  return POLYCODEC_OK;
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call, const polycodec_input* input,
                      const polycodec_node** root, polycodec_error* error) {
  polycodec_bytes item;
  uint64_t count = 0;
  /* Counted before memory is taken, which no number in the input can then make too large. */
  for (uint64_t at = 0; at < input->bytes.size; ++count) {
    int32_t code = polycodec_spend(call, 2, error);
    if (code == POLYCODEC_OK) code = next((const codec*)self, input->bytes, &at, &item, error);
    if (code != POLYCODEC_OK) return code;
  }
  polycodec_node* nodes = polycodec_arena_alloc(call->arena, (count + 1) * sizeof *nodes, _Alignof(polycodec_node), error);
  if (nodes == NULL) return error->code;
  nodes[0] = polycodec_node_make(POLYCODEC_KIND_LIST, 0, count);
  nodes[0].as.nodes = nodes + 1;
  for (uint64_t at = 0, i = 1; at < input->bytes.size; ++i) {
    next((const codec*)self, input->bytes, &at, &item, error);
    nodes[i] = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, item.size);
    nodes[i].as.data = item.data;
  }
  *root = nodes;
  return POLYCODEC_OK;
}

static int32_t encode(const polycodec_instance* self, polycodec_call* call, const polycodec_node* root,
                      const polycodec_output* output, polycodec_error* error) {
  (void)self;
  int has_metadata = root->kind == POLYCODEC_KIND_ANNOTATED;
  root = polycodec_node_proper(root);
  if (root->kind != POLYCODEC_KIND_LIST && root->kind != POLYCODEC_KIND_TUPLE)
    return polycodec_fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET, "expected a list of byte strings");
  for (uint64_t i = 0; i < polycodec_node_size(root); ++i)
    has_metadata |= root->as.nodes[i].kind == POLYCODEC_KIND_ANNOTATED;
  if (has_metadata) { /* the host decides */
    const polycodec_bytes path = {"$", 1}, what = {"metadata", 8};
    const int32_t code = call->report_loss(call, POLYCODEC_LOSS_DATA, path, what, error);
    if (code != POLYCODEC_OK) return code;
  }
  for (uint64_t i = 0; i < polycodec_node_size(root); ++i) {
    const polycodec_node* item = polycodec_node_proper(&root->as.nodes[i]);
    if (item->kind != POLYCODEC_KIND_BINARY && item->kind != POLYCODEC_KIND_STRING)
      return polycodec_fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET, "expected a list of byte strings");
    char head[24], *first = head + sizeof head;
    const uint64_t size = polycodec_node_size(item);
    *--first = ':';
    for (uint64_t rest = size; first == head + sizeof head - 1 || rest != 0; rest /= 10)
      *--first = (char)('0' + rest % 10);
    int32_t code = polycodec_spend(call, 1 + size / 16, error);
    if (code == POLYCODEC_OK)
      code = polycodec_sink_put(output->sink, first, (uint64_t)(head + sizeof head - first), error);
    if (code == POLYCODEC_OK) code = output->sink->reference(output->sink, item->as.data, size, error);
    if (code == POLYCODEC_OK) code = polycodec_sink_put(output->sink, ",", 1, error);
    if (code != POLYCODEC_OK) return code;
  }
  return POLYCODEC_OK;
}

static void release(const polycodec_instance* self) { (void)self; /* it lies in the arena that open() got */ }

static int32_t open(const polycodec_codec* self, polycodec_call* call, const polycodec_node* options,
                    const polycodec_instance** instance, polycodec_error* error) {
  (void)self;
  codec* made = polycodec_arena_alloc(call->arena, sizeof *made, _Alignof(codec), error);
  if (made == NULL) return error->code;
  made->instance = (polycodec_instance){sizeof made->instance, .decode = decode, .encode = encode, .release = release};
  made->max_length = (uint64_t)1 << 30;
  /* The host has checked the options against the schema in the manifest: names, types and bounds. */
  for (uint64_t i = 0; options != NULL && i < polycodec_node_size(options); ++i) {
    const polycodec_node* key = &options->as.nodes[2 * i];
    if (polycodec_node_size(key) == 10 && memcmp(key->as.data, "max_length", 10) == 0 &&
        key[1].kind != POLYCODEC_KIND_NULL)
      made->max_length = key[1].as.u64;
  }
  *instance = &made->instance;
  return POLYCODEC_OK;
}

static const polycodec_codec netstrings = {sizeof netstrings, POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
                                           .name = "@PLUGIN_ID@", .open = open};
static const polycodec_codecs codecs = {sizeof codecs, 1, (const polycodec_codec* const[]){&netstrings}};

static const void* get_interface(const polycodec_plugin* self, const char* id) {
  return self != NULL && strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0 ? &codecs : NULL;
}

POLYCODEC_EXPORT const polycodec_plugin polycodec_plugin_v2 = {
    sizeof(polycodec_plugin), POLYCODEC_ABI_VERSION, POLYCODEC_MANIFEST_ID,
    POLYCODEC_MANIFEST_VERSION, .get_interface = get_interface};
