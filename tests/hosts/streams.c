/* SPDX-License-Identifier: MIT
 * Values one after another, from all inputs and to all outputs. Usage: streams DIRECTORY, where
 * files may be written. Needs the plugins msgpack-ndarray and awkward. */
#include "codecs.h"

#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

int failures;

/* Reads [1,2], {"a":null} and the end of the stream. */
static void read_two(polycodec_stream* stream) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = NULL;
  uint64_t offset = 99;
  OK(polycodec_stream_next(stream, &value, &offset, &error));
  CHECK(offset == 3);
  CHECK(value != NULL && strcmp(printed(value), "[1, 2]") == 0);
  OK(polycodec_stream_next(stream, &value, NULL, &error));
  CHECK(value != NULL && strcmp(printed(value), "{\"a\": null}") == 0);
  for (int again = 0; again < 2; ++again) {
    OK(polycodec_stream_next(stream, &value, NULL, &error));
    CHECK(value == NULL);
  }
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_feed(stream, text("x"), 0, &error));
  polycodec_stream_free(stream);
}

/* ---- A file of the program's own, which gives one byte a call ---- */

static const polycodec_bytes two = {
    "\x92\x01\x02\x81\xa1"
    "a\xc0",
    7};

static int32_t size_two(const polycodec_file* self, polycodec_call* call, uint64_t* size,
                        polycodec_error* error) {
  (void)self, (void)call, (void)error;
  *size = two.size;
  return POLYCODEC_OK;
}
static int32_t read_two_at(const polycodec_file* self, polycodec_call* call, uint64_t offset,
                           void* to, uint64_t size, uint64_t* got, polycodec_error* error) {
  CHECK(call == NULL && size > 0);
  if (self->private_data != NULL)
    return polycodec_fail(error, POLYCODEC_ERROR_IO, POLYCODEC_NO_OFFSET, "the disk is gone");
  *got = offset < two.size ? 1 : 0;
  if (*got == 1) memcpy(to, (const char*)two.data + offset, 1);
  return POLYCODEC_OK;
}
static void release_two(const polycodec_file* self) {
  (void)self;
}

static void test_reading(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_opened_codec* codec = opened("msgpack-ndarray", "");
  polycodec_stream* stream = NULL;
  polycodec_source* source = NULL;
  polycodec_value* value = NULL;
  /* Bytes that arrive one by one. */
  OK(polycodec_stream_open(codec, NULL, NULL, &stream, &error));
  for (uint64_t i = 0; i < 3; ++i) {
    OK(polycodec_stream_next(stream, &value, NULL, &error));
    CHECK(value == NULL);
    const polycodec_bytes byte = {(const char*)two.data + i, 1};
    OK(polycodec_stream_feed(stream, byte, 0, &error));
  }
  const polycodec_bytes rest = {(const char*)two.data + 3, 4};
  OK(polycodec_stream_feed(stream, rest, 0, &error));
  OK(polycodec_stream_feed(stream, none, 1, &error));
  read_two(stream);
  /* A source, released before the values are read. */
  OK(from_bytes(two, NULL, NULL, none, &source, &error));
  OK(stream_of_source(codec, source, NULL, &stream, &error));
  polycodec_source_release(source);
  read_two(stream);
  /* A file of the program's own. */
  polycodec_file own = {.struct_size = sizeof own, .descriptor = -1};
  own.size = &size_two;
  own.read_at = &read_two_at;
  own.release = &release_two;
  OK(stream_of_file(codec, &own, NULL, &stream, &error));
  read_two(stream);
  own.private_data = &own;
  OK(stream_of_file(codec, &own, NULL, &stream, &error));
  FAILS(POLYCODEC_ERROR_IO, polycodec_stream_next(stream, &value, NULL, &error));
  CHECK(strstr(error.message, "the disk is gone") != NULL);
  polycodec_stream_free(stream);
  /* A pipe: a value is there before the next one is sent. */
  int ends[2];
  CHECK(pipe(ends) == 0);
  OK(stream_of_descriptor(codec, ends[0], NULL, &stream, &error));
  CHECK(write(ends[1], two.data, 4) == 4);
  OK(polycodec_stream_next(stream, &value, NULL, &error));
  CHECK(strcmp(printed(value), "[1, 2]") == 0);
  CHECK(write(ends[1], (const char*)two.data + 4, 3) == 3);
  close(ends[1]);
  OK(polycodec_stream_next(stream, &value, NULL, &error));
  CHECK(strcmp(printed(value), "{\"a\": null}") == 0);
  OK(polycodec_stream_next(stream, &value, NULL, &error));
  CHECK(value == NULL);
  polycodec_stream_free(stream);
  close(ends[0]);
  polycodec_opened_codec_release(codec);
}

