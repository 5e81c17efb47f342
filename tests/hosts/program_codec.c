/* SPDX-License-Identifier: MIT
 * Objects of a C program in a registry: sniffing, headers, conversion, filters, stores, functions,
 * types, parallel work and release. Usage: program_codec DIRECTORY, where files may be written. */
#include "check.h"
#include "program_objects.h"

#include <pthread.h>
#include <stdlib.h>

int failures;

static const polycodec_bytes none = {NULL, 0};

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
  OK(from_bytes(text(bytes), NULL, NULL, text(name), &source, &error));
  return source;
}

static const char* decoded(polycodec_registry* registry, polycodec_source* source,
                           const polycodec_format* format, polycodec_match* match) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = NULL;
  polycodec_sink* sink = NULL;
  OK(polycodec_decode(registry, source, format, NULL, &value, match, &error));
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_value_print(value, NULL, plain(), sink, &error));
  taken(sink, buffer, sizeof buffer);
  polycodec_value_release(value);
  polycodec_sink_free(sink);
  return buffer;
}

static void test_choosing(polycodec_registry* registry) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_source* source = source_of("SHOUT\nHELLO", "");
  polycodec_match match = {.struct_size = sizeof match};
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_registry_choose(registry, source, &match, sink, &error));
  CHECK(match.score == 95 && strcmp(match.codec.data, "test.shout") == 0);
  CHECK(strstr(taken(sink, buffer, sizeof buffer),
               "{\"codec\":\"test.shout\",\"by\":\"content\",\"score\":95") != NULL);
  CHECK(match.by == POLYCODEC_BY_CONTENT && strcmp(match.codec.data, "test.shout") == 0);
  CHECK(strcmp(decoded(registry, source, NULL, &match), "\"HELLO\"") == 0);
  CHECK(match.by == POLYCODEC_BY_CONTENT);
  polycodec_format format = {.struct_size = sizeof format, .codec = text("shout")};
  CHECK(strcmp(decoded(registry, source, &format, &match), "\"HELLO\"") == 0);
  CHECK(match.by == POLYCODEC_BY_NAME);
  polycodec_source_release(source);

  OK(polycodec_registry_describe(registry, POLYCODEC_DESCRIBE_CODEC, text("shout"), sink, &error));
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "\"name\":\"test.shout\"") != NULL);
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_registry_describe(registry, POLYCODEC_DESCRIBE_CODEC,
                                                               text("no.such"), sink, &error));
  polycodec_sink_free(sink);
}

static void test_messages(polycodec_registry* registry) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_channel* channel = NULL;
  polycodec_value* value = NULL;
  polycodec_message* message = NULL;
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_channel_open(registry, text("{\"codec\": \"test.shout\", \"declare\": false}"), NULL,
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
  OK(from_bytes(bytes, NULL, NULL, text(""), &source, &error));
  polycodec_match match = {.struct_size = sizeof match};
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
    OK(polycodec_channel_feed(channel, byte, 0, &error));
    OK(polycodec_channel_next(channel, &value, &control, NULL, &error));
    CHECK((value != NULL) == (i + 1 == size));
  }
  polycodec_value_release(value);
  polycodec_source_release(source);

  OK(polycodec_registry_describe(registry, POLYCODEC_DESCRIBE_OFFER, text("peer"), sink, &error));
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
  OK(polycodec_convert(registry, source, NULL, text(file("hello.json")), NULL, NULL, NULL, NULL,
                       &error));
  polycodec_source_release(source);
  OK(from_path(text(file("hello.json")), POLYCODEC_SOURCE_COPY, NULL, &source, &error));
  CHECK(strcmp(decoded(registry, source, NULL, NULL), "\"HELLO\"") == 0);
  /* The extension chooses the program's codec. */
  OK(polycodec_convert(registry, source, NULL, text(file("hello.shout")), NULL, NULL, NULL, NULL,
                       &error));
  polycodec_source_release(source);
  OK(from_path(text(file("hello.shout")), 0, NULL, &source, &error));
  polycodec_bytes bytes;
  OK(polycodec_source_bytes(source, &bytes, &error));
  CHECK(bytes.size == 11 && memcmp(bytes.data, "SHOUT\nHELLO", 11) == 0);
  polycodec_write_options keep = {.struct_size = sizeof keep, .flags = POLYCODEC_WRITE_KEEP};
  FAILS(POLYCODEC_ERROR_IO, polycodec_convert(registry, source, NULL, text(file("hello.json")),
                                              NULL, NULL, &keep, NULL, &error));
  FAILS(POLYCODEC_ERROR_OPTION, polycodec_convert(registry, source, NULL, text(file("hello.what")),
                                                  NULL, NULL, NULL, NULL, &error));
  CHECK(strstr(error.message, ".what") != NULL);
  /* With the program's filter. */
  polycodec_format inverted = {.struct_size = sizeof inverted, .codec = text("test.shout")};
  inverted.filters = text("[{\"id\": \"test.invert\"}]");
  OK(polycodec_convert(registry, source, NULL, text(file("hello.bin")), &inverted, NULL, NULL, NULL,
                       &error));
  polycodec_source_release(source);
  OK(from_path(text(file("hello.bin")), 0, NULL, &source, &error));
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
  CHECK(strcmp(error.detail, "call.deadline") == 0);
  polycodec_source_release(source);
}

