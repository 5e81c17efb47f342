/* SPDX-License-Identifier: MIT
 * Sums a column of a file, however its numbers are stored, and converts the file. */
#include <polycodec/host.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static polycodec_bytes text(const char* s) {
  return (polycodec_bytes){s, strlen(s)};
}

int main(int argc, char** argv) {
  if (argc != 4) return fprintf(stderr, "usage: %s FILE COLUMN OUT\n", argv[0]), 2;
  polycodec_error e = {.struct_size = sizeof e};
  polycodec_registry* registry = NULL;
  polycodec_source* source = NULL;
  polycodec_value* value = NULL;
  polycodec_source_options in = {.struct_size = sizeof in, .from = POLYCODEC_SOURCE_PATH};
  in.path = text(argv[1]);
  uint64_t n = 0;
  const uint32_t type = POLYCODEC_DTYPE_FLOAT64;
  int bad = polycodec_registry_open(NULL, &registry, &e) ||
            polycodec_source_open(&in, &source, &e) ||
            polycodec_decode(registry, source, NULL, NULL, &value, NULL, &e) ||
            polycodec_value_numbers(value, text(argv[2]), type, NULL, 0, NULL, &n, &e);
  double sum = 0, *numbers = bad ? NULL : calloc(n + 1, sizeof *numbers);
  if (numbers != NULL) {
    bad = polycodec_value_numbers(value, text(argv[2]), type, numbers, n, NULL, &n, &e);
    for (uint64_t i = 0; i < n; ++i) sum += numbers[i];
    printf("%llu numbers, sum %g\n", (unsigned long long)n, sum);
  }
  free(numbers);
  bad = bad || polycodec_convert(registry, source, NULL, text(argv[3]), NULL, NULL, NULL, NULL, &e);
  if (bad) fprintf(stderr, "%s %s\n", e.message, e.path);
  polycodec_value_release(value);
  polycodec_source_release(source);
  polycodec_registry_release(registry);
  return bad;
}
