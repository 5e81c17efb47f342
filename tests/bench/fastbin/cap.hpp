// SPDX-License-Identifier: MIT
// Writing and reading the data with Cap'n Proto.
#pragma once

#include "data.hpp"

#include <benchmark/benchmark.h>
#include <capnp/message.h>
#include <capnp/serialize.h>

#include <bench.capnp.h>

namespace polycodec::bench {

namespace cap = ::bench_capnp;

/// A message whose first segment is reused and large enough, which is what suits Cap'n Proto best.
/// It must be zero.
class Segment {
 public:
  explicit Segment(std::size_t bytes) : words_((bytes + 7) / 8 + 16) {}
  kj::ArrayPtr<capnp::word> get() noexcept {
    return {reinterpret_cast<capnp::word*>(words_.data()), words_.size()};
  }

 private:
  std::vector<std::uint64_t> words_;
};

template <class Fill>
inline std::size_t cap_write(Segment& segment, Fill&& fill) {
  capnp::MallocMessageBuilder message(segment.get());  // zeroes what it used when it goes
  fill(message);
  benchmark::ClobberMemory();
  return message.sizeInWords() * 8;
}
inline auto cap_small(const Small& from) {
  return [&from](capnp::MessageBuilder& message) {
    auto to = message.initRoot<cap::Small>();
    to.setId(from.id);
    to.setPrice(from.price);
    to.setQuantity(from.quantity);
    to.setSide(from.buy ? cap::Side::BUY : cap::Side::SELL);
  };
}
inline auto cap_series(const Series& from) {
  return [&from](capnp::MessageBuilder& message) {
    auto to = message.initRoot<cap::Series>();
    to.setName(from.name);
    auto samples = to.initSamples(static_cast<unsigned>(from.samples.size()));
    for (unsigned i = 0; i < samples.size(); ++i) samples.set(i, from.samples[i]);
  };
}
inline auto cap_points(const Wandering<Point>& from) {
  return [&from](capnp::MessageBuilder& message) {
    auto to = message.initRoot<cap::Points>().initItems(static_cast<unsigned>(from.size()));
    for (unsigned i = 0; i < to.size(); ++i) {
      auto point = to[i];
      point.setTime(from[i].time);
      point.setPrice(from[i].price);
      point.setVolume(from[i].volume);
      point.setId(from[i].id);
    }
  };
}
inline auto cap_items(const std::vector<Item>& from) {
  return [&from](capnp::MessageBuilder& message) {
    auto to = message.initRoot<cap::Items>().initItems(static_cast<unsigned>(from.size()));
    for (unsigned i = 0; i < to.size(); ++i) {
      auto item = to[i];
      item.setId(from[i].id);
      item.setName(from[i].name);
      item.setValue(from[i].value);
    }
  };
}

inline double sum(cap::Small::Reader s) {
  return static_cast<double>(s.getId()) + s.getPrice() + s.getQuantity() +
         static_cast<double>(s.getSide());
}
inline double ends(cap::Series::Reader s) {
  const auto samples = s.getSamples();
  return static_cast<double>(s.getName().size()) + samples[0] + samples[samples.size() - 1];
}
inline double all(cap::Series::Reader s) {
  double total = 0;
  for (const double x : s.getSamples()) total += x;
  return total;
}
inline double all(cap::Points::Reader points) {
  double total = 0;
  for (const auto p : points.getItems())
    total += p.getPrice() * p.getVolume() +
             static_cast<double>(p.getTime() ^ static_cast<std::int64_t>(p.getId()));
  return total;
}
inline double all(cap::Items::Reader items) {
  double total = 0;
  for (const auto i : items.getItems())
    total +=
        i.getValue() + static_cast<double>(i.getId()) + static_cast<double>(i.getName().size());
  return total;
}

template <class Fill>
kj::Array<capnp::word> cap_words(Fill&& fill) {
  capnp::MallocMessageBuilder message;
  fill(message);
  return capnp::messageToFlatArray(message);
}
inline capnp::ReaderOptions no_limit() {
  capnp::ReaderOptions options;
  options.traversalLimitInWords = ~std::uint64_t{0};
  return options;
}

}  // namespace polycodec::bench
