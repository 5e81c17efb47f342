/* SPDX-License-Identifier: MIT
 * Values through host.h: built, printed, compared, found by path, sent as frames, by Arrow and
 * DLPack, validated, and kept in stores. Usage: values DIRECTORY
 * [addresses], where files may be written; with a codec for content addresses the second. */
#include "check.h"

#include <stdlib.h>

int failures;

static char buffer[65536];
static const char* where;

static const char* file(const char* name) {
  static char path[2048];
  snprintf(path, sizeof path, "%s/%s", where, name);
  return path;
}

static polycodec_value* parsed(const char* json) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = NULL;
  const polycodec_bytes none = {NULL, 0};
  OK(polycodec_value_parse(NULL, text(json), none, &value, &error));
  return value;
}

static const char* printed(const polycodec_value* value, polycodec_sink* sink) {
  polycodec_error error = {.struct_size = sizeof error};
  OK(polycodec_value_print(value, NULL, plain(), sink, &error));
  return taken(sink, buffer, sizeof buffer);
}

static void count(void* counter) {
  ++*(int*)counter;
}

static const double numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};

/* An array that views memory of the program, adopted by the arena. */
static polycodec_value* built(int* released, uint64_t n, const double* items) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = NULL;
  polycodec_arena* arena = NULL;
  OK(polycodec_value_create(0, &value, &arena, &error));
  const polycodec_bytes extent = {items, 8 * n};
  OK(arena->adopt(arena, released, &count, &extent, 1, &error));
  polycodec_array* array = polycodec_arena_alloc(arena, sizeof *array, 8, &error);
  int64_t* shape = polycodec_arena_alloc(arena, 16, 8, &error);
  polycodec_node* root = polycodec_arena_alloc(arena, sizeof *root, 8, &error);
  shape[0] = (int64_t)n;
  shape[1] = 8;
  memset(array, 0, sizeof *array);
  array->struct_size = sizeof *array;
  array->dtype = POLYCODEC_DTYPE_FLOAT64;
  array->length = n;
  array->data = array->buffer = items;
  array->buffer_size = 8 * n;
  array->ndim = 1;
  array->item_size = 8;
  array->shape = shape;
  array->strides = shape + 1;
  *root = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
  root->as.array = array;
  OK(polycodec_value_finish(value, root, &error));
  return value;
}

static void test_building(polycodec_sink* sink) {
  polycodec_error error = {.struct_size = sizeof error};
  int released = 0;
  polycodec_value* value = built(&released, 8, numbers);
  CHECK(strcmp(printed(value, sink), "[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]") == 0);
  FAILS(POLYCODEC_ERROR_INVALID,
        polycodec_value_finish(value, polycodec_value_root(value), &error));
  polycodec_value_release(value);
  CHECK(released == 1);
  /* Memory that the arena does not own is refused, and so is a value that breaks a rule. */
  polycodec_arena* arena = NULL;
  static const char stray[] = "static text";
  OK(polycodec_value_create(0, &value, &arena, &error));
  polycodec_node* root = polycodec_arena_alloc(arena, sizeof *root, 8, &error);
  *root = polycodec_node_make(POLYCODEC_KIND_STRING, 0, sizeof stray - 1);
  root->as.data = stray;
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_value_finish(value, root, &error));
  CHECK(strstr(error.message, "adopt") != NULL);
  *root = polycodec_node_make(200, 0, 0);
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_value_finish(value, root, &error));
  *root = polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0);
  OK(polycodec_value_finish(value, root, &error));
  polycodec_value_release(value);
}

static void test_columns(polycodec_sink* sink) {
  polycodec_error error = {.struct_size = sizeof error};
  /* The same rows as columns and as objects of several types. */
  polycodec_value* values[] = {
      parsed("{\"type\": \"{p: 3 * {x: ?float32, y: 2 * int8}}\", \"value\": {\"p\": ["
             "{\"x\": 1.5, \"y\": [1, 2]}, {\"x\": null, \"y\": [3, 4]}, "
             "{\"x\": -2, \"y\": [5, 6]}]}}"),
      parsed("{\"p\": [{\"y\": [1, 2], \"x\": 1.5}, {\"x\": null, \"y\": [3.0, 4]}, "
             "{\"y\": [5, 6], \"x\": -2}]}")};
  for (int i = 0; i < 2; ++i) {
    polycodec_value* value = values[i];
    uint64_t n = 0;
    double x[3];
    uint8_t present[3];
    OK(polycodec_value_numbers(value, text("p.x"), POLYCODEC_DTYPE_FLOAT64, NULL, 0, present, &n,
                               &error));
    CHECK(n == 3);
    OK(polycodec_value_numbers(value, text("p.x"), POLYCODEC_DTYPE_FLOAT64, x, 3, present, &n,
                               &error));
    CHECK(n == 3 && x[0] == 1.5 && x[1] == 0 && x[2] == -2);
    CHECK(present[0] == 1 && present[1] == 0 && present[2] == 1);
    FAILS(POLYCODEC_ERROR_RANGE,
          polycodec_value_numbers(value, text("p.x"), POLYCODEC_DTYPE_FLOAT64, x, 3, NULL, &n,
                                  &error));
    CHECK(strcmp(error.path, "$.p[1].x") == 0 && strstr(error.message, "missing") != NULL);
    FAILS(POLYCODEC_ERROR_RANGE, polycodec_value_numbers(value, text("p.x"), POLYCODEC_DTYPE_UINT8,
                                                         x, 3, present, &n, &error));
    CHECK(strcmp(error.path, "$.p[0].x") == 0);
    int64_t y[4] = {0, 0, 0, -1};
    OK(polycodec_value_numbers(value, text("$.p.y"), POLYCODEC_DTYPE_INT64, y, 3, NULL, &n,
                               &error));
    CHECK(n == 6 && y[0] == 1 && y[2] == 3 && y[3] == -1);
    OK(polycodec_value_numbers(value, text("p[2].y[1]"), POLYCODEC_DTYPE_INT64, y, 3, NULL, &n,
                               &error));
    CHECK(n == 1 && y[0] == 6);
    FAILS(
        POLYCODEC_ERROR_NOT_FOUND,
        polycodec_value_numbers(value, text("p.z"), POLYCODEC_DTYPE_INT64, y, 3, NULL, &n, &error));
    CHECK(strcmp(error.path, "$.p[0]") == 0 && strstr(error.message, "'x'") != NULL);
    FAILS(POLYCODEC_ERROR_NOT_FOUND,
          polycodec_value_numbers(value, text("p[3]"), POLYCODEC_DTYPE_INT64, y, 3, NULL, &n,
                                  &error));
    FAILS(POLYCODEC_ERROR_TYPE,
          polycodec_value_numbers(value, text("p"), POLYCODEC_DTYPE_INT64, y, 3, NULL, &n, &error));
    CHECK(strcmp(error.path, "$.p[0]") == 0);
    polycodec_value_release(value);
  }

  /* Any byte order, and numbers from a dictionary. */
  polycodec_value* other = parsed(
      "{\"type\": \"{t: 2 * datetime[unit='ms'], d: 2 * timedelta[unit='s'], s: 3 * ?string}\", "
      "\"value\": {\"t\": [{\"$datetime\": \"2001-02-03T04:05:06.007Z\"}, {\"$datetime\": "
      "\"1969-12-31T23:59:59.999Z\"}], "
      "\"d\": [{\"$timedelta\": [90, \"s\"]}, {\"$timedelta\": [-1, \"s\"]}], \"s\": [\"a\", null, "
      "\"\u00e4b\"]}}");
  uint64_t n = 0, ends[3];
  int64_t t[2];
  uint8_t present[3];
  OK(polycodec_value_times(other, text("t"), POLYCODEC_UNIT_MICROSECOND, t, 2, NULL, &n, &error));
  CHECK(n == 2 && t[0] == INT64_C(981173106007000) && t[1] == -1000);
  FAILS(POLYCODEC_ERROR_RANGE,
        polycodec_value_times(other, text("t"), POLYCODEC_UNIT_SECOND, t, 2, NULL, &n, &error));
  OK(polycodec_value_times(other, text("d"), POLYCODEC_UNIT_SECOND, t, 2, NULL, &n, &error));
  CHECK(n == 2 && t[0] == 90 && t[1] == -1);
  OK(polycodec_sink_reset(sink, &error));
  OK(polycodec_value_texts(other, text("s"), sink, ends, 3, present, &n, &error));
  polycodec_bytes all;
  OK(polycodec_sink_bytes(sink, &all, &error));
  CHECK(n == 3 && all.size == 4 && memcmp(all.data, "a\xc3\xa4\x62", 4) == 0);
  CHECK(ends[0] == 1 && ends[1] == 1 && ends[2] == 4 && present[1] == 0 && present[2] == 1);
  FAILS(POLYCODEC_ERROR_TYPE,
        polycodec_value_texts(other, text("d"), sink, ends, 3, present, &n, &error));
  CHECK(strcmp(error.path, "$.d[0]") == 0);
  polycodec_value_release(other);
}

