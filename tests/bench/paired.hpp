// SPDX-License-Identifier: MIT
// Benchmarks against something else in the same rounds, so that a busy machine slows both.
#pragma once

#include "medians.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace polycodec::bench {

/// The peer of a work that is measured beside memcpy alone.
struct NoPeer {
  void operator()() const {}
};

/// Each round runs `ours`, `peer` and a memcpy of `payload` bytes into touched memory. Reports the
/// time of `ours`, and as counters the medians of each round's ratios: `x_peer` (how many times
/// faster than the peer) and `x_memcpy` (1: as fast as the copy). scripts/bench_report.py reads the
/// others. `batch`: calls a measurement, for
/// what takes nanoseconds. `prepare`: called with the number of the round before each measurement,
/// outside of it.
template <class Ours, class Peer, class Prepare = void (*)(std::size_t)>
void paired(
    benchmark::State& state, std::size_t payload, Ours&& ours, Peer&& peer, int batch = 1,
    Prepare&& prepare = [](std::size_t) {}) {
  const std::string from(payload, 'x');
  std::string to(payload, 'y');
  std::vector<double> own, x_peer, of_peer, x_memcpy, peers, copies;
  const auto measure = [batch](auto&& body) {
    return seconds([&] {
             for (int i = 0; i < batch; ++i) body();
           }) /
           batch;
  };
  for (int warm = 0; warm < 2; ++warm) {
    ours();
    peer();
  }
  std::size_t round = 0;
  for (auto _ : state) {
    double a = 0;
    double b = 0;
    // Who comes second finds other things in the caches; so they take turns.
    for (const bool ours_now : {round % 2 == 0, round % 2 != 0}) {
      prepare(round);
      if (ours_now)
        a = measure(ours);
      else
        b = measure(peer);
    }
    ++round;
    const double c = seconds([&] {
      std::memcpy(to.data(), from.data(), payload);
      benchmark::ClobberMemory();
    });
    state.SetIterationTime(a);
    own.push_back(a);
    peers.push_back(b);
    copies.push_back(c);
    x_peer.push_back(b / a);
    of_peer.push_back(a / b);
    x_memcpy.push_back(c / a);
  }
  state.counters["ours_us"] = median(own) * 1e6;
  state.counters["spread"] = spread(own);
  if constexpr (!std::is_same_v<std::remove_cvref_t<Peer>, NoPeer>) {
    state.counters["peer_us"] = median(peers) * 1e6;
    state.counters["x_peer"] = median(x_peer);
    state.counters["of_peer"] = median(of_peer);
  }
  if (payload != 0) {
    state.counters["memcpy_us"] = median(copies) * 1e6;
    state.counters["memcpy_spread"] = spread(copies);
    state.counters["x_memcpy"] = median(x_memcpy);
    state.counters["GB/s"] = static_cast<double>(payload) / median(own) * 1e-9;
  }
}

}  // namespace polycodec::bench
