// SPDX-License-Identifier: MIT
// What the C interface costs beside the C++ one, frames of a large array, and one column of a large
// file beside all of it. All figures are those of one run of bench_host.
#include <polycodec/host.h>

#include "core/wire/frames.hpp"
#include "host_calls.h"
#include "paired.hpp"
#include "registry/codec/registry.hpp"

#include <benchmark/benchmark.h>

#include <charconv>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace polycodec;

// {"a": 1, "b": [1, 2, 3]}
constexpr std::string_view message("\x82\xa1\x61\x01\xa1\x62\x93\x01\x02\x03");

void must(std::int32_t code) {
  if (code != POLYCODEC_OK) throw std::runtime_error(polycodec_status_name(code));
}

/// A codec of the C interface, with a source of the message.
struct Opened {
  explicit Opened(const std::string& name) {
    polycodec_format format{};
    format.struct_size = sizeof format;
    format.codec = {name.data(), name.size()};
    must(polycodec_registry_open(nullptr, &registry, nullptr));
    must(polycodec_registry_open_codec(registry, &format, &codec, nullptr));
  }
  ~Opened() {
    polycodec_opened_codec_release(codec);
    polycodec_registry_release(registry);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  polycodec_source* source(std::string_view bytes) const {
    polycodec_source* made = nullptr;
    must(from_bytes({bytes.data(), bytes.size()}, nullptr, nullptr, {}, &made, nullptr));
    return made;
  }
  void decode(const polycodec_source* from, const polycodec_call_options* call) const {
    auto error = make_error();
    polycodec_value* value = nullptr;
    must(polycodec_opened_codec_decode(codec, from, call, &value, &error));
    benchmark::DoNotOptimize(polycodec_value_root(value));
    polycodec_value_release(value);
  }

  polycodec_registry* registry = nullptr;
  polycodec_opened_codec* codec = nullptr;
};

/// Ours is the C interface, the peer is the C++ one: what a decode costs more.
template <class C, class Cpp>
void compare(benchmark::State& state, const C& c, const Cpp& cpp) {
  bench::paired(state, 0, c, cpp, 1000);
  state.counters["overhead_ns"] =
      (state.counters["ours_us"].value - state.counters["peer_us"].value) * 1e3;
}

/// The least work for a call: bytes into a value that is used again.
void decode_c_beside_cpp(benchmark::State& state) {
  const Opened c("msgpack-ndarray");
  const Codec codec = Registry::open().codec("msgpack-ndarray");
  polycodec_value* value = nullptr;
  polycodec_arena* arena = nullptr;
  must(polycodec_value_create(0, &value, &arena, nullptr));
  Value own;
  compare(
      state,
      [&] {
        auto error = make_error();
        must(polycodec_opened_codec_decode_into(c.codec, {message.data(), message.size()}, nullptr,
                                                value, &error));
        benchmark::DoNotOptimize(polycodec_value_root(value));
      },
      [&] {
        codec.decode_into(own, message);
        benchmark::DoNotOptimize(own.root());
      });
  polycodec_value_release(value);
}
BENCHMARK(decode_c_beside_cpp)->UseManualTime()->Iterations(500);

/// A value each time, as most programs do.
void decode_new_c_beside_cpp(benchmark::State& state) {
  const Opened c("msgpack-ndarray");
  const Codec codec = Registry::open().codec("msgpack-ndarray");
  const Source source = Source::view(message);
  polycodec_source* const from = c.source(message);
  compare(
      state, [&] { c.decode(from, nullptr); },
      [&] { benchmark::DoNotOptimize(codec.decode(source).root()); });
  polycodec_source_release(from);
}
BENCHMARK(decode_new_c_beside_cpp)->UseManualTime()->Iterations(500);

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

/// A point cloud of about 50 MB as text: places and normals.
std::string large_ply() {
  constexpr std::size_t vertices = 900'000;
  std::string text = "ply\nformat ascii 1.0\nelement vertex " + std::to_string(vertices) + "\n";
  for (const char* name : {"x", "y", "z", "nx", "ny", "nz"})
    text += std::string("property float ") + name + "\n";
  text += "end_header\n";
  std::uint32_t random = 1;
  for (std::size_t i = 0; i < 6 * vertices; ++i) {
    random = random * 1664525u + 1013904223u;
    char digits[32];
    const float number = static_cast<float>(random >> 8) / 16777216.0f - 0.5f;
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text.append(digits, end);
    text += i % 6 == 5 ? '\n' : ' ';
  }
  return text;
}

/// Ours is one property, the peer is the whole file.
void one_property_of_ply(benchmark::State& state) {
  const Opened c("ply");
  const std::string text = large_ply();
  polycodec_source* const from = c.source(text);
  const polycodec_bytes path = {"$.vertex.x", 10};
  polycodec_projection projection{};
  projection.struct_size = sizeof projection;
  projection.n_paths = 1;
  projection.paths = &path;
  projection.n_rows = UINT64_MAX;
  polycodec_call_options call{};
  call.struct_size = sizeof call;
  call.projection = &projection;
  bench::paired(
      state, 0, [&] { c.decode(from, &call); }, [&] { c.decode(from, nullptr); });
  state.counters["MB"] = static_cast<double>(text.size()) * 1e-6;
  state.counters["of_the_whole"] = 1 / state.counters["x_peer"].value;
  polycodec_source_release(from);
}
BENCHMARK(one_property_of_ply)->UseManualTime()->Iterations(7)->Unit(benchmark::kMillisecond);

}  // namespace