static void test_types(polycodec_sink* sink) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* type = NULL;
  OK(polycodec_type_describe(NULL, text("3*{x:?float32,'a b':(string,datetime[unit='ms'])}"), 0,
                             &type, &error));
  CHECK(strcmp(printed(type, sink),
               "{\"type\": \"3 * {x: ?float32, 'a b': (string, datetime[unit='ms'])}\", "
               "\"concrete\": true, \"kind\": \"fixed\", \"size\": 3, \"items\": [{\"kind\": "
               "\"record\", \"names\": [\"x\", \"a b\"], \"items\": [{\"kind\": \"option\", "
               "\"items\": [{\"kind\": \"scalar\", \"dtype\": \"float32\"}]}, {\"kind\": "
               "\"tuple\", \"items\": [{\"kind\": \"string\"}, {\"kind\": \"datetime\", "
               "\"unit\": \"ms\"}]}]}]}") == 0);
  polycodec_value_release(type);
  OK(polycodec_type_describe(NULL, text("annotated[fixed_string[8, 'utf16'], units='cm']"), 0,
                             &type, &error));
  CHECK(strstr(printed(type, sink),
               "\"kind\": \"annotated\", \"items\": [{\"kind\": \"fixed_string\", \"size\": 8, "
               "\"encoding\": \"utf16\"}], \"annotations\": {\"units\": \"cm\"}") != NULL);
  polycodec_value_release(type);
  OK(polycodec_type_describe(NULL, text("N * T"), 0, &type, &error));
  CHECK(strstr(printed(type, sink),
               "\"concrete\": false, \"kind\": \"dim_variable\", "
               "\"name\": \"N\", \"items\": [{\"kind\": \"variable\", "
               "\"name\": \"T\"}]") != NULL);
  polycodec_value_release(type);
  FAILS(POLYCODEC_ERROR_MALFORMED, polycodec_type_describe(NULL, text("{x: }"), 0, &type, &error));
  CHECK(error.offset == 4);
  OK(polycodec_type_describe(NULL, text("fixed_string[8, 'utf16']"), POLYCODEC_TYPE_STRICT, &type,
                             &error));
  polycodec_value_release(type);
  FAILS(POLYCODEC_ERROR_MALFORMED,
        polycodec_type_describe(NULL, text("annotated[float64, units='cm']"), POLYCODEC_TYPE_STRICT,
                                &type, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_type_describe(NULL, text("int8"), 2, &type, &error));
}

static void test_node_check(void) {
  polycodec_error error = {.struct_size = sizeof error};
  static const char word[] = "word";
  polycodec_node nodes[2];
  nodes[0] = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 1);
  nodes[0].as.nodes = nodes + 1;
  nodes[1] = polycodec_node_make(POLYCODEC_KIND_STRING, 0, 4);
  nodes[1].as.data = word;
  OK(polycodec_node_check(nodes, NULL, NULL, 0, &error));
  const polycodec_bytes regions[] = {{nodes, sizeof nodes}, {word, sizeof word}};
  OK(polycodec_node_check(nodes, NULL, regions, 2, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_node_check(nodes, NULL, regions, 1, &error));
  CHECK(strcmp(error.path, "$[0]") == 0 && strstr(error.message, "regions") != NULL);
  nodes[1].as.data = "w\xff\xfe.";
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_node_check(nodes, NULL, NULL, 0, &error));
  CHECK(strcmp(error.path, "$[0]") == 0);
  polycodec_limits limits = {.struct_size = sizeof limits, .max_nodes = 1};
  FAILS(POLYCODEC_ERROR_LIMIT, polycodec_node_check(nodes, &limits, NULL, 0, &error));
}

