/* SPDX-License-Identifier: MIT
 * Objects of a C program in a registry: sniffing, headers, conversion, filters, stores, functions,
 * types, parallel work and release. Usage: program_codec DIRECTORY, where files may be written. */
#include "check.h"
#include "program_objects.h"

#include <pthread.h>
#include <stdlib.h>

int failures;

static const polycodec_codec* const codecs[] = {&shout};
static const polycodec_codec* const more_codecs[] = {&second};
static const polycodec_filter* const filters[] = {&invert};
static const polycodec_store_format* const stores[] = {&one};
static const polycodec_function* const functions[] = {&answer};
static const polycodec_type* const types[] = {&point};

static polycodec_objects all_objects(void) {
  polycodec_objects objects = {.struct_size = sizeof objects, .n_codecs = 0};
  objects.n_codecs = objects.n_filters = objects.n_stores = 1;
  objects.n_functions = objects.n_types = 1;
  objects.codecs = codecs;
  objects.filters = filters;
  objects.stores = stores;
  objects.functions = functions;
  objects.types = types;
  return objects;
}

/* ---- Threads of the host ---- */

typedef struct task {
  void (*run)(void* data, uint64_t i);
  void* data;
  uint64_t i;
} task;

static void* run_task(void* argument) {
  const task* t = argument;
  t->run(t->data, t->i);
  return NULL;
}

static uint64_t tasks_run;

static void run_all(const polycodec_executor* self, uint64_t n, void (*run)(void* data, uint64_t i),
                    void* data) {
  pthread_t threads[64];
  task tasks[64];
  CHECK(self->private_data == &tasks_run);
  CHECK(n <= 64);
  for (uint64_t i = 0; i < n; ++i) {
    tasks[i].run = run;
    tasks[i].data = data;
    tasks[i].i = i;
    CHECK(pthread_create(&threads[i], NULL, &run_task, &tasks[i]) == 0);
  }
  for (uint64_t i = 0; i < n; ++i) pthread_join(threads[i], NULL);
  tasks_run += n;
}

/* ---- The log ---- */

static int lines_logged;
static void log_line(void* data, int32_t level, polycodec_bytes origin, polycodec_bytes line) {
  (void)level, (void)origin, (void)line;
  ++*(int*)data;
}

static char where[1024];
static char buffer[65536];

static const char* file(const char* name) {
  static char path[2048];
  snprintf(path, sizeof path, "%s/%s", where, name);
  return path;
}

static polycodec_source* source_of(const char* bytes, const char* name) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_source* source = NULL;
  OK(polycodec_source_from_bytes(text(bytes), NULL, NULL, text(name), &source, &error));
  return source;
}

static const char* decoded(polycodec_registry* registry, polycodec_source* source,
                           const polycodec_format* format, polycodec_match* match) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = NULL;
  polycodec_sink* sink = NULL;
  OK(polycodec_decode(registry, source, format, NULL, &value, match, &error));
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_value_print(value, POLYCODEC_PRINT_PLAIN, sink, &error));
  taken(sink, buffer, sizeof buffer);
  polycodec_value_release(value);
  polycodec_sink_free(sink);
  return buffer;
}

static void test_choosing(polycodec_registry* registry) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_source* source = source_of("SHOUT\nHELLO", "");
  polycodec_match match = {sizeof match, 0, 0, 0, {NULL, 0}, 0, 0, ""};
  uint64_t n = 0;
  OK(polycodec_registry_sniff(registry, source, &match, 1, &n, &error));
  CHECK(n >= 1 && match.score == 95 && strcmp(match.codec.data, "test.shout") == 0);
  OK(polycodec_registry_choose(registry, source, &match, &error));
  CHECK(match.by == POLYCODEC_BY_CONTENT && strcmp(match.codec.data, "test.shout") == 0);
  CHECK(strcmp(decoded(registry, source, NULL, &match), "\"HELLO\"") == 0);
  CHECK(match.by == POLYCODEC_BY_CONTENT);
  polycodec_format format = {sizeof format, 0, text("shout"), {NULL, 0}, {NULL, 0}};
  CHECK(strcmp(decoded(registry, source, &format, &match), "\"HELLO\"") == 0);
  CHECK(match.by == POLYCODEC_BY_NAME);
  polycodec_source_release(source);

  polycodec_bytes names[2];
  OK(polycodec_registry_find(registry, POLYCODEC_KEY_NAME, text("shout"), names, 2, &n, &error));
  CHECK(n == 1 && strcmp(names[0].data, "test.shout") == 0);
  OK(polycodec_registry_find(registry, POLYCODEC_KEY_EXTENSION, text(".SHOUT"), names, 2, &n,
                             &error));
  CHECK(n == 1);
  OK(polycodec_registry_find(registry, POLYCODEC_KEY_MEDIA_TYPE, text("text/x-shout"), NULL, 0, &n,
                             &error));
  CHECK(n == 1);
  OK(polycodec_registry_find(registry, POLYCODEC_KEY_NAME, text("no.such"), names, 2, &n, &error));
  CHECK(n == 0);
}

