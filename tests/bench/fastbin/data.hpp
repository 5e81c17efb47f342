// SPDX-License-Identifier: MIT
// The data of the benchmark, as a program holds it before it is written.
#pragma once

#include <cstdint>
#include <new>
#include <random>
#include <string>
#include <vector>

namespace polycodec::bench {

/// `p`, of which the compiler no longer knows where it points to: what is read through it is read each time.
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

struct Series {
  std::string name;
  std::vector<double, Aligned<double>> samples;
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
  // With this name the samples of a fastbin message start 64 bytes behind its beginning.
  Series made{"temperature in the hall, in kelvin", std::vector<double, Aligned<double>>(n)};
  for (double& x : made.samples) x = normal(random);
  return made;
}
inline std::vector<Point> points(std::size_t n) {
  std::mt19937_64 random(2);
  std::vector<Point> made(n);
  for (Point& p : made)
    p = {static_cast<std::int64_t>(random() >> 8), static_cast<double>(random() % 1000), 0.5, random() >> 8};
  return made;
}
/// Names of 3 to 24 bytes, so that sizes cannot be foreseen.
inline std::vector<Item> items(std::size_t n) {
  std::mt19937_64 random(3);
  std::vector<Item> made(n);
  for (Item& i : made) i = {static_cast<std::int64_t>(random() >> 8), std::string(3 + random() % 22, 'n'), 0.25};
  return made;
}

}  // namespace polycodec::bench
