// SPDX-License-Identifier: MIT
// What two threads gain: base64, blobs compressed with zlib, filters. `x_peer` is how many times
// faster than one thread in the same rounds, `x_memcpy` compares with a copy of the payload.
#include <polycodec/builder.hpp>

#include "core/io/sink.hpp"
#include "paired.hpp"
#include "registry/codec/registry.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace polycodec;

const Registry& registry() {
  static const Registry opened = Registry::open();
  return opened;
}

CallOptions with(std::uint32_t threads) {
  CallOptions call;
  call.threads = threads;
  return call;
}

/// Measurements with two decimals: numbers that compress a little.
std::vector<double> measured(std::size_t count) {
  std::mt19937_64 random(42);
  std::uniform_real_distribution<double> item(0, 100);
  std::vector<double> all(count);
  for (double& x : all) x = std::round(item(random) * 100) / 100;
  return all;
}

Value vector_of(const std::vector<double>& data) {
  return Value::build(
      [&](Builder& out) { return Builder::array(out.vector(std::span<const double>(data))); });
}

void encode(benchmark::State& state, const char* name, const char* filters, std::size_t count) {
  const Codec codec = registry().codec_with_json(name, "", filters);
  const auto data = measured(count);
  const Value value = vector_of(data);
  BufferSink sink;
  const auto run = [&](std::uint32_t threads) {
    sink.reset(UINT64_MAX);
    codec.encode(value, sink, with(threads));
  };
  bench::paired(
      state, count * 8, [&] { run(static_cast<std::uint32_t>(state.range(0))); }, [&] { run(1); });
}

void decode(benchmark::State& state, const char* name, const char* filters, std::size_t count) {
  const Codec codec = registry().codec_with_json(name, "", filters);
  const auto data = measured(count);
  const std::string text = codec.encode_to_string(vector_of(data).view());
  Value value;
  const auto run = [&](std::uint32_t threads) { codec.decode_into(value, text, with(threads)); };
  bench::paired(
      state, count * 8, [&] { run(static_cast<std::uint32_t>(state.range(0))); }, [&] { run(1); });
}

/// 48 MB: counts and items of a jagged array, or a table of equal columns.
void zlib_blobs(benchmark::State& state, bool is_table) {
  const Codec codec = registry().codec_with_json("awkward", R"({"compression": true})");
  const auto path = std::filesystem::temp_directory_path() /
                    ("polycodec_threads_bench_" + std::to_string(::getpid()) + ".awkd");
  const auto data = measured(is_table ? 1'000'000 : 5'000'000);
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i <= 1'000'000; ++i) offsets.push_back(5 * i - (i % 3 == 1 ? 1 : 0));
  std::vector<std::vector<double>> copies(is_table ? 6 : 0, data);
  for (std::size_t i = 0; i < copies.size(); ++i) copies[i][0] = static_cast<double>(i);
  const Value value = Value::build([&](Builder& out) {
    if (!is_table)
      return Builder::array(out.list_offsets(std::span<const std::int64_t>(offsets),
                                             out.vector(std::span<const double>(data))));
    std::vector<const polycodec_array*> columns;
    for (const auto& column : copies)
      columns.push_back(out.vector(std::span<const double>(column)));
    static constexpr std::string_view names[] = {"a", "b", "c", "d", "e", "f"};
    return Builder::array(out.record(data.size(), names, columns));
  });
  {
    const auto sink = registry().create_store("zip", path);
    codec.encode(value.view(), *sink);
    sink->finish();
  }
  Value read;
  const auto run = [&](std::uint32_t threads) {
    codec.decode_into(read, Source::file(path), with(threads));
  };
  bench::paired(
      state, 48'000'000, [&] { run(static_cast<std::uint32_t>(state.range(0))); }, [&] { run(1); });
  std::filesystem::remove(path);
}

#define THREADS(function, name, ...)             \
  BENCHMARK_CAPTURE(function, name, __VA_ARGS__) \
      ->UseManualTime()                          \
      ->Unit(benchmark::kMicrosecond)            \
      ->Arg(1)                                   \
      ->Arg(2)
THREADS(encode, base64_8mb, "yggdrasil", "", 1'000'000);
THREADS(decode, base64_8mb, "yggdrasil", "", 1'000'000);
THREADS(encode, crc32_32mb, "dynd", R"([{"id": "crc32"}])", 4'000'000);
THREADS(decode, crc32_32mb, "dynd", R"([{"id": "crc32"}])", 4'000'000);
THREADS(encode, shuffle_32mb, "dynd", R"([{"id": "shuffle"}])", 4'000'000);
THREADS(decode, shuffle_32mb, "dynd", R"([{"id": "shuffle"}])", 4'000'000);
THREADS(encode, lz4_32mb, "dynd", R"([{"id": "lz4"}])", 4'000'000);
THREADS(decode, lz4_32mb, "dynd", R"([{"id": "lz4"}])", 4'000'000);
THREADS(encode, zlib_8mb, "dynd", R"([{"id": "zlib"}])", 1'000'000)->Iterations(7);
THREADS(zlib_blobs, table, true)->Iterations(7);
THREADS(zlib_blobs, jagged, false)->Iterations(7);

}  // namespace
