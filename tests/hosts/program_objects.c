/* SPDX-License-Identifier: MIT */
#include "program_objects.h"

#include <stdlib.h>
#include <string.h>

int released_objects;
uint64_t parts_run;
int reports_heard;

static int32_t fail(polycodec_error* error, int32_t code, const char* message) {
  return polycodec_fail(error, code, POLYCODEC_NO_OFFSET, message);
}

static polycodec_bytes literal(const char* s) {
  const polycodec_bytes bytes = {s, strlen(s)};
  return bytes;
}

static int32_t give(polycodec_call* call, polycodec_node node, const polycodec_node** root,
                    polycodec_error* error) {
  polycodec_node* made = polycodec_arena_alloc(call->arena, sizeof *made, 8, error);
  if (made == NULL) return error->code;
  *made = node;
  *root = made;
  return POLYCODEC_OK;
}

/* ---- test.shout ---- */

static int32_t part(void* data, polycodec_call* call, uint64_t from, uint64_t to,
                    polycodec_error* error) {
  const uint64_t n = *(const uint64_t*)data;
  if (n > 1000 && from <= 7 && 7 < to) return fail(error, POLYCODEC_ERROR_MALFORMED, "part 7");
  if (n > 1000 && from > 7) return fail(error, POLYCODEC_ERROR_MALFORMED, "a later part");
  /* Memory of the parts is the call's afterwards. */
  uint64_t* memory = polycodec_arena_alloc(call->arena, 8 * (to - from), 8, error);
  if (memory == NULL) return error->code;
  for (uint64_t i = from; i < to; ++i) memory[i - from] = i;
  __atomic_fetch_add(&parts_run, 1, __ATOMIC_RELAXED);
  return polycodec_spend(call, to - from, error);
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  (void)self;
  if (input->bytes.size < 6 || memcmp(input->bytes.data, "SHOUT\n", 6) != 0)
    return fail(error, POLYCODEC_ERROR_MALFORMED, "it does not begin with SHOUT");
  const char* rest = (const char*)input->bytes.data + 6;
  const uint64_t size = input->bytes.size - 6;
  if (size != 0 && rest[0] == '#') {
    char digits[16] = {0};
    memcpy(digits, rest + 1, size - 1 < 15 ? (size_t)size - 1 : 15);
    uint64_t n = strtoull(digits, NULL, 10);
    const int32_t code = call->parallel_for(call, n, 1, &part, &n, error);
    if (code != POLYCODEC_OK) return code;
    polycodec_node number = polycodec_node_make(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_UINT64, 0);
    number.as.u64 = n;
    return give(call, number, root, error);
  }
  if (size != 0 && rest[0] == '!') {
    const polycodec_bytes path[] = {literal("test"), literal("answer")};
    const polycodec_node none = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 0);
    return call->host->call_function(call->host, call, path, 2, &none, NULL, root, error);
  }
  if (size != 0 && rest[0] == '-') {
    const int32_t code =
        call->report_loss(call, POLYCODEC_LOSS_DATA, literal("$.volume"), literal("volume"), error);
    if (code != POLYCODEC_OK) return code;
  }
  const int before = reports_heard;
  while (size != 0 && rest[0] == '~' && reports_heard == before) {
    const int32_t code = call->spend(call, 0, error);
    if (code != POLYCODEC_OK) return code;
  }
  polycodec_node node = polycodec_node_make(POLYCODEC_KIND_STRING, 0, size);
  node.as.data = rest;
  return give(call, node, root, error);
}

static int32_t encode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_node* root, const polycodec_output* output,
                      polycodec_error* error) {
  (void)self, (void)call;
  root = polycodec_node_proper(root);
  if (root->kind != POLYCODEC_KIND_STRING)
    return fail(error, POLYCODEC_ERROR_UNSUPPORTED, "only text can be shouted");
  const int32_t code = polycodec_sink_put(output->sink, "SHOUT\n", 6, error);
  if (code != POLYCODEC_OK) return code;
  /* A fault: it says nothing of what it leaves out. */
  if (polycodec_node_size(root) != 0 && *(const char*)root->as.data == '?') return POLYCODEC_OK;
  return output->sink->reference(output->sink, root->as.data, polycodec_node_size(root), error);
}

