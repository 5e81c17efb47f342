/* SPDX-License-Identifier: MIT
 * Collections of named values, and a budget for several calls. Usage: collections DIRECTORY, where
 * files may be written. Needs the plugins msgpack-ndarray and awkward. */
#include "codecs.h"

#include <stddef.h>

int failures;

static void test_budget(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_opened_codec* codec = opened("msgpack-ndarray", "");
  polycodec_source* source = NULL;
  polycodec_value* value = NULL;
  polycodec_budget* budget = NULL;
  OK(from_bytes(text("\x92\x01\x02"), NULL, NULL, none, &source, &error));
  polycodec_limits limits = {.struct_size = sizeof limits, .max_nodes = 2};
  polycodec_call_options call = {.struct_size = sizeof call};
  /* The limits are those of the budget, with the registry's for each 0. */
  OK(polycodec_budget_create(registry, NULL, &limits, NULL, &budget, &error));
  call.budget = budget;
  FAILS(POLYCODEC_ERROR_LIMIT, polycodec_opened_codec_decode(codec, source, &call, &value, &error));
  call.limits = &limits;
  FAILS(POLYCODEC_ERROR_OPTION,
        polycodec_opened_codec_decode(codec, source, &call, &value, &error));
  call.limits = NULL;
  polycodec_budget_release(budget);
  /* Its work is spent by all calls together. */
  memset(&limits, 0, sizeof limits);
  limits.struct_size = sizeof limits;
  limits.max_work = 1000;
  OK(polycodec_budget_create(registry, NULL, &limits, NULL, &budget, &error));
  call.budget = budget;
  int calls = 0;
  while (calls < 10000 &&
         polycodec_opened_codec_decode(codec, source, &call, &value, &error) == POLYCODEC_OK) {
    polycodec_value_release(value);
    ++calls;
  }
  CHECK(calls > 1 && calls < 10000 && error.code == POLYCODEC_ERROR_LIMIT);
  polycodec_budget_release(budget);
  /* One flag cancels them all. */
  uint8_t cancel = 0;
  OK(polycodec_budget_create(registry, NULL, NULL, &cancel, &budget, &error));
  call.budget = budget;
  OK(polycodec_opened_codec_decode(codec, source, &call, &value, &error));
  polycodec_value_release(value);
  cancel = 1;
  FAILS(POLYCODEC_ERROR_CANCELLED,
        polycodec_opened_codec_decode(codec, source, &call, &value, &error));
  polycodec_budget_release(budget);
  polycodec_source_release(source);
  polycodec_opened_codec_release(codec);
}

static void test_collections(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_collection* all = NULL;
  polycodec_sink* sink = NULL;
  polycodec_value* value = NULL;
  const polycodec_format format = {.struct_size = sizeof format,
                                   .flags = 0,
                                   .codec = text("awkward"),
                                   .options = none,
                                   .filters = none};
  const polycodec_bytes path = text(file("arrays.awkd"));
  remove(path.data);
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_collection_open(registry, path, &format, NULL, &all, &error));
  polycodec_value* numbers = parsed("{\"type\": \"3 * int64\", \"value\": [1, 2, 3]}");
  polycodec_value* others = parsed("{\"type\": \"2 * float64\", \"value\": [0.5, 2]}");
  OK(polycodec_collection_put(all, text("a"), numbers, 0, NULL, &error));
  OK(polycodec_collection_put(all, text("b"), others, 0, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_collection_put(all, text("a"), others, 0, NULL, &error));
  OK(polycodec_collection_list(all, sink, &error));
  const char* listed = taken(sink, buffer, sizeof buffer);
  CHECK(strstr(listed, "\"container\":\"zip\"") != NULL);
  CHECK(strstr(listed, "{\"name\":\"a\",\"schema\":\"a.json\"") != NULL);
  OK(polycodec_collection_put(all, text("b"), numbers, POLYCODEC_COLLECTION_REPLACE, sink, &error));
  CHECK(strcmp(taken(sink, buffer, sizeof buffer), "[]") == 0);
  OK(polycodec_collection_put(all, text("a"), NULL,
                              POLYCODEC_COLLECTION_REPLACE | POLYCODEC_COLLECTION_UNOWNED, NULL,
                              &error));
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_collection_read(all, text("a"), &value, &error));
  FAILS(POLYCODEC_ERROR_NOT_FOUND,
        polycodec_collection_put(all, text("a"), NULL, POLYCODEC_COLLECTION_REPLACE, NULL, &error));
  OK(polycodec_collection_read(all, text("b"), &value, &error));
  CHECK(strcmp(printed(value), "[1, 2, 3]") == 0);
  polycodec_collection_free(all);
  /* The same file as a store: listed, and one member decoded. */
  polycodec_source* source = NULL;
  const polycodec_store* store = NULL;
  polycodec_opened_codec* codec = opened("awkward", "");
  OK(from_path(path, 0, NULL, &source, &error));
  OK(polycodec_store_open(registry, source, &store, &error));
  polycodec_source_release(source);
  OK(from_store(store, none, &source, &error));
  store->release(store);
  OK(polycodec_opened_codec_list(codec, source, NULL, &value, &error));
  CHECK(strstr(printed(value), "\"b\": {\"blobs\": [{") != NULL);
  polycodec_call_options call = {.struct_size = sizeof call, .member = text("b")};
  OK(polycodec_opened_codec_decode(codec, source, &call, &value, &error));
  CHECK(strcmp(printed(value), "[1, 2, 3]") == 0);
  polycodec_opened_codec_release(codec);
  codec = opened("msgpack-ndarray", "");
  FAILS(POLYCODEC_ERROR_UNSUPPORTED,
        polycodec_opened_codec_list(codec, source, NULL, &value, &error));
  polycodec_opened_codec_release(codec);
  polycodec_source_release(source);
  const polycodec_format other = {.struct_size = sizeof other,
                                  .flags = 0,
                                  .codec = text("msgpack-ndarray"),
                                  .options = none,
                                  .filters = none};
  FAILS(POLYCODEC_ERROR_UNSUPPORTED,
        polycodec_collection_open(registry, path, &other, NULL, &all, &error));
  polycodec_value_release(numbers);
  polycodec_value_release(others);
  polycodec_sink_free(sink);
}

/* What every_function.c cannot try without a codec. */
static void test_wrong_arguments(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_collection* all = NULL;
  polycodec_value* value = NULL;
  const polycodec_bytes wild = {NULL, 8};
  const polycodec_format format = {.struct_size = sizeof format,
                                   .flags = 0,
                                   .codec = text("awkward"),
                                   .options = none,
                                   .filters = none};
  OK(polycodec_collection_open(registry, text("/no/such"), &format, NULL, &all, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_collection_list(all, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_collection_read(all, wild, &value, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_collection_read(all, none, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_collection_put(all, wild, NULL, 0, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_collection_put(all, none, NULL, 8, NULL, &error));
  polycodec_collection_free(all);
}

int main(int argc, char** argv) {
  polycodec_error error = {.struct_size = sizeof error};
  if (argc != 2) return 2;
  where = argv[1];
  OK(polycodec_registry_open(NULL, &registry, &error));
  if (registry == NULL) return 1;
  test_budget();
  test_collections();
  test_wrong_arguments();
  polycodec_registry_release(registry);
  if (failures != 0) fprintf(stderr, "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
