// SPDX-License-Identifier: MIT
// The msgpack codec beside msgpack-c and memcpy. x_peer: how many times faster than msgpack-c;
// x_memcpy: 1 means as fast as copying the payload. "reused": output goes to memory that was used
// before; "fresh": to memory that the system has just given.
#include <model/type/type.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"
#include "core/call/limits.hpp"
#include "core/io/sink.hpp"
#include "core/value/arena.hpp"
#include "core/value/value.hpp"
#include "paired.hpp"

#include <malloc.h>
#include <msgpack.hpp>

#include <climits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace polycodec::bench {
namespace {

// Memory that is freed stays with the process. Otherwise what one of the two frees decides whether
// the other pays for page faults, which are half of its time.
[[maybe_unused]] const bool memory_stays =
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30) == 1 && ::mallopt(M_TRIM_THRESHOLD, INT_MAX) == 1;

using msgpack_ndarray::MsgpackNdarray;

const auto codec = test::make<MsgpackNdarray>();
const test::TestCall call;

const polycodec_node* decode_into(Value& value, std::string_view bytes) {
  test::decode_into(codec, test::input_of(bytes), call, value);
  return value.root();
}

void encode_into(Sink& sink, NodeView value) {
  test::encode_into(codec, value, sink, call);
}

bool by_reference(::msgpack::type::object_type, std::size_t, void*) {
  return true;
}

// 82,233 records: nested maps, texts with letters beyond ASCII, integers, four doubles each; 2.2
// million items.
std::string mixed_document() {
  ::msgpack::sbuffer buffer;
  ::msgpack::packer<::msgpack::sbuffer> pack(buffer);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> real(-1.0, 1.0);
  const auto text = [&](std::string_view s) {
    pack.pack_str(static_cast<std::uint32_t>(s.size()));
    pack.pack_str_body(s.data(), static_cast<std::uint32_t>(s.size()));
  };
  constexpr std::uint32_t records = 82233;
  const char* const names[] = {"M\u00fcller", "\u041e\u043b\u044c\u0433\u0430", "Smith",
                               "\u5f20\u4f1f", "Garc\u00eda"};
  const char* const tags[] = {"alpha", "b\u00eata", "release", "long label of a sample", "x"};
  pack.pack_array(records);
  for (std::uint32_t i = 0; i < records; ++i) {
    pack.pack_map(6);
    text("id");
    pack.pack_int64(static_cast<std::int64_t>(random() % 10'000'000));
    text("name");
    text(std::string(names[random() % 5]) + " " + std::to_string(random() % 1000));
    text("tags");
    const std::uint32_t n = 2 + i % 2;
    pack.pack_array(n);
    for (std::uint32_t t = 0; t < n; ++t) text(tags[random() % 5]);
    text("position");
    pack.pack_map(3);
    for (const char* axis : {"x", "y", "z"}) {
      text(axis);
      pack.pack_double(real(random));
    }
    text("score");
    pack.pack_double(real(random));
    text("meta");
    pack.pack_map(3);
    text("count");
    pack.pack_int64(static_cast<std::int64_t>(random() % 300) - 100);
    text("active");
    random() % 2 != 0 ? pack.pack_true() : pack.pack_false();
    text("parent");
    random() % 3 != 0 ? pack.pack_int64(static_cast<std::int64_t>(random() % 100000))
                      : pack.pack_nil();
  }
  return {buffer.data(), buffer.size()};
}

std::vector<double> normal_doubles(std::size_t count) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double& v : values) v = normal(random);
  return values;
}

const std::string& mixed() {
  static const std::string bytes = mixed_document();
  return bytes;
}

constexpr std::size_t million = 1'000'000;

const std::vector<double>& doubles() {
  static const std::vector<double> values = normal_doubles(million);
  return values;
}

std::string packed_doubles() {
  ::msgpack::sbuffer buffer;
  ::msgpack::pack(buffer, doubles());
  return {buffer.data(), buffer.size()};
}

std::string array_ext(std::size_t count) {
  const std::vector<double> values = normal_doubles(count);
  const Value value =
      Value::build([&](Builder& b) { return Builder::array(b.vector(std::span(values))); });
  SegmentSink sink;
  encode_into(sink, value.view());
  return sink.to_string();
}

void decode_pair(benchmark::State& state, const std::string& bytes) {
  Value value;
  paired(
      state, bytes.size(), [&] { benchmark::DoNotOptimize(decode_into(value, bytes)); },
      [&] {
        benchmark::DoNotOptimize(::msgpack::unpack(bytes.data(), bytes.size(), by_reference));
      });
}

void encode_pair(benchmark::State& state, const std::string& bytes) {
  Value value;
  decode_into(value, bytes);
  BufferSink sink;
  const ::msgpack::object_handle tree = ::msgpack::unpack(bytes.data(), bytes.size(), by_reference);
  ::msgpack::sbuffer buffer;
  encode_into(sink, value.view());
  if (sink.view() != bytes)
    throw std::logic_error("the codec does not write the bytes of msgpack-c");
  paired(
      state, bytes.size(), [&] { encode_into(sink, value.view()); },
      [&] {
        buffer.clear();
        ::msgpack::pack(buffer, tree.get());
      });
}