static void release_instance(const polycodec_instance* self) {
  (void)self;
}

static int32_t open_codec(const polycodec_codec* self, polycodec_call* call,
                          const polycodec_node* options, const polycodec_instance** instance,
                          polycodec_error* error) {
  static const polycodec_instance made = {.struct_size = sizeof made,
                                          .decode = &decode,
                                          .encode = &encode,
                                          .release = &release_instance};
  (void)self, (void)call, (void)options, (void)error;
  *instance = &made;
  return POLYCODEC_OK;
}

static void release_codec(const polycodec_codec* self) {
  (void)self;
  ++released_objects;
}

const polycodec_codec shout = {
    .struct_size = sizeof shout,
    .capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
    .name = "test.shout",
    .manifest =
        "{\"name\": \"test.shout\", \"summary\": \"loud text\", \"format_version\": \"1\","
        "\"aliases\": [\"shout\"], \"media_types\": [\"text/x-shout\"],"
        "\"extensions\": [\".shout\"],"
        "\"magic\": [{\"offset\": 0, \"bytes\": \"53484f55540a\", \"score\": 95}],"
        "\"decode\": true, \"encode\": true,"
        "\"options\": {\"type\": \"object\", \"additionalProperties\": false}}",
    .open = &open_codec,
    .release = &release_codec};

const polycodec_codec second = {
    .struct_size = sizeof second,
    .capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
    .name = "test.second",
    .manifest =
        "{\"name\": \"test.second\", \"summary\": \"again\", \"format_version\": \"1\","
        "\"aliases\": [], \"media_types\": [], \"extensions\": [\".second\"], \"magic\": [],"
        "\"decode\": true, \"encode\": true,"
        "\"options\": {\"type\": \"object\", \"additionalProperties\": false}}",
    .open = &open_codec,
    .release = &release_codec};

/* ---- test.invert ---- */

static int32_t invert_bytes(polycodec_bytes from, polycodec_sink* to, polycodec_error* error) {
  for (uint64_t i = 0; i < from.size; ++i) {
    const uint8_t byte = (uint8_t) ~((const uint8_t*)from.data)[i];
    const int32_t code = polycodec_sink_put(to, &byte, 1, error);
    if (code != POLYCODEC_OK) return code;
  }
  return POLYCODEC_OK;
}
static int32_t filter(const polycodec_filter_instance* self, polycodec_call* call,
                      const polycodec_bytes* pieces, uint64_t n, polycodec_sink* sink,
                      polycodec_error* error) {
  (void)self, (void)call;
  for (uint64_t i = 0; i < n; ++i) {
    const int32_t code = invert_bytes(pieces[i], sink, error);
    if (code != POLYCODEC_OK) return code;
  }
  return POLYCODEC_OK;
}
static int32_t unfilter(const polycodec_filter_instance* self, polycodec_call* call,
                        polycodec_bytes bytes, uint64_t expected_size, polycodec_sink* sink,
                        polycodec_error* error) {
  (void)self, (void)call, (void)expected_size;
  return invert_bytes(bytes, sink, error);
}
static void release_filter_instance(const polycodec_filter_instance* self) {
  (void)self;
}
static int32_t open_filter(const polycodec_filter* self, polycodec_call* call,
                           const polycodec_node* options,
                           const polycodec_filter_instance** instance, polycodec_error* error) {
  static const polycodec_filter_instance made = {.struct_size = sizeof made,
                                                 .encode = &filter,
                                                 .decode = &unfilter,
                                                 .release = &release_filter_instance};
  (void)self, (void)call, (void)options, (void)error;
  *instance = &made;
  return POLYCODEC_OK;
}
static void release_filter(const polycodec_filter* self) {
  (void)self;
  ++released_objects;
}
const polycodec_filter invert = {
    .struct_size = sizeof invert,
    .capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
    .name = "test.invert",
    .manifest =
        "{\"name\": \"test.invert\", \"summary\": \"inverts bytes\","
        "\"format_version\": \"1\", \"aliases\": [], \"media_types\": [],"
        "\"extensions\": [], \"magic\": [], \"decode\": true, \"encode\": true,"
        "\"options\": {\"type\": \"object\", \"additionalProperties\": false}}",
    .open = &open_filter,
    .release = &release_filter};

