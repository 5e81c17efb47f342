/* SPDX-License-Identifier: MIT
 *
 * A small correct plugin (codec "echo": a byte string is itself), and one broken variant of it for each BAD_* macro
 * that the build defines. Manifests are written by the test.
 */
#include <polycodec/abi.h>

#include <stdlib.h>
#include <string.h>

#ifndef PLUGIN_ID
#define PLUGIN_ID "test.echo"
#endif

static const char description[] =
#ifdef BAD_DESCRIBE
    "{\"name\": \"test.echo\", \"summary\": \"something else than the manifest says\"}";
#elif defined(BAD_DESCRIBE_SYNTAX)
    "{\"name\": ";
#else
    "{\"name\": \"test.echo\", \"summary\": \"bytes as they are\", \"format_version\": \"1\", \"aliases\": [],"
    " \"media_types\": [], \"extensions\": [\".echo\"], \"magic\": [], \"decode\": true, \"encode\": true,"
    " \"input\": [\"bytes\"], \"stream\": false,"
    " \"options\": {\"type\": \"object\", \"properties\": {}, \"additionalProperties\": false}}";
#endif

/* What a variant leaves out is unused in it. */
#define MAYBE_UNUSED __attribute__((unused))

MAYBE_UNUSED static int32_t fail(polycodec_error* error, int32_t code, const char* message) {
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
  (void)host;
  (void)options;
  (void)error;
  *instance = NULL;
  return POLYCODEC_OK;
}

static void close_instance(void* instance) {
  (void)instance;
}

MAYBE_UNUSED static int32_t decode(void* instance, const polycodec_call* call, const polycodec_input* input,
                                   polycodec_arena* arena, const polycodec_node** root, polycodec_error* error) {
  polycodec_node* node = polycodec_arena_alloc(arena, sizeof *node, sizeof(void*));
  (void)instance;
  (void)call;
  if (node == NULL) return fail(error, POLYCODEC_ERROR_LIMIT, "no memory for the value");
  *node = polycodec_node_make(POLYCODEC_BINARY, 0, input->bytes.size);
  node->as.data = input->bytes.data;
#if defined(BAD_VALUE_KIND)
  node->kind = 200;
#elif defined(BAD_VALUE_NULL_CHILD)
  *node = polycodec_node_make(POLYCODEC_LIST, 0, 3);
#elif defined(BAD_VALUE_CYCLE)
  *node = polycodec_node_make(POLYCODEC_LIST, 0, 1);
  node->as.nodes = node;
#elif defined(BAD_ROOT_NULL)
  *root = NULL;
  return POLYCODEC_OK;
#elif defined(BAD_STATUS)
  return 4711;
#elif defined(BAD_ERROR_TEXT)
  if (error != NULL) memset(error, 'x', sizeof *error);
  return POLYCODEC_ERROR_MALFORMED;
#endif
  *root = node;
  return POLYCODEC_OK;
}

static int32_t encode(void* instance, const polycodec_call* call, const polycodec_node* root, polycodec_sink* sink,
                      polycodec_error* error) {
  (void)instance;
  (void)call;
  if (root->kind != POLYCODEC_BINARY) return fail(error, POLYCODEC_ERROR_UNSUPPORTED, "only bytes can be written");
  return sink->reference(sink, root->as.data, polycodec_node_size(root), error);
}

static const polycodec_codec echo = {
    sizeof(polycodec_codec),
#ifdef BAD_CAPABILITIES
    POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE | POLYCODEC_TAKES_BYTES | POLYCODEC_CAN_STREAM,
#else
    POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE | POLYCODEC_TAKES_BYTES,
#endif
    "test.echo",
    description,
    NULL,
    &open_instance,
    &close_instance,
#ifdef BAD_NULL_FUNCTION
    NULL,
#else
    &decode,
#endif
    &encode,
    NULL,
    NULL,
    NULL};

static const polycodec_codec* const all[] = {&echo};
static const polycodec_codecs codecs = {sizeof(polycodec_codecs), 1, all};

MAYBE_UNUSED static const void* get_interface(const char* id) {
#ifdef BAD_NO_INTERFACE
  return strcmp(id, "some.other/1") == 0 ? &codecs : NULL;
#else
  return strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0 ? &codecs : NULL;
#endif
}

#ifdef BAD_UNRESOLVED
extern int polycodec_test_symbol_that_nobody_defines(void);
#endif
#ifdef BAD_DEPENDENCY
extern int polycodec_test_dependency(void);
#endif

static int32_t init(const polycodec_host* host, uint32_t abi, polycodec_error* error) {
  (void)host;
  (void)abi;
#ifdef BAD_UNRESOLVED
  if (polycodec_test_symbol_that_nobody_defines() != 0) return POLYCODEC_ERROR_PLUGIN;
#endif
#ifdef BAD_DEPENDENCY
  if (polycodec_test_dependency() != 0) return POLYCODEC_ERROR_PLUGIN;
#endif
#ifdef BAD_INIT_CRASHES
  abort();
#endif
#ifdef BAD_INIT_FAILS
  return fail(error, POLYCODEC_ERROR_UNSUPPORTED, "this machine has no flux capacitor");
#else
  (void)error;
  return POLYCODEC_OK;
#endif
}

#ifdef BAD_EXTRA_EXPORTS
POLYCODEC_EXPORT int polycodec_test_leaked(void);
int polycodec_test_leaked(void) {
  return 1;
}
#endif

#ifdef BAD_NO_ENTRY
POLYCODEC_EXPORT extern const polycodec_plugin some_other_symbol;
const polycodec_plugin some_other_symbol = {
#else
POLYCODEC_EXPORT extern const polycodec_plugin polycodec_plugin_v1;
const polycodec_plugin polycodec_plugin_v1 = {
#endif
#ifdef BAD_SHORT_STRUCT
    8,
#else
    sizeof(polycodec_plugin),
#endif
#ifdef BAD_ABI
    98,  99,
#else
    1, 1,
#endif
    0,   PLUGIN_ID, "1.0.0", &init, NULL,
#ifdef BAD_NULL_GET_INTERFACE
    NULL
#else
    &get_interface
#endif
};