void mixed_decode_reused(benchmark::State& state) {
  decode_pair(state, mixed());
}
void mixed_decode_fresh(benchmark::State& state) {
  const std::string& bytes = mixed();
  set_arena_pool_bytes(0);
  paired(
      state, bytes.size(),
      [&] {
        Value value;
        benchmark::DoNotOptimize(decode_into(value, bytes));
      },
      [&] {
        benchmark::DoNotOptimize(::msgpack::unpack(bytes.data(), bytes.size(), by_reference));
      });
  set_arena_pool_bytes(std::uint64_t{64} << 20);
}
void mixed_encode_reused(benchmark::State& state) {
  encode_pair(state, mixed());
}
void mixed_encode_fresh(benchmark::State& state) {
  const std::string& bytes = mixed();
  Value value;
  decode_into(value, bytes);
  const ::msgpack::object_handle tree = ::msgpack::unpack(bytes.data(), bytes.size(), by_reference);
  paired(
      state, bytes.size(),
      [&] {
        SegmentSink sink;
        encode_into(sink, value.view());
      },
      [&] {
        ::msgpack::sbuffer buffer;
        ::msgpack::pack(buffer, tree.get());
      });
}

void doubles_decode_reused(benchmark::State& state) {
  decode_pair(state, packed_doubles());
}
// The peer packs its vector of doubles, which is quicker than packing its object tree.
void doubles_encode_reused(benchmark::State& state) {
  const std::string bytes = packed_doubles();
  Value value;
  decode_into(value, bytes);
  BufferSink sink;
  ::msgpack::sbuffer buffer;
  paired(
      state, bytes.size(), [&] { encode_into(sink, value.view()); },
      [&] {
        buffer.clear();
        ::msgpack::pack(buffer, doubles());
      });
}

// Arrays as ext 110; the argument is the number of doubles. The peer unpacks an ext without a copy.
void array_decode_view(benchmark::State& state) {
  const std::string bytes = array_ext(static_cast<std::size_t>(state.range(0)));
  Value value;
  paired(
      state, bytes.size(), [&] { benchmark::DoNotOptimize(decode_into(value, bytes)); },
      [&] {
        benchmark::DoNotOptimize(::msgpack::unpack(bytes.data(), bytes.size(), by_reference));
      },
      1000);
}
void array_encode_segments(benchmark::State& state) {
  const std::vector<double> values = normal_doubles(static_cast<std::size_t>(state.range(0)));
  const Value value =
      Value::build([&](Builder& b) { return Builder::array(b.vector(std::span(values))); });
  SegmentSink sink;
  ::msgpack::vrefbuffer buffer;
  const auto size = static_cast<std::uint32_t>(values.size() * sizeof(double));
  paired(
      state, size, [&] { encode_into(sink, value.view()); },
      [&] {
        buffer.clear();
        ::msgpack::packer<::msgpack::vrefbuffer> pack(buffer);
        pack.pack_ext(size, 110);
        pack.pack_ext_body(reinterpret_cast<const char*>(values.data()), size);
      },
      1000);
}
void array_encode_buffer(benchmark::State& state) {
  const std::vector<double> values = normal_doubles(static_cast<std::size_t>(state.range(0)));
  const Value value =
      Value::build([&](Builder& b) { return Builder::array(b.vector(std::span(values))); });
  BufferSink sink;
  ::msgpack::sbuffer buffer;
  const auto size = static_cast<std::uint32_t>(values.size() * sizeof(double));
  paired(
      state, size, [&] { encode_into(sink, value.view()); },
      [&] {
        buffer.clear();
        ::msgpack::packer<::msgpack::sbuffer> pack(buffer);
        pack.pack_ext(size, 110);
        pack.pack_ext_body(reinterpret_cast<const char*>(values.data()), size);
      });
}

// The C table of functions against the class behind it; the peer here is the direct call, so that
// (ours - peer) is what the interface costs.
void call_through_abi(benchmark::State& state) {
  static constexpr polycodec_codec table = make_codec<MsgpackNdarray>();
  const test::TestCall own;
  Call raw = own;
  const polycodec_instance* instance = nullptr;
  invoke(table.open, &table, raw.raw(), static_cast<const polycodec_node*>(nullptr), &instance);
  const std::string bytes = "\xc0";
  const polycodec_input input = test::input_of(bytes);
  Value value;
  paired(
      state, 0,
      [&] {
        const polycodec_node* root = nullptr;
        auto problem = make_error();
        own.begin(bytes.size());
        own.use(value.prepare(own.limits().max_memory_bytes));
        if (instance->decode(instance, raw.raw(), &input, &root, &problem) != POLYCODEC_OK)
          throw to_error(problem.code, problem);
        benchmark::DoNotOptimize(root);
      },
      [&] { benchmark::DoNotOptimize(decode_into(value, bytes)); }, 1000);
  own.use(nullptr);
  instance->release(instance);
}

void register_all() {
  using Body = void (*)(benchmark::State&);
  const auto add = [](const char* name, Body body) {
    return benchmark::RegisterBenchmark(name, body)->UseManualTime()->Unit(benchmark::kMicrosecond);
  };
  for (const auto& [name, body] : std::vector<std::pair<const char*, Body>>{
           {"mixed/decode/reused", mixed_decode_reused},
           {"mixed/decode/fresh", mixed_decode_fresh},
           {"mixed/encode/reused", mixed_encode_reused},
           {"mixed/encode/fresh", mixed_encode_fresh},
           {"doubles_1e6/decode/reused", doubles_decode_reused},
           {"doubles_1e6/encode/reused", doubles_encode_reused},
           {"call_through_abi", call_through_abi}})
    add(name, body)->Iterations(25);
  for (const auto& [name, body] : std::vector<std::pair<const char*, Body>>{
           {"ext110/decode/view", array_decode_view},
           {"ext110/encode/segments", array_encode_segments},
           {"ext110/encode/buffer_reused", array_encode_buffer}})
    add(name, body)->Arg(million)->Arg(10 * million)->Iterations(25);
}

}  // namespace
}  // namespace polycodec::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  polycodec::bench::register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
