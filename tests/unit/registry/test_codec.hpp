// SPDX-License-Identifier: MIT
// A codec that a test program offers itself: its functions are those of the test.
#pragma once

#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"

#include <cstring>
#include <functional>
#include <string>

namespace polycodec::test {

inline std::int32_t give(polycodec_call* call, const polycodec_node& node,
                         const polycodec_node** root, polycodec_error* error) {
  void* memory = polycodec_arena_alloc(call->arena, sizeof node, 8, error);
  if (memory == nullptr) return error->code;
  std::memcpy(memory, &node, sizeof node);
  *root = static_cast<const polycodec_node*>(memory);
  return POLYCODEC_OK;
}

inline std::int32_t give_null(polycodec_call* call, const polycodec_node** root,
                              polycodec_error* error) {
  return give(call, polycodec_node_make(POLYCODEC_KIND_NULL, 0, 0), root, error);
}

inline polycodec_node pointing(std::uint8_t kind, const void* data, std::uint64_t size) {
  polycodec_node node = polycodec_node_make(kind, 0, size);
  node.as.data = data;
  return node;
}

/// A codec of bytes and stores. Readers decode all that is there, writers encode each value.
struct TestCodec {
  static constexpr const char* description =
      R"({"name": "test.call", "summary": "calls what a test says",
"format_version": "1", "aliases": [], "media_types": [], "extensions": [".call"], "magic": [],
"decode": true, "encode": true, "inputs": ["bytes", "store"], "outputs": ["bytes", "store"],
"read_stream": true, "write_stream": true, "list": true,
"options": {"type": "object", "additionalProperties": false}})";

  std::function<std::int32_t(polycodec_call*, const polycodec_input*, const polycodec_node**,
                             polycodec_error*)>
      decode;
  std::function<std::int32_t(polycodec_call*, const polycodec_node*, polycodec_sink*,
                             polycodec_error*)>
      encode;
  int opened = 0, released = 0, dropped = 0;

  polycodec_instance instance{};
  polycodec_codec codec{};
  polycodec_reader reader{};
  polycodec_writer writer{};
  ProgramObjects objects;

  TestCodec() {
    instance.struct_size = sizeof instance;
    instance.private_data = this;
    instance.decode = [](const polycodec_instance* self, polycodec_call* call,
                         const polycodec_input* input, const polycodec_node** root,
                         polycodec_error* error) {
      return of(self->private_data).decode(call, input, root, error);
    };
    instance.encode = [](const polycodec_instance* self, polycodec_call* call,
                         const polycodec_node* root, const polycodec_output* output,
                         polycodec_error* error) {
      polycodec_sink* sink = output->sink;
      if (sink == nullptr)
        if (const auto code =
                output->store->begin_blob(output->store, call, to_bytes("blob"), {}, &sink, error))
          return code;
      return of(self->private_data).encode(call, root, sink, error);
    };
    instance.list = [](const polycodec_instance* self, polycodec_call* call,
                       const polycodec_store* store, const polycodec_node** contents,
                       polycodec_error* error) {
      polycodec_input input{};
      input.store = store;
      return of(self->private_data).decode(call, &input, contents, error);
    };
    instance.open_reader = [](const polycodec_instance* self, polycodec_call*,
                              polycodec_reader** made, polycodec_error*) {
      *made = &of(self->private_data).reader;
      return std::int32_t{POLYCODEC_OK};
    };
    instance.open_writer = [](const polycodec_instance* self, polycodec_call*,
                              polycodec_writer** made, polycodec_error*) {
      *made = &of(self->private_data).writer;
      return std::int32_t{POLYCODEC_OK};
    };
    instance.release = [](const polycodec_instance* self) { ++of(self->private_data).released; };
    reader.struct_size = sizeof reader;
    reader.private_data = this;
    reader.next = [](polycodec_reader* self, polycodec_call* call, polycodec_step* step,
                     polycodec_error* error) {
      polycodec_input input{};
      input.bytes = step->bytes;
      step->consumed = step->bytes.size;
      return of(self->private_data).decode(call, &input, &step->root, error);
    };
    reader.release = [](polycodec_reader*) {};
    writer.struct_size = sizeof writer;
    writer.private_data = this;
    writer.append = [](polycodec_writer* self, polycodec_call* call, polycodec_sink* sink,
                       const polycodec_node* root, polycodec_error* error) {
      return of(self->private_data).encode(call, root, sink, error);
    };
    writer.finish = [](polycodec_writer* self, polycodec_call* call, polycodec_sink* sink,
                       polycodec_error* error) {
      return of(self->private_data).encode(call, nullptr, sink, error);
    };
    writer.release = [](polycodec_writer*) {};
    codec.struct_size = sizeof codec;
    codec.capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE | POLYCODEC_CAN_READ_STREAM |
                         POLYCODEC_CAN_WRITE_STREAM | POLYCODEC_CAN_LIST;
    codec.inputs = codec.outputs = POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_STORE;
    codec.name = "test.call";
    codec.manifest = description;
    codec.private_data = this;
    codec.open = [](const polycodec_codec* self, polycodec_call*, const polycodec_node*,
                    const polycodec_instance** made, polycodec_error*) {
      ++of(self->private_data).opened;
      *made = &of(self->private_data).instance;
      return std::int32_t{POLYCODEC_OK};
    };
    codec.release = [](const polycodec_codec* self) { ++of(self->private_data).dropped; };
    objects.codecs = {&codec};
  }
  TestCodec(const TestCodec&) = delete;
  TestCodec& operator=(const TestCodec&) = delete;
  static TestCodec& of(void* data) { return *static_cast<TestCodec*>(data); }

  Registry registry() const {
    RegistryOptions options;
    options.use_environment = false;
    options.use_builtins = false;
    options.plugin_paths = {"/nonexistent"};
    options.objects = objects;
    return Registry::open(options);
  }
};

}  // namespace polycodec::test
