// SPDX-License-Identifier: MIT
// yggdrasil bodies: arrays against memcpy, documents against RapidJSON's DOM (full precision),
// which the real library is made of.

#include "paired.hpp"
#include "shipped.hpp"

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#ifdef POLYCODEC_PEER_SIMDJSON
#include <simdjson.h>
#endif

#include <cstdlib>
#include <random>
#include <span>

namespace polycodec::bench {
namespace {

class Fixture {
 public:
  std::string_view encode(const Value& value, Sink& sink) const {
    sink.reset();
    codec_.encode(value, sink);
    return sink.bytes();
  }
  void decode(std::string_view bytes, Value& value) const {
    codec_.decode_into(value, bytes);
    benchmark::DoNotOptimize(value.root());
  }

 private:
  const Codec codec_ = test::shipped("yggdrasil");
};

Value array_value(std::span<const double> numbers) {
  return Value::build([&](Builder& out) {
    const std::int64_t shape[] = {static_cast<std::int64_t>(numbers.size())};
    return Builder::array(
        out.ndarray(bytes_of(test::kept(out, numbers)), POLYCODEC_DTYPE_FLOAT64, 8, shape));
  });
}

std::vector<double> numbers(std::size_t count) {
  std::mt19937_64 random(1);
  std::vector<double> all(count);
  for (double& x : all) x = std::bit_cast<double>(random());
  return all;
}

void encode_array(benchmark::State& state) {
  const Fixture fixture;
  const auto data = numbers(1000000);
  const Value value = array_value(data);
  Sink sink = Sink::contiguous();
  paired(
      state, data.size() * 8, [&] { fixture.encode(value, sink); }, NoPeer{});
}

void decode_array(benchmark::State& state) {
  const Fixture fixture;
  const auto data = numbers(1000000);
  Sink sink = Sink::contiguous();
  const std::string text(fixture.encode(array_value(data), sink));
  Value value = Value::reusable();
  paired(
      state, data.size() * 8, [&] { fixture.decode(text, value); }, NoPeer{});
}

// About `bytes` of JSON: rows with names, counts, measured numbers, notes, and short arrays in
// base64.
std::string mixed_document(std::size_t bytes) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> real(-1000, 1000);
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> w(buffer);
  w.StartArray();
  for (int i = 0; buffer.GetSize() < bytes; ++i) {
    w.StartObject();
    w.Key("id"), w.Int(i);
    w.Key("name"), w.String(("station " + std::to_string(random() % 100000)).c_str());
    w.Key("active"), w.Bool(i % 3 != 0);
    w.Key("height"), w.Double(real(random));
    w.Key("position"), w.StartArray();
    for (int k = 0; k < 3; ++k) w.Double(std::round(real(random) * 1000) / 1000);
    w.EndArray();
    w.Key("counts"), w.StartArray();
    for (int k = 0; k < 6; ++k) w.Int64(static_cast<std::int64_t>(random() % 100000));
    w.EndArray();
    w.Key("comment"), w.String(i % 5 == 0 ? "calibrated in spring, \"re-checked\" since\n"
                                          : "nothing of note happened here");
    w.Key("parent"), w.Null();
    w.EndObject();
  }
  w.EndArray();
  return {buffer.GetString(), buffer.GetSize()};
}

void decode_document(benchmark::State& state) {
  const Fixture fixture;
  const std::string text = mixed_document(20000000);
  Value value = Value::reusable();
  paired(
      state, text.size(), [&] { fixture.decode(text, value); },
      [&] {
        rapidjson::Document document;
        document.Parse<rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
        benchmark::DoNotOptimize(document.IsArray());
      });
}

// The document of simdjson is its tape; both use their memory again.
void decode_document_beside_simdjson(benchmark::State& state) {
  const Fixture fixture;
  const std::string text = mixed_document(20000000);
  Value value = Value::reusable();
#ifdef POLYCODEC_PEER_SIMDJSON
  const simdjson::padded_string padded(text);
  simdjson::dom::parser parser;
  const auto peer = [&] {
    if (parser.parse(padded).error() != simdjson::SUCCESS) std::abort();
  };
  state.SetLabel("simdjson");
#else
  const NoPeer peer;
#endif
  paired(
      state, text.size(), [&] { fixture.decode(text, value); }, peer);
}

void encode_document(benchmark::State& state) {
  const Fixture fixture;
  const std::string text = mixed_document(20000000);
  Value value = Value::reusable();
  fixture.decode(text, value);
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(text.data(), text.size());
  Sink sink = Sink::contiguous();
  rapidjson::StringBuffer buffer;
  paired(
      state, text.size(), [&] { fixture.encode(value, sink); },
      [&] {
        buffer.Clear();
        rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
        document.Accept(writer);
        benchmark::DoNotOptimize(buffer.GetSize());
      });
  // Not the same bytes: RapidJSON writes a digit too many now and then.
  if (sink.bytes().size() > buffer.GetSize() || sink.bytes().size() < buffer.GetSize() / 100 * 99)
    state.SkipWithError("other bytes");
}

// 1e5 scalars of their own, each with its schema.
void scalars(benchmark::State& state, bool encode) {
  const Fixture fixture;
  const Value value = Value::build([](Builder& out) {
    polycodec_node* nodes;
    const auto list = out.list(100000, &nodes);
    for (int i = 0; i < 100000; ++i)
      nodes[i] = out.annotated(Builder::real32(static_cast<float>(i)),
                               out.object({{"units", out.string_copy("cm")}}));
    return list;
  });
  Sink sink = Sink::contiguous();
  const std::string text(fixture.encode(value, sink));
  Value again = Value::reusable();
  paired(
      state, text.size(),
      [&] {
        encode ? static_cast<void>(fixture.encode(value, sink)) : fixture.decode(text, again);
      },
      NoPeer{});
}

BENCHMARK(encode_array)->UseManualTime()->Iterations(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_array)->UseManualTime()->Iterations(200)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_document)->UseManualTime()->Iterations(15)->Unit(benchmark::kMicrosecond);
BENCHMARK(decode_document_beside_simdjson)
    ->UseManualTime()
    ->Iterations(15)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(encode_document)->UseManualTime()->Iterations(15)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(scalars, encode, true)
    ->UseManualTime()
    ->Iterations(20)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(scalars, decode, false)
    ->UseManualTime()
    ->Iterations(20)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace polycodec::bench
