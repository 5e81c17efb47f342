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

/// A document of 20 members, as an object of lists or a list of objects.
Value twenty_members(bool is_list) {
  constexpr std::size_t members = 20, rows = 120'000;
  return Value::build([&](Builder& out) {
    const auto item = [&](std::size_t member, std::size_t row) {
      const std::size_t mixed = (row * members + member) * 2654435761u % 1'000'000;
      if (member % 4 == 0) return Builder::real(static_cast<double>(mixed) / 977);
      if (member % 4 == 1) return Builder::integer(static_cast<std::int64_t>(mixed));
      if (member % 4 == 2) return out.string_copy("text " + std::to_string(mixed));
      polycodec_node* items;
      const polycodec_node list = out.list(3, &items);
      for (std::size_t i = 0; i < 3; ++i)
        items[i] = Builder::integer(static_cast<std::int64_t>(mixed >> i & 63));
      return list;
    };
    const auto name = [&](std::size_t member) {
      return out.string_copy("m" + std::to_string(10 + member));
    };
    polycodec_node* outer;
    const polycodec_node root = is_list ? out.list(rows, &outer) : out.object(members, &outer);
    for (std::size_t i = 0; i < (is_list ? rows : members); ++i) {
      polycodec_node* inner;
      if (is_list) {
        outer[i] = out.object(members, &inner);
        for (std::size_t m = 0; m < members; ++m) {
          inner[2 * m] = name(m);
          inner[2 * m + 1] = item(m, i);
        }
      } else {
        outer[2 * i] = name(i);
        outer[2 * i + 1] = out.list(rows, &inner);
        for (std::size_t row = 0; row < rows; ++row) inner[row] = item(i, row);
      }
    }
    return root;
  });
}

/// One member of twenty, beside the whole document.
void part_of_document(benchmark::State& state, const char* name, bool is_list) {
  const Codec codec = registry().codec(name);
  const std::string bytes = codec.encode_to_string(twenty_members(is_list).view());
  CallOptions whole, part;
  whole.threads = part.threads = 1;
  part.projection.paths = {"$.m21"};
  Value all, some;
  bench::paired(
      state, bytes.size(), [&] { codec.decode_into(some, bytes, part); },
      [&] { codec.decode_into(all, bytes, whole); });
}
#define PART(name, ...)                                  \
  BENCHMARK_CAPTURE(part_of_document, name, __VA_ARGS__) \
      ->UseManualTime()                                  \
      ->Unit(benchmark::kMillisecond)                    \
      ->Iterations(7)
PART(json_members, "json", false);
PART(json_rows, "json", true);
PART(msgpack_members, "msgpack-ndarray", false);
PART(msgpack_rows, "msgpack-ndarray", true);

}  // namespace