/* A part of a value as JSON, in a place of its own. */
static const char* text_of_item(const polycodec_value* value, const polycodec_item* item) {
  static char said[1024];
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_value_print(value, item, plain(), sink, &error));
  taken(sink, said, sizeof said);
  polycodec_sink_free(sink);
  return said;
}

static void test_paths(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = parsed(
      "{\"type\": \"{list: (int64, string), rows: 2 * {x: float64, y: int32}}\","
      "\"value\": {\"list\": [1, \"two\"], \"rows\": [{\"x\": 1.5, \"y\": 2}, {\"x\": 2.5, \"y\": "
      "3}]}}");
  polycodec_item item = {NULL, NULL, 0};
  OK(polycodec_value_find(value, text("$"), &item, &error));
  CHECK(item.node == polycodec_value_root(value) && item.array == NULL);
  OK(polycodec_value_find(value, text("$.list[1]"), &item, &error));
  CHECK(item.node != NULL && item.node->kind == POLYCODEC_KIND_STRING);
  OK(polycodec_value_find(value, text("$[\"rows\"].x"), &item, &error));
  CHECK(item.node == NULL && ((const double*)item.array->data)[0] == 1.5);
  CHECK(item.index == POLYCODEC_WHOLE);
  const polycodec_array* column = item.array;
  OK(polycodec_value_find(value, text("rows.x"), &item, &error));
  CHECK(item.node == NULL && item.array == column);
  /* Items of arrays, and members of a row. */
  OK(polycodec_value_find(value, text("rows[1]"), &item, &error));
  CHECK(item.node == NULL && item.index == 1);
  CHECK(strcmp(text_of_item(value, &item), "{\"x\": 2.5, \"y\": 3}") == 0);
  OK(polycodec_value_find(value, text("rows[1].x"), &item, &error));
  CHECK(item.array == column && item.index == 1);
  CHECK(strcmp(text_of_item(value, &item), "2.5") == 0);
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_value_find(value, text("rows[2]"), &item, &error));
  CHECK(strcmp(error.path, "$.rows") == 0);
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_value_find(value, text("$.rows.z"), &item, &error));
  CHECK(strcmp(error.path, "$.rows") == 0 && strstr(error.message, "'x', 'y'") != NULL);
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_value_find(value, text("$.list[2]"), &item, &error));
  polycodec_value_release(value);

  value = parsed("{\"type\": \"3 * var * ?int32\", \"value\": [[1, null], [], [2, 3]]}");
  OK(polycodec_value_find(value, text("[2][1]"), &item, &error));
  CHECK(strcmp(text_of_item(value, &item), "3") == 0);
  OK(polycodec_value_find(value, text("[0][1]"), &item, &error));
  CHECK(item.node == NULL && item.array == NULL); /* missing */
  CHECK(strcmp(text_of_item(value, &item), "null") == 0);
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_value_find(value, text("[1][0]"), &item, &error));
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_value_find(value, text("[0][1].x"), &item, &error));
  FAILS(POLYCODEC_ERROR_TYPE, polycodec_value_find(value, text("[0][0][0]"), &item, &error));
  polycodec_value_release(value);
}

/* Records that are picked from two chunks: the first has a column that is longer than itself, items
 * of the second may be missing. */
static const char chosen_records[] =
    "{\"type\": \"4 * ?{x: int64, y: string}\", \"value\": {\"$layout\": {\"layout\": "
    "\"indexed\", \"length\": 4, \"index\": {\"type\": \"4 * int64\", \"value\": [3, 0, -1, 2]}, "
    "\"children\": [{\"type\": \"4 * ?{x: int64, y: string}\", \"value\": {\"$layout\": "
    "{\"layout\": "
    "\"chunked\", \"length\": 4, \"children\": [{\"type\": \"2 * {x: int64, y: string}\", "
    "\"value\": "
    "{\"$layout\": {\"layout\": \"record\", \"length\": 2, \"names\": [\"x\", \"y\"], "
    "\"children\": "
    "[{\"type\": \"3 * int64\", \"value\": [1, 2, 9]}, {\"type\": \"2 * string\", \"value\": "
    "[\"a\", "
    "\"b\"]}]}}}, {\"type\": \"2 * ?{x: int64, y: string}\", \"value\": [null, {\"x\": 4, \"y\": "
    "\"d\"}]}]}}}]}}}";

/* Unions need no step of a path. */
static void test_paths_through_unions(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_item item = {NULL, NULL, 0};
  polycodec_value* value = parsed(
      "{\"type\": \"{u: union[void, {x: int64}], v: 2 * union[int32, {x: int64}]}\", \"value\": "
      "{\"u\": {\"$union\": [1, {\"x\": 5}]}, \"v\": [{\"$union\": [1, {\"x\": 6}]}, "
      "{\"$union\": [0, 7]}]}}");
  OK(polycodec_value_find(value, text("u.x"), &item, &error));
  CHECK(strcmp(text_of_item(value, &item), "5") == 0);
  OK(polycodec_value_find(value, text("v[0].x"), &item, &error));
  CHECK(strcmp(text_of_item(value, &item), "6") == 0);
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_value_find(value, text("v[1].x"), &item, &error));
  polycodec_value_release(value);
}

