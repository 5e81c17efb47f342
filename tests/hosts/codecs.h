/* SPDX-License-Identifier: MIT
 * What tests with codecs of plugins share: a registry, and values as JSON. */
#ifndef POLYCODEC_TESTS_HOSTS_CODECS_H
#define POLYCODEC_TESTS_HOSTS_CODECS_H

#include "check.h"

static const char* where;
static char buffer[65536];
static const polycodec_bytes none = {NULL, 0};
static polycodec_registry* registry;

static inline const char* file(const char* name) {
  static char path[2048];
  snprintf(path, sizeof path, "%s/%s", where, name);
  return path;
}

static inline polycodec_opened_codec* opened(const char* name, const char* filters) {
  polycodec_error error = {.struct_size = sizeof error};
  const polycodec_format format = {.struct_size = sizeof format,
                                   .flags = 0,
                                   .codec = text(name),
                                   .options = none,
                                   .filters = text(filters)};
  polycodec_opened_codec* codec = NULL;
  OK(polycodec_registry_open_codec(registry, &format, &codec, &error));
  return codec;
}

static inline polycodec_value* parsed(const char* json) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_value* value = NULL;
  OK(polycodec_value_parse(NULL, text(json), none, &value, &error));
  return value;
}

/* The value as JSON; the value is released. */
static inline const char* printed(polycodec_value* value) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_sink* sink = NULL;
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_value_print(value, NULL, plain(), sink, &error));
  taken(sink, buffer, sizeof buffer);
  polycodec_sink_free(sink);
  polycodec_value_release(value);
  return buffer;
}

#endif
