/* SPDX-License-Identifier: MIT
 *
 * A plugin that is built as a WebAssembly module, without a library of C. Codec test.wasm decodes
 * to what the first byte of its input asks for: values of all kinds, or something that a plugin
 * must not do. It encodes values as text. Filter test.flip flips all bits.
 */
#include <polycodec/abi.h>

static uint32_t calls;              /* of this instance */
static polycodec_node* first_value; /* that this instance has made */
static polycodec_bytes overwritten; /* input of an earlier call */

void* memcpy(void* to, const void* from, size_t size) {
  for (size_t i = 0; i < size; ++i) ((char*)to)[i] = ((const char*)from)[i];
  return to;
}
void* memset(void* to, int value, size_t size) {
  for (size_t i = 0; i < size; ++i) ((char*)to)[i] = (char)value;
  return to;
}

__attribute__((import_module("polycodec"), import_name("fail"))) void end_call(
    const polycodec_error* error);

static int32_t fail(polycodec_error* error, int32_t code, const char* message) {
  return polycodec_fail(error, code, 7, message);
}

static uint64_t length_of(const char* s) {
  uint64_t n = 0;
  while (s[n] != 0) ++n;
  return n;
}
static polycodec_node string(const char* s) {
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_STRING, 0, length_of(s));
  n.as.data = s;
  return n;
}
static polycodec_node integer(int64_t value) {
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT64, 0);
  n.as.i64 = value;
  return n;
}
static polycodec_node list(const polycodec_node* items, uint64_t count) {
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_LIST, 0, count);
  n.as.nodes = items;
  return n;
}
static polycodec_node object(const polycodec_node* members, uint64_t count) {
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, count);
  n.as.nodes = members;
  return n;
}

/* Memory of the call; without, the module traps. */
static void* take(polycodec_call* call, uint64_t size, polycodec_error* error) {
  void* memory = polycodec_arena_alloc(call->arena, size, 8, error);
  if (memory == NULL) end_call(error);
  memset(memory, 0, size);
  return memory;
}

/* `length` integers that count up. */
static polycodec_array* column(polycodec_call* call, uint64_t length, polycodec_error* error) {
  polycodec_array* a = take(call, sizeof *a, error);
  int32_t* data = take(call, length * 4, error);
  int64_t* extents = take(call, 16, error);
  for (uint64_t i = 0; i < length; ++i) data[i] = (int32_t)i;
  extents[0] = (int64_t)length, extents[1] = 4;
  a->struct_size = sizeof *a;
  a->layout = POLYCODEC_LAYOUT_NDARRAY;
  a->dtype = POLYCODEC_DTYPE_INT32;
  a->length = length;
  a->data = a->buffer = data;
  a->buffer_size = length * 4;
  a->ndim = 1, a->item_size = 4;
  a->shape = extents, a->strides = extents + 1;
  return a;
}

static polycodec_node array(const polycodec_array* of) {
  polycodec_node n = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
  n.as.array = of;
  return n;
}