static void test_columns_of_choices(polycodec_sink* sink) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = parsed(chosen_records);
  polycodec_item item = {NULL, NULL, 0};
  OK(polycodec_value_find(value, text("x"), &item, &error));
  CHECK(item.node == NULL && item.index == POLYCODEC_WHOLE && item.array->length == 4);
  CHECK(strcmp(text_of_item(value, &item), "[4, 1, null, null]") == 0);
  const polycodec_array* column = item.array;
  OK(polycodec_value_find(value, text("$.x"), &item, &error));
  CHECK(item.array == column); /* made once */
  OK(polycodec_value_find(value, text("$.y[0]"), &item, &error));
  CHECK(strcmp(text_of_item(value, &item), "\"d\"") == 0);
  OK(polycodec_value_find(value, text("[1].x"), &item, &error));
  CHECK(strcmp(text_of_item(value, &item), "1") == 0);
  FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_value_find(value, text("$.z"), &item, &error));
  CHECK(strcmp(error.path, "$") == 0 && strstr(error.message, "'x', 'y'") != NULL);
  /* A part of the column, and one of that part, keep the value. */
  polycodec_value* part = NULL;
  polycodec_value* rest = NULL;
  item.node = NULL;
  item.array = column;
  item.index = POLYCODEC_WHOLE;
  OK(polycodec_value_part(value, &item, 0, UINT64_MAX, &part, &error));
  polycodec_value_release(value);
  const polycodec_item all = {NULL, polycodec_value_root(part)->as.array, POLYCODEC_WHOLE};
  OK(polycodec_value_part(part, &all, 1, 2, &rest, &error));
  polycodec_value_release(part);
  CHECK(strcmp(printed(rest, sink), "[1, null]") == 0);
  polycodec_value_release(rest);

  /* A column is as long as its record. */
  value = parsed(
      "{\"type\": \"2 * {x: int64, y: int64}\", \"value\": {\"$layout\": {\"layout\": "
      "\"record\", \"length\": 2, \"names\": [\"x\", \"y\"], \"children\": [{\"type\": \"3 * "
      "int64\", \"value\": [1, 2, 9]}, {\"type\": \"2 * int64\", \"value\": [3, 4]}]}}}");
  OK(polycodec_value_find(value, text("x"), &item, &error));
  CHECK(strcmp(text_of_item(value, &item), "[1, 2]") == 0);
  polycodec_value_release(value);
}

static void test_parts(polycodec_sink* sink) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = parsed(
      "{\"type\": \"3 * {x: float64, y: ?string, z: var * int32}\", \"value\": [{\"x\": 1.5, "
      "\"y\": null, \"z\": [1]}, {\"x\": 2.5, \"y\": \"b\", \"z\": [2, 3]}, {\"x\": 3.5, "
      "\"y\": \"c\", \"z\": []}]}");
  const polycodec_array* array = polycodec_value_root(value)->as.array;
  polycodec_value* rows = NULL;
  polycodec_value* item = NULL;
  polycodec_value* part = NULL;
  OK(rows_of(value, array, 1, UINT64_MAX, &rows, &error));
  OK(item_of(value, array, 1, &item, &error));
  FAILS(POLYCODEC_ERROR_NOT_FOUND, item_of(value, array, 3, &part, &error));
  FAILS(POLYCODEC_ERROR_INVALID, part_of_node(value, polycodec_value_root(item), &part, &error));
  polycodec_value_release(value); /* the parts keep it */
  CHECK(polycodec_value_root(rows)->as.array->length == 2);
  CHECK(strcmp(printed(item, sink), "{\"x\": 2.5, \"y\": \"b\", \"z\": [2, 3]}") == 0);
  OK(part_of_node(item, &polycodec_value_root(item)->as.nodes[5], &part, &error));
  polycodec_value_release(item);
  CHECK(strcmp(printed(part, sink), "[2, 3]") == 0);

  /* Ranges of lists, and what has none. */
  polycodec_value* all = parsed("[1, \"two\", [3], 4]");
  OK(polycodec_value_part(all, NULL, 1, 2, &item, &error));
  CHECK(strcmp(printed(item, sink), "[\"two\", [3]]") == 0);
  polycodec_value_release(item);
  OK(polycodec_value_part(all, NULL, 3, 100, &item, &error));
  CHECK(strcmp(printed(item, sink), "[4]") == 0);
  polycodec_value_release(item);
  OK(polycodec_value_part(all, NULL, 9, 1, &item, &error));
  CHECK(strcmp(printed(item, sink), "[]") == 0);
  polycodec_value_release(item);
  const polycodec_item two = {polycodec_value_root(all)->as.nodes + 1, NULL, 0};
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_value_part(all, &two, 0, 1, &item, &error));
  polycodec_value_release(all);

  polycodec_value* list = NULL;
  polycodec_arena* arena = NULL;
  OK(polycodec_value_create(0, &list, &arena, &error));
  polycodec_node* root = polycodec_arena_alloc(arena, sizeof *root, 8, &error);
  *root = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 1);
  root->as.nodes = polycodec_value_root(part);
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_value_finish(list, root, &error));
  OK(polycodec_value_keep(list, part, &error));
  OK(polycodec_value_finish(list, root, &error));
  polycodec_value_release(part);
  CHECK(strcmp(printed(list, sink), "[[2, 3]]") == 0);
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_value_keep(list, rows, &error));
  polycodec_value_release(list);
  polycodec_value_release(rows);
}

static void test_comparing(polycodec_sink* sink) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* a = parsed("{\"a\": 2}");
  polycodec_value* b = parsed("{\"a\": 2.0}");
  polycodec_compare_options options = {.struct_size = sizeof options};
  uint64_t n = 99;
  OK(polycodec_value_compare(a, b, NULL, &n, sink, &error));
  CHECK(n == 1 && strstr(taken(sink, buffer, sizeof buffer), "\"path\":\"$.a\"") != NULL);
  options.flags = POLYCODEC_COMPARE_NUMBERS;
  OK(polycodec_value_compare(a, b, &options, &n, NULL, &error));
  CHECK(n == 0);
  polycodec_value* c = parsed("{\"type\": \"4 * float64\", \"value\": [1, 2, 3, 4]}");
  polycodec_value* d = parsed("{\"type\": \"4 * float64\", \"value\": [1, 2.5, 3, 4.001]}");
  options.flags = 0;
  options.max_groups = 10;
  OK(polycodec_value_compare(c, d, &options, &n, sink, &error));
  taken(sink, buffer, sizeof buffer);
  CHECK(n == 2 && strstr(buffer, "{\"count\":2,\"groups\":[{\"pattern\":\"$[*]\"") != NULL);
  CHECK(strstr(buffer, "\"kind\":\"value\",\"count\":2") != NULL);
  CHECK(strstr(buffer, "\"deviation\":0.5") != NULL);
  options.absolute = 0.01;
  OK(polycodec_value_compare(c, d, &options, &n, NULL, &error));
  CHECK(n == 1);
  options.relative = 0.5;
  OK(polycodec_value_compare(c, d, &options, &n, NULL, &error));
  CHECK(n == 0);
  options.relative = -1;
  FAILS(POLYCODEC_ERROR_OPTION, polycodec_value_compare(c, d, &options, &n, NULL, &error));
  polycodec_value_release(c);
  polycodec_value_release(d);
  OK(polycodec_value_type(b, NULL, sink, &error));
  CHECK(strcmp(taken(sink, buffer, sizeof buffer), "{a: float64}") == 0);
  polycodec_value_release(a);
  polycodec_value_release(b);
}

