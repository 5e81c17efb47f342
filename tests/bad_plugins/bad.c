/* SPDX-License-Identifier: MIT
 *
 * A small correct plugin (codec "echo": a byte string is itself), and one broken variant of it for
 * each BAD_* macro that the build defines. Manifests are written by the test.
 */
#include <polycodec/abi.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifndef PLUGIN_ID
#define PLUGIN_ID "test.echo"
#endif

/* What a variant leaves out is unused in it. */
#define MAYBE_UNUSED __attribute__((unused))

MAYBE_UNUSED static int32_t fail(polycodec_error* error, int32_t code, const char* message) {
  return polycodec_fail(error, code, POLYCODEC_NO_OFFSET, message);
}

MAYBE_UNUSED static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                                   const polycodec_input* input, const polycodec_node** root,
                                   polycodec_error* error) {
  polycodec_node* node = polycodec_arena_alloc(call->arena, sizeof *node, sizeof(void*), error);
  (void)self;
  if (node == NULL) return error->code;
  *node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, input->bytes.size);
  node->as.data = input->bytes.data;
#if defined(BAD_VALUE_KIND)
  node->kind = 200;
#elif defined(BAD_VALUE_NULL_CHILD)
  *node = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 3);
#elif defined(BAD_VALUE_CYCLE)
  *node = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 1);
  node->as.nodes = node;
#elif defined(BAD_VALUE_STRAY)
  *node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, 8);
  node->as.data = error; /* memory of the host */
#elif defined(BAD_VALUE_UNUSED)
  /* A right list of lists, but for two pointers that its layout does not use. */
  struct parts {
    polycodec_array list, content;
    const polycodec_array* children[1];
    int64_t offsets[1];
  }* parts = polycodec_arena_alloc(call->arena, sizeof *parts, sizeof(void*), error);
  if (parts == NULL) return error->code;
  memset(parts, 0, sizeof *parts);
  parts->list.struct_size = parts->content.struct_size = sizeof(polycodec_array);
  parts->list.layout = POLYCODEC_LAYOUT_LIST_OFFSETS;
  parts->list.offsets = (polycodec_column){parts->offsets, 8, POLYCODEC_DTYPE_INT64, 0};
  parts->list.n_children = 1;
  parts->list.children = parts->children;
  parts->children[0] = &parts->content;
  parts->content.layout = POLYCODEC_LAYOUT_RECORD;
  parts->list.buffer = error; /* memory of the host */
  parts->list.buffer_size = sizeof *error;
  parts->list.names = (const polycodec_bytes*)0x1000;
  *node = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
  node->as.array = &parts->list;
#elif defined(BAD_CREDIT)
  call->credit += 1000000;
#elif defined(BAD_ROOT_NULL)
  *root = NULL;
  return POLYCODEC_OK;
#elif defined(BAD_STATUS)
  return 4711;
#elif defined(BAD_ERROR_TEXT)
  memset(&error->code, 'x', sizeof *error - offsetof(polycodec_error, code));
  return POLYCODEC_ERROR_MALFORMED;
#endif
  *root = node;
  return POLYCODEC_OK;
}

static int32_t encode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_node* root, const polycodec_output* output,
                      polycodec_error* error) {
  (void)self, (void)call;
  if (root->kind != POLYCODEC_KIND_BINARY)
    return fail(error, POLYCODEC_ERROR_UNSUPPORTED, "only bytes can be written");
  return output->sink->reference(output->sink, root->as.data, polycodec_node_size(root), error);
}

static void release(const polycodec_instance* self) {
  (void)self;
}

static const polycodec_instance instance = {sizeof instance,
#ifdef BAD_NULL_DECODE
                                            .decode = NULL,
#else
                                            .decode = decode,
#endif
                                            .encode = encode, .release = release};

MAYBE_UNUSED static int32_t open(const polycodec_codec* self, polycodec_call* call,
                                 const polycodec_node* options, const polycodec_instance** made,
                                 polycodec_error* error) {
  (void)self, (void)call, (void)options, (void)error;
  *made = &instance;
  return POLYCODEC_OK;
}

static const polycodec_codec echo = {
    sizeof echo,
#ifdef BAD_CAPABILITIES
    POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE | POLYCODEC_CAN_READ_STREAM,
#else
    POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
#endif
#ifdef BAD_NAME
    .name = "test.other",
#else
    .name = "test.echo",
#endif
#ifndef BAD_NULL_FUNCTION
    .open = open,
#endif
};

static const polycodec_codec* const all[] = {&echo};
static const polycodec_codecs codecs = {sizeof(polycodec_codecs), 1, all};

MAYBE_UNUSED static const void* get_interface(const polycodec_plugin* self, const char* id) {
  (void)self;
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

static int32_t init(const polycodec_plugin* self, const polycodec_host* host,
                    polycodec_error* error) {
  (void)self, (void)host;
#ifdef BAD_UNRESOLVED
  if (polycodec_test_symbol_that_nobody_defines() != 0) return POLYCODEC_ERROR_PLUGIN;
#endif
#ifdef BAD_DEPENDENCY
  if (polycodec_test_dependency() != 0) return POLYCODEC_ERROR_PLUGIN;
#endif
#ifdef BAD_INIT_CRASHES
  abort();
#endif
#ifdef BAD_INIT_EXITS
  exit(5);
#endif
#ifdef BAD_INIT_SEGV
  raise(SIGSEGV);
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

#if defined(BAD_NO_ENTRY)
#define ENTRY some_other_symbol
#elif defined(BAD_MAJOR_1)
#define ENTRY polycodec_plugin_v1
#else
#define ENTRY polycodec_plugin_v2
#endif
POLYCODEC_EXPORT extern const polycodec_plugin ENTRY;
const polycodec_plugin ENTRY = {
#ifdef BAD_SHORT_STRUCT
    8,
#else
    sizeof(polycodec_plugin),
#endif
#ifdef BAD_ABI
    (uint32_t)98 << 16,
#elif defined(BAD_MINOR)
    POLYCODEC_ABI_MAJOR << 16 | 7, /* a later one than there is */
#else
    POLYCODEC_ABI_VERSION,
#endif
    PLUGIN_ID,
    "1.0.0",
    .init = init,
#ifndef BAD_NULL_GET_INTERFACE
    .get_interface = get_interface,
#endif
};