/* A record of two columns and a list of strings, with metadata. */
static polycodec_node record(polycodec_call* call, uint64_t length, polycodec_error* error) {
  polycodec_array* a = take(call, sizeof *a, error);
  const polycodec_array** children = take(call, 3 * sizeof *children, error);
  polycodec_bytes* names = take(call, 3 * sizeof *names, error);
  polycodec_array* text = take(call, sizeof *text, error);
  polycodec_array* chars = take(call, sizeof *chars, error);
  const polycodec_array** of_text = take(call, sizeof *of_text, error);
  int64_t* extents = take(call, 16, error);
  uint8_t* bytes = take(call, length, error);
  uint32_t* offsets = take(call, 4 * (length + 1), error);
  polycodec_node* attributes = take(call, 3 * sizeof *attributes, error);
  for (uint64_t i = 0; i < length; ++i) bytes[i] = (uint8_t)('a' + i % 26);
  for (uint64_t i = 0; i <= length; ++i) offsets[i] = (uint32_t)i;
  extents[0] = (int64_t)length, extents[1] = 1;
  chars->struct_size = text->struct_size = a->struct_size = sizeof *a;
  chars->layout = POLYCODEC_LAYOUT_NDARRAY, chars->dtype = POLYCODEC_DTYPE_UINT8;
  chars->length = length, chars->data = chars->buffer = bytes, chars->buffer_size = length;
  chars->ndim = 1, chars->item_size = 1, chars->shape = extents, chars->strides = extents + 1;
  text->layout = POLYCODEC_LAYOUT_LIST_OFFSETS, text->flags = POLYCODEC_ARRAY_STRING;
  text->length = length, text->n_children = 1, text->children = of_text;
  text->offsets = (polycodec_column){offsets, 4, POLYCODEC_DTYPE_UINT32, 0};
  of_text[0] = chars;
  children[0] = column(call, length, error);
  children[1] = column(call, length, error);
  children[2] = text;
  names[0].data = "x", names[0].size = 1;
  names[1].data = "y", names[1].size = 1;
  names[2].data = "name", names[2].size = 4;
  attributes[0] = string("unit"), attributes[1] = string("m");
  attributes[2] = object(attributes, 1);
  a->layout = POLYCODEC_LAYOUT_RECORD;
  a->length = length, a->n_children = 3, a->children = children, a->names = names;
  a->metadata = attributes + 2;
  return array(a);
}

/* One of each kind. */
static polycodec_node all_kinds(polycodec_call* call, polycodec_bytes input,
                                polycodec_error* error) {
  polycodec_node* n = take(call, 24 * sizeof *n, error);
  polycodec_extension* extension = take(call, sizeof *extension, error);
  polycodec_annotated* annotated = take(call, sizeof *annotated, error);
  polycodec_tagged* tagged = take(call, sizeof *tagged, error);
  polycodec_time* time = take(call, sizeof *time, error);
  n[12] = string("k"), n[13] = integer(5);
  n[14] = object(n + 12, 1), n[15] = string("payload");
  *extension = (polycodec_extension){{"test.ext", 8}, n + 15};
  *annotated = (polycodec_annotated){n + 15, n + 14};
  *tagged = (polycodec_tagged){3, n + 13};
  *time = (polycodec_time){1000, 0, POLYCODEC_UNIT_SECOND};
  n[0] = string("text");
  n[1] = integer(-1);
  n[2] = polycodec_node_make(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT64, 0), n[2].as.f64 = 1.5;
  n[3] = n[14];
  n[4] = polycodec_node_make(POLYCODEC_KIND_EXTENSION, 0, 0), n[4].as.extension = extension;
  n[5] = polycodec_node_make(POLYCODEC_KIND_ANNOTATED, 0, 0), n[5].as.annotated = annotated;
  n[6] = polycodec_node_make(POLYCODEC_KIND_UNION, 0, 0), n[6].as.tagged = tagged;
  n[7] = polycodec_node_make(POLYCODEC_KIND_TIMESTAMP, 0, 0), n[7].as.time = time;
  n[8] = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, input.size), n[8].as.data = input.data;
  n[9] = record(call, 3, error);
  n[10] = list(n + 13, 1);
  n[11] = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  return list(n, 12);
}

static uint32_t recurse(uint32_t depth, volatile uint32_t* at) {
  volatile uint32_t here[64];
  here[depth % 64] = *at;
  return depth == 0xffffffffu ? 0 : recurse(depth + 1, here + depth % 64) + here[1];
}