static void test_frames(void) {
  polycodec_error error = {.struct_size = sizeof error};
  enum { n = 100000 };
  double* items = calloc(n, sizeof *items);
  int released = 0, taken_back = 0;
  polycodec_value* value = built(&released, n, items);
  polycodec_message* frames = NULL;
  const polycodec_bytes* pieces = NULL;
  uint64_t count_of = 0;
  OK(polycodec_value_to_frames(value, &frames, &error));
  OK(polycodec_message_part(frames, 0, &pieces, &count_of, &error));
  polycodec_value_release(value);
  CHECK(released == 0);
  CHECK(count_of == 2 && pieces[1].data == items && pieces[1].size == 8 * n);
  OK(polycodec_value_from_frames(pieces, count_of, 0, &taken_back, &count, NULL, &value, &error));
  CHECK(polycodec_value_root(value)->as.array->data == items);
  polycodec_limits limits = {.struct_size = sizeof limits, .max_input_bytes = 1000};
  polycodec_value* refused = NULL;
  FAILS(POLYCODEC_ERROR_LIMIT,
        polycodec_value_from_frames(pieces, count_of, 0, NULL, NULL, &limits, &refused, &error));
  polycodec_value_release(value);
  CHECK(taken_back == 1);
  polycodec_message_free(frames);
  CHECK(released == 1);
  free(items);
}

/* The frames of lists in memory that is overwritten: the lists stay what they were. */
static void test_frames_that_change(void) {
  polycodec_error error = {.struct_size = sizeof error};
  enum { n = 5000 };
  static const double numbers_of_lists[n];
  polycodec_value* value = NULL;
  polycodec_arena* arena = NULL;
  OK(polycodec_value_create(0, &value, &arena, &error));
  int64_t* const offsets =
      polycodec_arena_alloc(arena, (n + 1) * sizeof *offsets, sizeof *offsets, &error);
  polycodec_array* const arrays =
      polycodec_arena_alloc(arena, 2 * sizeof *arrays, sizeof(void*), &error);
  int64_t* const extents = polycodec_arena_alloc(arena, 2 * sizeof *extents, 8, &error);
  const polycodec_array** const children =
      polycodec_arena_alloc(arena, sizeof *children, sizeof(void*), &error);
  double* const items = polycodec_arena_alloc(arena, sizeof numbers_of_lists, 8, &error);
  polycodec_node* const root = polycodec_arena_alloc(arena, sizeof *root, 8, &error);
  CHECK(offsets && arrays && extents && children && items && root);
  memcpy(items, numbers_of_lists, sizeof numbers_of_lists);
  for (int64_t i = 0; i <= n; ++i) offsets[i] = i;
  memset(arrays, 0, 2 * sizeof *arrays);
  arrays[0].struct_size = arrays[1].struct_size = sizeof *arrays;
  arrays[0].layout = POLYCODEC_LAYOUT_LIST_OFFSETS;
  arrays[0].length = arrays[1].length = n;
  arrays[0].offsets.data = offsets;
  arrays[0].offsets.stride = sizeof *offsets;
  arrays[0].offsets.dtype = POLYCODEC_DTYPE_INT64;
  arrays[0].children = children;
  arrays[0].n_children = 1;
  children[0] = &arrays[1];
  arrays[1].layout = POLYCODEC_LAYOUT_NDARRAY;
  arrays[1].dtype = POLYCODEC_DTYPE_FLOAT64;
  arrays[1].item_size = 8;
  arrays[1].ndim = 1;
  arrays[1].data = arrays[1].buffer = items;
  arrays[1].buffer_size = sizeof numbers_of_lists;
  arrays[1].shape = extents;
  arrays[1].strides = extents + 1;
  extents[0] = n;
  extents[1] = 8;
  *root = polycodec_node_make(POLYCODEC_KIND_ARRAY, 0, 0);
  root->as.array = arrays;
  OK(polycodec_value_finish(value, root, &error));

  polycodec_message* frames = NULL;
  const polycodec_bytes* pieces = NULL;
  uint64_t n_pieces = 0;
  OK(polycodec_value_to_frames(value, &frames, &error));
  OK(polycodec_message_part(frames, 0, &pieces, &n_pieces, &error));
  CHECK(n_pieces == 3);
  for (int changes = 0; changes < 2; ++changes) {
    polycodec_bytes copies[3];
    for (int i = 0; i < 3; ++i) {
      copies[i].size = pieces[i].size;
      copies[i].data = malloc(pieces[i].size);
      memcpy((void*)copies[i].data, pieces[i].data, pieces[i].size);
    }
    polycodec_value* joined = NULL;
    OK(polycodec_value_from_frames(copies, 3, changes ? POLYCODEC_SOURCE_CHANGING : 0, NULL, NULL,
                                   NULL, &joined, &error));
    const polycodec_array* const lists = polycodec_value_root(joined)->as.array;
    int is_viewed = 0;
    for (int i = 0; i < 3; ++i) is_viewed = is_viewed || lists->offsets.data == copies[i].data;
    CHECK(is_viewed != changes);
    if (changes) {
      for (int i = 0; i < 3; ++i) memset((void*)copies[i].data, 0x7e, copies[i].size);
      polycodec_value* item = NULL;
      OK(item_of(joined, lists, n - 1, &item, &error));
      CHECK(polycodec_value_root(item)->as.array->length == 1);
      polycodec_value_release(item);
    }
    polycodec_value_release(joined);
    for (int i = 0; i < 3; ++i) free((void*)copies[i].data);
  }
  polycodec_message_free(frames);
  polycodec_value_release(value);
}

