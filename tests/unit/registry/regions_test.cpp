// SPDX-License-Identifier: MIT
// What plugins may point at, wherever they hand out pointers: values, outputs, blobs, results.

#include "core/dispatch/function_table.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"
#include "temporary_directory.hpp"
#include "test_codec.hpp"

#include <sys/mman.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
namespace {

using test::error_of;
using test::give;
using test::give_null;
using test::pointing;
using test::TestCodec;

/// The host's memory: reading it would end the test.
class PluginRegions : public test::InTemporaryDirectory {
 protected:
  static constexpr std::size_t stray_size = 1 << 16;
  void SetUp() override {
    stray = ::mmap(nullptr, stray_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(stray, MAP_FAILED);
    // What data calls gives a stray result or the first argument.
    function_.struct_size = sizeof function_;
    function_.path = path_;
    function_.n_path = 1;
    function_.doc = "for tests";
    function_.min_args = function_.max_args = 1;
    function_.private_data = this;
    function_.call = [](const polycodec_function* self, polycodec_call* call,
                        const polycodec_node* args, const polycodec_node*,
                        const polycodec_node** result, polycodec_error* error) {
      const auto& test = *static_cast<PluginRegions*>(self->private_data);
      if (!test.result_strays) return *result = args->as.nodes, std::int32_t{POLYCODEC_OK};
      return give(call, pointing(POLYCODEC_KIND_BINARY, test.stray, 8), result, error);
    };
    filter_instance_.struct_size = sizeof filter_instance_;
    filter_instance_.private_data = this;
    filter_instance_.encode = [](const polycodec_filter_instance* self, polycodec_call*,
                                 const polycodec_bytes* pieces, std::uint64_t n,
                                 polycodec_sink* sink, polycodec_error* error) {
      const auto& test = *static_cast<PluginRegions*>(self->private_data);
      std::int32_t code = POLYCODEC_OK;
      for (std::uint64_t i = 0; i < n && code == POLYCODEC_OK; ++i)
        code = sink->reference(sink, test.filter_strays ? test.stray : pieces[i].data,
                               pieces[i].size, error);
      return code;
    };
    filter_instance_.decode = [](const polycodec_filter_instance* self, polycodec_call*,
                                 polycodec_bytes bytes, std::uint64_t, polycodec_sink* sink,
                                 polycodec_error* error) {
      const auto& test = *static_cast<PluginRegions*>(self->private_data);
      return sink->reference(sink, test.filter_strays ? test.stray : bytes.data, bytes.size, error);
    };
    filter_instance_.release = [](const polycodec_filter_instance*) {};
    filter_.struct_size = sizeof filter_;
    filter_.capabilities = POLYCODEC_CAN_DECODE | POLYCODEC_CAN_ENCODE;
    filter_.name = "test.same";
    filter_.manifest =
        R"({"name": "test.same", "summary": "bytes as they are", "format_version": "1",
      "aliases": [], "media_types": [], "extensions": [], "magic": [], "decode": true, "encode": true,
      "options": {"type": "object", "additionalProperties": false}})";
    filter_.private_data = this;
    filter_.open = [](const polycodec_filter* self, polycodec_call*, const polycodec_node*,
                      const polycodec_filter_instance** made, polycodec_error*) {
      *made = &static_cast<PluginRegions*>(self->private_data)->filter_instance_;
      return std::int32_t{POLYCODEC_OK};
    };
    codec.objects.functions = {&function_};
    codec.objects.filters = {&filter_};
    codec.encode = [this](polycodec_call*, const polycodec_node* root, polycodec_sink* sink,
                          polycodec_error* error) {
      const void* const from = refer_to == nullptr && root != nullptr ? root->as.data : refer_to;
      return from == nullptr ? std::int32_t{POLYCODEC_OK}
                             : sink->reference(sink, from, 1000, error);
    };
  }
  void TearDown() override { ::munmap(stray, stray_size); }