static int32_t nest(void* data, polycodec_call* call, uint64_t from, uint64_t to,
                    polycodec_error* error) {
  (void)from, (void)to;
  return call->parallel_for(call, 2, 1, nest, data, error);
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  const char deed = input->bytes.size > 0 ? *(const char*)input->bytes.data : 0;
  polycodec_node* node = take(call, 4096, error);
  (void)self;
  ++calls;
  *root = node;
  switch (deed) {
    case 'B': /* the input, in place */
      *node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, input->bytes.size);
      node->as.data = input->bytes.data;
      break;
    case 'Y': /* the input, which is overwritten in its memory */
      overwritten = input->bytes;
      memset((void*)input->bytes.data, 'y', input->bytes.size);
      *node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, input->bytes.size);
      node->as.data = input->bytes.data;
      break;
    case 'O': { /* how much of that is left, from the middle on; -1 in another instance */
      int64_t left = overwritten.size == 0 ? -1 : 0;
      for (uint64_t i = overwritten.size / 2; i < overwritten.size; ++i)
        left += ((const char*)overwritten.data)[i] != 0;
      *node = integer(left);
      break;
    }
    case 'T': /* the last byte of the input, which may change when the log has a line */
    {
      char* last = (char*)input->bytes.data + input->bytes.size - 1;
      call->host->log(call->host, 0, (polycodec_bytes){"before", 6});
      *node = integer(*(volatile char*)last);
      *(volatile char*)last = 1;
      call->host->log(call->host, 0, (polycodec_bytes){"after", 5});
      break;
    }
    case 'K':
      *node = all_kinds(call, input->bytes, error);
      break;
    case 'N': /* how often this instance was called */
      *node = integer(calls);
      break;
    case 'A':
      *node = record(call, 100000, error);
      break;
    case 'M': { /* many nodes, whose pointers have anything in their upper halves */
      polycodec_node* items = take(call, 20000 * sizeof *items, error);
      for (int i = 0; i < 20000; ++i) {
        items[i] = string("item");
        items[i].as.u64 |= 0xdeadbeef00000000u;
      }
      *node = list(items, 20000);
      break;
    }
    case 'R': /* itself */
      node[1] = polycodec_node_make(POLYCODEC_KIND_REFERENCE, 0, 0);
      node[1].as.node = node;
      *node = list(node + 1, 1);
      break;
    case 'F': /* a value, to be rewritten by the next call */
      *node = all_kinds(call, input->bytes, error);
      first_value = node;
      break;
    case 'G':
      *node = record(call, 100000, error);
      first_value = node;
      break;
    case 'W':
      if (first_value != NULL) memset(first_value, 0xff, 4096);
      *node = integer(first_value != NULL);
      break;
    case 'E':
      return fail(error, POLYCODEC_ERROR_MALFORMED, "the input asks for an error");
    case 'e':
      memset(error->detail, 'x', sizeof *error - 16);
      return 1234567;
    case 'f':
      fail(error, POLYCODEC_ERROR_RANGE, "the call was ended");
      end_call(error);
      break;
    case 'l':
      for (volatile uint32_t i = 0;; ++i) {
      }
    case 'Q': /* with a report of work that is refused */
      for (;;) call->spend(call, (uint64_t)1 << 40, error);
    case 'k': /* with credit that comes and goes */
      for (uint64_t given = call->credit;;) call->credit = call->credit == 0 ? given : 0;
    case 'q': /* the same, with a word for the budget now and then */
      for (volatile uint32_t i = 0;; ++i)
        if (call->credit > 0) --call->credit;
    case 'g':
      while (__builtin_wasm_memory_grow(0, 16) != (size_t)-1) {
      }
      return fail(error, POLYCODEC_ERROR_MEMORY, "there is no more");
    case 'm':
      for (;;) take(call, 1 << 20, error);
    case 't':
      __builtin_trap();
    case 's':
      *root = (const polycodec_node*)0xfffffff0u;
      break;
    case 'u':
      *root = (const polycodec_node*)((const char*)node + 4);
      break;
    case '0':
      *root = NULL;
      break;
    case 'x':
      *node = list((const polycodec_node*)0xf0000000u, 3);
      break;
    case 'n':
      *node = list(node + 1, (uint64_t)1 << 47);
      break;
    case 'b':
      *node = array(column(call, 4, error));
      ((polycodec_array*)node->as.array)->buffer_size = (uint64_t)1 << 40;
      break;
    case 'o': { /* offsets far from where they begin */
      *node = record(call, 4, error);
      polycodec_array* text = (polycodec_array*)node->as.array->children[2];
      text->offsets.stride = INT64_MIN;
      break;
    }
    case 'y': { /* children without end */
      *node = record(call, 4, error);
      ((polycodec_array*)node->as.array)->n_children = 0xffffffffu;
      break;
    }
    case 'z': { /* an array that has itself as a child */
      *node = record(call, 4, error);
      ((const polycodec_array**)node->as.array->children)[0] = node->as.array;
      break;
    }
    case 'h':
      for (int i = 0; i < 200; ++i) node[i] = list(node + i + 1, 1);
      node[200] = list(node, 1);
      break;
    case 'd': /* parts that are there twice, and so on */
      for (int i = 0; i < 100; ++i) {
        node[2 * i] = list(node + 2 * i + 2, 2);
        node[2 * i + 1] = node[2 * i];
      }
      break;
    case 'v': { /* nodes that overlap: pointers become kinds */
      polycodec_node* twin = (polycodec_node*)((char*)node + 8);
      *twin = list(node, 2);
      *node = list(twin, 2);
      break;
    }
    case 'S': { /* one long text, many times */
      char* text = take(call, 1 << 20, error);
      polycodec_node* items = take(call, 100000 * sizeof *items, error);
      for (int i = 0; i < 100000; ++i) {
        items[i] = polycodec_node_make(POLYCODEC_KIND_STRING, 0, 1 << 20);
        items[i].as.data = text;
      }
      *node = list(items, 100000);
      break;
    }
    case 'Z': { /* memory that the instance gets is 0 */
      const uint64_t size = 3 << 20;
      const unsigned char* const end = (unsigned char*)(__builtin_wasm_memory_size(0) << 16);
      unsigned char* of_call = polycodec_arena_alloc(call->arena, size, 8, error);
      unsigned char* own = (unsigned char*)(__builtin_wasm_memory_grow(0, size >> 16) << 16);
      if (of_call == NULL) return error->code;
      for (uint64_t i = 0; i < size; ++i)
        if (own[i] != 0 || (of_call + i >= end && of_call[i] != 0))
          return fail(error, POLYCODEC_ERROR_MALFORMED, "it has bytes of another instance");
      memset(of_call, 0x5a, size);
      memset(own, 0x5a, size);
      *node = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, size);
      node->as.data = own;
      break;
    }
    case 'H': { /* bytes that show the nodes of the value, which have pointers of the host */
      polycodec_node* items = take(call, 8192 * sizeof *items, error);
      for (int i = 0; i < 8192; ++i) items[i] = string("item");
      items[7] = polycodec_node_make(POLYCODEC_KIND_BINARY, 0, 4096);
      items[7].as.data = (const char*)(items + 500) + 3;
      *node = list(items, 8192);
      break;
    }
    case 'V': { /* the size of a list is where the pointer of a union is */
      polycodec_node* items = node + 8;
      items[0] = integer(0), items[1] = list(NULL, 0);
      node[1] = list(items, 2);
      node[2] = polycodec_node_make(POLYCODEC_KIND_UNION, 0, 0);
      node[2].as.tagged = (const polycodec_tagged*)&items[0].as;
      node[3] = polycodec_node_make(POLYCODEC_KIND_REFERENCE, 0, 0), node[3].as.node = node + 1;
      *node = list(node + 1, 3);
      break;
    }
    case 'c':
      call->arena->cursor = (uint8_t*)16;
      take(call, 64, error);
      call->arena->grow(call->arena, 1 << 20, 8, (void**)node, error);
      break;
    case 'C':
      *node = integer(1);
      call->credit = UINT64_MAX;
      break;
    case 'r':
      calls += recurse(0, &calls);
      break;
    case 'i':
      return nest(NULL, call, 0, 1, error);
    case 'U':
      return call->arena->grow(call->arena, UINT64_MAX - 3, 8, (void**)node, error);
    case 'a':
      return call->arena->grow(call->arena, 8, 3, (void**)node, error);
    case 'j': { /* a function that is of another type */
      typedef void (*other)(double);
      union {
        int32_t (*spend)(polycodec_call*, uint64_t, polycodec_error*);
        other f;
      } u = {call->spend};
      u.f(1.0);
      break;
    }
    case 'p': { /* what the host is given lies elsewhere */
      polycodec_bytes* away = (polycodec_bytes*)0xfffffff8u;
      call->host->log(call->host, 0, *away);
      break;
    }
    case 'w': /* in the host's place: what the host put into memory is overwritten */
      memset((void*)call->host, 0xff, sizeof *call->host);
      memset(call->arena, 0xff, sizeof *call->arena);
      memset(error, 0xff, sizeof *error);
      memset(call, 0xff, sizeof *call);
      break;
    default:
      return fail(error, POLYCODEC_ERROR_MALFORMED, "no such deed");
  }
  return POLYCODEC_OK;
}

