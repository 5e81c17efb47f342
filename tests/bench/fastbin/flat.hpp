// SPDX-License-Identifier: MIT
// Writing and reading the data with FlatBuffers.
#pragma once

#include "data.hpp"

#include <bench_generated.h>
#include <benchmark/benchmark.h>
#include <flatbuffers/flatbuffers.h>

#include <cstdlib>
#include <span>

namespace polycodec::bench {

namespace flat = ::bench_flat;
using Flat = flatbuffers::FlatBufferBuilder;

/// Memory that somebody else writes to as well: which pages it has decides on a tenth of the time.
class LentMemory final : public flatbuffers::Allocator {
 public:
  explicit LentMemory(std::span<std::byte> memory) : memory_(memory) {}
  std::uint8_t* allocate(std::size_t size) override {
    if (size > memory_.size()) std::abort();
    return reinterpret_cast<std::uint8_t*>(memory_.data());
  }
  void deallocate(std::uint8_t*, std::size_t) override {}

 private:
  std::span<std::byte> memory_;
};

inline std::size_t flat_small(const Small& from, Flat& b) {
  b.Clear();
  const flat::Small small(from.id, from.price, from.quantity,
                          from.buy ? flat::Side_Buy : flat::Side_Sell);
  b.Finish(flat::CreateSmallMessage(b, &small));
  benchmark::ClobberMemory();
  return b.GetSize();
}
inline std::size_t flat_series(const Series& from, Flat& b) {
  b.Clear();
  const auto samples = b.CreateVector(from.samples.data(), from.samples.size());
  const auto name = b.CreateString(from.name);
  b.Finish(flat::CreateSeries(b, name, samples));
  benchmark::ClobberMemory();
  return b.GetSize();
}
inline std::size_t flat_points(const Wandering<Point>& from, Flat& b) {
  b.Clear();
  flat::Point* to = nullptr;
  const auto items = b.CreateUninitializedVectorOfStructs(from.size(), &to);
  for (const Point& p : from) *to++ = flat::Point(p.time, p.price, p.volume, p.id);
  b.Finish(flat::CreatePoints(b, items));
  benchmark::ClobberMemory();
  return b.GetSize();
}
inline std::size_t flat_items(const std::vector<Item>& from, Flat& b) {
  static std::vector<flatbuffers::Offset<flat::Item>> offsets;
  b.Clear();
  offsets.clear();
  for (const Item& p : from)
    offsets.push_back(flat::CreateItem(b, p.id, b.CreateString(p.name), p.value));
  b.Finish(flat::CreateItems(b, b.CreateVector(offsets)));
  benchmark::ClobberMemory();
  return b.GetSize();
}

inline double sum(const flat::SmallMessage& message) {
  const flat::Small& s = *message.small();
  return static_cast<double>(s.id()) + s.price() + s.quantity() + static_cast<double>(s.side());
}
inline double ends(const flat::Series& s) {
  const auto& samples = *s.samples();
  return static_cast<double>(s.name()->size()) + samples[0] + samples[samples.size() - 1];
}
inline double all(const flat::Series& s) {
  double total = 0;
  for (const double x : *s.samples()) total += x;
  return total;
}
inline double all(const flat::Points& points) {
  double total = 0;
  for (const flat::Point* p : *points.items())
    total += p->price() * p->volume() +
             static_cast<double>(p->time() ^ static_cast<std::int64_t>(p->id()));
  return total;
}
inline double all(const flat::Items& items) {
  double total = 0;
  for (const flat::Item* i : *items.items())
    total += i->value() + static_cast<double>(i->id()) + static_cast<double>(i->name()->size());
  return total;
}

/// The root of a message, checked or not.
template <class T>
const T& flat_root(const Flat& b, bool verified) {
  const std::uint8_t* data = opaque(b.GetBufferPointer());
  if (verified) {
    flatbuffers::Verifier verifier(data, b.GetSize(), 64, 10'000'000);
    if (!verifier.VerifyBuffer<T>(nullptr)) std::abort();
  }
  return *flatbuffers::GetRoot<T>(data);
}

}  // namespace polycodec::bench
