// SPDX-License-Identifier: MIT
// Generated fastbin code beside FlatBuffers and Cap'n Proto on the same data, and memcpy of the
// same bytes. x_peer: how many times faster than the peer, in the same rounds. Buffers and builders
// are reused. "verified" reads check the whole message by each library's own means first; Cap'n
// Proto cannot be read without its checks, and stands with both.
#include "cap.hpp"
#include "dynamic.hpp"
#include "flat.hpp"
#include "ours.hpp"
#include "paired.hpp"

#include <algorithm>
#include <memory>

namespace polycodec::bench {
namespace {

constexpr std::size_t doubles = 1'000'000;
constexpr std::size_t records = 100'000;
constexpr std::size_t room = 16'000'000;

/// One contest: both write or read the same data, `batch` times a measurement.
template <class Ours, class Peer, class Prepare>
void contest(const std::string& name, int batch, int rounds, Ours ours, Peer peer,
             Prepare prepare) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [=](benchmark::State& state) mutable { paired(state, 0, ours, peer, batch, prepare); })
      ->UseManualTime()
      ->Iterations(rounds)
      ->Unit(benchmark::kMicrosecond);
}

/// A message in all three formats, and what is written to. Lives as long as the program.
struct Message {
  Bytes bytes = Bytes(room);
  Flat builder{room};
  Bytes target;  // of all but Cap'n Proto, which needs zeros
  std::unique_ptr<LentMemory> lent;
  std::unique_ptr<Flat> target_builder;
  kj::Array<capnp::word> words;
  std::unique_ptr<Segment> segment;
};

/// All contests of one kind of message.
template <class N, class FlatRoot, class CapRoot, class Data, class Write, class FlatWrite,
          class CapFill, class Read>
void contests(const std::string& name, int batch, int rounds, Data* data, Write write,
              FlatWrite flat_write, CapFill cap_fill, Read read) {
  const auto m = std::make_shared<Message>();
  m->bytes.resize(write(*data, m->bytes));
  const std::size_t flat_size = flat_write(*data, m->builder);
  m->target.resize(std::max(m->bytes.size(), flat_size) +
                   4096);  // FlatBuffers notes things down at the other end
  m->lent = std::make_unique<LentMemory>(m->target);
  m->target_builder = std::make_unique<Flat>(m->target.size() / 64 * 64, m->lent.get());
  m->words = cap_words(cap_fill(*data));
  m->segment = std::make_unique<Segment>(m->words.size() * 8);

  const auto wander = [=]([[maybe_unused]] std::size_t round) {
    if constexpr (requires { data->wander(round); }) data->wander(round);
  };
  const auto stay = [](std::size_t) {};
  const auto ours_write = [=] { benchmark::DoNotOptimize(write(*opaque(data), m->target)); };
  contest(
      name + "/write/memcpy", batch, rounds, ours_write,
      [=] {
        std::memcpy(m->target.data(), opaque(m->bytes.data()), m->bytes.size());
        benchmark::ClobberMemory();
      },
      wander);
  contest(
      name + "/write/flatbuffers", batch, rounds, ours_write,
      [=] { benchmark::DoNotOptimize(flat_write(*opaque(data), *m->target_builder)); }, wander);
  contest(
      name + "/write/capnp", batch, rounds, ours_write,
      [=] { benchmark::DoNotOptimize(cap_write(*m->segment, cap_fill(*opaque(data)))); }, wander);
  for (const bool verified : {false, true}) {
    const std::string how = verified ? "/verified/" : "/read/";
    const auto ours_read = [=] {
      benchmark::DoNotOptimize(read(fast_root<N>(m->bytes, verified)));
    };
    contest(
        name + how + "flatbuffers", batch, rounds, ours_read,
        [=] { benchmark::DoNotOptimize(read(flat_root<FlatRoot>(m->builder, verified))); }, stay);
    contest(
        name + how + "capnp", batch, rounds, ours_read,
        [=] {
          capnp::FlatArrayMessageReader reader({opaque(m->words.begin()), m->words.size()},
                                               no_limit());
          benchmark::DoNotOptimize(read(reader.getRoot<CapRoot>()));
        },
        stay);
  }
}

}  // namespace
}  // namespace polycodec::bench

int main(int argc, char** argv) {
  using namespace polycodec::bench;
  Small one = small();
  Series many_doubles = series(doubles);
  Wandering<Point> many_points = points(records);
  std::vector<Item> many_items = items(records);
  const auto sums = [](const auto& root) { return sum(root); };
  const auto alls = [](const auto& root) { return all(root); };

  contests<fast::Small, flat::SmallMessage, cap::Small>("a_small", 1000, 201, &one, write_small,
                                                        flat_small, cap_small, sums);
  contests<fast::Series, flat::Series, cap::Series>("b_series/ends", 1, 101, &many_doubles,
                                                    write_series, flat_series, cap_series,
                                                    [](const auto& root) { return ends(root); });
  contests<fast::Series, flat::Series, cap::Series>("b_series/all", 1, 101, &many_doubles,
                                                    write_series, flat_series, cap_series, alls);
  contests<fast::Points, flat::Points, cap::Points>("c_fixed", 1, 201, &many_points, write_points,
                                                    flat_points, cap_points, alls);
  contests<fast::Items, flat::Items, cap::Items>("c_variable", 1, 101, &many_items, write_items,
                                                 flat_items, cap_items, alls);
  register_dynamic();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