/* ---- encoding ---- */

typedef struct output {
  polycodec_sink* sink;
  polycodec_error* error;
} output;

static void put(output* to, const void* data, uint64_t size) {
  if (polycodec_sink_put(to->sink, data, size, to->error) != POLYCODEC_OK) end_call(to->error);
}
static void put_number(output* to, int64_t value) {
  char text[24];
  int at = 24;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  do text[--at] = (char)('0' + rest % 10);
  while ((rest /= 10) != 0);
  if (value < 0) text[--at] = '-';
  put(to, text + at, (uint64_t)(24 - at));
}

static void put_array(output* to, const polycodec_array* a);

static void put_node(output* to, const polycodec_node* n) {
  static const char kinds[] = "0tiufWsbLTOMAXRN@dU";
  put(to, kinds + n->kind, 1);
  const uint64_t size = polycodec_node_size(n);
  switch (n->kind) {
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
      put_number(to, n->as.i64);
      break;
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
      if (size >= 4096) {
        if (to->sink->reference(to->sink, n->as.data, size, to->error) != 0) end_call(to->error);
      } else {
        put(to, n->as.data, size);
      }
      break;
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      for (uint64_t i = 0; i < size; ++i) put_node(to, n->as.nodes + i);
      put(to, ".", 1);
      break;
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
      for (uint64_t i = 0; i < 2 * size; ++i) put_node(to, n->as.nodes + i);
      put(to, ".", 1);
      break;
    case POLYCODEC_KIND_ARRAY:
      put_array(to, n->as.array);
      break;
    case POLYCODEC_KIND_EXTENSION:
      put(to, n->as.extension->name.data, n->as.extension->name.size);
      put_node(to, n->as.extension->payload);
      break;
    case POLYCODEC_KIND_REFERENCE: /* one step of a cycle */
      put_number(to, n->as.node->kind);
      break;
    case POLYCODEC_KIND_ANNOTATED:
      put_node(to, n->as.annotated->node);
      put_node(to, n->as.annotated->metadata);
      break;
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      put_number(to, n->as.time->count);
      break;
    case POLYCODEC_KIND_UNION:
      put_number(to, n->as.tagged->tag);
      put_node(to, n->as.tagged->node);
      break;
    default:
      break;
  }
}