/* Functions as data calls them, and what an output is written with. */
static void test_functions_and_outputs(polycodec_registry* registry) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_call_options call = {.struct_size = sizeof call};
  polycodec_value* args = NULL;
  polycodec_value* value = NULL;
  OK(polycodec_value_parse(NULL, text("[1]"), none, &args, &error));
  const polycodec_bytes name = text("[\"test\", \"answer\"]");
  FAILS(POLYCODEC_ERROR_DENIED,
        polycodec_registry_call(registry, name, NULL, NULL, NULL, &value, &error));
  call.allowlist = text("[[\"test\", \"answer\"]]");
  FAILS(POLYCODEC_ERROR_RANGE,
        polycodec_registry_call(registry, name, args, NULL, &call, &value, &error));
  FAILS(POLYCODEC_ERROR_DENIED,
        polycodec_registry_call(registry, text("answer"), NULL, NULL, &call, &value, &error));
  OK(polycodec_registry_call(registry, name, NULL, NULL, &call, &value, &error));
  CHECK(polycodec_value_root(value)->as.i64 == 42);
  polycodec_value_release(value);
  OK(polycodec_registry_call(registry, text("test.answer"), NULL, NULL, &call, &value, &error));
  CHECK(polycodec_value_root(value)->as.i64 == 42);
  polycodec_value_release(value);
  polycodec_value_release(args);

  /* The codec for an output is chosen before it is written. */
  polycodec_format format = {.struct_size = sizeof format, .path = text("there/hello.shout")};
  polycodec_opened_codec* codec = NULL;
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_registry_open_codec(registry, &format, &codec, &error));
  OK(polycodec_opened_codec_describe(codec, sink, &error));
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "\"codec\": \"test.shout\"") != NULL ||
        strstr(buffer, "\"codec\":\"test.shout\"") != NULL);
  format.path = text("hello.unknown");
  polycodec_opened_codec* no_codec = NULL;
  FAILS(POLYCODEC_ERROR_OPTION,
        polycodec_registry_open_codec(registry, &format, &no_codec, &error));

  /* What was written, and what it keeps of the value. */
  polycodec_result result = {.struct_size = sizeof result};
  OK(polycodec_value_parse(NULL, text("\"HELLO\""), none, &value, &error));
  OK(polycodec_opened_codec_encode(codec, value, NULL, sink, NULL, &result, &error));
  CHECK(result.bytes == 11 && strcmp(result.codec, "test.shout") == 0);
  CHECK(result.kept == POLYCODEC_KEPT_UNKNOWN && result.is_partial == 0);
  memset(&call, 0, sizeof call);
  call.struct_size = sizeof call;
  call.flags = POLYCODEC_CALL_COMPARE;
  /* In a sink it is read back for members of another type alone. */
  OK(polycodec_opened_codec_encode(codec, value, &call, sink, NULL, &result, &error));
  CHECK(result.bytes == 11 && result.kept == POLYCODEC_KEPT_UNKNOWN);
  OK(polycodec_encode_file(registry, value, text(file("kept.shout")), NULL, &call, NULL, &result,
                           &error));
  CHECK(result.bytes == 11 && strcmp(result.codec, "test.shout") == 0);
  CHECK(result.kept == POLYCODEC_KEPT_SAME);
  /* A codec with a fault. */
  polycodec_value* question = NULL;
  OK(polycodec_value_parse(NULL, text("\"?\""), none, &question, &error));
  remove(file("question.shout"));
  FAILS(POLYCODEC_ERROR_INTERNAL,
        polycodec_encode_file(registry, question, text(file("question.shout")), NULL, &call, NULL,
                              &result, &error));
  CHECK(strcmp(error.detail, "convert.different") == 0);
  CHECK(fopen(file("question.shout"), "r") == NULL);
  polycodec_value_release(question);
  polycodec_value_release(value);
  polycodec_sink_free(sink);
  polycodec_opened_codec_release(codec);
}