static void test_broken_streams(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_opened_codec* codec = opened("msgpack-ndarray", "");
  polycodec_stream* stream = NULL;
  polycodec_value* value = NULL;
  const polycodec_bytes cut = {two.data, 5};
  OK(polycodec_stream_open(codec, NULL, NULL, &stream, &error));
  OK(polycodec_stream_feed(stream, cut, 0, &error));
  OK(polycodec_stream_feed(stream, none, 1, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_feed(stream, cut, 0, &error));
  OK(polycodec_stream_next(stream, &value, NULL, &error));
  polycodec_value_release(value);
  FAILS(POLYCODEC_ERROR_TRUNCATED, polycodec_stream_next(stream, &value, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_next(stream, &value, NULL, &error));
  polycodec_stream_free(stream);
  /* An offset counts from the first byte. */
  OK(polycodec_stream_open(codec, NULL, NULL, &stream, &error));
  OK(polycodec_stream_feed(stream, text("\x01\xc1"), 0, &error));
  OK(polycodec_stream_next(stream, &value, NULL, &error));
  polycodec_value_release(value);
  FAILS(POLYCODEC_ERROR_MALFORMED, polycodec_stream_next(stream, &value, NULL, &error));
  CHECK(error.offset == 1);
  polycodec_stream_free(stream);
  polycodec_opened_codec_release(codec);
  /* No streams: by the format, and with a filter. */
  codec = opened("awkward", "");
  FAILS(POLYCODEC_ERROR_UNSUPPORTED, polycodec_stream_open(codec, NULL, NULL, &stream, &error));
  polycodec_stream_writer* writer = NULL;
  FAILS(POLYCODEC_ERROR_UNSUPPORTED,
        polycodec_stream_writer_open(codec, none, NULL, NULL, &writer, &error));
  polycodec_opened_codec_release(codec);
}

static void test_writing(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_opened_codec* codec = opened("msgpack-ndarray", "");
  polycodec_stream_writer* writer = NULL;
  polycodec_sink* sink = NULL;
  polycodec_bytes bytes;
  polycodec_value* values[] = {parsed("[1, 2]"), parsed("{\"a\": null}")};
  OK(polycodec_sink_create(0, 0, &sink, &error));
  OK(polycodec_stream_writer_open(codec, none, NULL, NULL, &writer, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_writer_append(writer, values[0], NULL, &error));
  for (int i = 0; i < 2; ++i) OK(polycodec_stream_writer_append(writer, values[i], sink, &error));
  OK(polycodec_stream_writer_finish(writer, sink, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_writer_append(writer, values[0], sink, &error));
  polycodec_stream_writer_free(writer);
  OK(polycodec_sink_bytes(sink, &bytes, &error));
  CHECK(bytes.size == two.size && memcmp(bytes.data, two.data, 7) == 0);
  /* To a file, which is there when the stream is finished. */
  const polycodec_bytes path = text(file("values.msgpack"));
  remove(path.data);
  for (int finished = 0; finished < 2; ++finished) {
    OK(polycodec_stream_writer_open(codec, path, NULL, NULL, &writer, &error));
    FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_writer_append(writer, values[0], sink, &error));
    for (int i = 0; i < 2; ++i) OK(polycodec_stream_writer_append(writer, values[i], NULL, &error));
    CHECK(access(path.data, F_OK) != 0);
    if (finished) OK(polycodec_stream_writer_finish(writer, NULL, &error));
    polycodec_stream_writer_free(writer);
  }
  const polycodec_write_options keep = {.struct_size = sizeof keep, .flags = POLYCODEC_WRITE_KEEP};
  FAILS(POLYCODEC_ERROR_IO,
        polycodec_stream_writer_open(codec, path, &keep, NULL, &writer, &error));
  polycodec_stream* stream = NULL;
  const int descriptor = open(path.data, O_RDONLY);
  OK(stream_of_descriptor(codec, descriptor, NULL, &stream, &error));
  read_two(stream);
  close(descriptor);
  /* What a sink cannot take ends the stream. */
  polycodec_sink_free(sink);
  OK(polycodec_sink_create(0, 2, &sink, &error));
  OK(polycodec_stream_writer_open(codec, none, NULL, NULL, &writer, &error));
  FAILS(POLYCODEC_ERROR_LIMIT, polycodec_stream_writer_append(writer, values[0], sink, &error));
  OK(polycodec_sink_bytes(sink, &bytes, &error));
  CHECK(bytes.size == 0);
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_writer_finish(writer, sink, &error));
  polycodec_stream_writer_free(writer);
  polycodec_sink_free(sink);
  for (int i = 0; i < 2; ++i) polycodec_value_release(values[i]);
  polycodec_opened_codec_release(codec);
}

/* What every_function.c cannot try without a codec. */
static void test_wrong_arguments(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_opened_codec* codec = opened("msgpack-ndarray", "");
  polycodec_stream* stream = NULL;
  polycodec_stream_writer* writer = NULL;
  polycodec_source* source = NULL;
  const polycodec_bytes wild = {NULL, 8};
  polycodec_call_options call = {.struct_size = 4};
  polycodec_file own = {.struct_size = sizeof own};
  OK(from_bytes(two, NULL, NULL, none, &source, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_open(codec, NULL, NULL, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_open(codec, NULL, &call, &stream, &error));
  FAILS(POLYCODEC_ERROR_INVALID, stream_of_source(codec, source, NULL, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, stream_of_source(codec, NULL, NULL, &stream, &error));
  FAILS(POLYCODEC_ERROR_INVALID, stream_of_file(codec, NULL, NULL, &stream, &error));
  FAILS(POLYCODEC_ERROR_INVALID, stream_of_file(codec, &own, NULL, &stream, &error));
  FAILS(POLYCODEC_ERROR_INVALID, stream_of_descriptor(codec, 0, NULL, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, stream_of_descriptor(codec, -1, NULL, &stream, &error));
  FAILS(POLYCODEC_ERROR_INVALID,
        polycodec_stream_writer_open(codec, none, NULL, NULL, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID,
        polycodec_stream_writer_open(codec, wild, NULL, NULL, &writer, &error));
  OK(stream_of_source(codec, source, NULL, &stream, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_next(stream, NULL, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_feed(stream, none, 0, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_feed(stream, none, 1, &error));
  polycodec_stream_free(stream);
  OK(polycodec_stream_open(codec, NULL, NULL, &stream, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_feed(stream, wild, 0, &error));
  polycodec_stream_free(stream);
  OK(polycodec_stream_writer_open(codec, none, NULL, NULL, &writer, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_writer_append(writer, NULL, NULL, &error));
  FAILS(POLYCODEC_ERROR_INVALID, polycodec_stream_writer_finish(writer, NULL, &error));
  polycodec_stream_writer_free(writer);
  polycodec_source_release(source);
  polycodec_opened_codec_release(codec);
}

int main(int argc, char** argv) {
  polycodec_error error = {.struct_size = sizeof error};
  if (argc != 2) return 2;
  where = argv[1];
  OK(polycodec_registry_open(NULL, &registry, &error));
  if (registry == NULL) return 1;
  test_reading();
  test_broken_streams();
  test_writing();
  test_wrong_arguments();
  polycodec_registry_release(registry);
  if (failures != 0) fprintf(stderr, "%d checks failed\n", failures);
  return failures == 0 ? 0 : 1;
}