static void put_array(output* to, const polycodec_array* a) {
  const int is_plain = a->layout == POLYCODEC_LAYOUT_NDARRAY;
  if ((!is_plain && (a->data != NULL || a->buffer != NULL || a->shape != NULL)) ||
      (is_plain && (a->index.data != NULL || a->children != NULL || a->names != NULL)) ||
      (a->length == 0 && a->layout >= POLYCODEC_LAYOUT_OPTION_BYTES && a->index.data != NULL))
    put(to, "!", 1); /* what is none of its business */
  if (a->names != NULL && a->n_children == 0) put(to, "{}", 2);
  put_number(to, a->layout);
  put(to, ":", 1);
  put_number(to, (int64_t)a->length);
  if (a->layout == POLYCODEC_LAYOUT_NDARRAY) {
    int64_t sum = 0;
    for (uint64_t i = 0; i < a->length; ++i) {
      const char* at = (const char*)a->data + (int64_t)i * a->strides[0];
      sum += a->item_size == 4 ? *(const int32_t*)at : *(const uint8_t*)at;
    }
    put(to, "=", 1);
    put_number(to, sum);
  }
  for (uint32_t i = 0; i < a->n_children; ++i) {
    put(to, " ", 1);
    if (a->names != NULL) put(to, a->names[i].data, a->names[i].size);
    put_array(to, a->children[i]);
  }
  if (a->metadata != NULL) put_node(to, a->metadata);
}

