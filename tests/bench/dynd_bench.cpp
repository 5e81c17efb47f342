// SPDX-License-Identifier: MIT
// The DyND codec beside memcpy and loops written by hand for the one type. x_peer: how many times
// faster than the loop; x_memcpy: 1 means as fast as copying the payload into touched memory.
#include <polycodec/array_view.hpp>
#include <polycodec/utf.hpp>

#include "paired.hpp"
#include "shipped.hpp"
#include "varint.hpp"

#include <random>
#include <string>
#include <vector>

namespace polycodec::bench {
namespace {

const Codec& codec() {
  static const Codec opened = test::shipped("dynd");
  return opened;
}

const polycodec_node* decode_into(Value& value, std::string_view bytes) {
  codec().decode_into(value, bytes);
  return value.root();
}

void encode_into(Sink& sink, const Value& value) {
  sink.reset();
  codec().encode(value, sink);
}

void put_varint(std::string& out, std::uint64_t n) {
  std::uint8_t bytes[max_varint_size];
  out.append(reinterpret_cast<const char*>(bytes), encode_varint(n, bytes));
}

std::string start(std::string_view type) {
  std::string bytes;
  put_varint(bytes, type.size());
  return bytes.append(type);
}

constexpr std::size_t million = 1'000'000;

std::string doubles() {
  std::string bytes = start("1000000 * float64");
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (std::size_t i = 0; i < million; ++i) {
    const double d = normal(random);
    bytes.append(reinterpret_cast<const char*>(&d), sizeof d);
  }
  return bytes;
}

std::string lists() {
  std::string bytes = start("var * var * int32");
  std::mt19937_64 random(2);
  put_varint(bytes, million);
  for (std::size_t i = 0; i < million; ++i) {
    const std::uint64_t n = random() % 11;
    put_varint(bytes, n);
    for (std::uint64_t k = 0; k < n; ++k) {
      const auto v = static_cast<std::int32_t>(random());
      bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
    }
  }
  return bytes;
}

std::string texts() {
  std::string bytes = start("1000000 * string");
  std::mt19937_64 random(3);
  for (std::size_t i = 0; i < million; ++i) {
    const std::uint64_t n = 6 + random() % 13;
    put_varint(bytes, n);
    for (std::uint64_t k = 0; k < n; ++k) bytes.push_back(static_cast<char>('a' + random() % 26));
  }
  return bytes;
}

// A decode of the array is a view.
void doubles_decode_view(benchmark::State& state) {
  const std::string bytes = doubles();
  Value value = Value::reusable();
  paired(
      state, 0, [&] { benchmark::DoNotOptimize(decode_into(value, bytes)); }, NoPeer{}, 1000);
}

void doubles_encode_buffer(benchmark::State& state) {
  const std::string bytes = doubles();
  Value value = Value::reusable();
  decode_into(value, bytes);
  Sink sink = Sink::contiguous();
  std::string to(bytes.size(), 'y');
  paired(
      state, bytes.size(), [&] { encode_into(sink, value); },
      [&] {
        std::memcpy(to.data(), bytes.data(), bytes.size());
        benchmark::ClobberMemory();
      });
}

void doubles_encode_fortran(benchmark::State& state) {
  const std::vector<double> values(million, 1.5);
  const Value value = Value::build([&](Builder& b) {
    const std::int64_t shape[] = {1000, 1000};
    polycodec_array* a = b.ndarray(bytes_of(std::span(values)), POLYCODEC_DTYPE_FLOAT64, 8, shape);
    auto* strides = const_cast<std::int64_t*>(a->strides);
    strides[0] = 8, strides[1] = 8000;
    return Builder::array(a);
  });
  Sink sink = Sink::contiguous();
  std::vector<double> to(million);
  paired(
      state, 8 * million, [&] { encode_into(sink, value); },
      [&] {
        for (std::size_t i = 0; i < 1000; ++i)
          for (std::size_t j = 0; j < 1000; ++j) to[i * 1000 + j] = values[j * 1000 + i];
        benchmark::ClobberMemory();
      });
}

// The loop by hand: offsets and items into vectors that are used again.
void lists_decode(benchmark::State& state) {
  const std::string bytes = lists();
  const std::size_t head = start("var * var * int32").size();
  Value value = Value::reusable();
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> items;
  paired(
      state, bytes.size(), [&] { benchmark::DoNotOptimize(decode_into(value, bytes)); },
      [&] {
        Reader in(std::string_view(bytes).substr(head));
        const std::uint64_t count = read_varint(in);
        offsets.assign(1, 0);
        offsets.reserve(count + 1);
        items.clear();
        for (std::uint64_t i = 0; i < count; ++i) {
          const std::uint64_t n = read_varint(in);
          const std::uint8_t* p = in.take(4 * n);
          const std::size_t old = items.size();
          items.resize(old + n);
          if (n != 0) std::memcpy(items.data() + old, p, 4 * n);
          offsets.push_back(static_cast<std::int64_t>(old + n));
        }
        benchmark::DoNotOptimize(items.data());
      });
}

void lists_encode(benchmark::State& state) {
  const std::string bytes = lists();
  Value value = Value::reusable();
  decode_into(value, bytes);
  const ArrayView all = test::node(value).as_array();
  const auto* offsets = static_cast<const std::int64_t*>(all.raw().index.data);
  const std::byte* items = all.child().data();
  Sink sink = Sink::contiguous();
  std::vector<std::uint8_t> to(bytes.size() + max_varint_size);
  paired(
      state, bytes.size(), [&] { encode_into(sink, value); },
      [&] {
        std::uint8_t* p = to.data();
        p += encode_varint(million, p);
        for (std::size_t i = 0; i < million; ++i) {
          const auto n = static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
          p += encode_varint(n, p);
          std::memcpy(p, items + 4 * offsets[i], 4 * n);
          p += 4 * n;
        }
        benchmark::DoNotOptimize(p);
      });
}

// Lists of texts, checked; the peer only finds and checks the texts.
void texts_decode(benchmark::State& state) {
  const std::string bytes = texts();
  const std::size_t head = start("1000000 * string").size();
  Value value = Value::reusable();
  paired(
      state, bytes.size(), [&] { benchmark::DoNotOptimize(decode_into(value, bytes)); },
      [&] {
        Reader in(std::string_view(bytes).substr(head));
        bool valid = true;
        for (std::size_t i = 0; i < million; ++i)
          valid = valid && is_utf8(in.bytes(read_varint(in)));
        benchmark::DoNotOptimize(valid);
      });
}

void texts_encode(benchmark::State& state) {
  const std::string bytes = texts();
  Value value = Value::reusable();
  decode_into(value, bytes);
  Sink sink = Sink::contiguous();
  std::string to(bytes.size(), 'y');
  paired(
      state, bytes.size(), [&] { encode_into(sink, value); },
      [&] {
        std::memcpy(to.data(), bytes.data(), bytes.size());
        benchmark::ClobberMemory();
      });
}

#define POLYCODEC_DYND_BENCH(name, rounds) \
  BENCHMARK(name)->UseManualTime()->Iterations(rounds)->Unit(benchmark::kMicrosecond)

POLYCODEC_DYND_BENCH(doubles_decode_view, 50);
POLYCODEC_DYND_BENCH(doubles_encode_buffer, 50);
POLYCODEC_DYND_BENCH(doubles_encode_fortran, 30);
POLYCODEC_DYND_BENCH(lists_decode, 30);
POLYCODEC_DYND_BENCH(lists_encode, 30);
POLYCODEC_DYND_BENCH(texts_decode, 30);
POLYCODEC_DYND_BENCH(texts_encode, 30);

}  // namespace
}  // namespace polycodec::bench
