/* SPDX-License-Identifier: MIT
 *
 * The plugin that the registry's tests load. Codec test.raw decodes bytes as they are, except that
 *   "N..." is the value that the host's decode_with makes of the rest with test.raw (a nested
 *          call),
 *   "F"    is the result of the registered function test.answer,
 *   "T"    is the notation of the registered type test.point,
 *   "C"    asks for more credit, so that a cancelled call ends,
 *   "6" to "9" are refused with the errors of the table `refused`.
 * It logs "init" and "deinit". test.raw logs "asked" if it looks at bytes that begin with "Rs".
 */
#include <polycodec/abi.h>

#include <string.h>

static polycodec_bytes text(const char* s) {
  const polycodec_bytes b = {s, strlen(s)};
  return b;
}

static int32_t fail(polycodec_error* error, int32_t code, const char* message) {
  return polycodec_fail(error, code, POLYCODEC_NO_OFFSET, message);
}

static int32_t give(polycodec_call* call, uint8_t kind, polycodec_bytes bytes,
                    const polycodec_node** root, polycodec_error* error) {
  polycodec_node* node = polycodec_arena_alloc(call->arena, sizeof *node, sizeof(void*), error);
  if (node == NULL) return error->code;
  *node = polycodec_node_make(kind, 0, bytes.size);
  node->as.data = bytes.data;
  *root = node;
  return POLYCODEC_OK;
}

static int32_t decode_bytes(polycodec_call* call, polycodec_bytes bytes,
                            const polycodec_node** root, polycodec_error* error) {
  const polycodec_host* host = call->host;
  const char first = bytes.size > 0 ? *(const char*)bytes.data : 0;
  if (first == 'N') {
    polycodec_input rest = {sizeof rest, POLYCODEC_INPUT_BYTES, .total = bytes.size - 1};
    rest.bytes.data = (const char*)bytes.data + 1;
    rest.bytes.size = bytes.size - 1;
    return host->decode_with(host, call, text("test.raw"), NULL, &rest, root, error);
  }
  if (first == 'F') {
    const polycodec_bytes path[] = {text("test"), text("answer")};
    const polycodec_node args = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 0);
    return host->call_function(host, call, path, 2, &args, NULL, root, error);
  }
  if (first == 'T') {
    polycodec_bytes notation;
    const int32_t code = host->lookup_type(host, call, text("test.point"), &notation, error);
    return code != POLYCODEC_OK ? code : give(call, POLYCODEC_KIND_STRING, notation, root, error);
  }
  if (first >= '6' && first <= '9') {
    static const int32_t refused[] = {POLYCODEC_ERROR_LIMIT, POLYCODEC_ERROR_TRAILING,
                                      POLYCODEC_ERROR_UNSUPPORTED, POLYCODEC_ERROR_MALFORMED};
    return polycodec_fail(error, refused[first - '6'], 0, "this digit is refused");
  }
  if (first == 'C') {
    const int32_t code = call->spend(call, 1, error);
    if (code != POLYCODEC_OK) return code;
  }
  return give(call, POLYCODEC_KIND_BINARY, bytes, root, error);
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  (void)self;
  return decode_bytes(call, input->bytes, root, error);
}

/* An instance of test.raw: the option `level`, other than 1, is written before the bytes. */
typedef struct raw_instance {
  polycodec_instance abi;
  int64_t level;
} raw_instance;

static int32_t encode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_node* root, const polycodec_output* output,
                      polycodec_error* error) {
  const int64_t level = ((const raw_instance*)self)->level;
  (void)call;
  if (level != 1) {
    const char digit = (char)('0' + level);
    const int32_t code = polycodec_sink_put(output->sink, &digit, 1, error);
    if (code != POLYCODEC_OK) return code;
  }
  if (root->kind != POLYCODEC_KIND_BINARY)
    return fail(error, POLYCODEC_ERROR_UNSUPPORTED, "only bytes can be written");
  return output->sink->reference(output->sink, root->as.data, polycodec_node_size(root), error);
}

/* A stream of messages that end with '.'. */
static int32_t next(polycodec_reader* self, polycodec_call* call, polycodec_step* step,
                    polycodec_error* error) {
  polycodec_bytes bytes = step->bytes;
  const char* end = bytes.size > 0 ? memchr(bytes.data, '.', (size_t)bytes.size) : NULL;
  (void)self;
  step->root = NULL;
  step->consumed = 0;
  step->wanted = bytes.size + 1;
  if (end == NULL)
    return step->final != 0 && bytes.size != 0
               ? fail(error, POLYCODEC_ERROR_TRUNCATED, "the last message has no end")
               : POLYCODEC_OK;
  bytes.size = (uint64_t)(end - (const char*)bytes.data);
  step->consumed = bytes.size + 1;
  return decode_bytes(call, bytes, &step->root, error);
}

/* Readers and instances lie in the arena of the call that makes them, which lives as long. */
static void release_reader(polycodec_reader* self) {
  (void)self;
}
static void release_instance(const polycodec_instance* self) {
  (void)self;
}

