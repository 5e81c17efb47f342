/* SPDX-License-Identifier: MIT
 * A plugin that logs at each step of its life, most of them outside of calls. Its init function
 * ends as EVIL_INIT says. */
#include <polycodec/abi.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const polycodec_host* host;

static void say(const char* text) {
  const polycodec_bytes line = {text, strlen(text)};
  host->log(host, POLYCODEC_LOG_INFO, line);
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  polycodec_node* node = polycodec_arena_alloc(call->arena, sizeof *node, 8, error);
  (void)self;
  (void)input;
  if (node == NULL) return error->code;
  *node = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  *root = node;
  say("decode");
  return POLYCODEC_OK;
}

static void release(const polycodec_instance* self) {
  (void)self;
  say("release");
}

static const polycodec_instance the_instance = {
    .struct_size = sizeof the_instance, .decode = decode, .release = release};

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
                                      .capabilities = POLYCODEC_CAN_DECODE,
                                      .name = EVIL_ID,
                                      .open = open_codec};
static const polycodec_codec* const items[] = {&codec};
static const polycodec_codecs table = {sizeof table, 1, items};

static const void* get_interface(const polycodec_plugin* self, const char* id) {
  (void)self;
  return strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0 ? &table : NULL;
}

enum { talk, refuse, refuse_if_marked, crash };

static int32_t init(const polycodec_plugin* self, const polycodec_host* of,
                    polycodec_error* error) {
  (void)self;
  (void)error;
  host = of;
  say("init");
  if (EVIL_INIT == crash) abort();
  if (EVIL_INIT == refuse_if_marked && access(EVIL_MARK, F_OK) == 0)
    return POLYCODEC_ERROR_UNSUPPORTED;
  return EVIL_INIT == refuse ? POLYCODEC_ERROR_UNSUPPORTED : POLYCODEC_OK;
}

static void deinit(const polycodec_plugin* self) {
  (void)self;
  say("deinit");
}

POLYCODEC_EXPORT extern const polycodec_plugin polycodec_plugin_v2;
POLYCODEC_EXPORT const polycodec_plugin polycodec_plugin_v2 = {
    .struct_size = sizeof(polycodec_plugin),
    .abi = POLYCODEC_ABI_VERSION,
    .id = EVIL_ID,
    .version = "1.0.0",
    .init = init,
    .deinit = deinit,
    .get_interface = get_interface};