static void test_arrow_and_dlpack(void) {
  polycodec_error error = {.struct_size = sizeof error};
  int released = 0;
  polycodec_value* value = built(&released, 8, numbers);
  struct ArrowSchema schema;
  struct ArrowArray array;
  polycodec_exchange columns = {.struct_size = sizeof columns, .schema = &schema, .array = &array};
  OK(polycodec_value_export(value, NULL, &columns, &error));
  CHECK(array.length == 8 && array.buffers[1] == numbers);
  struct ArrowArrayStream stream;
  polycodec_exchange streamed = {.struct_size = sizeof streamed, .stream = &stream};
  OK(polycodec_value_export(value, NULL, &streamed, &error));
  polycodec_value* back = NULL;
  OK(polycodec_value_import(&streamed, NULL, &back, &error));
  polycodec_value_release(back);
  struct DLManagedTensor* tensor = NULL;
  struct DLManagedTensorVersioned* versioned = NULL;
  polycodec_exchange of_tensor = {.struct_size = sizeof of_tensor, .tensor = &tensor};
  polycodec_exchange of_versioned = {.struct_size = sizeof of_versioned};
  of_versioned.versioned_tensor = &versioned;
  const polycodec_item leaf = all_of(polycodec_value_root(value)->as.array);
  OK(polycodec_value_export(value, &leaf, &of_tensor, &error));
  OK(polycodec_value_export(value, NULL, &of_versioned, &error));
  const polycodec_item first = {NULL, leaf.array, 0};
  FAILS(POLYCODEC_ERROR_TYPE, polycodec_value_export(value, &first, &of_tensor, &error));
  columns.stream = &stream;
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_value_export(value, NULL, &columns, &error));
  columns.stream = NULL;
  polycodec_value_release(value);
  CHECK(released == 0);
  OK(polycodec_value_import(&columns, NULL, &value, &error));
  uint64_t differences = 1;
  OK(polycodec_value_import(&of_tensor, NULL, &back, &error));
  OK(polycodec_value_compare(value, back, NULL, &differences, NULL, &error));
  CHECK(differences == 0);
  polycodec_value_release(back);
  OK(polycodec_value_import(&of_versioned, NULL, &back, &error));
  CHECK(polycodec_value_root(back)->as.array->data == numbers);
  polycodec_value_release(back);
  CHECK(released == 0);
  polycodec_value_release(value);
  CHECK(released == 1);
}

static void test_schemas(polycodec_sink* sink) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_schema* schema = NULL;
  polycodec_value* value = parsed("{\"x\": 200}");
  OK(polycodec_schema_parse(
      NULL,
      text("{\"type\": \"object\", \"properties\": {\"x\": {\"maximum\": 100}, \"y\": "
           "{\"type\": \"integer\", \"default\": 7}, \"z\": {\"deprecated\": \"old\"}}}"),
      &schema, &error));
  uint64_t problems = 0;
  OK(polycodec_schema_validate(schema, value, NULL, &problems, sink, &error));
  CHECK(problems == 1 && strstr(taken(sink, buffer, sizeof buffer), "maximum") != NULL);
  polycodec_value_release(value);
  value =
      parsed("{\"x\": 2, \"long\": \"a text that the normalized value views and does not copy\"}");
  polycodec_value* normalized = NULL;
  OK(polycodec_schema_normalize(schema, value, NULL, &normalized, &error));
  polycodec_value_release(value);
  CHECK(strstr(printed(normalized, sink), "\"y\": 7") != NULL);
  polycodec_value_release(normalized);
  /* Without defaults, and with what is worth telling. */
  polycodec_schema_options options = {.struct_size = sizeof options,
                                      .defaults = POLYCODEC_DEFAULTS_NONE};
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &options.warnings, &error));
  value = parsed("{\"x\": 2, \"z\": 1}");
  OK(polycodec_schema_validate(schema, value, &options, &problems, sink, &error));
  CHECK(problems == 0 && strcmp(taken(sink, buffer, sizeof buffer), "[]") == 0);
  CHECK(strstr(taken(options.warnings, buffer, sizeof buffer), "\"$.z\"") != NULL);
  OK(polycodec_schema_normalize(schema, value, &options, &normalized, &error));
  CHECK(strstr(taken(options.warnings, buffer, sizeof buffer), "\"$.z\"") != NULL);
  CHECK(strstr(printed(normalized, sink), "\"y\"") == NULL);
  polycodec_value_release(normalized);
  options.rounding = 3;
  FAILS(POLYCODEC_ERROR_INVALID,
        polycodec_schema_normalize(schema, value, &options, &normalized, &error));
  options.rounding = POLYCODEC_ROUNDING_NONE;
  options.defaults = -1;
  FAILS(POLYCODEC_ERROR_INVALID,
        polycodec_schema_normalize(schema, value, &options, &normalized, &error));
  options.defaults = POLYCODEC_DEFAULTS_REQUIRED;
  OK(polycodec_schema_normalize(schema, value, &options, &normalized, &error));
  polycodec_value_release(value);
  polycodec_sink_free(options.warnings);
  options.warnings = NULL;
  options.flags = 2;
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_schema_infer(normalized, &options, &schema, &error));
  polycodec_schema_release(schema);
  value = parsed("[\"ab\"]");
  options.flags = POLYCODEC_SCHEMA_MINIMAL;
  options.indent = 2;
  OK(polycodec_schema_infer(value, &options, &schema, &error));
  OK(polycodec_schema_print(schema, &options, sink, &error));
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "{\n  \"type\"") == buffer);
  polycodec_schema_release(schema);
  polycodec_value_release(value);
  OK(polycodec_schema_infer(normalized, NULL, &schema, &error));
  OK(polycodec_schema_print(schema, NULL, sink, &error));
  CHECK(strstr(taken(sink, buffer, sizeof buffer), "\"properties\"") != NULL);
  CHECK(polycodec_schema_retain(schema) == schema);
  polycodec_schema_release(schema);
  polycodec_schema_release(schema);
  polycodec_value_release(normalized);
  double lengths[] = {1, 2.5};
  OK(polycodec_units_convert(text("m"), text("cm"), lengths, 2, &error));
  CHECK(lengths[0] == 100 && lengths[1] == 250);
  FAILS(POLYCODEC_ERROR_TYPE, polycodec_units_convert(text("m"), text("kg"), lengths, 2, &error));
  OK(polycodec_units_canonical(text("kg m/s2"), sink, &error));
  CHECK(strcmp(taken(sink, buffer, sizeof buffer), "kg*m*(s**-2)") == 0);
}