static int32_t open_reader(const polycodec_instance* self, polycodec_call* call,
                           polycodec_reader** reader, polycodec_error* error) {
  polycodec_reader* made = polycodec_arena_alloc(call->arena, sizeof *made, sizeof(void*), error);
  (void)self;
  if (made == NULL) return error->code;
  *made = (polycodec_reader){sizeof *made, 0, NULL, next, release_reader};
  *reader = made;
  return POLYCODEC_OK;
}

static const polycodec_codec raw, twin;

static int32_t open(const polycodec_codec* self, polycodec_call* call,
                    const polycodec_node* options, const polycodec_instance** instance,
                    polycodec_error* error) {
  raw_instance* made = polycodec_arena_alloc(call->arena, sizeof *made, sizeof(void*), error);
  if (made == NULL) return error->code;
  *made = (raw_instance){{sizeof made->abi, .decode = decode, .release = release_instance}, 1};
  if (self == &raw) {
    made->abi.encode = encode;
    made->abi.open_reader = open_reader;
  }
  for (uint64_t i = 0; options != NULL && i < polycodec_node_size(options); ++i) {
    const polycodec_node* key = &options->as.nodes[2 * i];
    if (polycodec_node_size(key) == 5 && memcmp(key->as.data, "level", 5) == 0)
      made->level = key[1].as.i64;
  }
  *instance = &made->abi;
  call->host->log(call->host, POLYCODEC_LOG_DEBUG, text("opened"));
  return POLYCODEC_OK;
}

static uint32_t score_of(polycodec_bytes head, char own) {
  const char* p = head.data;
  if (head.size == 0) return 0;
  if (p[0] == 'E') return 60; /* both are equally likely */
  if (p[0] == 'W') return 20; /* both are thinkable */
  return p[0] == own ? 80 : 0;
}

static int32_t sniff(const polycodec_codec* self, polycodec_call* call,
                     const polycodec_input* input, polycodec_sniff* found, polycodec_error* error) {
  (void)error;
  if (self == &raw && input->bytes.size > 1 && memcmp(input->bytes.data, "Rs", 2) == 0)
    call->host->log(call->host, POLYCODEC_LOG_DEBUG, text("asked"));
  found->score = score_of(input->bytes, self == &raw ? 'R' : 'V');
  strcpy(found->reason, "first byte");
  return POLYCODEC_OK;
}

static const polycodec_codec raw = {
    sizeof raw, POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE | POLYCODEC_CAN_READ_STREAM,
    .name = "test.raw", .sniff = sniff, .open = open};
static const polycodec_codec twin = {sizeof twin, POLYCODEC_CAN_DECODE, .name = "test.twin",
                                     .sniff = sniff, .open = open};
/* The order need not be the manifest's. */
static const polycodec_codec* const codec_items[] = {&twin, &raw};
static const polycodec_codecs codecs = {sizeof codecs, 2, codec_items};

static int32_t answer(const polycodec_function* self, polycodec_call* call,
                      const polycodec_node* args, const polycodec_node* kwargs,
                      const polycodec_node** result, polycodec_error* error) {
  polycodec_node* node = polycodec_arena_alloc(call->arena, sizeof *node, sizeof(void*), error);
  (void)self, (void)args, (void)kwargs;
  if (node == NULL) return error->code;
  *node = polycodec_node_make(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT64, 0);
  node->as.i64 = 42;
  *result = node;
  return POLYCODEC_OK;
}

static const char* const answer_path[] = {"test", "answer"};
static const polycodec_function answer_function = {sizeof answer_function, 2, answer_path,
                                                   "forty-two", .call = answer};
static const polycodec_function* const function_items[] = {&answer_function};
static const polycodec_functions functions = {sizeof functions, 1, function_items};

static const polycodec_type point = {
    sizeof point, 0, "test.point", "{x: float64, y: float64}", "a point of the plane", NULL, NULL};
static const polycodec_type* const type_items[] = {&point};
static const polycodec_types types = {sizeof types, 1, type_items};

static const void* get_interface(const polycodec_plugin* self, const char* id) {
  (void)self;
  if (strcmp(id, POLYCODEC_CODECS_INTERFACE) == 0) return &codecs;
  if (strcmp(id, POLYCODEC_FUNCTIONS_INTERFACE) == 0) return &functions;
  return strcmp(id, POLYCODEC_TYPES_INTERFACE) == 0 ? &types : NULL;
}

static const polycodec_host* loaded_by;

static int32_t init(const polycodec_plugin* self, const polycodec_host* host,
                    polycodec_error* error) {
  (void)self, (void)error;
  loaded_by = host;
  host->log(host, POLYCODEC_LOG_DEBUG, text("init"));
  return POLYCODEC_OK;
}

static void deinit(const polycodec_plugin* self) {
  (void)self;
  loaded_by->log(loaded_by, POLYCODEC_LOG_DEBUG, text("deinit"));
}

POLYCODEC_EXPORT extern const polycodec_plugin polycodec_plugin_v2;
const polycodec_plugin polycodec_plugin_v2 = {
    sizeof(polycodec_plugin),      POLYCODEC_ABI_VERSION, POLYCODEC_MANIFEST_ID,
    POLYCODEC_MANIFEST_VERSION,    .init = init,          .deinit = deinit,
    .get_interface = get_interface};
