/* SPDX-License-Identifier: MIT
 * Calls of host.h whose structs of options have one thing in them, for tests in C and C++. */
#ifndef POLYCODEC_TESTS_SUPPORT_HOST_CALLS_H
#define POLYCODEC_TESTS_SUPPORT_HOST_CALLS_H

#include <polycodec/host.h>

#include <string.h>

static inline int32_t from_bytes(polycodec_bytes bytes, void* owner, void (*release)(void*),
                                 polycodec_bytes name, polycodec_source** source,
                                 polycodec_error* error) {
  polycodec_source_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.bytes = bytes;
  options.name = name;
  options.owner = owner;
  options.release = release;
  return polycodec_source_open(&options, source, error);
}
static inline int32_t from_changing_bytes(polycodec_bytes bytes, void* owner,
                                          void (*release)(void*), polycodec_bytes name,
                                          polycodec_source** source, polycodec_error* error) {
  polycodec_source_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.bytes = bytes;
  options.flags = POLYCODEC_SOURCE_CHANGING;
  options.name = name;
  options.owner = owner;
  options.release = release;
  return polycodec_source_open(&options, source, error);
}
static inline int32_t from_path(polycodec_bytes path, uint32_t flags,
                                const polycodec_limits* limits, polycodec_source** source,
                                polycodec_error* error) {
  polycodec_source_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.path = path;
  options.from = POLYCODEC_SOURCE_PATH;
  options.flags = flags;
  options.limits = limits;
  return polycodec_source_open(&options, source, error);
}
static inline int32_t from_descriptor(int32_t descriptor, polycodec_bytes name,
                                      const polycodec_limits* limits, polycodec_source** source,
                                      polycodec_error* error) {
  polycodec_source_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.name = name;
  options.from = POLYCODEC_SOURCE_DESCRIPTOR;
  options.descriptor = descriptor;
  options.limits = limits;
  return polycodec_source_open(&options, source, error);
}
static inline int32_t from_file(const polycodec_file* file, polycodec_bytes name,
                                const polycodec_limits* limits, polycodec_source** source,
                                polycodec_error* error) {
  polycodec_source_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.file = file;
  options.from = POLYCODEC_SOURCE_FILE;
  options.name = name;
  options.limits = limits;
  return polycodec_source_open(&options, source, error);
}
static inline int32_t from_store(const polycodec_store* store, polycodec_bytes name,
                                 polycodec_source** source, polycodec_error* error) {
  polycodec_source_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.store = store;
  options.from = POLYCODEC_SOURCE_STORE;
  options.name = name;
  return polycodec_source_open(&options, source, error);
}

static inline int32_t derive(const polycodec_registry* base, const polycodec_objects* objects,
                             polycodec_registry** registry, polycodec_error* error) {
  polycodec_registry_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.base = base;
  options.objects = objects;
  return polycodec_registry_open(&options, registry, error);
}

static inline int32_t stream_of_source(const polycodec_opened_codec* codec,
                                       const polycodec_source* source,
                                       const polycodec_call_options* call,
                                       polycodec_stream** stream, polycodec_error* error) {
  polycodec_stream_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.source = source;
  options.from = POLYCODEC_STREAM_SOURCE;
  return polycodec_stream_open(codec, &options, call, stream, error);
}
static inline int32_t stream_of_file(const polycodec_opened_codec* codec,
                                     const polycodec_file* file, const polycodec_call_options* call,
                                     polycodec_stream** stream, polycodec_error* error) {
  polycodec_stream_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.file = file;
  options.from = POLYCODEC_STREAM_FILE;
  return polycodec_stream_open(codec, &options, call, stream, error);
}
static inline int32_t stream_of_descriptor(const polycodec_opened_codec* codec, int32_t descriptor,
                                           const polycodec_call_options* call,
                                           polycodec_stream** stream, polycodec_error* error) {
  polycodec_stream_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.descriptor = descriptor;
  options.from = POLYCODEC_STREAM_DESCRIPTOR;
  return polycodec_stream_open(codec, &options, call, stream, error);
}

static inline polycodec_item all_of(const polycodec_array* array) {
  const polycodec_item item = {NULL, array, POLYCODEC_WHOLE};
  return item;
}
static inline int32_t part_of_node(polycodec_value* value, const polycodec_node* node,
                                   polycodec_value** part, polycodec_error* error) {
  const polycodec_item item = {node, NULL, 0};
  return polycodec_value_part(value, &item, 0, UINT64_MAX, part, error);
}
static inline int32_t rows_of(polycodec_value* value, const polycodec_array* array, uint64_t first,
                              uint64_t n, polycodec_value** part, polycodec_error* error) {
  const polycodec_item item = all_of(array);
  return polycodec_value_part(value, &item, first, n, part, error);
}
static inline int32_t item_of(polycodec_value* value, const polycodec_array* array, uint64_t i,
                              polycodec_value** part, polycodec_error* error) {
  const polycodec_item item = {NULL, array, i};
  return polycodec_value_part(value, &item, 0, UINT64_MAX, part, error);
}

#endif