static void test_stores(void) {
  polycodec_error error = {.struct_size = sizeof error};
  const polycodec_registry_options options = {.struct_size = sizeof options,
                                              .flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT};
  polycodec_registry* registry = NULL;
  polycodec_store_writer* writer = NULL;
  polycodec_sink* blob = NULL;
  const polycodec_bytes none = {NULL, 0};
  char archive[2048];
  snprintf(archive, sizeof archive, "%s", file("blobs.zip"));
  remove(archive);
  OK(polycodec_registry_open(&options, &registry, &error));
  OK(polycodec_store_edit(registry, text(archive), text("zip"), POLYCODEC_STORE_NEW, NULL, &writer,
                          &error));
  OK(writer->begin_blob(writer, NULL, text("a"), none, &blob, &error));
  OK(polycodec_sink_put(blob, "first", 5, &error));
  OK(writer->commit(writer, NULL, &error));
  writer->release(writer);
  OK(polycodec_store_edit(registry, text(archive), none, 0, NULL, &writer, &error));
  CHECK(writer->base != NULL && writer->base->count(writer->base) == 1);
  OK(writer->begin_blob(writer, NULL, text("b"), none, &blob, &error));
  OK(polycodec_sink_put(blob, "second", 6, &error));
  OK(writer->commit(writer, NULL, &error));
  writer->release(writer);
  /* Without commit() nothing changes. */
  OK(polycodec_store_edit(registry, text(archive), none, 0, NULL, &writer, &error));
  OK(writer->remove(writer, NULL, 0, none, &error));
  writer->release(writer);
  polycodec_source* source = NULL;
  const polycodec_store* store = NULL;
  OK(from_path(text(archive), 0, NULL, &source, &error));
  OK(polycodec_store_open(registry, source, &store, &error));
  polycodec_source_release(source);
  CHECK(store->count(store) == 2);
  polycodec_store_entry entry = {.struct_size = sizeof entry};
  OK(store->entry(store, NULL, 1, &entry, &error));
  CHECK(entry.size == 6);
  FAILS(POLYCODEC_ERROR_NOT_FOUND, store->entry(store, NULL, 2, &entry, &error));
  /* A source shares the store. */
  OK(from_store(store, text("blobs"), &source, &error));
  store->release(store);
  OK(polycodec_store_open(registry, source, &store, &error));
  CHECK(store->count(store) == 2);
  store->release(store);
  polycodec_source_release(source);
  /* Blobs in memory, with names that are checked. */
  const polycodec_bytes names[] = {text("x"), text("../y")};
  OK(polycodec_store_from_memory(names, names, 1, &store, &error));
  store->release(store);
  FAILS(POLYCODEC_ERROR_DENIED, polycodec_store_from_memory(names, names, 2, &store, &error));
  polycodec_registry_release(registry);
}

/* A list and an array of the same numbers. */
static void test_addresses(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_registry* registry = NULL;
  char exact[2][65], logical[2][65];
  polycodec_value* both[] = {parsed("{\"type\": \"3 * int64\", \"value\": [1, 2, 3]}"),
                             parsed("[1, 2, 3]")};
  OK(polycodec_registry_open(NULL, &registry, &error));
  for (int i = 0; i < 2; ++i) {
    OK(polycodec_value_address(registry, both[i], POLYCODEC_ADDRESS_EXACT, exact[i], NULL, &error));
    OK(polycodec_value_address(registry, both[i], POLYCODEC_ADDRESS_LOGICAL, logical[i], NULL,
                               &error));
    CHECK(strlen(exact[i]) == 64 && strlen(logical[i]) == 64);
    polycodec_value_release(both[i]);
  }
  CHECK(strcmp(logical[0], logical[1]) == 0);
  polycodec_registry_release(registry);
}

/* ---- A store of the program's own ---- */

static uint64_t count_own(const polycodec_store* self) {
  return self->private_data != NULL ? 1 : 0;
}
static int32_t entry_own(const polycodec_store* self, polycodec_call* call, uint64_t i,
                         polycodec_store_entry* entry, polycodec_error* error) {
  (void)self, (void)i, (void)error;
  CHECK(call == NULL);
  entry->name = text("own");
  entry->size = 3;
  return POLYCODEC_OK;
}
static int32_t find_own(const polycodec_store* self, polycodec_call* call, polycodec_bytes name,
                        uint64_t* i, polycodec_error* error) {
  (void)self, (void)call, (void)name;
  *i = 0;
  return polycodec_fail(error, POLYCODEC_ERROR_NOT_FOUND, POLYCODEC_NO_OFFSET, "no such blob");
}
static int32_t read_own(const polycodec_store* self, polycodec_call* call, uint64_t i,
                        uint64_t offset, uint64_t size, polycodec_bytes* content,
                        polycodec_error* error) {
  (void)call, (void)i, (void)offset, (void)size, (void)error;
  *content = text((const char*)self->private_data);
  return POLYCODEC_OK;
}
static int released_own;
static void release_own(const polycodec_store* self) {
  (void)self;
  ++released_own;
}

static void release_owned(void* store) {
  release_own(store);
}

static void test_own_store(void) {
  polycodec_error error = {.struct_size = sizeof error};
  static char content[] = "abc";
  const polycodec_store own = {sizeof own, 0,         content,   &count_own,
                               &entry_own, &find_own, &read_own, &release_own};
  polycodec_source* source = NULL;
  polycodec_registry* registry = NULL;
  const polycodec_store* store = NULL;
  OK(polycodec_registry_open(NULL, &registry, &error));
  OK(from_store(&own, text("own"), &source, &error));
  OK(polycodec_store_open(registry, source, &store, &error));
  uint64_t i = 7;
  polycodec_bytes bytes;
  OK(store->find(store, NULL, text("own"), &i, &error));
  OK(store->read(store, NULL, i, 1, 1, &bytes, &error));
  CHECK(bytes.size == 1 && *(const char*)bytes.data == 'b');
  FAILS(POLYCODEC_ERROR_NOT_FOUND, store->find(store, NULL, text("other"), &i, &error));
  store->release(store);
  polycodec_source_release(source);
  CHECK(released_own == 0);
  /* One that the source takes over is released with the last reader, or if that fails. */
  polycodec_source_options adopted = {.struct_size = sizeof adopted, .store = &own};
  adopted.from = POLYCODEC_SOURCE_STORE;
  adopted.owner = (void*)&own;
  adopted.release = release_owned;
  OK(polycodec_source_open(&adopted, &source, &error));
  OK(polycodec_store_open(registry, source, &store, &error));
  polycodec_source_release(source);
  OK(store->find(store, NULL, text("own"), &i, &error));
  OK(store->read(store, NULL, i, 0, 3, &bytes, &error));
  CHECK(bytes.size == 3 && released_own == 0);
  store->release(store);
  CHECK(released_own == 1);
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_source_open(&adopted, NULL, &error));
  CHECK(released_own == 2);
  polycodec_registry_release(registry);
}