/* Configuration in layers, and who said what. */
static void test_configuration(void) {
  polycodec_error error = {.struct_size = sizeof error};
  const polycodec_bytes layers[] = {
      text("{\"limits\": {\"max_depth\": 100, \"max_nodes\": 7},\n \"log_level\": \"info\"}"),
      text("{\n\"limits\": {\n\"max_depth\": 50}}")};
  const polycodec_bytes layer_names[] = {text("system.json"), text("own.json")};
  const polycodec_limits limits = {.struct_size = sizeof limits, .max_work = 12345678};
  polycodec_registry_options options = {.struct_size = sizeof options, .layers = layers};
  options.layer_names = layer_names;
  options.flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT;
  options.n_layers = 2;
  options.limits = &limits;
  polycodec_registry* registry = NULL;
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_registry_open(&options, &registry, &error));
  OK(polycodec_registry_describe(registry, POLYCODEC_DESCRIBE_SETTINGS, none, sink, &error));
  taken(sink, buffer, sizeof buffer);
  const char* const wanted[] = {
      "{\"key\":\"limits.max_depth\",\"value\":50,\"origin\":\"own.json:3\"}",
      "{\"key\":\"limits.max_nodes\",\"value\":7,\"origin\":\"system.json:1\"}",
      "{\"key\":\"limits.max_work\",\"value\":12345678,\"origin\":\"the program\"}",
      "{\"key\":\"log_level\",\"value\":\"info\",\"origin\":\"system.json:2\"}",
      "{\"key\":\"policy.mode\",\"value\":\"open\",\"origin\":\"default\"}"};
  for (int i = 0; i < 5; ++i) CHECK(strstr(buffer, wanted[i]) != NULL);
  polycodec_registry_release(registry);
  /* What is wrong has the place of its layer. */
  const polycodec_bytes wrong[] = {layers[0], text("{\n\n\"limit\": {}}")};
  const polycodec_bytes wrong_names[] = {layer_names[0], text("bad.json")};
  options.layers = wrong;
  options.layer_names = wrong_names;
  FAILS(POLYCODEC_ERROR_OPTION, polycodec_registry_open(&options, &registry, &error));
  CHECK(strstr(error.message, "bad.json:3: ") != NULL && strstr(error.message, "limits") != NULL);
  uint64_t problems = 9;
  OK(polycodec_config_check(wrong[1], POLYCODEC_CHECK_NO_CODECS, &problems, sink, &error));
  CHECK(problems == 1 &&
        strstr(taken(sink, buffer, sizeof buffer), "[{\"line\":3,\"key\":\"limit\"") != NULL);
  OK(polycodec_config_check(layers[0], 0, &problems, NULL, &error));
  CHECK(problems == 0);
  OK(polycodec_registry_describe(NULL, POLYCODEC_DESCRIBE_CONFIG_SCHEMA, none, sink, &error));
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "\"$schema\"") != NULL);
  polycodec_sink_free(sink);
}

static void write_text(const char* path, const char* content) {
  FILE* const to = fopen(path, "w");
  CHECK(to != NULL && fputs(content, to) >= 0 && fclose(to) == 0);
}