  /// The codec decodes by `make`, which gets the input and gives the root.
  template <class Make>
  void decode_by(Make make) {
    codec.decode = [make](polycodec_call* call, const polycodec_input* input,
                          const polycodec_node** root,
                          polycodec_error* error) { return give(call, make(*input), root, error); };
  }
  void decode_stray() {
    decode_by(
        [at = stray](const polycodec_input&) { return pointing(POLYCODEC_KIND_BINARY, at, 8); });
  }
  Codec open(std::string_view filters = "") const {
    return codec.registry().codec_with_json("test.call", "", filters);
  }
  void expect_stray(const std::function<void()>& run) const {
    const Error error = error_of(run);
    EXPECT_EQ(error.code(), Status::plugin) << error.describe();
    EXPECT_NE(error.message().find("stray"), std::string::npos) << error.message();
  }

  void* stray = nullptr;
  const void* refer_to = nullptr;  // what the codec writes; null: the root's bytes
  bool result_strays = false, filter_strays = false;
  TestCodec codec;

 private:
  static constexpr const char* path_[] = {"f"};
  polycodec_function function_{};
  polycodec_filter filter_{};
  polycodec_filter_instance filter_instance_{};
};

// -- decoding --

TEST_F(PluginRegions, ValuesOfDecodersReadersAndLists) {
  decode_stray();
  expect_stray([&] { (void)open().decode(Source::view("x")); });
  expect_stray([&] {
    ValueStream stream(open());
    stream.feed("x");
    stream.end();
    Value value;
    (void)stream.next(value);
  });
  const Source store = Source::store(
      std::make_shared<MemoryStore>(std::vector<std::pair<std::string, std::string>>{{"a", "x"}}));
  expect_stray([&] { (void)open().decode(store); });
  expect_stray([&] { (void)open().list(store); });
}

TEST_F(PluginRegions, ValuesMayViewInputBlobsAndNames) {
  decode_by([](const polycodec_input& input) {
    return pointing(POLYCODEC_KIND_BINARY, input.bytes.data, input.bytes.size);
  });
  EXPECT_EQ(open().decode(Source::owned("bytes")).view().as_bytes(), "bytes");
  codec.decode = [](polycodec_call* call, const polycodec_input* input, const polycodec_node** root,
                    polycodec_error* error) {
    polycodec_store_entry entry{};
    entry.struct_size = sizeof entry;
    if (const auto code = input->store->entry(input->store, call, 0, &entry, error)) return code;
    polycodec_bytes blob{};
    if (const auto code = input->store->read(input->store, call, 0, 0, UINT64_MAX, &blob, error))
      return code;
    void* memory = polycodec_arena_alloc(call->arena, 2 * sizeof(polycodec_node), 8, error);
    auto* const nodes = static_cast<polycodec_node*>(memory);
    nodes[0] = pointing(POLYCODEC_KIND_STRING, entry.name.data, entry.name.size);
    nodes[1] = pointing(POLYCODEC_KIND_BINARY, blob.data, blob.size);
    return give(call, pointing(POLYCODEC_KIND_LIST, nodes, 2), root, error);
  };
  const Value value = open().decode(Source::store(std::make_shared<MemoryStore>(
      std::vector<std::pair<std::string, std::string>>{{"name", "blob"}})));
  EXPECT_EQ(value.view()[0].as_string(), "name");
  EXPECT_EQ(value.view()[1].as_bytes(), "blob");
}

TEST_F(PluginRegions, ValuesOfNestedCalls) {
  int level = 0;
  bool inner_strays = true;
  const std::string own = "memory of the caller";
  codec.decode = [&](polycodec_call* call, const polycodec_input* input,
                     const polycodec_node** root, polycodec_error* error) {
    if (level++ == 1)
      return give(call,
                  pointing(POLYCODEC_KIND_BINARY, inner_strays ? stray : input->bytes.data,
                           input->bytes.size),
                  root, error);
    polycodec_input inner{};
    inner.struct_size = sizeof inner;
    inner.parts = POLYCODEC_INPUT_BYTES;
    inner.bytes = to_bytes(own);
    const polycodec_node* made = nullptr;
    const auto code = call->host->decode_with(call->host, call, to_bytes("test.call"), nullptr,
                                              &inner, &made, error);
    // The result may point to the input of the call, which is not memory of the value.
    return code != POLYCODEC_OK ? code : give_null(call, root, error);
  };
  expect_stray([&] { (void)open().decode(Source::view("x")); });
  level = 0;
  inner_strays = false;
  EXPECT_NO_THROW((void)open().decode(Source::view("x")));
}

