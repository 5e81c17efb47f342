/* SPDX-License-Identifier: MIT
 * Prints "privileged" or "plain", and the directories that a registry searches. */
#include "check.h"

#include <sys/auxv.h>

int failures;

static const polycodec_bytes none = {NULL, 0};

int main(void) {
  polycodec_error error = {.struct_size = sizeof error};
  polycodec_registry* registry = NULL;
  polycodec_sink* sink = NULL;
  char buffer[65536];
  puts(getauxval(AT_SECURE) != 0 ? "privileged" : "plain");
  OK(polycodec_registry_open(NULL, &registry, &error));
  OK(polycodec_sink_create(POLYCODEC_SINK_CONTIGUOUS, 0, &sink, &error));
  OK(polycodec_registry_describe(registry, POLYCODEC_DESCRIBE_DIRECTORIES, none, sink, &error));
  puts(taken(sink, buffer, sizeof buffer));
  polycodec_sink_free(sink);
  polycodec_registry_release(registry);
  return failures == 0 ? 0 : 1;
}