static int32_t encode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_node* root, const polycodec_output* output_,
                      polycodec_error* error) {
  output to = {output_->sink, error};
  (void)self, (void)call;
  put_node(&to, root);
  return POLYCODEC_OK;
}

/* ---- the plugin ---- */

static void release_instance(const polycodec_instance* self) {
  (void)self;
}
static const polycodec_instance instance = {sizeof instance, .decode = decode, .encode = encode,
                                            .release = release_instance};
static int32_t open(const polycodec_codec* self, polycodec_call* call,
                    const polycodec_node* options, const polycodec_instance** made,
                    polycodec_error* error) {
  (void)self, (void)call, (void)options, (void)error;
  *made = &instance;
  return POLYCODEC_OK;
}
static int32_t sniff(const polycodec_codec* self, polycodec_call* call,
                     const polycodec_input* input, polycodec_sniff* found, polycodec_error* error) {
  (void)self, (void)call, (void)error;
  found->score = input->bytes.size > 0 && *(const char*)input->bytes.data == 'K' ? 80 : 0;
  found->reason[0] = 'K', found->reason[1] = 0;
  return POLYCODEC_OK;
}
static const polycodec_codec codec = {sizeof codec, POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
                                      .name = "test.wasm", .sniff = sniff, .open = open};
static const polycodec_codec* const codec_items[] = {&codec};
static const polycodec_codecs codecs = {sizeof codecs, 1, codec_items};

static int32_t flip(polycodec_bytes bytes, polycodec_sink* sink, polycodec_error* error) {
  for (uint64_t i = 0; i < bytes.size; ++i) {
    const uint8_t byte = (uint8_t) ~((const uint8_t*)bytes.data)[i];
    const int32_t code = polycodec_sink_put(sink, &byte, 1, error);
    if (code != POLYCODEC_OK) return code;
  }
  return POLYCODEC_OK;
}
static int32_t flip_all(const polycodec_filter_instance* self, polycodec_call* call,
                        const polycodec_bytes* pieces, uint64_t n, polycodec_sink* sink,
                        polycodec_error* error) {
  (void)self, (void)call;
  for (uint64_t i = 0; i < n; ++i) {
    const int32_t code = flip(pieces[i], sink, error);
    if (code != POLYCODEC_OK) return code;
  }
  return POLYCODEC_OK;
}
static int32_t flip_back(const polycodec_filter_instance* self, polycodec_call* call,
                         polycodec_bytes bytes, uint64_t expected, polycodec_sink* sink,
                         polycodec_error* error) {
  (void)self, (void)call, (void)expected;
  return flip(bytes, sink, error);
}
static void release_filter(const polycodec_filter_instance* self) {
  (void)self;
}
static const polycodec_filter_instance filter_instance = {
    sizeof filter_instance, .encode = flip_all, .decode = flip_back, .release = release_filter};
static int32_t open_filter(const polycodec_filter* self, polycodec_call* call,
                           const polycodec_node* options, const polycodec_filter_instance** made,
                           polycodec_error* error) {
  (void)self, (void)call, (void)options, (void)error;
  *made = &filter_instance;
  return POLYCODEC_OK;
}
static const polycodec_filter filter = {sizeof filter, POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE,
                                        .name = "test.flip", .open = open_filter};
static const polycodec_filter* const filter_items[] = {&filter};
static const polycodec_filters filters = {sizeof filters, 1, filter_items};

static int is(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}
static const void* get_interface(const polycodec_plugin* self, const char* id) {
  (void)self;
  if (is(id, POLYCODEC_CODECS_INTERFACE)) return &codecs;
  return is(id, POLYCODEC_FILTERS_INTERFACE) ? &filters : NULL;
}

const polycodec_plugin polycodec_plugin_v2 = {sizeof polycodec_plugin_v2, POLYCODEC_ABI_VERSION,
                                              "test.wasm", "1.0.0", .get_interface = get_interface};