static void test_messages(polycodec_registry* registry) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_channel* channel = NULL;
  polycodec_value* value = NULL;
  polycodec_message* message = NULL;
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_channel_open(registry, text("{\"codec\": \"test.shout\", \"declare\": false}"),
                            &channel, &error));
  OK(polycodec_value_parse(registry, text("\"HI\""), text(""), &value, &error));
  OK(polycodec_channel_pack(channel, value, text("{\"__meta__\": {\"model\": \"m\"}}"), &message,
                            &error));
  polycodec_value_release(value);
  const polycodec_bytes* pieces = NULL;
  uint64_t n = 0;
  OK(polycodec_message_part(message, 0, &pieces, &n, &error));
  FAILS(POLYCODEC_ERROR_RANGE, polycodec_message_part(message, 1, &pieces, &n, &error));
  OK(polycodec_message_part(message, 0, &pieces, &n, &error));
  char whole[4096];
  uint64_t size = 0;
  for (uint64_t i = 0; i < n; ++i) {
    memcpy(whole + size, pieces[i].data, (size_t)pieces[i].size);
    size += pieces[i].size;
  }
  polycodec_message_free(message);
  /* The header names the codec: any registry that has it reads the message. */
  polycodec_source* source = NULL;
  const polycodec_bytes bytes = {whole, size};
  OK(polycodec_source_from_bytes(bytes, NULL, NULL, text(""), &source, &error));
  polycodec_match match = {sizeof match, 0, 0, 0, {NULL, 0}, 0, 0, ""};
  CHECK(strcmp(decoded(registry, source, NULL, &match), "\"HI\"") == 0);
  CHECK(match.by == POLYCODEC_BY_HEADER && strcmp(match.codec.data, "test.shout") == 0);
  int32_t control = -1;
  OK(polycodec_channel_unpack(channel, source, &value, &control, sink, &error));
  CHECK(control == 0 && polycodec_value_root(value)->kind == POLYCODEC_KIND_STRING);
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "test.shout") != NULL);
  polycodec_value_release(value);
  /* In pieces, of which the last one completes it. */
  for (uint64_t i = 0; i < size; ++i) {
    const polycodec_bytes byte = {whole + i, 1};
    OK(polycodec_channel_feed(channel, byte, &error));
    OK(polycodec_channel_next(channel, &value, &control, NULL, &error));
    CHECK((value != NULL) == (i + 1 == size));
  }
  polycodec_value_release(value);
  polycodec_source_release(source);

  OK(polycodec_registry_offer(registry, text("peer"), sink, &error));
  char offer[65536];
  taken(sink, offer, sizeof offer);
  CHECK(strstr(offer, "\"test.shout\"") != NULL);
  OK(polycodec_value_parse(registry, text("\"HI\""), text(""), &value, &error));
  OK(polycodec_registry_agree(registry, text("{\"codecs\": [{\"codec\": \"test.shout\"}]}"), value,
                              sink, &error));
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "\"codec\":\"test.shout\"") != NULL);
  polycodec_value_release(value);
  polycodec_channel_free(channel);
  polycodec_sink_free(sink);
}

static void test_conversion(polycodec_registry* registry) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_source* source = source_of("SHOUT\nHELLO", "");
  OK(polycodec_convert(registry, source, NULL, text(file("hello.json")), NULL, NULL, NULL, &error));
  polycodec_source_release(source);
  OK(polycodec_source_open(text(file("hello.json")), POLYCODEC_SOURCE_COPY, NULL, &source, &error));
  CHECK(strcmp(decoded(registry, source, NULL, NULL), "\"HELLO\"") == 0);
  /* The extension chooses the program's codec. */
  OK(polycodec_convert(registry, source, NULL, text(file("hello.shout")), NULL, NULL, NULL,
                       &error));
  polycodec_source_release(source);
  OK(polycodec_source_open(text(file("hello.shout")), 0, NULL, &source, &error));
  polycodec_bytes bytes;
  OK(polycodec_source_bytes(source, &bytes, &error));
  CHECK(bytes.size == 11 && memcmp(bytes.data, "SHOUT\nHELLO", 11) == 0);
  polycodec_write_options keep = {.struct_size = sizeof keep, .flags = POLYCODEC_WRITE_KEEP};
  FAILS(POLYCODEC_ERROR_IO, polycodec_convert(registry, source, NULL, text(file("hello.json")),
                                              NULL, NULL, &keep, &error));
  FAILS(POLYCODEC_ERROR_OPTION, polycodec_convert(registry, source, NULL, text(file("hello.what")),
                                                  NULL, NULL, NULL, &error));
  CHECK(strstr(error.message, ".what") != NULL);
  /* With the program's filter. */
  polycodec_format inverted = {
      sizeof inverted, 0, text("test.shout"), {NULL, 0}, text("[{\"id\": \"test.invert\"}]")};
  OK(polycodec_convert(registry, source, NULL, text(file("hello.bin")), &inverted, NULL, NULL,
                       &error));
  polycodec_source_release(source);
  OK(polycodec_source_open(text(file("hello.bin")), 0, NULL, &source, &error));
  OK(polycodec_source_bytes(source, &bytes, &error));
  CHECK(bytes.size == 11 && *(const uint8_t*)bytes.data == (uint8_t) ~'S');
  CHECK(strcmp(decoded(registry, source, &inverted, NULL), "\"HELLO\"") == 0);
  polycodec_source_release(source);
}

