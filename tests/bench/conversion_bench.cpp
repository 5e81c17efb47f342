// SPDX-License-Identifier: MIT
// A round through three formats, msgpack -> yggdrasil -> dynd -> msgpack, of an 8 MB array, beside
// the sum of what its six codec calls take one by one in the same rounds; and the filters
// beside memcpy of what they are given.

#include "paired.hpp"
#include "registry/codec/registry.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace polycodec;

const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

/// Doubles that grow slowly, as measurements do.
const std::vector<double>& numbers() {
  static const std::vector<double> all = [] {
    std::vector<double> n(1'000'000);
    for (std::size_t i = 0; i < n.size(); ++i)
      n[i] = std::round(1e6 * std::sin(1e-4 * static_cast<double>(i))) / 1024;
    return n;
  }();
  return all;
}

const Value& array() {
  static const Value value = Value::build(
      [](Builder& out) { return Builder::array(out.vector(std::span<const double>(numbers()))); });
  return value;
}

/// A codec with memory that is used again.
struct Station {
  explicit Station(const char* name) : codec(registry().codec(name)) {}
  Codec codec;
  Value value;
  BufferSink bytes;
  std::string input;

  void decode(std::string_view from) { codec.decode_into(value, from); }
  void encode(NodeView what) {
    bytes.reset(UINT64_MAX);
    codec.encode(what, bytes);
  }
};

void round_through_three_formats(benchmark::State& state) {
  Station msgpack("msgpack-ndarray"), yggdrasil("yggdrasil"), dynd("dynd"), last("msgpack-ndarray");
  const std::string start = registry().codec("msgpack-ndarray").encode_to_string(array().view());
  const auto chain = [&] {
    msgpack.decode(start);
    yggdrasil.encode(msgpack.value.view());
    yggdrasil.decode(yggdrasil.bytes.view());
    dynd.encode(yggdrasil.value.view());
    dynd.decode(dynd.bytes.view());
    last.encode(dynd.value.view());
  };
  chain();
  // The same calls, each alone and with memory of its own.
  Station a("msgpack-ndarray"), b("yggdrasil"), c("dynd"), d("msgpack-ndarray");
  b.input = std::string(yggdrasil.bytes.view());
  c.input = std::string(dynd.bytes.view());
  const auto single = [&](auto&& body) { return bench::seconds(body); };
  std::vector<double> own, ratios;
  for (int warm = 0; warm < 2; ++warm) {
    b.encode(array().view());
    c.encode(array().view());
    d.encode(array().view());
    b.decode(b.input);
    c.decode(c.input);
  }
  for (auto _ : state) {
    const double whole = single(chain);
    double sum = single([&] { a.decode(start); });
    sum += single([&] { b.encode(array().view()); });
    sum += single([&] { b.decode(b.input); });
    sum += single([&] { c.encode(array().view()); });
    sum += single([&] { c.decode(c.input); });
    sum += single([&] { d.encode(array().view()); });
    state.SetIterationTime(whole);
    own.push_back(whole);
    ratios.push_back(whole / sum);
  }
  state.counters["of_the_sum"] = bench::median(ratios);
}
BENCHMARK(round_through_three_formats)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(2);

/// One filter on 8 MB of doubles: how long beside memcpy, and how small.
void filter_bench(benchmark::State& state, const char* filters, bool decoding) {
  const Codec pipeline = registry().codec_with_json("dynd", "", filters);
  const std::string packed = pipeline.encode_to_string(array().view());
  BufferSink sink;
  bench::paired(
      state, numbers().size() * sizeof(double),
      [&] {
        if (decoding) {
          benchmark::DoNotOptimize(pipeline.decode(Source::view(packed)));
        } else {
          sink.reset(UINT64_MAX);
          pipeline.encode(array().view(), sink);
        }
      },
      bench::NoPeer{});
  state.counters["size"] =
      static_cast<double>(packed.size()) / (8.0 * static_cast<double>(numbers().size()));
}
#define FILTER(name, filters)                                    \
  BENCHMARK_CAPTURE(filter_bench, name##_encode, filters, false) \
      ->UseManualTime()                                          \
      ->Unit(benchmark::kMillisecond);                           \
  BENCHMARK_CAPTURE(filter_bench, name##_decode, filters, true)  \
      ->UseManualTime()                                          \
      ->Unit(benchmark::kMillisecond)
FILTER(none, "");
FILTER(crc32c, R"([{"id": "crc32c"}])");
FILTER(xxhash, R"([{"id": "xxhash"}])");
FILTER(shuffle, R"([{"id": "shuffle"}])");
FILTER(zlib, R"([{"id": "zlib"}])");
FILTER(shuffle_zstd, R"([{"id": "shuffle"}, {"id": "zstd", "level": 1}])");
FILTER(shuffle_lz4, R"([{"id": "shuffle"}, {"id": "lz4"}])");

}  // namespace
