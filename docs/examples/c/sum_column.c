/* SPDX-License-Identifier: MIT
 * Sums a column of a file without copying it, and converts the file. */
#include <polycodec/host.h>

#include <stdio.h>
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
  const polycodec_node* node = NULL;
  const polycodec_array* column = NULL;
  int failed = polycodec_registry_open(NULL, &registry, &e) ||
               polycodec_source_open(text(argv[1]), 0, NULL, &source, &e) ||
               polycodec_decode(registry, source, NULL, NULL, &value, NULL, &e) ||
               polycodec_value_find(value, text(argv[2]), &node, &column, &e);
  if (!failed && column != NULL && column->dtype == POLYCODEC_DTYPE_FLOAT32 && column->ndim == 1 &&
      column->byte_order == POLYCODEC_LITTLE_ENDIAN) {
    double sum = 0;
    for (uint64_t i = 0; i < column->length; ++i) {
      float x; /* elements need not be aligned */
      memcpy(&x, (const char*)column->data + (int64_t)i * column->strides[0], sizeof x);
      sum += x;
    }
    printf("%llu numbers, sum %g\n", (unsigned long long)column->length, sum);
  }
  failed = failed || polycodec_convert(registry, source, NULL, text(argv[3]), NULL, NULL, NULL, &e);
  if (failed) fprintf(stderr, "%s %s\n", e.message, e.path);
  polycodec_value_release(value);
  polycodec_source_release(source);
  polycodec_registry_release(registry);
  return failed;
}