/* ---- test.one ---- */

typedef struct one_store {
  polycodec_store abi;
  const polycodec_file* file;
} one_store;

static uint64_t count_one(const polycodec_store* self) {
  (void)self;
  return 1;
}
static int32_t entry_one(const polycodec_store* self, polycodec_call* call, uint64_t i,
                         polycodec_store_entry* entry, polycodec_error* error) {
  const one_store* store = self->private_data;
  (void)i;
  entry->name = literal("content");
  const int32_t code = store->file->size(store->file, call, &entry->size, error);
  entry->size -= 4;
  return code;
}
static int32_t find_one(const polycodec_store* self, polycodec_call* call, polycodec_bytes name,
                        uint64_t* i, polycodec_error* error) {
  (void)self, (void)call;
  *i = 0;
  if (name.size == 7 && memcmp(name.data, "content", 7) == 0) return POLYCODEC_OK;
  return fail(error, POLYCODEC_ERROR_NOT_FOUND, "no such blob");
}
static int32_t read_one(const polycodec_store* self, polycodec_call* call, uint64_t i,
                        uint64_t offset, uint64_t size, polycodec_bytes* content,
                        polycodec_error* error) {
  const one_store* store = self->private_data;
  (void)i;
  return store->file->view(store->file, call, offset + 4, size, content, error);
}
static void release_one(const polycodec_store* self) {
  free(self->private_data);
}
static int32_t open_one(const polycodec_store_format* self, polycodec_call* call,
                        const polycodec_file* file, const polycodec_node* options,
                        const polycodec_store** store, polycodec_error* error) {
  one_store* made = calloc(1, sizeof *made);
  (void)self, (void)call, (void)options;
  if (made == NULL) return fail(error, POLYCODEC_ERROR_MEMORY, "no memory");
  const polycodec_store abi = {sizeof abi, 0,         made,      &count_one,
                               &entry_one, &find_one, &read_one, &release_one};
  made->abi = abi;
  made->file = file;
  *store = &made->abi;
  return POLYCODEC_OK;
}
static void release_format(const polycodec_store_format* self) {
  (void)self;
  ++released_objects;
}
const polycodec_store_format one = {
    .struct_size = sizeof one,
    .capabilities = POLYCODEC_CAN_DECODE,
    .name = "test.one",
    .manifest =
        "{\"name\": \"test.one\", \"summary\": \"one blob\", \"format_version\": \"1\","
        "\"aliases\": [], \"media_types\": [], \"extensions\": [\".one\"],"
        "\"magic\": [{\"offset\": 0, \"bytes\": \"4f4e450a\", \"score\": 95}],"
        "\"decode\": true,"
        "\"options\": {\"type\": \"object\", \"additionalProperties\": false}}",
    .open = &open_one,
    .release = &release_format};

/* ---- test.answer, test.point ---- */

static int32_t call_answer(const polycodec_function* self, polycodec_call* call,
                           const polycodec_node* args, const polycodec_node* kwargs,
                           const polycodec_node** result, polycodec_error* error) {
  polycodec_node node = polycodec_node_make(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT64, 0);
  (void)self, (void)args, (void)kwargs;
  node.as.i64 = 42;
  return give(call, node, result, error);
}
static void release_function(const polycodec_function* self) {
  (void)self;
  ++released_objects;
}
static const char* const answer_path[] = {"test", "answer"};
const polycodec_function answer = {.struct_size = sizeof answer,
                                   .n_path = 2,
                                   .path = answer_path,
                                   .doc = "the answer",
                                   .call = &call_answer,
                                   .release = &release_function};

static void release_type(const polycodec_type* self) {
  (void)self;
  ++released_objects;
}
const polycodec_type point = {.struct_size = sizeof point,
                              .name = "test.point",
                              .notation = "{x: float64, y: float64}",
                              .doc = "a point",
                              .release = &release_type};
