/* SPDX-License-Identifier: MIT
 * A codec that does nothing but copy: whatever isolation adds shows. */
#include <polycodec/abi.h>

#include <string.h>

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  const uint64_t size = input->bytes.size;
  polycodec_node* node = polycodec_arena_alloc(call->arena, sizeof *node, 8, error);
  void* bytes = node == NULL ? NULL : polycodec_arena_alloc(call->arena, size, 64, error);
  (void)self;
  if (bytes == NULL) return error->code;
  memcpy(bytes, input->bytes.data, size);
  *node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, size);
  node->as.data = bytes;
  *root = node;
  return POLYCODEC_OK;
}

static int32_t encode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_node* root, const polycodec_output* output,
                      polycodec_error* error) {
  polycodec_sink* sink = output->sink;
  const uint8_t* from = root->as.data;
  uint64_t size = polycodec_node_size(root);
  (void)self;
  (void)call;
  while (size != 0) {
    uint64_t part = size < POLYCODEC_MAX_WINDOW ? size : POLYCODEC_MAX_WINDOW;
    if (part > (uint64_t)(sink->limit - sink->cursor)) {
      const int32_t code = sink->grow(sink, part, error);
      if (code != POLYCODEC_OK) return code;
    }
    memcpy(sink->cursor, from, part);
    sink->cursor += part;
    from += part;
    size -= part;
  }
  return POLYCODEC_OK;
}

static void release(const polycodec_instance* self) {
  (void)self;
}

static const polycodec_instance the_instance = {
    .struct_size = sizeof the_instance, .decode = decode, .encode = encode, .release = release};

static int32_t open_codec(const polycodec_codec* self, polycodec_call* call,
                          const polycodec_node* options, const polycodec_instance** instance,
                          polycodec_error* error) {
  (void)self;
  (void)call;
  (void)options;
  (void)error;
  *instance = &the_instance;
  return POLYCODEC_OK;
}

static const polycodec_codec codec = {.struct_size = sizeof codec,
                                      .capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
                                      .name = "bench.copy",
                                      .open = open_codec};
static const polycodec_codec* const items[] = {&codec};
static const polycodec_codecs table = {sizeof table, 1, items};

static const void* get_interface(const polycodec_plugin* self, const char* id) {
  (void)self;
  return strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0 ? &table : NULL;
}

POLYCODEC_EXPORT extern const polycodec_plugin polycodec_plugin_v2;
POLYCODEC_EXPORT const polycodec_plugin polycodec_plugin_v2 = {
    .struct_size = sizeof(polycodec_plugin),
    .abi = POLYCODEC_ABI_VERSION,
    .id = "bench.copy",
    .version = "1.0.0",
    .get_interface = get_interface};
