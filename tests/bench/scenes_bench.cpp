// SPDX-License-Identifier: MIT
// Opening a GLB file of 100 MB, and reading and writing STL of a million facets, through a
// registry. The peer for STL is in Python: tests/bench/trimesh_stl.py reads the same file.
#include <polycodec/byte_order.hpp>

#include "core/io/sink.hpp"
#include "core/io/source.hpp"
#include "core/value/value.hpp"
#include "registry/codec/registry.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace polycodec::bench {
namespace {

constexpr std::uint32_t facets = 1'000'000;
constexpr std::uint32_t vertices = 8'333'334;  // 100 MB of positions

const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

void append(std::string& bytes, std::uint32_t number) {
  char text[4];
  store_le(text, number);
  bytes.append(text, sizeof text);
}

std::string file(const char* name, const std::string& bytes) {
  const auto path = std::filesystem::temp_directory_path() / name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

/// A grid of squares on a wave, two facets each, so that corners are shared as in real files.
const std::string& stl_path() {
  static const std::string path = [] {
    std::string bytes(80, '\0');
    append(bytes, facets);
    const auto put = [&](std::uint32_t x, std::uint32_t y) {
      for (const float number : {static_cast<float>(x), static_cast<float>(y),
                                 std::sin(static_cast<float>(x + y) / 100)})
        append(bytes, std::bit_cast<std::uint32_t>(number));
    };
    for (std::uint32_t i = 0; i < facets; ++i) {
      const std::uint32_t x = i / 2 % 1000;
      const std::uint32_t y = i / 2000;
      bytes.append(12, '\0');
      put(x, y);
      put(x + 1, y + i % 2);
      put(x + 1 - i % 2, y + 1);
      bytes.append(2, '\0');
    }
    return file("polycodec_bench.stl", bytes);
  }();
  return path;
}

const std::string& glb_path() {
  static const std::string path = [] {
    const std::string size = std::to_string(12 * std::uint64_t{vertices});
    std::string json =
        R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
        R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"mode":0}]}],"accessors":[{)"
        R"("bufferView":0,"componentType":5126,"type":"VEC3","min":[0,0,0],"max":[1,1,1],"count":)" +
        std::to_string(vertices) + R"(}],"bufferViews":[{"buffer":0,"byteLength":)" + size +
        R"(}],"buffers":[{"byteLength":)" + size + "}]}";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string bytes = "glTF";
    append(bytes, 2);
    append(bytes, static_cast<std::uint32_t>(28 + json.size() + 12 * std::uint64_t{vertices}));
    append(bytes, static_cast<std::uint32_t>(json.size()));
    bytes += "JSON" + json;
    append(bytes, 12 * vertices);
    bytes.append("BIN\0", 4);
    bytes.append(12 * std::size_t{vertices}, '\0');
    return file("polycodec_bench.glb", bytes);
  }();
  return path;
}

/// Maps the file, chooses the codec, decodes, and checks the value.
void open_glb(benchmark::State& state) {
  const std::string path = glb_path();
  for (auto _ : state) benchmark::DoNotOptimize(registry().decode(Source::file(path)).view().raw());
}
BENCHMARK(open_glb)->Unit(benchmark::kMicrosecond);

void open_stl(benchmark::State& state) {
  const std::string path = stl_path();
  for (auto _ : state) benchmark::DoNotOptimize(registry().decode(Source::file(path)).view().raw());
}
BENCHMARK(open_stl)->Unit(benchmark::kMillisecond);

/// `merge`: corners share positions, as trimesh makes them by default.
void stl_to_mesh(benchmark::State& state) {
  const std::string path = stl_path();
  const Codec codec = registry().codec_with_json(
      "stl", state.range(0) != 0 ? R"({"form": "mesh"})" : R"({"form": "mesh", "merge": false})");
  for (auto _ : state) benchmark::DoNotOptimize(codec.decode(Source::file(path)).view().raw());
}
BENCHMARK(stl_to_mesh)->ArgName("merge")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void write_stl(benchmark::State& state) {
  const Value value = registry().decode(Source::file(stl_path()));
  const Codec codec = registry().codec("stl");
  for (auto _ : state) {
    SegmentSink sink;
    codec.encode(value.view(), sink);
    benchmark::DoNotOptimize(sink.size());
  }
}
BENCHMARK(write_stl)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace polycodec::bench