TEST_F(PluginRegions, ResultsOfFunctions) {
  codec.decode = [&](polycodec_call* call, const polycodec_input*, const polycodec_node** root,
                     polycodec_error* error) {
    const char text[] = "on the stack";
    polycodec_node arg = pointing(POLYCODEC_KIND_STRING, text, sizeof text - 1);
    const polycodec_node args = pointing(POLYCODEC_KIND_LIST, &arg, 1);
    const polycodec_bytes name = to_bytes("f");
    const polycodec_node* result = nullptr;
    const auto code =
        call->host->call_function(call->host, call, &name, 1, &args, nullptr, &result, error);
    return code != POLYCODEC_OK ? code : give_null(call, root, error);
  };
  CallOptions options;
  options.allowlist = std::make_shared<const Allowlist>(Allowlist::parse("[[\"f\"]]"));
  EXPECT_NO_THROW((void)open().decode(Source::view("x"), options));
  result_strays = true;
  expect_stray([&] { (void)open().decode(Source::view("x"), options); });
}

// -- encoding --

TEST_F(PluginRegions, OutputInEverySink) {
  const std::string bytes(1000, 'b');
  const polycodec_node root = pointing(POLYCODEC_KIND_BINARY, bytes.data(), bytes.size());
  const NodeView raw(&root);  // nodes of the program: the host follows their pointers
  const Value value = Value::build([&](Builder& out) { return out.bytes_copy(bytes); });
  const Value viewing = Value::build([&](Builder& out) { return out.bytes_view(bytes); });
  const Registry registry = codec.registry();
  const Codec opened = registry.codec("test.call");
  const auto each = [&](const std::function<void(const std::function<void()>&)>& expect) {
    SegmentSink segments;
    expect([&] { opened.encode(raw, segments); });
    expect([&] { opened.encode(value, segments); });
    expect([&] { opened.encode(viewing, segments); });
    BufferSink buffer;
    expect([&] { opened.encode(raw, buffer); });
    expect([&] { opened.encode(value, buffer); });
    MemoryBlobs blobs;
    expect([&] { opened.encode(raw, blobs); });
    for (const char* format : {"directory", "zip"}) {
      const auto sink = registry.create_store(format, directory / format);
      expect([&] {
        opened.encode(raw, *sink);
        sink->finish();
      });
    }
    expect([&] {
      SegmentSink stream;
      ValueWriter writer(opened);
      writer.append(raw, stream);
      writer.finish(stream);
    });
  };
  each([](const std::function<void()>& run) { EXPECT_NO_THROW(run()); });
  refer_to = stray;
  each([&](const std::function<void()>& run) { expect_stray(run); });
  // One byte beyond the value is not of it.
  refer_to = bytes.data() + 1;
  SegmentSink sink;
  expect_stray([&] { opened.encode(raw, sink); });
}

TEST_F(PluginRegions, TheErrorOfOutputHasItsOffset) {
  codec.encode = [&](polycodec_call*, const polycodec_node*, polycodec_sink* sink,
                     polycodec_error* error) {
    if (const auto code = polycodec_sink_put(sink, "12345", 5, error)) return code;
    return sink->reference(sink, stray, 8, error);
  };
  SegmentSink sink;
  EXPECT_EQ(error_of([&] { open().encode(NodeView(), sink); }).offset(), 5u);
}

TEST_F(PluginRegions, OutputMayReferToScratchAndAdoptedMemory) {
  std::string adopted(1000, 'a');
  codec.encode = [&](polycodec_call* call, const polycodec_node*, polycodec_sink* sink,
                     polycodec_error* error) {
    void* const scratch = polycodec_arena_alloc(call->arena, 1000, 1, error);
    if (scratch == nullptr) return error->code;
    std::memset(scratch, 's', 1000);
    if (const auto code = sink->reference(sink, scratch, 1000, error)) return code;
    const polycodec_bytes extent = to_bytes(adopted);
    if (const auto code = sink->adopt(
            sink, nullptr, [](void*) {}, &extent, 1, error))
      return code;
    return sink->reference(sink, adopted.data(), adopted.size(), error);
  };
  SegmentSink sink;
  open().encode(NodeView(), sink);
  EXPECT_EQ(sink.to_string(), std::string(1000, 's') + adopted);
  // With the sink's content goes what was adopted.
  codec.encode = [&](polycodec_call*, const polycodec_node*, polycodec_sink* to,
                     polycodec_error* error) {
    return to->reference(to, adopted.data(), adopted.size(), error);
  };
  sink.reset();
  expect_stray([&] { open().encode(NodeView(), sink); });
}

