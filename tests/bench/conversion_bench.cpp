// SPDX-License-Identifier: MIT
// A round through three formats, msgpack -> yggdrasil -> dynd -> msgpack, of an 8 MB array, beside
// the sum of what its six codec calls take one by one in the same rounds; and the filters
// beside memcpy of what they are given, zlib's also beside the library zlib.

#include "paired.hpp"
#include "registry/codec/registry.hpp"

#include <benchmark/benchmark.h>
#include <zlib.h>

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
FILTER(gzip, R"([{"id": "gzip"}])");
FILTER(shuffle_zstd, R"([{"id": "shuffle"}, {"id": "zstd", "level": 1}])");
FILTER(shuffle_lz4, R"([{"id": "shuffle"}, {"id": "lz4"}])");

/// The filter zlib at a level on one thread, beside the library zlib at that level with memory that
/// it uses again. `size_of_peer`: the size of the stream beside that of the library's.
void zlib_filter(benchmark::State& state, bool decoding) {
  const auto level = static_cast<int>(state.range(0));
  const Codec pipeline = registry().codec_with_json(
      "dynd", "", R"([{"id": "zlib", "level": )" + std::to_string(level) + "}]");
  CallOptions one_thread;
  one_thread.threads = 1;
  const std::string plain = registry().codec("dynd").encode_to_string(array().view());
  std::string packed(compressBound(plain.size()), '\0'), unpacked(plain.size(), '\0');
  uLongf size = packed.size();
  const auto deflate_plain = [&] {
    size = packed.size();
    compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
              reinterpret_cast<const Bytef*>(plain.data()), plain.size(), level);
  };
  deflate_plain();
  BufferSink sink;
  pipeline.encode(array().view(), sink);
  const double ratio = static_cast<double>(sink.size()) / static_cast<double>(size);
  Value value;
  bench::paired(
      state, plain.size(),
      [&] {
        if (decoding) {
          pipeline.decode_into(value, std::string_view(packed).substr(0, size), one_thread);
        } else {
          sink.reset(UINT64_MAX);
          pipeline.encode(array().view(), sink, one_thread);
        }
      },
      [&] {
        if (!decoding) return deflate_plain();
        uLongf made = unpacked.size();
        uncompress(reinterpret_cast<Bytef*>(unpacked.data()), &made,
                   reinterpret_cast<const Bytef*>(packed.data()), size);
      });
  state.counters["size_of_peer"] = ratio;
}
BENCHMARK_CAPTURE(zlib_filter, encode, false)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Arg(1)
    ->Arg(3)
    ->Arg(6)
    ->Iterations(7);
BENCHMARK_CAPTURE(zlib_filter, decode, true)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Arg(6);

}  // namespace
