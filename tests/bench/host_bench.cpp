// SPDX-License-Identifier: MIT
// What the C interface costs beside the C++ one, and frames of a large array.
#include <polycodec/frames.hpp>
#include <polycodec/host.h>
#include <polycodec/registry.hpp>

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace {

using namespace polycodec;

// {"a": 1, "b": [1, 2, 3]}
constexpr std::string_view message("\x82\xa1\x61\x01\xa1\x62\x93\x01\x02\x03");

void decode_cpp(benchmark::State& state) {
  const auto codec = Registry::open().codec("msgpack-ndarray");
  Value value;
  for (auto _ : state) {
    codec.decode_into(value, message);
    benchmark::DoNotOptimize(value.root());
  }
}
BENCHMARK(decode_cpp);

void decode_c(benchmark::State& state) {
  polycodec_registry* registry = nullptr;
  polycodec_opened_codec* codec = nullptr;
  polycodec_value* value = nullptr;
  polycodec_arena* arena = nullptr;
  polycodec_format format{};
  format.struct_size = sizeof format;
  format.codec = {"msgpack-ndarray", 15};
  if (polycodec_registry_open(nullptr, &registry, nullptr) != POLYCODEC_OK ||
      polycodec_registry_open_codec(registry, &format, &codec, nullptr) != POLYCODEC_OK ||
      polycodec_value_create(0, &value, &arena, nullptr) != POLYCODEC_OK)
    return state.SkipWithError("no codec");
  const polycodec_bytes bytes = {message.data(), message.size()};
  for (auto _ : state) {
    polycodec_error error;
    if (polycodec_opened_codec_decode_into(codec, bytes, nullptr, value, &error) != POLYCODEC_OK)
      state.SkipWithError("not decoded");
    benchmark::DoNotOptimize(polycodec_value_root(value));
  }
  polycodec_value_release(value);
  polycodec_opened_codec_release(codec);
  polycodec_registry_release(registry);
}
BENCHMARK(decode_c);

// A source and a value each time, as most programs do.
void decode_new_cpp(benchmark::State& state) {
  const auto codec = Registry::open().codec("msgpack-ndarray");
  const Source source = Source::view(message);
  for (auto _ : state) benchmark::DoNotOptimize(codec.decode(source).root());
}
BENCHMARK(decode_new_cpp);

void decode_new_c(benchmark::State& state) {
  polycodec_registry* registry = nullptr;
  polycodec_opened_codec* codec = nullptr;
  polycodec_source* source = nullptr;
  polycodec_format format{};
  format.struct_size = sizeof format;
  format.codec = {"msgpack-ndarray", 15};
  if (polycodec_registry_open(nullptr, &registry, nullptr) != POLYCODEC_OK ||
      polycodec_registry_open_codec(registry, &format, &codec, nullptr) != POLYCODEC_OK ||
      polycodec_source_from_bytes({message.data(), message.size()}, nullptr, nullptr, {}, &source,
                                  nullptr) != POLYCODEC_OK)
    return state.SkipWithError("no codec");
  for (auto _ : state) {
    polycodec_error error;
    polycodec_value* value = nullptr;
    if (polycodec_opened_codec_decode(codec, source, nullptr, &value, &error) != POLYCODEC_OK)
      state.SkipWithError("not decoded");
    benchmark::DoNotOptimize(polycodec_value_root(value));
    polycodec_value_release(value);
  }
  polycodec_source_release(source);
  polycodec_opened_codec_release(codec);
  polycodec_registry_release(registry);
}
BENCHMARK(decode_new_c);

/// 100 MB of numbers.
void frames_of_an_array(benchmark::State& state) {
  const std::vector<double> numbers(12'500'000, 1.0);
  const Value value = Value::build(
      [&](Builder& out) { return Builder::array(out.vector(std::span<const double>(numbers))); });
  for (auto _ : state) {
    const Frames frames = to_frames(value);
    const Value back = from_frames(frames.header, frames.buffers, nullptr);
    benchmark::DoNotOptimize(back.root());
  }
}
BENCHMARK(frames_of_an_array);

}  // namespace