static void hear(void* data, int32_t loss_class, polycodec_bytes path, polycodec_bytes what) {
  CHECK(loss_class == POLYCODEC_LOSS_DATA && path.size == 8 && what.size == 6);
  ++*(int*)data;
}

static void test_calls(polycodec_registry* registry) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = NULL;
  polycodec_call_options call = {.struct_size = sizeof call};
  /* A function of the program needs the allowlist. */
  polycodec_source* source = source_of("SHOUT\n!", "");
  FAILS(POLYCODEC_ERROR_DENIED,
        polycodec_decode(registry, source, NULL, NULL, &value, NULL, &error));
  call.allowlist = text("[[\"test\", \"answer\"]]");
  OK(polycodec_decode(registry, source, NULL, &call, &value, NULL, &error));
  CHECK(polycodec_value_root(value)->as.i64 == 42);
  polycodec_value_release(value);
  polycodec_source_release(source);
  /* A loss needs a hook and its class. */
  int heard = 0;
  source = source_of("SHOUT\n-", "");
  memset(&call, 0, sizeof call);
  call.struct_size = sizeof call;
  FAILS(POLYCODEC_ERROR_UNSUPPORTED,
        polycodec_decode(registry, source, NULL, &call, &value, NULL, &error));
  call.on_loss = &hear;
  call.loss_data = &heard;
  FAILS(POLYCODEC_ERROR_UNSUPPORTED,
        polycodec_decode(registry, source, NULL, &call, &value, NULL, &error));
  call.losses = POLYCODEC_LOSSES_OF(POLYCODEC_LOSS_DATA);
  OK(polycodec_decode(registry, source, NULL, &call, &value, NULL, &error));
  CHECK(heard == 1);
  polycodec_value_release(value);
  /* Limits and the flag that cancels. */
  const uint8_t cancelled = 1;
  memset(&call, 0, sizeof call);
  call.struct_size = sizeof call;
  call.cancel = &cancelled;
  FAILS(POLYCODEC_ERROR_CANCELLED,
        polycodec_decode(registry, source, NULL, &call, &value, NULL, &error));
  polycodec_limits limits = {.struct_size = sizeof limits};
  limits.max_input_bytes = 3;
  call.cancel = NULL;
  call.limits = &limits;
  FAILS(POLYCODEC_ERROR_LIMIT,
        polycodec_decode(registry, source, NULL, &call, &value, NULL, &error));
  limits.max_input_bytes = 0;
  limits.deadline = 1;
  FAILS(POLYCODEC_ERROR_CANCELLED,
        polycodec_decode(registry, source, NULL, &call, &value, NULL, &error));
  polycodec_source_release(source);
}

static void test_parallel(polycodec_registry* registry, int threads) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = NULL;
  parts_run = tasks_run = 0;
  polycodec_source* source = source_of("SHOUT\n#500", "");
  OK(polycodec_decode(registry, source, NULL, NULL, &value, NULL, &error));
  CHECK(parts_run == 500);
  CHECK((tasks_run != 0) == (threads != 0));
  polycodec_value_release(value);
  polycodec_source_release(source);
  /* The error of the lowest part wins, however many fail. */
  source = source_of("SHOUT\n#2000", "");
  for (int i = 0; i < 20; ++i) {
    FAILS(POLYCODEC_ERROR_MALFORMED,
          polycodec_decode(registry, source, NULL, NULL, &value, NULL, &error));
    CHECK(strstr(error.message, "part 7") != NULL);
  }
  polycodec_source_release(source);
}

static void test_store(polycodec_registry* registry) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_source* source = source_of("ONE\nabc", "a.one");
  const polycodec_store* store = NULL;
  OK(polycodec_store_open(registry, source, &store, &error));
  polycodec_source_release(source);
  uint64_t i = 7;
  polycodec_bytes content;
  CHECK(store->count(store) == 1);
  OK(store->find(store, NULL, text("content"), &i, &error));
  OK(store->read(store, NULL, i, 1, UINT64_MAX, &content, &error));
  CHECK(content.size == 2 && memcmp(content.data, "bc", 2) == 0);
  store->release(store);
}

