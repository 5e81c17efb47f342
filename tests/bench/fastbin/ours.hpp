// SPDX-License-Identifier: MIT
// Writing and reading the data with generated fastbin code.
#pragma once

#include "data.hpp"

#include <bench.hpp>
#include <benchmark/benchmark.h>

#include <cstdlib>

namespace polycodec::bench {

namespace fast = ::bench_fastbin;
using Bytes = std::vector<std::byte, Aligned<std::byte>>;

inline std::size_t write_small(const Small& from, Bytes& to) {
  const auto size = fast::Small::write({.id = from.id,
                                        .price = from.price,
                                        .quantity = from.quantity,
                                        .side = from.buy ? fast::Side::Buy : fast::Side::Sell},
                                       to);
  benchmark::ClobberMemory();
  return *size;
}
inline std::size_t write_series(const Series& from, Bytes& to) {
  const auto size = fast::Series::write(
      {.name = from.name, .samples = {from.samples.data(), from.samples.size()}}, to);
  benchmark::ClobberMemory();
  return *size;
}
inline std::size_t write_points(const Wandering<Point>& from, Bytes& to) {
  fastbin_runtime::Output out(to);
  fast::Points::Writer writer(out);
  auto items = writer.items();
  items.add_all(from, [](const Point& p) {
    return fast::Point::Values{.time = p.time, .price = p.price, .volume = p.volume, .id = p.id};
  });
  items.finish();
  writer.finish();
  benchmark::ClobberMemory();
  return out.size();
}
inline std::size_t write_items(const std::vector<Item>& from, Bytes& to) {
  fastbin_runtime::Output out(to);
  fast::Items::Writer writer(out);
  auto items = writer.items();
  for (const Item& p : from) items.add({.id = p.id, .name = p.name, .value = p.value});
  items.finish();
  writer.finish();
  benchmark::ClobberMemory();
  return out.size();
}

inline double sum(const fast::Small& s) {
  return static_cast<double>(s.id()) + s.price() + s.quantity() + static_cast<double>(s.side());
}
inline double ends(const fast::Series& s) {
  const auto samples = s.samples();
  return static_cast<double>(s.name().size()) + samples[0] + samples[samples.size() - 1];
}
inline double all(const fast::Series& s) {
  double total = 0;
  for (const double x : s.samples()) total += x;
  return total;
}
inline double all(const fast::Points& points) {
  double total = 0;
  for (const fast::Point& p : points.items())
    total +=
        p.price() * p.volume() + static_cast<double>(p.time() ^ static_cast<std::int64_t>(p.id()));
  return total;
}
inline double all(const fast::Items& items) {
  double total = 0;
  for (const fast::Item& i : items.items())
    total += i.value() + static_cast<double>(i.id()) + static_cast<double>(i.name().size());
  return total;
}

/// The root of a message, checked or not.
template <class N>
N fast_root(const Bytes& bytes, bool verified) {
  const std::byte* data = opaque(bytes.data());
  if (!verified) return N::trust(data);
  const auto opened = N::open({data, bytes.size()});
  if (!opened) std::abort();
  return *opened;
}

}  // namespace polycodec::bench