static void test_files(void) {
  polycodec_error error = {.struct_size = sizeof error};
  FILE* const json = fopen(file("a.json"), "w");
  CHECK(json != NULL && fputs("{\"a\": 1}", json) >= 0 && fclose(json) == 0);
  const polycodec_file* opened = NULL;
  OK(polycodec_file_open(text(file("a.json")), POLYCODEC_SOURCE_COPY, &opened, &error));
  uint64_t size = 0;
  polycodec_bytes bytes;
  char some[4];
  OK(opened->size(opened, NULL, &size, &error));
  CHECK(size == 8);
  OK(opened->read_at(opened, NULL, 6, some, 4, &size, &error));
  CHECK(size == 2 && some[0] == '1');
  OK(opened->view(opened, NULL, 100, 4, &bytes, &error));
  CHECK(bytes.size == 0);
  polycodec_source* source = NULL;
  OK(opened->view(opened, NULL, 0, 8, &bytes, &error));
  OK(from_file(opened, text("a.json"), NULL, &source, &error));
  const void* const mine = bytes.data; /* the source shares the file */
  opened->release(opened);
  OK(polycodec_source_bytes(source, &bytes, &error));
  CHECK(bytes.size == 8 && bytes.data == mine);
  CHECK(polycodec_source_retain(source) == source);
  polycodec_source_release(source);
  polycodec_source_release(source);
  /* Bytes of the caller are given back when the last user is gone. */
  int released = 0;
  OK(from_bytes(text("abc"), &released, &count, text(""), &source, &error));
  CHECK(released == 0);
  polycodec_source_release(source);
  CHECK(released == 1);
  OK(from_changing_bytes(text("abc"), &released, &count, text(""), &source, &error));
  polycodec_source_release(source);
  CHECK(released == 2);
}

static void test_sinks(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_sink* sink = NULL;
  const polycodec_bytes* segments = NULL;
  polycodec_bytes all;
  uint64_t n = 0;
  for (uint32_t flags = 0; flags <= POLYCODEC_SINK_CONTIGUOUS; ++flags) {
    OK(polycodec_sink_create(flags, 10, &sink, &error));
    OK(polycodec_sink_segments(sink, &segments, &n, &error));
    CHECK(n == 0);
    OK(polycodec_sink_bytes(sink, &all, &error));
    CHECK(all.size == 0);
    OK(polycodec_sink_put(sink, "0123456789", 10, &error));
    OK(polycodec_sink_bytes(sink, &all, &error));
    CHECK(all.size == 10 && strcmp(all.data, "0123456789") == 0);
    OK(polycodec_sink_segments(sink, &segments, &n, &error));
    CHECK(n == 1 && segments[0].size == 10);
    OK(polycodec_sink_reset(sink, &error));
    /* What does not fit leaves the sink empty. */
    polycodec_value* value = parsed("\"a text that is longer than ten bytes\"");
    FAILS(POLYCODEC_ERROR_LIMIT, polycodec_value_print(value, NULL, NULL, sink, &error));
    OK(polycodec_sink_bytes(sink, &all, &error));
    CHECK(all.size == 0);
    polycodec_value_release(value);
    polycodec_sink_free(sink);
  }
}

struct walk {
  polycodec_value* value;
  polycodec_budget* budget;
  int32_t code;
  int calls;
};

static void compare_again_and_again(void* data) {
  struct walk* walk = data;
  uint64_t n = 0;
  /* The budget of a value is the one around. */
  if (polycodec_budget_create(NULL, walk->value, NULL, NULL, &walk->budget, NULL) != POLYCODEC_OK)
    return;
  do {
    walk->code = polycodec_value_compare(walk->value, walk->value, NULL, &n, NULL, NULL);
  } while (walk->code == POLYCODEC_OK && ++walk->calls < 10000);
}

static void test_budgets(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_limits limits = {.struct_size = sizeof limits, .max_work = 1000};
  polycodec_value* value = parsed("[1, [2, 3], {\"a\": null}]");
  polycodec_budget* budget = NULL;
  uint8_t cancel = 0;
  OK(polycodec_budget_create(NULL, value, &limits, &cancel, &budget, &error));
  OK(polycodec_budget_spend(budget, 100, 100, &error));
  FAILS(POLYCODEC_ERROR_LIMIT, polycodec_budget_spend(budget, 1000, 0, &error));
  CHECK(strstr(error.message, "max_work") != NULL);
  FAILS(POLYCODEC_ERROR_LIMIT, polycodec_budget_spend(budget, 0, (uint64_t)1 << 50, &error));
  CHECK(strstr(error.message, "max_memory_bytes") != NULL);
  struct walk walk = {.value = value};
  OK(polycodec_budget_walk(budget, &compare_again_and_again, &walk, &error));
  CHECK(walk.code == POLYCODEC_ERROR_LIMIT && walk.calls > 1 && walk.calls < 10000);
  FAILS(POLYCODEC_ERROR_LIMIT, polycodec_budget_spend(walk.budget, 900, 0, &error));
  polycodec_budget_release(walk.budget);
  /* Elsewhere each call has a budget of its own. */
  uint64_t n = 0;
  OK(polycodec_value_compare(value, value, NULL, &n, NULL, &error));
  cancel = 1;
  FAILS(POLYCODEC_ERROR_CANCELLED, polycodec_budget_spend(budget, 1, 0, &error));
  polycodec_budget_release(budget);
  polycodec_value_release(value);
}

int main(int argc, char** argv) {
  polycodec_error error = {.struct_size = sizeof error};
  if (argc != 2 && argc != 3) return 2;
  where = argv[1];
  if (argc == 3 && strcmp(argv[2], "addresses") == 0) test_addresses();
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  test_building(sink);
  test_paths();
  test_paths_through_unions();
  test_columns_of_choices(sink);
  test_columns(sink);
  test_types(sink);
  test_node_check();
  test_parts(sink);
  test_comparing(sink);
  test_frames();
  test_frames_that_change();
  test_arrow_and_dlpack();
  test_schemas(sink);
  test_stores();
  test_own_store();
  test_files();
  test_sinks();
  test_budgets();
  polycodec_sink_free(sink);
  if (failures != 0) fprintf(stderr, "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
