/* SPDX-License-Identifier: MIT
 * Calls every function of host.h with NULL and with wrong arguments: each answers with a status and
 * a message, and none crashes. `every_function --list` prints the names of the functions that it
 * calls, which a test compares with the header. */
#include "check.h"

int failures;

static int list_only;
static const char* names[256];
static int n_names;

static int is_new(const char* name) {
  for (int i = 0; i < n_names; ++i)
    if (strcmp(names[i], name) == 0) return 0;
  names[n_names++] = name;
  return 1;
}

static polycodec_error* E; /* of the calls below: an error, and then NULL */

/* A call that must fail, with a place for the error and without. `arguments` end with E. */
#define BAD(function, arguments) BAD_BY(function, function, arguments)
/* By a helper that calls `name`. */
#define BAD_BY(name, function, arguments)                                                     \
  do {                                                                                        \
    polycodec_error error_ = {.struct_size = sizeof error_};                                  \
    (void)is_new(#name);                                                                      \
    if (list_only) break;                                                                     \
    E = &error_;                                                                              \
    const int32_t first_ = function arguments;                                                \
    E = NULL;                                                                                 \
    const int32_t second_ = function arguments;                                               \
    if (first_ <= 0 || first_ >= POLYCODEC_STATUS_COUNT || first_ != second_ ||               \
        error_.code != first_ || error_.message[0] == '\0') {                                 \
      fprintf(stderr, "%s:%d: %s%s: %d, %d: %s\n", __FILE__, __LINE__, #function, #arguments, \
              (int)first_, (int)second_, error_.message);                                     \
      ++failures;                                                                             \
    }                                                                                         \
  } while (0)

/* A call of a function that cannot fail. */
#define CALL(function, arguments, condition)                                        \
  do {                                                                              \
    (void)is_new(#function);                                                        \
    if (list_only) break;                                                           \
    if (!(condition)) fprintf(stderr, "%d: %s\n", __LINE__, #function), ++failures; \
  } while (0)
#define VOID(function, arguments)       \
  do {                                  \
    (void)is_new(#function);            \
    if (!list_only) function arguments; \
  } while (0)

static void release_nothing(void* owner) {
  ++*(int*)owner;
}

int main(int argc, char** argv) {
  polycodec_error error = {.struct_size = sizeof error};
  list_only = argc == 2 && strcmp(argv[1], "--list") == 0;
  const polycodec_bytes none = {NULL, 0};
  const polycodec_bytes wild = {NULL, 8}; /* no bytes, and a size */
  const polycodec_bytes endless = {"x", UINT64_MAX};
  const polycodec_bytes name = text("no.such");
  const polycodec_bytes path = text("/no/such/file");

  /* Handles of each kind. */
  polycodec_registry* registry = NULL;
  polycodec_value* value = NULL;
  polycodec_source* source = NULL;
  polycodec_sink* sink = NULL;
  polycodec_schema* schema = NULL;
  polycodec_channel* channel = NULL;
  polycodec_message* frames = NULL;
  polycodec_store_writer* writer = NULL;
  const polycodec_store* store = NULL;
  const polycodec_file* file = NULL;
  polycodec_opened_codec* codec = NULL;
  polycodec_message* message = NULL;
  polycodec_arena* arena = NULL;
  const polycodec_node* node = NULL;
  polycodec_item item = {NULL, NULL, 0};
  const polycodec_node not_of_it = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  const polycodec_bytes* pieces = NULL;
  polycodec_bytes bytes = none;
  polycodec_match match = {.struct_size = sizeof match};
  uint64_t n = 0;
  int32_t number = 0;
  char digest[65];
  const polycodec_registry_options offline = {
      .struct_size = sizeof offline,
      .flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT | POLYCODEC_REGISTRY_NO_BUILTINS,
      .plugin_paths = &path, /* no codec, whatever this build has */
      .n_plugin_paths = 1};
  OK(polycodec_registry_open(&offline, &registry, &error));
  OK(polycodec_value_parse(NULL, text("[1, 2]"), none, &value, &error));
  OK(from_bytes(text("bytes"), NULL, NULL, none, &source, &error));
  OK(polycodec_sink_create(0, 0, &sink, &error));
  OK(polycodec_channel_open(registry, none, NULL, &channel, &error));
  OK(polycodec_value_to_frames(value, &frames, &error));
  OK(polycodec_message_part(frames, 0, &pieces, &n, &error));
  /* Handles of another kind, as a mistaken cast gives them. */
  void* const other = frames;
  polycodec_registry* const not_registry = other;
  polycodec_value* const not_value = other;
  polycodec_source* const not_source = other;
  polycodec_opened_codec* const not_codec = other;
  polycodec_schema* const not_schema = other;
  polycodec_channel* const not_channel = other;
  void* const a_value = value;
  polycodec_message* const not_message = a_value;
  /* A sink, a store and a writer that are not of this library. */
  polycodec_sink foreign_sink = {.struct_size = sizeof foreign_sink};
  polycodec_store foreign_store = {.struct_size = sizeof foreign_store};
  polycodec_file foreign_file = {.struct_size = sizeof foreign_file};
  polycodec_store_writer foreign_writer = {.struct_size = sizeof foreign_writer};
  /* Structs that are too short, too long, and of the future. */
  polycodec_call_options call = {.struct_size = 4};
  polycodec_call_options long_call = {.struct_size = UINT32_MAX};
  polycodec_call_options odd_call = {.struct_size = sizeof odd_call, .flags = 1u << 31};
  struct {
    polycodec_format known;
    uint64_t later;
  } newer = {{.struct_size = sizeof newer, .codec = name}, 1};
  polycodec_format format = {.struct_size = sizeof format, .codec = name};
  polycodec_format short_format = {.struct_size = 1};
  polycodec_write_options write = {.struct_size = 3};
  polycodec_limits limits = {.struct_size = 5};
  polycodec_match short_match = {.struct_size = 7};
  polycodec_registry_options options = {.struct_size = 9};
  polycodec_objects objects = {.struct_size = sizeof objects, .n_codecs = 1};
  const polycodec_codec* const null_codec[] = {NULL};
  polycodec_budget* budget = NULL;
  polycodec_stream* stream = NULL;
  polycodec_stream_writer* stream_writer = NULL;
  polycodec_collection* collection = NULL;
  polycodec_budget* const not_budget = other;
  polycodec_stream* const not_stream = other;
  polycodec_stream_writer* const not_stream_writer = other;
  polycodec_collection* const not_collection = other;
  polycodec_objects null_objects = {
      .struct_size = sizeof null_objects, .n_codecs = 1, .codecs = null_codec};

  CALL(polycodec_library_version, (), polycodec_library_version()[0] != '\0');
  CALL(polycodec_library_api, (), polycodec_library_api() == POLYCODEC_HOST_API_VERSION);
  CALL(polycodec_library_trim, (), (polycodec_library_trim(), 1));
  CALL(polycodec_status_name, (-1), strcmp(polycodec_status_name(-1), "unknown") == 0);
  CALL(polycodec_status_name, (8), strcmp(polycodec_status_name(8), "not_found") == 0);

  BAD(polycodec_sink_create, (0, 0, NULL, E));
  BAD(polycodec_sink_create, (8, 0, &sink, E));
  BAD(polycodec_sink_segments, (NULL, &pieces, &n, E));
  BAD(polycodec_sink_segments, (sink, NULL, &n, E));
  BAD(polycodec_sink_segments, (sink, &pieces, NULL, E));
  BAD(polycodec_sink_segments, (&foreign_sink, &pieces, &n, E));
  BAD(polycodec_sink_bytes, (NULL, &bytes, E));
  BAD(polycodec_sink_bytes, (sink, NULL, E));
  BAD(polycodec_sink_reset, (NULL, E));
  BAD(polycodec_sink_reset, (&foreign_sink, E));
  VOID(polycodec_sink_free, (NULL));
  VOID(polycodec_sink_free, (&foreign_sink));

  BAD(polycodec_source_open, (NULL, &source, E));
  BAD_BY(polycodec_source_open, from_bytes, (name, NULL, NULL, none, NULL, E));
  BAD_BY(polycodec_source_open, from_bytes, (wild, NULL, NULL, none, &source, E));
  BAD_BY(polycodec_source_open, from_bytes, (endless, NULL, NULL, none, &source, E));
  BAD_BY(polycodec_source_open, from_changing_bytes, (name, NULL, NULL, none, NULL, E));
  BAD_BY(polycodec_source_open, from_changing_bytes, (wild, NULL, NULL, none, &source, E));
  BAD_BY(polycodec_source_open, from_path, (path, 0, NULL, NULL, E));
  BAD_BY(polycodec_source_open, from_path, (path, 0, NULL, &source, E));
  BAD_BY(polycodec_source_open, from_path, (none, 0, NULL, &source, E));
  BAD_BY(polycodec_source_open, from_path, (path, 2, NULL, &source, E));
  BAD_BY(polycodec_source_open, from_path, (path, 0, &limits, &source, E));
  BAD_BY(polycodec_source_open, from_descriptor, (-1, none, NULL, &source, E));
  BAD_BY(polycodec_source_open, from_descriptor, (0, none, NULL, NULL, E));
  BAD_BY(polycodec_source_open, from_descriptor, (1 << 20, none, NULL, &source, E));
  BAD_BY(polycodec_source_open, from_file, (NULL, none, NULL, &source, E));
  BAD_BY(polycodec_source_open, from_file, (&foreign_file, none, NULL, &source, E));
  BAD_BY(polycodec_source_open, from_file, (&foreign_file, none, NULL, NULL, E));
  BAD_BY(polycodec_source_open, from_store, (NULL, none, &source, E));
  BAD_BY(polycodec_source_open, from_store, (&foreign_store, none, &source, E));
  BAD(polycodec_source_bytes, (NULL, &bytes, E));
  BAD(polycodec_source_bytes, (not_source, &bytes, E));
  BAD(polycodec_source_bytes, (source, NULL, E));
  CALL(polycodec_source_retain, (NULL), polycodec_source_retain(NULL) == NULL);
  CALL(polycodec_source_retain, (other), polycodec_source_retain(not_source) == NULL);
  VOID(polycodec_source_release, (NULL));
  VOID(polycodec_source_release, (not_source));
  BAD(polycodec_file_open, (path, 0, &file, E));
  BAD(polycodec_file_open, (path, 0, NULL, E));
  BAD(polycodec_file_open, (path, 4, &file, E));

  BAD(polycodec_registry_open, (NULL, NULL, E));
  BAD(polycodec_registry_open, (&options, &registry, E));
  options.struct_size = sizeof options;
  options.flags = 1u << 30;
  BAD(polycodec_registry_open, (&options, &registry, E));
  options.flags = 0;
  const polycodec_bytes layer = text("{]");
  options.n_layers = 1;
  BAD(polycodec_registry_open, (&options, &registry, E));
  options.layers = &layer;
  BAD(polycodec_registry_open, (&options, &registry, E));
  options.layers = NULL;
  options.n_layers = 0;
  options.base = registry;
  options.threads = 2; /* the base has what is configured */
  BAD(polycodec_registry_open, (&options, &registry, E));
  options.base = NULL;
  options.threads = 0;
  options.n_add_paths = 1;
  BAD(polycodec_registry_open, (&options, &registry, E));
  options.n_add_paths = 0;
  options.objects = &null_objects;
  BAD(polycodec_registry_open, (&options, &registry, E));
  BAD_BY(polycodec_registry_open, derive, (not_registry, NULL, &registry, E));
  BAD_BY(polycodec_registry_open, derive, (registry, &objects, &registry, E));
  BAD_BY(polycodec_registry_open, derive, (registry, &null_objects, &registry, E));
  BAD_BY(polycodec_registry_open, derive, (registry, NULL, NULL, E));
  CALL(polycodec_registry_retain, (NULL), polycodec_registry_retain(NULL) == NULL);
  VOID(polycodec_registry_release, (NULL));
  VOID(polycodec_registry_release, (not_registry));
  BAD(polycodec_registry_describe, (NULL, 0, none, sink, E));
  BAD(polycodec_registry_describe, (registry, 99, none, sink, E));
  BAD(polycodec_registry_describe, (registry, -1, none, sink, E));
  BAD(polycodec_registry_describe, (registry, 0, name, sink, E));
  BAD(polycodec_registry_describe, (registry, POLYCODEC_DESCRIBE_CODEC, name, sink, E));
  BAD(polycodec_config_check, (wild, 0, &n, NULL, E));
  BAD(polycodec_config_check, (text("{}"), 8, &n, NULL, E));
  BAD(polycodec_config_check, (text("{}"), 0, NULL, NULL, E));
  BAD(polycodec_config_check, (text("{}"), 0, &n, &foreign_sink, E));
  BAD(polycodec_registry_call, (NULL, name, NULL, NULL, NULL, &value, E));
  BAD(polycodec_registry_call, (registry, wild, NULL, NULL, NULL, &value, E));
  BAD(polycodec_registry_call, (registry, name, NULL, NULL, NULL, &value, E));
  BAD(polycodec_registry_call, (registry, text("[1]"), NULL, NULL, NULL, &value, E));
  BAD(polycodec_registry_call, (registry, name, not_value, NULL, NULL, &value, E));
  BAD(polycodec_registry_call, (registry, name, NULL, NULL, &call, &value, E));
  BAD(polycodec_registry_call, (registry, name, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_registry_describe, (registry, 0, none, NULL, E));
  BAD(polycodec_registry_limits, (NULL, NULL, 0, &limits, E));
  BAD(polycodec_registry_limits, (registry, NULL, 0, NULL, E));
  BAD(polycodec_registry_limits, (registry, NULL, 0, &limits, E));
  BAD(polycodec_registry_describe, (NULL, POLYCODEC_DESCRIBE_PLUGIN, name, sink, E));
  BAD(polycodec_registry_describe, (registry, POLYCODEC_DESCRIBE_PLUGIN, name, sink, E));
  BAD(polycodec_registry_describe, (registry, POLYCODEC_DESCRIBE_PLUGIN, wild, sink, E));
  BAD(polycodec_registry_describe, (NULL, POLYCODEC_DESCRIBE_MISSING, name, sink, E));
  BAD(polycodec_registry_describe, (registry, POLYCODEC_DESCRIBE_MISSING, name, NULL, E));
  BAD(polycodec_registry_choose, (NULL, source, &match, NULL, E));
  BAD(polycodec_registry_choose, (registry, source, &match, NULL, E));
  BAD(polycodec_registry_choose, (registry, not_source, &match, NULL, E));
  BAD(polycodec_registry_choose, (registry, source, NULL, NULL, E));
  BAD(polycodec_registry_choose, (registry, source, &short_match, NULL, E));
  BAD(polycodec_registry_open_codec, (NULL, &format, &codec, E));
  BAD(polycodec_registry_open_codec, (registry, &format, &codec, E));
  BAD(polycodec_registry_open_codec, (registry, NULL, &codec, E));
  BAD(polycodec_registry_open_codec, (registry, &short_format, &codec, E));
  BAD(polycodec_registry_open_codec, (registry, &newer.known, &codec, E));
  BAD(polycodec_registry_open_codec, (registry, &format, NULL, E));
  BAD(polycodec_registry_describe, (NULL, POLYCODEC_DESCRIBE_OFFER, none, sink, E));
  BAD(polycodec_registry_describe, (registry, POLYCODEC_DESCRIBE_OFFER, none, NULL, E));
  BAD(polycodec_registry_agree, (NULL, text("{}"), value, sink, E));
  BAD(polycodec_registry_agree, (registry, text("{}"), value, sink, E));
  BAD(polycodec_registry_agree, (registry, text("{}"), NULL, sink, E));

  CALL(polycodec_opened_codec_retain, (NULL), polycodec_opened_codec_retain(NULL) == NULL);
  VOID(polycodec_opened_codec_release, (NULL));
  VOID(polycodec_opened_codec_release, (not_codec));
  BAD(polycodec_opened_codec_describe, (NULL, sink, E));
  BAD(polycodec_opened_codec_describe, (not_codec, sink, E));
  BAD(polycodec_opened_codec_decode, (NULL, source, NULL, &value, E));
  BAD(polycodec_opened_codec_decode, (not_codec, source, NULL, &value, E));
  BAD(polycodec_opened_codec_decode_into, (NULL, name, NULL, value, E));
  BAD(polycodec_opened_codec_decode_into, (not_codec, name, NULL, value, E));
  BAD(polycodec_opened_codec_encode, (NULL, value, NULL, sink, NULL, NULL, E));
  BAD(polycodec_opened_codec_encode, (not_codec, value, NULL, sink, NULL, NULL, E));
  BAD(polycodec_opened_codec_encode, (NULL, value, NULL, NULL, writer, NULL, E));
  BAD(polycodec_opened_codec_encode, (not_codec, value, NULL, NULL, &foreign_writer, NULL, E));

  BAD(polycodec_opened_codec_list, (NULL, source, NULL, &value, E));
  BAD(polycodec_opened_codec_list, (not_codec, source, NULL, &value, E));

  BAD(polycodec_budget_create, (not_registry, NULL, NULL, NULL, &budget, E));
  BAD(polycodec_budget_create, (registry, NULL, &limits, NULL, &budget, E));
  BAD(polycodec_budget_create, (registry, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_budget_create, (NULL, not_value, NULL, NULL, &budget, E));
  BAD(polycodec_budget_create, (NULL, value, NULL, NULL, NULL, E));
  BAD(polycodec_budget_spend, (NULL, 0, 0, E));
  BAD(polycodec_budget_spend, (not_budget, 0, 0, E));
  BAD(polycodec_budget_walk, (NULL, NULL, NULL, E));
  BAD(polycodec_budget_walk, (not_budget, NULL, NULL, E));
  VOID(polycodec_budget_release, (NULL));
  VOID(polycodec_budget_release, (not_budget));

  /* streams.c and collections.c try the arguments that need a codec: this registry has none. */
  BAD(polycodec_stream_open, (NULL, NULL, NULL, &stream, E));
  BAD(polycodec_stream_open, (not_codec, NULL, NULL, &stream, E));
  BAD_BY(polycodec_stream_open, stream_of_source, (NULL, source, NULL, &stream, E));
  BAD_BY(polycodec_stream_open, stream_of_source, (not_codec, source, NULL, &stream, E));
  BAD_BY(polycodec_stream_open, stream_of_file, (NULL, &foreign_file, NULL, &stream, E));
  BAD_BY(polycodec_stream_open, stream_of_file, (not_codec, &foreign_file, NULL, &stream, E));
  BAD_BY(polycodec_stream_open, stream_of_descriptor, (NULL, 0, NULL, &stream, E));
  BAD_BY(polycodec_stream_open, stream_of_descriptor, (not_codec, 0, NULL, &stream, E));
  BAD(polycodec_stream_feed, (NULL, name, 0, E));
  BAD(polycodec_stream_feed, (not_stream, name, 0, E));
  BAD(polycodec_stream_feed, (NULL, none, 1, E));
  BAD(polycodec_stream_feed, (not_stream, none, 1, E));
  BAD(polycodec_stream_next, (NULL, &value, NULL, E));
  BAD(polycodec_stream_next, (not_stream, &value, NULL, E));
  VOID(polycodec_stream_free, (NULL));
  VOID(polycodec_stream_free, (not_stream));
  BAD(polycodec_stream_writer_open, (NULL, none, NULL, NULL, &stream_writer, E));
  BAD(polycodec_stream_writer_open, (not_codec, none, NULL, NULL, &stream_writer, E));
  BAD(polycodec_stream_writer_append, (NULL, value, sink, E));
  BAD(polycodec_stream_writer_append, (not_stream_writer, value, sink, E));
  BAD(polycodec_stream_writer_finish, (NULL, sink, E));
  BAD(polycodec_stream_writer_finish, (not_stream_writer, sink, E));
  VOID(polycodec_stream_writer_free, (NULL));
  VOID(polycodec_stream_writer_free, (not_stream_writer));

  BAD(polycodec_collection_open, (NULL, path, NULL, NULL, &collection, E));
  BAD(polycodec_collection_open, (registry, none, NULL, NULL, &collection, E));
  BAD(polycodec_collection_open, (registry, wild, NULL, NULL, &collection, E));
  BAD(polycodec_collection_open, (registry, path, &format, NULL, &collection, E));
  BAD(polycodec_collection_open, (registry, path, &short_format, NULL, &collection, E));
  BAD(polycodec_collection_open, (registry, path, NULL, &call, &collection, E));
  BAD(polycodec_collection_open, (registry, path, NULL, NULL, NULL, E));
  BAD(polycodec_collection_list, (NULL, sink, E));
  BAD(polycodec_collection_list, (not_collection, sink, E));
  BAD(polycodec_collection_read, (NULL, name, &value, E));
  BAD(polycodec_collection_read, (not_collection, name, &value, E));
  BAD(polycodec_collection_put, (NULL, name, value, 0, NULL, E));
  BAD(polycodec_collection_put, (not_collection, name, value, 0, NULL, E));
  BAD(polycodec_collection_put, (NULL, name, value, POLYCODEC_COLLECTION_REPLACE, NULL, E));
  BAD(polycodec_collection_put,
      (not_collection, name, value, POLYCODEC_COLLECTION_REPLACE, NULL, E));
  VOID(polycodec_collection_free, (NULL));
  VOID(polycodec_collection_free, (not_collection));

  BAD(polycodec_decode, (NULL, source, NULL, NULL, &value, NULL, E));
  BAD(polycodec_decode, (registry, NULL, NULL, NULL, &value, NULL, E));
  BAD(polycodec_decode, (registry, source, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_decode, (registry, source, NULL, NULL, &value, NULL, E));
  BAD(polycodec_decode, (registry, source, &format, NULL, &value, NULL, E));
  BAD(polycodec_decode, (registry, source, NULL, &call, &value, NULL, E));
  BAD(polycodec_decode, (registry, source, NULL, &long_call, &value, NULL, E));
  BAD(polycodec_decode, (registry, source, NULL, &odd_call, &value, NULL, E));
  BAD(polycodec_decode, (registry, source, NULL, NULL, &value, &short_match, E));
  BAD(polycodec_encode_file, (NULL, value, path, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_encode_file, (registry, NULL, path, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_encode_file, (registry, value, path, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_encode_file, (registry, value, path, &format, NULL, NULL, NULL, E));
  BAD(polycodec_encode_file, (registry, value, path, NULL, NULL, &write, NULL, E));
  BAD(polycodec_convert, (NULL, source, NULL, path, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_convert, (registry, NULL, NULL, path, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_convert, (registry, source, NULL, path, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_convert, (registry, source, &short_format, path, NULL, NULL, NULL, NULL, E));
  BAD(polycodec_convert, (registry, source, NULL, path, &short_format, NULL, NULL, NULL, E));

  BAD(polycodec_store_open, (NULL, source, &store, E));
  BAD(polycodec_store_open, (registry, source, &store, E));
  BAD(polycodec_store_open, (registry, not_source, &store, E));
  BAD(polycodec_store_open, (registry, source, NULL, E));
  BAD(polycodec_store_from_memory, (NULL, NULL, 1, &store, E));
  BAD(polycodec_store_from_memory, (&name, NULL, 1, &store, E));
  BAD(polycodec_store_from_memory, (&path, &name, 1, &store, E));
  BAD(polycodec_store_from_memory, (NULL, NULL, 0, NULL, E));
  BAD(polycodec_store_edit, (NULL, path, none, POLYCODEC_STORE_NEW, NULL, &writer, E));
  BAD(polycodec_store_edit, (registry, path, name, POLYCODEC_STORE_NEW, NULL, &writer, E));
  BAD(polycodec_store_edit, (registry, path, none, POLYCODEC_STORE_NEW, NULL, NULL, E));
  BAD(polycodec_store_edit, (registry, path, none, POLYCODEC_STORE_NEW, &write, &writer, E));
  BAD(polycodec_store_edit, (NULL, path, none, 0, NULL, &writer, E));
  BAD(polycodec_store_edit, (registry, wild, none, 0, NULL, &writer, E));
  BAD(polycodec_store_edit, (registry, path, none, 0, NULL, NULL, E));

  CALL(polycodec_value_root, (NULL), polycodec_value_root(NULL) == NULL);
  CALL(polycodec_value_root, (other), polycodec_value_root(not_value) == NULL);
  CALL(polycodec_value_is_partial, (NULL), polycodec_value_is_partial(NULL) == 0);
  CALL(polycodec_value_retain, (NULL), polycodec_value_retain(NULL) == NULL);
  VOID(polycodec_value_release, (NULL));
  VOID(polycodec_value_release, (not_value));
  BAD(polycodec_value_find, (NULL, text("$"), &item, E));
  BAD(polycodec_value_find, (value, text("$"), NULL, E));
  for (int i = 0; i < 7; ++i) {
    const char* const wrong[] = {"",      "$.", "name.", "$[", "$[\"x", "$[99999999999999999999]",
                                 "$.name"};
    BAD(polycodec_value_find, (value, text(wrong[i]), &item, E));
  }
  BAD_BY(polycodec_value_part, part_of_node, (NULL, polycodec_value_root(value), &value, E));
  BAD_BY(polycodec_value_part, part_of_node, (value, polycodec_value_root(value), NULL, E));
  BAD_BY(polycodec_value_part, rows_of, (value, NULL, 0, 1, &value, E));
  BAD_BY(polycodec_value_part, part_of_node, (value, &not_of_it, &value, E));
  BAD(polycodec_value_keep, (value, value, E));
  BAD(polycodec_value_keep, (value, NULL, E));
  BAD(polycodec_value_numbers, (NULL, text("$"), POLYCODEC_DTYPE_INT64, NULL, 0, NULL, &n, E));
  BAD(polycodec_value_numbers, (value, none, POLYCODEC_DTYPE_INT64, NULL, 0, NULL, &n, E));
  BAD(polycodec_value_numbers, (value, text("$"), 200, NULL, 0, NULL, &n, E));
  BAD(polycodec_value_numbers, (value, text("$"), POLYCODEC_DTYPE_INT64, NULL, 1, NULL, &n, E));
  BAD(polycodec_value_numbers, (value, text("$"), POLYCODEC_DTYPE_INT64, NULL, 0, NULL, NULL, E));
  BAD(polycodec_value_times, (NULL, text("$"), POLYCODEC_UNIT_SECOND, NULL, 0, NULL, &n, E));
  BAD(polycodec_value_times, (value, text("$"), 99, NULL, 0, NULL, &n, E));
  BAD(polycodec_value_times, (value, text("$"), POLYCODEC_UNIT_SECOND, NULL, 1, NULL, &n, E));
  BAD(polycodec_value_times, (value, text("$"), POLYCODEC_UNIT_SECOND, NULL, 0, NULL, NULL, E));
  BAD(polycodec_value_texts, (NULL, text("$"), sink, NULL, 0, NULL, &n, E));
  BAD(polycodec_value_texts, (value, text("$"), NULL, NULL, 0, NULL, &n, E));
  BAD(polycodec_value_texts, (value, text("$"), &foreign_sink, NULL, 0, NULL, &n, E));
  BAD(polycodec_value_texts, (value, text("$"), sink, NULL, 1, NULL, &n, E));
  BAD(polycodec_value_texts, (value, text("$"), sink, NULL, 0, NULL, NULL, E));
  BAD(polycodec_value_create, (0, NULL, &arena, E));
  BAD(polycodec_value_create, (0, &value, NULL, E));
  BAD(polycodec_node_check, (NULL, NULL, NULL, 0, E));
  BAD(polycodec_node_check, (polycodec_value_root(value), NULL, NULL, 1, E));
  BAD(polycodec_node_check, (polycodec_value_root(value), NULL, &none, 1, E));
  BAD(polycodec_value_finish, (NULL, node, E));
  BAD(polycodec_value_finish, (value, NULL, E));
  BAD(polycodec_value_finish, (value, polycodec_value_root(value), E));
  BAD(polycodec_value_parse, (NULL, text("[1,"), none, &value, E));
  BAD(polycodec_value_parse, (NULL, text("1"), text("no such type"), &value, E));
  BAD(polycodec_value_parse, (not_registry, text("1"), none, &value, E));
  BAD(polycodec_value_parse, (NULL, text("1"), none, NULL, E));
  BAD(polycodec_value_print, (NULL, NULL, NULL, sink, E));
  const polycodec_text_options odd_text = {.struct_size = sizeof odd_text, .flags = 64};
  BAD(polycodec_value_print, (value, NULL, &odd_text, sink, E));
  const polycodec_text_options both = {.struct_size = sizeof both,
                                       .flags = POLYCODEC_TEXT_PLAIN | POLYCODEC_TEXT_EXACT};
  BAD(polycodec_value_print, (value, NULL, &both, sink, E));
  BAD(polycodec_value_print, (value, NULL, NULL, NULL, E));
  BAD(polycodec_value_type, (NULL, NULL, sink, E));
  BAD(polycodec_value_type, (value, NULL, NULL, E));
  BAD(polycodec_type_describe, (NULL, text("no such type"), 0, &value, E));
  BAD(polycodec_type_describe, (NULL, none, 0, &value, E));
  BAD(polycodec_type_describe, (not_registry, text("int64"), 0, &value, E));
  BAD(polycodec_type_describe, (NULL, text("int64"), 0, NULL, E));
  polycodec_compare_options compare = {.struct_size = sizeof compare, .flags = 1u << 20};
  BAD(polycodec_value_compare, (NULL, value, NULL, &n, NULL, E));
  BAD(polycodec_value_compare, (value, NULL, NULL, &n, NULL, E));
  BAD(polycodec_value_compare, (value, value, &compare, &n, NULL, E));
  compare.flags = 0;
  compare.absolute = 1; /* without max_groups */
  BAD(polycodec_value_compare, (value, value, &compare, &n, NULL, E));
  compare.struct_size = 3;
  BAD(polycodec_value_compare, (value, value, &compare, &n, NULL, E));
  BAD(polycodec_value_compare, (value, value, NULL, NULL, NULL, E));
  BAD(polycodec_value_compare, (value, value, NULL, &n, &foreign_sink, E));
  BAD(polycodec_value_address, (NULL, value, 0, digest, NULL, E));
  BAD(polycodec_value_address, (registry, NULL, 0, digest, NULL, E));
  BAD(polycodec_value_address, (registry, value, 7, digest, NULL, E));
  BAD(polycodec_value_address, (registry, value, 0, digest, NULL, E)); /* no codec is installed */
  BAD(polycodec_value_address, (registry, value, 0, NULL, NULL, E));

  struct ArrowSchema arrow_schema = {.release = NULL};
  struct ArrowArray arrow_array = {.release = NULL};
  struct ArrowArrayStream arrow_stream = {.release = NULL};
  struct DLManagedTensor* tensor = NULL;
  struct DLManagedTensorVersioned* versioned = NULL;
  const polycodec_node stray = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  const polycodec_item stray_item = {&stray, NULL, 0};
  polycodec_exchange nothing = {.struct_size = sizeof nothing};
  polycodec_exchange half = {.struct_size = sizeof half, .schema = &arrow_schema};
  polycodec_exchange whole = {.struct_size = sizeof whole, .schema = &arrow_schema};
  polycodec_exchange streamed = {.struct_size = sizeof streamed, .stream = &arrow_stream};
  polycodec_exchange dense = {.struct_size = sizeof dense, .tensor = &tensor};
  polycodec_exchange odd = {.struct_size = sizeof odd, .flags = 8, .tensor = &tensor};
  polycodec_exchange named = {.struct_size = sizeof named, .versioned_tensor = &versioned};
  whole.array = &arrow_array;
  BAD(polycodec_value_export, (NULL, NULL, &whole, E));
  BAD(polycodec_value_export, (value, NULL, NULL, E));
  BAD(polycodec_value_export, (value, NULL, &nothing, E));
  BAD(polycodec_value_export, (value, NULL, &half, E));
  BAD(polycodec_value_export, (value, NULL, &odd, E));
  BAD(polycodec_value_export, (value, &stray_item, &whole, E));
  BAD(polycodec_value_export, (value, &stray_item, &streamed, E));
  BAD(polycodec_value_export, (value, &stray_item, &dense, E));
  BAD(polycodec_value_export, (value, NULL, &dense, E)); /* a list */
  BAD(polycodec_value_export, (not_value, NULL, &named, E));
  BAD(polycodec_value_import, (NULL, NULL, &value, E));
  BAD(polycodec_value_import, (&nothing, NULL, &value, E));
  BAD(polycodec_value_import, (&half, NULL, &value, E));
  BAD(polycodec_value_import, (&whole, NULL, &value, E)); /* released */
  BAD(polycodec_value_import, (&streamed, NULL, &value, E));
  BAD(polycodec_value_import, (&streamed, &limits, &value, E));
  BAD(polycodec_value_import, (&dense, NULL, &value, E)); /* no tensor */
  BAD(polycodec_value_import, (&named, NULL, &value, E));

  int released = 0;
  BAD(polycodec_value_to_frames, (NULL, &frames, E));
  BAD(polycodec_value_to_frames, (value, NULL, E));
  BAD(polycodec_value_from_frames, (NULL, 1, 0, &released, &release_nothing, NULL, &value, E));
  BAD(polycodec_value_from_frames, (pieces, 0, 0, &released, &release_nothing, NULL, &value, E));
  BAD(polycodec_value_from_frames, (&name, 1, 0, &released, &release_nothing, NULL, &value, E));
  BAD(polycodec_value_from_frames, (&wild, 1, 0, &released, &release_nothing, NULL, &value, E));
  BAD(polycodec_value_from_frames, (pieces, 1, 0, &released, &release_nothing, NULL, NULL, E));
  BAD(polycodec_value_from_frames, (pieces, 1, 0, &released, &release_nothing, &limits, &value, E));
  BAD(polycodec_value_from_frames,
      (NULL, 1, POLYCODEC_SOURCE_CHANGING, &released, &release_nothing, NULL, &value, E));
  BAD(polycodec_value_from_frames,
      (&wild, 1, POLYCODEC_SOURCE_CHANGING, &released, &release_nothing, NULL, &value, E));
  CHECK(released == (list_only ? 0 : 16));

  BAD(polycodec_schema_parse, (NULL, text("{]"), &schema, E));
  BAD(polycodec_schema_parse, (not_registry, text("{}"), &schema, E));
  BAD(polycodec_schema_parse, (NULL, text("{}"), NULL, E));
  BAD(polycodec_schema_infer, (NULL, NULL, &schema, E));
  BAD(polycodec_schema_infer, (value, NULL, NULL, E));
  CALL(polycodec_schema_retain, (NULL), polycodec_schema_retain(NULL) == NULL);
  VOID(polycodec_schema_release, (NULL));
  VOID(polycodec_schema_release, (not_schema));
  BAD(polycodec_schema_print, (NULL, NULL, sink, E));
  BAD(polycodec_schema_print, (not_schema, NULL, sink, E));
  BAD(polycodec_schema_validate, (NULL, value, NULL, &n, NULL, E));
  BAD(polycodec_schema_normalize, (NULL, value, NULL, &value, E));
  BAD(polycodec_units_convert, (text("m"), text("kg"), NULL, 0, E));
  BAD(polycodec_units_convert, (text("m"), text("cm"), NULL, 1, E));
  BAD(polycodec_units_convert, (wild, text("cm"), NULL, 0, E));
  BAD(polycodec_units_canonical, (text("no such unit"), sink, E));
  BAD(polycodec_units_canonical, (text("m"), NULL, E));

  BAD(polycodec_channel_open, (NULL, none, NULL, &channel, E));
  BAD(polycodec_channel_open, (registry, text("{\"what\": 1}"), NULL, &channel, E));
  BAD(polycodec_channel_open, (registry, text("{\"dialect\": \"no\"}"), NULL, &channel, E));
  BAD(polycodec_channel_open, (registry, none, NULL, NULL, E));
  VOID(polycodec_channel_free, (NULL));
  VOID(polycodec_channel_free, (not_channel));
  BAD(polycodec_channel_pack, (NULL, value, none, &message, E));
  BAD(polycodec_channel_pack, (channel, not_value, none, &message, E));
  BAD(polycodec_channel_pack, (channel, value, text("[]"), &message, E));
  BAD(polycodec_channel_pack, (channel, value, none, &message, E)); /* no codec is installed */
  BAD(polycodec_channel_pack, (channel, value, none, NULL, E));
  BAD(polycodec_message_part, (NULL, 0, &pieces, &n, E));
  BAD(polycodec_message_part, (not_message, 0, &pieces, &n, E));
  VOID(polycodec_message_free, (NULL));
  VOID(polycodec_message_free, (not_message));
  BAD(polycodec_channel_feed, (NULL, none, 0, E));
  BAD(polycodec_channel_feed, (channel, wild, 0, E));
  BAD(polycodec_channel_next, (NULL, &value, &number, NULL, E));
  BAD(polycodec_channel_next, (channel, NULL, &number, NULL, E));
  BAD(polycodec_channel_next, (channel, &value, NULL, NULL, E));
  BAD(polycodec_channel_unpack, (NULL, source, &value, &number, NULL, E));
  BAD(polycodec_channel_unpack, (channel, NULL, &value, &number, NULL, E));
  BAD(polycodec_channel_unpack, (channel, source, NULL, &number, NULL, E));
  BAD(polycodec_channel_unpack, (channel, source, &value, &number, NULL, E));

  polycodec_message_free(frames);
  polycodec_channel_free(channel);
  polycodec_sink_free(sink);
  polycodec_source_release(source);
  polycodec_value_release(value);
  polycodec_registry_release(registry);
  if (list_only)
    for (int i = 0; i < n_names; ++i) puts(names[i]);
  if (failures != 0) fprintf(stderr, "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
