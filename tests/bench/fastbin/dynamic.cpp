// SPDX-License-Identifier: MIT
#include "dynamic.hpp"

#include <polycodec/limits.hpp>
#include <polycodec/value.hpp>

#include "codec_calls.hpp"
#include "core/value/arena.hpp"
#include "fastbin/codec.hpp"
#include "ours.hpp"

#include <fstream>
#include <iterator>
#include <memory>

namespace polycodec::bench {
namespace {

const test::TestCall call;

/// A codec of the benchmark's schema with this root.
std::shared_ptr<const fastbin::Fastbin> codec_of(std::string_view root) {
  std::ifstream in(POLYCODEC_BENCH_SCHEMA, std::ios::binary);
  const std::string schema{std::istreambuf_iterator<char>(in), {}};
  Arena arena;
  Builder out(arena.abi());
  const polycodec_node options = out.object(std::vector<Member>{
      {"schema", Builder::string_view(schema)}, {"root", Builder::string_view(root)}});
  return std::make_shared<const fastbin::Fastbin>(test::open<fastbin::Fastbin>(&options));
}

template <class Data, class Write>
void row(const std::string& name, std::string_view root, const Data& data, Write write) {
  const auto bytes = std::make_shared<Bytes>(16'000'000);
  bytes->resize(write(data, *bytes));
  const auto codec = codec_of(root);
  benchmark::RegisterBenchmark(("dynamic/" + name).c_str(), [=](benchmark::State& state) {
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const polycodec_input input = test::input_of(text);
    Value value;
    for (auto _ : state) {
      test::decode_into(*codec, input, call, value);
      benchmark::DoNotOptimize(value.root());
    }
    state.counters["bytes"] = static_cast<double>(text.size());
  });
}

}  // namespace

void register_dynamic() {
  for (const std::size_t n : {1'000u, 1'000'000u})
    row("b_series/" + std::to_string(n), "Series", series(n), write_series);
  for (const std::size_t n : {1'000u, 100'000u})
    row("c_fixed/" + std::to_string(n), "Points", points(n), write_points);
  for (const std::size_t n : {1'000u, 100'000u})
    row("c_variable/" + std::to_string(n), "Items", items(n), write_items);
}

}  // namespace polycodec::bench
