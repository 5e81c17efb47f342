/* SPDX-License-Identifier: MIT
 * What the tests in C share: checks that count failures, and short names. */
#ifndef POLYCODEC_TESTS_HOSTS_CHECK_H
#define POLYCODEC_TESTS_HOSTS_CHECK_H

#include "../support/host_calls.h"

#include <stdio.h>
#include <string.h>

extern int failures;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                     \
    }                                                                 \
  } while (0)

/* A call that must succeed; `error` is in scope. */
#define OK(call)                                                        \
  do {                                                                  \
    const int32_t code_ = (call);                                       \
    if (code_ != POLYCODEC_OK) {                                        \
      fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, #call, \
              polycodec_status_name(code_), error.message);             \
      ++failures;                                                       \
    }                                                                   \
  } while (0)

/* A call that must fail with this status. */
#define FAILS(status, call)                                                     \
  do {                                                                          \
    const int32_t code_ = (call);                                               \
    if (code_ != (status)) {                                                    \
      fprintf(stderr, "%s:%d: %s: %s, not %s: %s\n", __FILE__, __LINE__, #call, \
              polycodec_status_name(code_), #status, error.message);            \
      ++failures;                                                               \
    }                                                                           \
  } while (0)

static inline polycodec_bytes text(const char* s) {
  const polycodec_bytes bytes = {s, strlen(s)};
  return bytes;
}

/* The text that a sink holds; the sink is empty afterwards. */
static inline const char* taken(polycodec_sink* sink, char* to, size_t size) {
  polycodec_bytes all = {NULL, 0};
  polycodec_error error = {.struct_size = sizeof error};
  if (polycodec_sink_bytes(sink, &all, &error) != POLYCODEC_OK) return "";
  const size_t n = all.size < size - 1 ? (size_t)all.size : size - 1;
  memcpy(to, all.data, n);
  to[n] = '\0';
  polycodec_sink_reset(sink, NULL);
  return to;
}

static inline const polycodec_text_options* plain(void) {
  static const polycodec_text_options options = {.struct_size = sizeof options,
                                                 .flags = POLYCODEC_TEXT_PLAIN};
  return &options;
}

#endif
