// SPDX-License-Identifier: MIT
// What WebAssembly costs: each call of a module beside the same call of the native plugin, of the
// same sources.
#include <polycodec/polycodec.hpp>

#include "paired.hpp"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>

namespace {

using namespace polycodec;

Registry opened(bool module) {
  RegistryOptions options;
  options.flags = 0;
  options.isolation = "in-process";
  options.threads = 1;
  if (module) {
    options.plugin_paths = {WASM_MODULES};
    options.layers = {
        {R"({"policy": {"wasm_runtime": ")" POLYCODEC_WASMTIME R"("}})", "benchmark"}};
  }
  return Registry::open(options);
}

const Registry& native() {
  static const Registry registry = opened(false);
  return registry;
}
const Registry& modules() {
  static const Registry registry = opened(true);
  return registry;
}

/// msgpack of some maps.
std::string maps(int count) {
  std::string rows = "[";
  for (int i = 0; i < count; ++i)
    rows += (i == 0 ? "" : ",") + std::string(R"({"id":)") + std::to_string(i * 7919) +
            R"(,"name":"row number )" + std::to_string(i) + R"(","x":)" + std::to_string(i * 0.37) +
            R"(,"ok":true,"tags":[1,2,3],"note":"some words of text that follow"})";
  return native().codec("msgpack-ndarray").encode(Value::parse(rows + "]"));
}

std::string ply(int count) {
  const std::string n = std::to_string(count);
  std::string text = "ply\nformat ascii 1.0\nelement vertex " + n +
                     "\nproperty float x\nproperty float y\nproperty float z\nelement face " + n +
                     "\nproperty list uchar int vertex_indices\nend_header\n";
  char line[99];
  for (int i = 0; i < count; ++i)
    text.append(line,
                static_cast<std::size_t>(std::snprintf(line, sizeof line, "%.6f %.6f %.6f\n",
                                                       i * 0.001, i * 0.0017 - 3, 7 - i * 0.0003)));
  for (int i = 0; i < count; ++i)
    text.append(line, static_cast<std::size_t>(std::snprintf(line, sizeof line, "3 %d %d %d\n", i,
                                                             (i + 1) % count, (i + 2) % count)));
  return text;
}

void decode(benchmark::State& state, const char* codec, const std::string& bytes, int batch) {
  const Codec ours = modules().codec(codec), peer = native().codec(codec);
  const Source source = Source::view(bytes);
  const auto by = [&](const Codec& one) {
    return [&] { benchmark::DoNotOptimize(one.decode(source)); };
  };
  bench::paired(state, bytes.size(), by(ours), by(peer), batch);
}

void encode(benchmark::State& state, const char* codec, const std::string& bytes) {
  const Codec ours = modules().codec(codec), peer = native().codec(codec);
  const Value value = peer.decode(Source::view(bytes));
  const auto by = [&](const Codec& one) {
    return [&] {
      Sink sink;
      one.encode(value, sink);
    };
  };
  bench::paired(state, bytes.size(), by(ours), by(peer));
}

BENCHMARK_CAPTURE(decode, msgpack_120000_maps, "msgpack-ndarray", maps(120'000), 1);
BENCHMARK_CAPTURE(decode, msgpack_2_maps, "msgpack-ndarray", maps(2), 100);
BENCHMARK_CAPTURE(decode, msgpack_instance, "msgpack-ndarray", maps(600), 1);  // kept by its value
BENCHMARK_CAPTURE(decode, ply_ascii, "ply", ply(500'000), 1);
BENCHMARK_CAPTURE(encode, msgpack_120000_maps, "msgpack-ndarray", maps(120'000));
BENCHMARK_CAPTURE(encode, ply_ascii, "ply", ply(500'000));

}  // namespace
