/* SPDX-License-Identifier: MIT
 * One column of a file with twelve is read without the others: a store of the program's own counts
 * what is read. Usage: projection DIRECTORY, where files may be written. Needs the plugin awkward.
 */
#include "check.h"

#include <stdlib.h>

int failures;

#define COLUMNS 12

/* A store that counts the blobs that are read of another one. */
typedef struct counting_store {
  polycodec_store store; /* first, so that a pointer to it is a pointer to the whole */
  const polycodec_store* inner;
  char read[1024]; /* the names, each followed by a space */
} counting_store;

static const polycodec_store* inner_of(const polycodec_store* self) {
  return ((const counting_store*)self->private_data)->inner;
}
static uint64_t count_inner(const polycodec_store* self) {
  return inner_of(self)->count(inner_of(self));
}
static int32_t entry_inner(const polycodec_store* self, polycodec_call* call, uint64_t i,
                           polycodec_store_entry* entry, polycodec_error* error) {
  return inner_of(self)->entry(inner_of(self), call, i, entry, error);
}
static int32_t find_inner(const polycodec_store* self, polycodec_call* call, polycodec_bytes name,
                          uint64_t* i, polycodec_error* error) {
  return inner_of(self)->find(inner_of(self), call, name, i, error);
}
static int32_t read_counted(const polycodec_store* self, polycodec_call* call, uint64_t i,
                            uint64_t offset, uint64_t size, polycodec_bytes* content,
                            polycodec_error* error) {
  counting_store* counting = self->private_data;
  polycodec_store_entry entry = {.struct_size = sizeof entry};
  const size_t used = strlen(counting->read);
  if (inner_of(self)->entry(inner_of(self), call, i, &entry, error) == POLYCODEC_OK)
    snprintf(counting->read + used, sizeof counting->read - used, "%.*s ", (int)entry.name.size,
             (const char*)entry.name.data);
  return inner_of(self)->read(inner_of(self), call, i, offset, size, content, error);
}
static void release_nothing(const polycodec_store* self) {
  (void)self;
}

/* An array of two records with the columns c0 to c11. */
static polycodec_value* records(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = NULL;
  const polycodec_bytes none = {NULL, 0};
  char json[4096] = "{\"type\": \"2 * {";
  size_t at = strlen(json);
  for (int i = 0; i < COLUMNS; ++i)
    at += (size_t)snprintf(json + at, sizeof json - at, "%sc%d: float64", i == 0 ? "" : ", ", i);
  at += (size_t)snprintf(json + at, sizeof json - at, "}\", \"value\": [");
  for (int row = 0; row < 2; ++row) {
    at += (size_t)snprintf(json + at, sizeof json - at, "%s{", row == 0 ? "" : ", ");
    for (int i = 0; i < COLUMNS; ++i)
      at += (size_t)snprintf(json + at, sizeof json - at, "%s\"c%d\": %d", i == 0 ? "" : ", ", i,
                             10 * i + row);
    at += (size_t)snprintf(json + at, sizeof json - at, "}");
  }
  snprintf(json + at, sizeof json - at, "]}");
  OK(polycodec_value_parse(NULL, text(json), none, &value, &error));
  return value;
}

int main(int argc, char** argv) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_registry* registry = NULL;
  polycodec_collection* all = NULL;
  polycodec_source* source = NULL;
  polycodec_opened_codec* codec = NULL;
  polycodec_value* value = NULL;
  polycodec_sink* sink = NULL;
  const polycodec_format format = {.struct_size = sizeof format, .codec = text("awkward")};
  char path[2048];
  char printed[256];
  if (argc != 2) return 2;
  snprintf(path, sizeof path, "%s/columns.awkd", argv[1]);
  remove(path);
  OK(polycodec_registry_open(NULL, &registry, &error));
  OK(polycodec_registry_open_codec(registry, &format, &codec, &error));
  OK(polycodec_collection_open(registry, text(path), &format, NULL, &all, &error));
  value = records();
  OK(polycodec_collection_put(all, text("table"), value, 0, NULL, &error));
  polycodec_value_release(value);
  polycodec_collection_free(all);

  counting_store counting = {.inner = NULL, .read = ""};
  OK(from_path(text(path), 0, NULL, &source, &error));
  OK(polycodec_store_open(registry, source, &counting.inner, &error));
  polycodec_source_release(source);
  counting.store.struct_size = sizeof counting.store;
  counting.store.private_data = &counting;
  counting.store.count = &count_inner;
  counting.store.entry = &entry_inner;
  counting.store.find = &find_inner;
  counting.store.read = &read_counted;
  counting.store.release = &release_nothing;
  const polycodec_bytes column = text("$.c7");
  const polycodec_projection projection = {sizeof projection, 1, &column, 0, UINT64_MAX};
  polycodec_call_options call = {.struct_size = sizeof call, .member = text("table")};
  call.projection = &projection;
  OK(from_store(&counting.store, text("columns"), &source, &error));
  CHECK(count_inner(&counting.store) == COLUMNS + 1);
  OK(polycodec_opened_codec_decode(codec, source, &call, &value, &error));
  CHECK(polycodec_value_is_partial(value) == 1);
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_value_print(value, NULL, plain(), sink, &error));
  CHECK(strcmp(taken(sink, printed, sizeof printed), "[{\"c7\": 70.0}, {\"c7\": 71.0}]") == 0);
  /* The schema, and the one column. */
  if (strcmp(counting.read, "table.json table-8.raw ") != 0) {
    fprintf(stderr, "read: %s\n", counting.read);
    ++failures;
  }
  polycodec_value_release(value);
  polycodec_source_release(source);
  counting.inner->release(counting.inner);
  polycodec_sink_free(sink);
  polycodec_opened_codec_release(codec);
  polycodec_registry_release(registry);
  if (failures != 0) fprintf(stderr, "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
