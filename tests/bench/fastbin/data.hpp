// SPDX-License-Identifier: MIT
// The data of the benchmark, as a program holds it before it is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::bench {

/// `p`, of which the compiler no longer knows where it points to: what is read through it is read
/// each time.
template <class T>
T* opaque(T* p) noexcept {
  asm volatile("" : "+r"(p) : : "memory");
  return p;
}

struct Small {
  std::uint64_t id;
  double price;
  std::int32_t quantity;
  bool buy;
};
/// Memory that starts at a multiple of 64, so that no library is lucky with its alignment.
template <class T>
struct Aligned {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};
  Aligned() = default;
  template <class U>
  explicit Aligned(const Aligned<U>&) noexcept {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p, alignment); }
  friend bool operator==(const Aligned&, const Aligned&) noexcept { return true; }
};

/// Numbers or records that lie elsewhere in their page in each round. Where the low bits of the
/// addresses read and written meet, loads wait for stores that do not concern them; so all
/// libraries meet all places.
template <class T>
class Wandering {
 public:
  explicit Wandering(std::vector<T> data)
      : data_(std::move(data)), memory_(data_.size() + page / sizeof(T)), begin_(memory_.data()) {
    wander(0);
  }
  /// Copies all to the place of this round, also where it is there already: caches look alike
  /// afterwards.
  void wander(std::size_t round) {
    begin_ = memory_.data() + round * 11 % (page / line) * line / sizeof(T);
    std::memcpy(begin_, data_.data(), size() * sizeof(T));
  }
  std::size_t size() const noexcept { return data_.size(); }
  const T* data() const noexcept { return begin_; }
  const T* begin() const noexcept { return begin_; }
  const T* end() const noexcept { return begin_ + size(); }
  const T& operator[](std::size_t i) const noexcept { return begin_[i]; }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t line = 64;
  std::vector<T> data_;
  std::vector<T, Aligned<T>> memory_;
  T* begin_;
};

struct Series {
  std::string name;
  Wandering<double> samples;
  void wander(std::size_t round) { samples.wander(round); }
};
struct Point {
  std::int64_t time;
  double price;
  double volume;
  std::uint64_t id;
};
struct Item {
  std::int64_t id;
  std::string name;
  double value;
};

inline Small small() {
  return {12345678901234u, 101.25, -300, true};
}
inline Series series(std::size_t n) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> samples(n);
  for (double& x : samples) x = normal(random);
  // With this name the samples of a fastbin message start 64 bytes behind its beginning.
  return {"temperature in the hall, in kelvin", Wandering<double>(std::move(samples))};
}
inline Wandering<Point> points(std::size_t n) {
  std::mt19937_64 random(2);
  std::vector<Point> made(n);
  for (Point& p : made)
    p = {static_cast<std::int64_t>(random() >> 8), static_cast<double>(random() % 1000), 0.5,
         random() >> 8};
  return Wandering<Point>(std::move(made));
}
/// Names of 3 to 24 bytes, so that sizes cannot be foreseen.
inline std::vector<Item> items(std::size_t n) {
  std::mt19937_64 random(3);
  std::vector<Item> made(n);
  for (Item& i : made)
    i = {static_cast<std::int64_t>(random() >> 8), std::string(3 + random() % 22, 'n'), 0.25};
  return made;
}

}  // namespace polycodec::bench
