// SPDX-License-Identifier: MIT
// The byte tools against memcpy of the same payload. Buffers are reused, so that page faults do not
// count; compare rows of the same size only.
#include <base/base64.hpp>
#include <base/swap_copy.hpp>
#include <polycodec/utf.hpp>

#include "varint.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {

using polycodec::CpuLevel;

std::string random_bytes(std::size_t size) {
  std::mt19937_64 random(1);
  std::string bytes(size, '\0');
  for (auto& b : bytes) b = static_cast<char>(random());
  return bytes;
}

std::string text_of(std::size_t size, unsigned other_per_16, char32_t limit) {
  std::mt19937 random(2);
  std::string text;
  while (text.size() + 4 <= size) {
    const auto drawn = static_cast<char32_t>(0x80 + random() % (limit - 0x80));
    static_cast<void>(polycodec::append_utf8(text, random() % 16 < other_per_16 ? drawn : U'a'));
  }
  text.resize(size, 'a');
  return text;
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

bool has_level(benchmark::State& state, CpuLevel level) {
  if (polycodec::cpu_has(level)) return true;
  state.SkipWithError("the processor does not have these instructions");
  return false;
}

void copy(benchmark::State& state) {
  const std::string in = random_bytes(static_cast<std::size_t>(state.range(0)));
  std::string out(in.size(), '\1');
  for (auto _ : state) {
    std::memcpy(out.data(), in.data(), in.size());
    benchmark::ClobberMemory();
  }
  count_bytes(state, in.size());
}

void base64_encode(benchmark::State& state, CpuLevel level) {
  if (!has_level(state, level)) return;
  const std::string in = random_bytes(static_cast<std::size_t>(state.range(0)));
  std::string out(polycodec::base64_encoded_size(in.size()), '\1');
  for (auto _ : state) {
    polycodec::detail::base64_encode_at(level, out.data(), in.data(), in.size());
    benchmark::ClobberMemory();
  }
  count_bytes(state, in.size());
}

void base64_decode(benchmark::State& state, CpuLevel level) {
  if (!has_level(state, level)) return;
  const std::string bytes = random_bytes(static_cast<std::size_t>(state.range(0)));
  std::string text(polycodec::base64_encoded_size(bytes.size()), '\1');
  polycodec::base64_encode(text.data(), bytes.data(), bytes.size());
  text += "\", \"more\": 1}";
  std::string out(bytes.size(), '\1');
  for (auto _ : state) {
    const auto result = polycodec::detail::base64_decode_at(level, out.data(), out.size(), text);
    if (result.written != bytes.size()) state.SkipWithError("wrong result");
    benchmark::ClobberMemory();
  }
  count_bytes(state, bytes.size());
}

void swap_items(benchmark::State& state, std::size_t width) {
  const std::string in = random_bytes(static_cast<std::size_t>(state.range(0)));
  std::string out(in.size(), '\1');
  for (auto _ : state) {
    polycodec::swap_copy(out.data(), in.data(), in.size() / width, width);
    benchmark::ClobberMemory();
  }
  count_bytes(state, in.size());
}

void utf8(benchmark::State& state, unsigned other_per_16, char32_t limit) {
  const std::string text = text_of(static_cast<std::size_t>(state.range(0)), other_per_16, limit);
  for (auto _ : state) {
    std::size_t bad = polycodec::validate_utf8(text);
    benchmark::DoNotOptimize(bad);
  }
  count_bytes(state, text.size());
}

void varint_decode(benchmark::State& state, unsigned max_bits) {
  std::mt19937_64 random(3);
  std::vector<std::uint8_t> bytes(1'000'000 * polycodec::max_varint_size);
  std::size_t size = 0;
  for (int i = 0; i < 1'000'000; ++i)
    size +=
        polycodec::encode_varint(random() >> (64 - 1 - random() % max_bits), bytes.data() + size);
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (polycodec::Reader in(bytes.data(), size); !in.at_end();) sum += polycodec::read_varint(in);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * 1'000'000);
}

#define POLYCODEC_SIZES Arg(12 << 10)->Arg(384 << 10)->Arg(8 << 20)
BENCHMARK(copy)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(base64_encode, scalar, CpuLevel::scalar)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(base64_encode, avx2, CpuLevel::avx2)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(base64_encode, vbmi, CpuLevel::avx512_vbmi)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(base64_decode, scalar, CpuLevel::scalar)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(base64_decode, avx2, CpuLevel::avx2)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(base64_decode, vbmi, CpuLevel::avx512_vbmi)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(swap_items, 2, 2)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(swap_items, 4, 4)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(swap_items, 8, 8)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(swap_items, 16, 16)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(utf8, ascii, 0, 0x100)->Arg(10)->Arg(30)->Arg(100)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(utf8, few_others, 1, 0x800)->Arg(10)->Arg(30)->Arg(100)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(utf8, mixed, 8, 0x20000)->Arg(10)->Arg(30)->Arg(100)->POLYCODEC_SIZES;
BENCHMARK_CAPTURE(varint_decode, one_byte, 7);
BENCHMARK_CAPTURE(varint_decode, log_uniform, 64);

}  // namespace
