// SPDX-License-Identifier: MIT
#include "dynamic.hpp"

#include "ours.hpp"
#include "shipped.hpp"

#include <memory>

namespace polycodec::bench {
namespace {

/// A codec of the benchmark's schema with this root.
Codec codec_of(const char* root) {
  return test::shipped("fastbin",
                       {{"schema", test::read_file(POLYCODEC_BENCH_SCHEMA)}, {"root", root}});
}

template <class Data, class Write>
void row(const std::string& name, const char* root, const Data& data, Write write) {
  const auto bytes = std::make_shared<Bytes>(16'000'000);
  bytes->resize(write(data, *bytes));
  const auto codec = codec_of(root);
  benchmark::RegisterBenchmark(("dynamic/" + name).c_str(), [=](benchmark::State& state) {
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    Value value = Value::reusable();
    for (auto _ : state) {
      codec.decode_into(value, text);
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
