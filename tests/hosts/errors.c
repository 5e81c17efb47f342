/* SPDX-License-Identifier: MIT
 * Errors that do not fit into polycodec_error: what a codec says, and what the host program hears.
 */
#include "check.h"

#include <stdlib.h>

int failures;

/* ---- A codec that says too much, too often, or too late ---- */

static void (*kept_say)(void*, polycodec_bytes, polycodec_bytes);
static void* kept_data;

static int32_t say(polycodec_error* error, const void* message, uint64_t size) {
  const polycodec_bytes what = {message, size};
  if (error->code == POLYCODEC_OK)
    polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, POLYCODEC_NO_OFFSET, "cut");
  error->say(error->say_data, what, text("$.a"));
  return error->code;
}

static int32_t decode(const polycodec_instance* self, polycodec_call* call,
                      const polycodec_input* input, const polycodec_node** root,
                      polycodec_error* error) {
  const char wish = *(const char*)input->bytes.data;
  static char words[2001];
  (void)self, (void)call, (void)root;
  memset(words, 'w', sizeof words - 1);
  CHECK(error->struct_size >= sizeof *error && error->say != NULL);
  switch (wish) {
    case 'g': { /* 1 GiB, of which no page is there */
      void* const zeros = calloc(1, (size_t)1 << 30);
      CHECK(zeros != NULL);
      say(error, zeros, (uint64_t)1 << 30);
      free(zeros);
      return error->code;
    }
    case 'c':
      return say(error, "\033[2J\a\xff\r\n\t", 9);
    case 't':
      say(error, "first", 5);
      return say(error, "second", 6);
    case 'n':
      return say(error, NULL, 100);
    case 'k':
      kept_say = error->say;
      kept_data = error->say_data;
      return say(error, "in time", 7);
    case 'l':
      kept_say(kept_data, text("too late"), text("$.late"));
      return polycodec_fail(error, POLYCODEC_ERROR_MALFORMED, POLYCODEC_NO_OFFSET, "nothing said");
    default:
      return say(error, words, sizeof words - 1);
  }
}

static void release(const polycodec_instance* self) {
  (void)self;
}
static const polycodec_instance instance = {
    .struct_size = sizeof instance, .decode = decode, .release = release};

static int32_t open_codec(const polycodec_codec* self, polycodec_call* call,
                          const polycodec_node* options, const polycodec_instance** made,
                          polycodec_error* error) {
  (void)self, (void)call, (void)options, (void)error;
  *made = &instance;
  return POLYCODEC_OK;
}

static const char manifest[] =
    "{\"name\": \"test.loud\", \"summary\": \"says too much\", \"format_version\": \"1\","
    "\"aliases\": [], \"media_types\": [], \"extensions\": [\".loud\"], \"magic\": [],"
    "\"decode\": true, \"encode\": false,"
    "\"options\": {\"type\": \"object\", \"additionalProperties\": false}}";
static const polycodec_codec loud = {.struct_size = sizeof loud,
                                     .capabilities = POLYCODEC_CAN_DECODE,
                                     .name = "test.loud",
                                     .manifest = manifest,
                                     .open = open_codec};
static const polycodec_codec* const codecs[] = {&loud};

/* ---- The host program ---- */

static char message[70000], path[70000];
static int times_heard;

static void hear(void* data, polycodec_bytes what, polycodec_bytes where) {
  CHECK(data == &times_heard);
  ++times_heard;
  snprintf(message, sizeof message, "%.*s", (int)what.size, (const char*)what.data);
  snprintf(path, sizeof path, "%.*s", (int)where.size, (const char*)where.data);
}

static const char* heard(const polycodec_opened_codec* codec, const char* wish,
                         polycodec_error* error) {
  polycodec_source* source = NULL;
  polycodec_value* value = NULL;
  memset(error, 0, sizeof *error);
  error->struct_size = sizeof *error;
  error->say = hear;
  error->say_data = &times_heard;
  message[0] = path[0] = '\0';
  times_heard = 0;
  CHECK(from_bytes(text(wish), NULL, NULL, text(""), &source, NULL) == 0);
  CHECK(polycodec_opened_codec_decode(codec, source, NULL, &value, error) ==
        POLYCODEC_ERROR_MALFORMED);
  CHECK(strcmp(error->codec, "test.loud") == 0);
  polycodec_source_release(source);
  return times_heard != 0 ? message : error->message;
}

int main(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_objects objects = {.struct_size = sizeof objects, .n_codecs = 1, .codecs = codecs};
  polycodec_registry_options options = {.struct_size = sizeof options, .objects = &objects};
  polycodec_format format = {.struct_size = sizeof format, .codec = text("test.loud")};
  polycodec_registry* registry = NULL;
  polycodec_opened_codec* codec = NULL;
  OK(polycodec_registry_open(&options, &registry, &error));
  OK(polycodec_registry_open_codec(registry, &format, &codec, &error));

  /* The advice at the end of a long message. */
  CHECK(strlen(heard(codec, "words", &error)) == 2000 && times_heard == 1);
  CHECK(strcmp(path, "$.a") == 0);
  CHECK(strlen(error.message) == sizeof error.message - 1);

  /* At most 64 KiB, without control characters. */
  CHECK(strlen(heard(codec, "gigabyte", &error)) > 65000 &&
        strlen(message) + strlen(path) <= 65536);
  CHECK(strncmp(message, "\\x00\\x00", 8) == 0);
  CHECK(strcmp(heard(codec, "control", &error), "\\x1b[2J\\x07?\\x0d\n\t") == 0);

  /* Once, and during the call. */
  CHECK(strcmp(heard(codec, "twice", &error), "first") == 0);
  CHECK(strcmp(heard(codec, "null", &error), "malformed") == 0);
  CHECK(strcmp(heard(codec, "kept", &error), "in time") == 0);
  CHECK(strcmp(heard(codec, "late", &error), "nothing said") == 0);
  CHECK(error.path[0] == '\0');

  /* Errors of the library itself. */
  {
    static char name[1500];
    memset(name, 'n', sizeof name - 1);
    polycodec_opened_codec* none = NULL;
    error.say = hear;
    error.say_data = &times_heard;
    times_heard = 0;
    format.codec = text(name);
    FAILS(POLYCODEC_ERROR_NOT_FOUND,
          polycodec_registry_open_codec(registry, &format, &none, &error));
    CHECK(times_heard == 1 && strlen(message) > strlen(error.message));
    CHECK(strncmp(message, error.message, strlen(error.message)) == 0);
    /* A program that hears nothing. */
    error.say = NULL;
    FAILS(POLYCODEC_ERROR_NOT_FOUND,
          polycodec_registry_open_codec(registry, &format, &none, &error));
    FAILS(POLYCODEC_ERROR_NOT_FOUND, polycodec_registry_open_codec(registry, &format, &none, NULL));
    CHECK(times_heard == 1);
  }
  polycodec_opened_codec_release(codec);
  polycodec_registry_release(registry);
  return failures != 0;
}
