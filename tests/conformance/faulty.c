/* SPDX-License-Identifier: MIT
 *
 * The function "test.size", the type "test.pair", and the plugin itself.
 */
#include "faulty.h"

static int32_t size_of(const polycodec_function* self, polycodec_call* call,
                       const polycodec_node* args, const polycodec_node* kwargs,
                       const polycodec_node** result, polycodec_error* error) {
  (void)self, (void)kwargs;
  TRY(charge(call, 1, error));
  const polycodec_node* argument = polycodec_node_proper(args->as.nodes);
  if (has_fault("TRUSTS_ARGUMENTS")) {
    const volatile uint8_t* bytes = argument->as.data;
    if (*bytes == 7) return polycodec_fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET, "no");
  }
  if (argument->kind != POLYCODEC_KIND_BINARY && argument->kind != POLYCODEC_KIND_STRING)
    return polycodec_fail(error, POLYCODEC_ERROR_TYPE, POLYCODEC_NO_OFFSET,
                          "expected bytes or a string");
  static polycodec_node mine;
  polycodec_node* node = polycodec_arena_alloc(call->arena, sizeof *node, sizeof(void*), error);
  if (node == NULL) return error->code;
  if (has_fault("FOREIGN_RESULT")) node = &mine;
  *node = polycodec_node_make(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_UINT64, 0);
  node->as.u64 = polycodec_node_size(argument);
  *result = node;
  return POLYCODEC_OK;
}

static const char* const path[] = {"test", "size"};
static const polycodec_function function = {.struct_size = sizeof function,
                                            .n_path = 2,
                                            .path = path,
                                            .doc = "the number of bytes",
                                            .min_args = 1,
                                            .max_args = 1,
                                            .call = size_of};
static const polycodec_function* const functions[] = {&function};
static const polycodec_functions function_table = {sizeof function_table, 1, functions};

static const polycodec_type type = {.struct_size = sizeof type,
                                    .name = "test.pair",
                                    .notation = "{first: int32, second: int32}",
                                    .doc = "two integers"};
static const polycodec_type* const types[] = {&type};
static const polycodec_types type_table = {sizeof type_table, 1, types};

static const polycodec_type bad_type = {.struct_size = sizeof bad_type,
                                        .name = "test.pair",
                                        .notation = "{first: int32, second: }",
                                        .doc = "two integers"};
static const polycodec_type* const bad_types[] = {&bad_type};
static const polycodec_types bad_type_table = {sizeof bad_type_table, 1, bad_types};

static const void* get_interface(const polycodec_plugin* self, const char* id) {
  (void)self;
  if (has_fault("ANY_INTERFACE")) return &faulty_codecs;
  if (strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0) return &faulty_codecs;
  if (strcmp(id, POLYCODEC_FILTERS_INTERFACE) == 0) return &faulty_filters;
  if (strcmp(id, POLYCODEC_STORES_INTERFACE) == 0) return &faulty_stores;
  if (strcmp(id, POLYCODEC_FUNCTIONS_INTERFACE) == 0) return &function_table;
  if (strcmp(id, POLYCODEC_TYPES_INTERFACE) != 0) return NULL;
  return has_fault("BAD_NOTATION") ? &bad_type_table : &type_table;
}

#ifdef FAULT_WRITABLE /* a constant of the library, so the library of this fault is another one */
POLYCODEC_EXPORT extern polycodec_plugin polycodec_plugin_v2;
polycodec_plugin polycodec_plugin_v2 = {
#else
POLYCODEC_EXPORT extern const polycodec_plugin polycodec_plugin_v2;
const polycodec_plugin polycodec_plugin_v2 = {
#endif
    .struct_size = sizeof(polycodec_plugin),
    .abi = POLYCODEC_ABI_VERSION,
    .id = POLYCODEC_MANIFEST_ID,
    .version = POLYCODEC_MANIFEST_VERSION,
    .get_interface = get_interface};
