// SPDX-License-Identifier: MIT
// What polycodec.hpp costs beside the functions of C that it calls, for messages of some bytes: the
// counter overhead_ns is at most 15. Ours is the class, the peer is the function.
#include <polycodec/polycodec.hpp>

#include "host_calls.h"
#include "paired.hpp"

#include <benchmark/benchmark.h>

#include <stdexcept>
#include <string>

namespace {

using namespace polycodec;

// {"a": 1, "b": [1, 2, 3]}
const std::string message("\x82\xa1\x61\x01\xa1\x62\x93\x01\x02\x03");

const Codec& codec() {
  static const Codec opened = Registry::open().codec("msgpack-ndarray");
  return opened;
}

void must(std::int32_t code) {
  if (code != POLYCODEC_OK) throw std::runtime_error(polycodec_status_name(code));
}

template <class Cpp, class C>
void compare(benchmark::State& state, const Cpp& cpp, const C& c) {
  bench::paired(state, 0, cpp, c, 1000);
  state.counters["overhead_ns"] =
      (state.counters["ours_us"].value - state.counters["peer_us"].value) * 1e3;
}

void decode_into_beside_c(benchmark::State& state) {
  Value value = Value::reusable();
  compare(
      state, [&] { codec().decode_into(value, message); },
      [&] {
        polycodec_error error = make_error();
        must(polycodec_opened_codec_decode_into(codec().raw(), to_bytes(message), nullptr,
                                                value.raw(), &error));
      });
}
BENCHMARK(decode_into_beside_c);

void decode_beside_c(benchmark::State& state) {
  const Source source = Source::view(message);
  compare(
      state, [&] { benchmark::DoNotOptimize(codec().decode(source).raw()); },
      [&] {
        polycodec_error error = make_error();
        polycodec_value* value = nullptr;
        must(polycodec_opened_codec_decode(codec().raw(), source.raw(), nullptr, &value, &error));
        benchmark::DoNotOptimize(polycodec_value_root(value));
        polycodec_value_release(value);
      });
}
BENCHMARK(decode_beside_c);

void decode_with_options_beside_c(benchmark::State& state) {
  const Source source = Source::view(message);
  const CallOptions options{.threads = 1};
  polycodec_call_options call{};
  call.struct_size = sizeof call;
  call.threads = 1;
  compare(
      state, [&] { benchmark::DoNotOptimize(codec().decode(source, options).raw()); },
      [&] {
        polycodec_error error = make_error();
        polycodec_value* value = nullptr;
        must(polycodec_opened_codec_decode(codec().raw(), source.raw(), &call, &value, &error));
        polycodec_value_release(value);
      });
}
BENCHMARK(decode_with_options_beside_c);

void encode_beside_c(benchmark::State& state) {
  const Value value = codec().decode(Source::view(message));
  Sink out = Sink::contiguous();
  compare(
      state,
      [&] {
        out.reset();
        codec().encode(value, out);
      },
      [&] {
        polycodec_error error = make_error();
        must(polycodec_sink_reset(out.raw(), &error));
        must(polycodec_opened_codec_encode(codec().raw(), value.raw(), nullptr, out.raw(), nullptr,
                                           nullptr, &error));
      });
}
BENCHMARK(encode_beside_c);

void source_beside_c(benchmark::State& state) {
  compare(
      state, [&] { benchmark::DoNotOptimize(Source::view(message).raw()); },
      [&] {
        polycodec_error error = make_error();
        polycodec_source* source = nullptr;
        must(from_bytes(to_bytes(message), nullptr, nullptr, {}, &source, &error));
        polycodec_source_release(source);
      });
}
BENCHMARK(source_beside_c);

}  // namespace