TEST_F(PluginRegions, OutputOfFilters) {
  constexpr std::string_view same = R"([{"id": "test.same"}, {"id": "test.same"}])";
  decode_by([](const polycodec_input& input) {
    return pointing(POLYCODEC_KIND_BINARY, input.bytes.data, input.bytes.size);
  });
  const std::string bytes(1000, 'b');
  const polycodec_node root = pointing(POLYCODEC_KIND_BINARY, bytes.data(), bytes.size());
  const Codec filtered = open(same);
  EXPECT_EQ(filtered.encode_to_string(NodeView(&root)), bytes);
  EXPECT_EQ(filtered.decode(Source::view(bytes)).view().as_bytes(), bytes);
  filter_strays = true;
  expect_stray([&] { (void)filtered.encode_to_string(NodeView(&root)); });
  expect_stray([&] { (void)filtered.decode(Source::view(bytes)); });
  filter_strays = false;
  refer_to = stray;
  expect_stray([&] { (void)filtered.encode_to_string(NodeView(&root)); });
}

// -- stores --

TEST_F(PluginRegions, BlobsOfStores) {
  static void* memory_of_host;
  memory_of_host = stray;
  static bool strays;
  polycodec_store store{};
  store.struct_size = sizeof store;
  store.count = [](const polycodec_store*) { return std::uint64_t{1}; };
  store.entry = [](const polycodec_store*, polycodec_call*, std::uint64_t,
                   polycodec_store_entry* entry, polycodec_error*) {
    entry->name = to_bytes("blob");
    entry->size = 8;
    return std::int32_t{POLYCODEC_OK};
  };
  store.find = [](const polycodec_store*, polycodec_call*, polycodec_bytes, std::uint64_t* i,
                  polycodec_error*) {
    *i = 0;
    return std::int32_t{POLYCODEC_OK};
  };
  store.read = [](const polycodec_store*, polycodec_call* call, std::uint64_t, std::uint64_t,
                  std::uint64_t, polycodec_bytes* content, polycodec_error* error) {
    void* memory = memory_of_host;
    if (!strays) {
      memory = polycodec_arena_alloc(call->arena, 8, 1, error);
      std::memset(memory, 'm', 8);
    }
    *content = {memory, 8};
    return std::int32_t{POLYCODEC_OK};
  };
  store.release = [](const polycodec_store*) {};
  polycodec_store_format format{};
  format.struct_size = sizeof format;
  format.capabilities = POLYCODEC_CAN_DECODE;
  format.name = "test.store";
  format.manifest = R"({"name": "test.store", "summary": "one blob", "format_version": "1",
    "aliases": [], "media_types": [], "extensions": [".one"],
    "magic": [{"offset": 0, "bytes": "4f4e45", "score": 90}], "decode": true,
    "options": {"type": "object", "additionalProperties": false}})";
  format.private_data = &store;
  format.open = [](const polycodec_store_format* made_by, polycodec_call*, const polycodec_file*,
                   const polycodec_node*, const polycodec_store** made, polycodec_error*) {
    *made = static_cast<const polycodec_store*>(made_by->private_data);
    return std::int32_t{POLYCODEC_OK};
  };
  codec.objects.stores = {&format};
  const Registry registry = codec.registry();
  strays = false;
  EXPECT_EQ(registry.open_store(Source::view("ONE"))->read("blob"), "mmmmmmmm");
  strays = true;
  expect_stray([&] { (void)registry.open_store(Source::view("ONE"))->read("blob"); });
}

}  // namespace
}  // namespace polycodec