/* A manifest in a file, without a registry. */
static void test_manifest(void) {
  polycodec_error error = {.struct_size = sizeof error};
  const char* const path = file("one.polycodec.json");
  write_text(path,
             "{\"manifest\": 2, \"id\": \"one\", \"version\": \"1.2.3\", \"abi\": 2, "
             "\"library\": \"one.so\", \"summary\": \"one\", \"license\": \"MIT\"}");
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_registry_describe(NULL, POLYCODEC_DESCRIBE_MANIFEST, text(path), sink, &error));
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "\"version\":\"1.2.3\"") != NULL);
  write_text(path, "{\"manifest\": 2,\n\"id\": \"one\", \"versoin\": \"1.2.3\"}");
  FAILS(POLYCODEC_ERROR_PLUGIN,
        polycodec_registry_describe(NULL, POLYCODEC_DESCRIBE_MANIFEST, text(path), sink, &error));
  CHECK(strstr(error.message, "one.polycodec.json:2: ") != NULL);
  FAILS(POLYCODEC_ERROR_IO, polycodec_registry_describe(NULL, POLYCODEC_DESCRIBE_MANIFEST,
                                                        text("/nothing/here"), sink, &error));
  polycodec_sink_free(sink);
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
  const char* const wanted[] = {
      "test.shout",
      "test.invert",
      "test.one",
      "test.point",
      "\"program\"",
      "[",
      "[",
      "{\"name\":[\"test\",\"answer\"],\"plugin\":null,\"allowed\":",
      "{\"key\":\"limits.max_depth\",\"value\":100,\"origin\":\"limits.json:1\"}",
      "\"configuration_line\""};
  for (int32_t listing = 0; listing < 10; ++listing) {
    OK(polycodec_registry_describe(registry, listing, none, sink, &error));
    taken(sink, buffer, sizeof buffer);
    CHECK(strstr(buffer, wanted[listing]) != NULL);
  }
  OK(polycodec_registry_describe(registry, POLYCODEC_DESCRIBE_MISSING, text("test.shut"), sink,
                                 &error));
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "test.shout") != NULL);
  polycodec_value* value = NULL;
  OK(polycodec_value_parse(registry, text("{\"x\": 1, \"y\": 2}"), text("test.point"), &value,
                           &error));
  OK(polycodec_value_type(value, NULL, sink, &error));
  CHECK(strcmp(taken(sink, buffer, sizeof buffer), "{x: float64, y: float64}") == 0);
  polycodec_value_release(value);
  polycodec_sink_free(sink);
}

static void test_derived(polycodec_registry* base) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_registry* derived = NULL;
  polycodec_objects objects = {.struct_size = sizeof objects, .n_codecs = 1};
  objects.codecs = more_codecs;
  OK(derive(base, &objects, &derived, &error));
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_registry_describe(base, POLYCODEC_DESCRIBE_CODEC,
                                                               text("test.second"), sink, &error));
  OK(polycodec_registry_describe(derived, POLYCODEC_DESCRIBE_CODEC, text("test.second"), sink,
                                 &error));
  polycodec_sink_free(sink);
  polycodec_source* source = source_of("SHOUT\nHELLO", "");
  polycodec_format format = {.struct_size = sizeof format, .codec = text("test.second")};
  CHECK(strcmp(decoded(derived, source, &format, NULL), "\"HELLO\"") == 0);
  CHECK(strcmp(decoded(derived, source, NULL, NULL), "\"HELLO\"") == 0);
  polycodec_source_release(source);
  /* Once more from the derived one, with a name that is taken: the newest comes first. */
  polycodec_registry* again = NULL;
  const int before = released_objects;
  OK(derive(derived, &objects, &again, &error));
  polycodec_registry_release(derived);
  polycodec_registry_release(again);
  CHECK(released_objects == before + 2);
  /* Objects of a registry that fails stay the program's. */
  const polycodec_codec bad = {.struct_size = sizeof bad, .name = "test.bad", .manifest = "{}"};
  const polycodec_codec* const bads[] = {&bad};
  objects.codecs = bads;
  FAILS(POLYCODEC_ERROR_PLUGIN, derive(base, &objects, &again, &error));
  CHECK(released_objects == before + 2);
}

int main(int argc, char** argv) {
  polycodec_error error = {.struct_size = sizeof error};
  if (argc != 2) return 2;
  snprintf(where, sizeof where, "%s", argv[1]);
  test_configuration();
  test_manifest();
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
    const polycodec_bytes layer = text("{\"limits\": {\"max_depth\": 100}}");
    const polycodec_bytes layer_name = text("limits.json");
    options.layers = &layer;
    options.layer_names = &layer_name;
    options.n_layers = 1;
    released_objects = 0;
    OK(polycodec_registry_open(&options, &registry, &error));
    if (registry == NULL) return 1;
    test_choosing(registry);
    test_messages(registry);
    test_conversion(registry);
    test_calls(registry);
    test_functions_and_outputs(registry);
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