static void test_listing(polycodec_registry* registry) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  const char* const wanted[] = {"test.shout",  "test.invert", "test.one", "test.point",
                                "\"program\"", "[",           "["};
  for (int32_t listing = 0; listing < 7; ++listing) {
    OK(polycodec_registry_describe(registry, listing, sink, &error));
    CHECK(strstr(taken(sink, buffer, sizeof buffer), wanted[listing]) != NULL);
  }
  OK(polycodec_registry_explain(registry, text("test.shut"), sink, &error));
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "test.shout") != NULL);
  polycodec_value* value = NULL;
  OK(polycodec_value_parse(registry, text("{\"x\": 1, \"y\": 2}"), text("test.point"), &value,
                           &error));
  OK(polycodec_value_type(value, sink, &error));
  CHECK(strcmp(taken(sink, buffer, sizeof buffer), "{x: float64, y: float64}") == 0);
  polycodec_value_release(value);
  polycodec_sink_free(sink);
}

static void test_derived(polycodec_registry* base) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_registry* derived = NULL;
  polycodec_objects objects = {.struct_size = sizeof objects, .n_codecs = 1};
  objects.codecs = more_codecs;
  OK(polycodec_registry_derive(base, &objects, &derived, &error));
  uint64_t n = 7;
  OK(polycodec_registry_find(base, POLYCODEC_KEY_NAME, text("test.second"), NULL, 0, &n, &error));
  CHECK(n == 0);
  OK(polycodec_registry_find(derived, POLYCODEC_KEY_NAME, text("test.second"), NULL, 0, &n,
                             &error));
  CHECK(n == 1);
  polycodec_source* source = source_of("SHOUT\nHELLO", "");
  polycodec_format format = {sizeof format, 0, text("test.second"), {NULL, 0}, {NULL, 0}};
  CHECK(strcmp(decoded(derived, source, &format, NULL), "\"HELLO\"") == 0);
  CHECK(strcmp(decoded(derived, source, NULL, NULL), "\"HELLO\"") == 0);
  polycodec_source_release(source);
  /* Once more from the derived one, with a name that is taken: the newest comes first. */
  polycodec_registry* again = NULL;
  const int before = released_objects;
  OK(polycodec_registry_derive(derived, &objects, &again, &error));
  polycodec_registry_release(derived);
  polycodec_registry_release(again);
  CHECK(released_objects == before + 2);
  /* Objects of a registry that fails stay the program's. */
  const polycodec_codec bad = {.struct_size = sizeof bad, .name = "test.bad", .manifest = "{}"};
  const polycodec_codec* const bads[] = {&bad};
  objects.codecs = bads;
  FAILS(POLYCODEC_ERROR_PLUGIN, polycodec_registry_derive(base, &objects, &again, &error));
  CHECK(released_objects == before + 2);
}

int main(int argc, char** argv) {
  polycodec_error error = {.struct_size = sizeof error};
  if (argc != 2) return 2;
  snprintf(where, sizeof where, "%s", argv[1]);
  for (int threads = 0; threads < 2; ++threads) {
    polycodec_registry* registry = NULL;
    const polycodec_objects objects = all_objects();
    const polycodec_executor executor = {sizeof executor, 0, &tasks_run, &run_all};
    polycodec_registry_options options = {.struct_size = sizeof options,
                                          .flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT};
    options.objects = &objects;
    options.executor = threads ? &executor : NULL;
    options.log = &log_line;
    options.log_data = &lines_logged;
    options.config = text("{\"limits\": {\"max_depth\": 100}}");
    released_objects = 0;
    OK(polycodec_registry_open(&options, &registry, &error));
    if (registry == NULL) return 1;
    test_choosing(registry);
    test_messages(registry);
    test_conversion(registry);
    test_calls(registry);
    test_parallel(registry, threads);
    test_store(registry);
    test_listing(registry);
    test_derived(registry);
    CHECK(lines_logged != 0); /* the denied call */
    /* A value outlives its registry. */
    polycodec_value* value = NULL;
    polycodec_source* source = source_of("SHOUT\nHELLO", "");
    OK(polycodec_decode(registry, source, NULL, NULL, &value, NULL, &error));
    const int before = released_objects;
    polycodec_source_release(source);
    polycodec_registry_release(registry);
    CHECK(released_objects == before);
    CHECK(polycodec_node_size(polycodec_value_root(value)) == 5);
    polycodec_value_release(value);
    CHECK(released_objects == before + 5);
  }
  if (failures != 0) fprintf(stderr, "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
