// SPDX-License-Identifier: MIT
// Random documents, as the JSON library of the tests has them.
#pragma once

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

namespace polycodec::test {

using Json = nlohmann::ordered_json;

/// How many values each test of the peers compares, each way.
inline constexpr int peer_values = 1000;

class RandomJson {
 public:
  explicit RandomJson(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  Json integer() {
    const std::uint64_t bits = random_() >> below(64);
    if (below(3) == 0) return -static_cast<std::int64_t>(bits >> 1) - 1;
    return bits;
  }
  double real() {
    static constexpr double edges[] = {0.0, -0.0, 0.1, 5e-324, 1.7976931348623157e308, 1e16, 1e-5};
    if (below(3) == 0) return edges[below(std::size(edges))];
    for (;;) {
      const auto x = std::bit_cast<double>(random_());
      if (std::isfinite(x)) return x;
    }
  }
  std::string text() {
    static constexpr const char* parts[] = {"a",  "é", "日",   "𝄞",    "\n", "\"",
                                            "\\", "/", "\x7F", "\x01", "$"};
    std::string made;
    for (std::uint64_t n = below(12); n != 0; --n) made += parts[below(std::size(parts))];
    return made;
  }
  Json scalar() {
    switch (below(6)) {
      case 0:
        return nullptr;
      case 1:
        return below(2) == 0;
      case 2:
        return real();
      case 3:
        return text();
      default:
        return integer();
    }
  }
  Json document(int depth = 4) {
    const std::uint64_t kind = depth == 0 ? 0 : below(3);
    if (kind == 0) return scalar();
    const std::uint64_t size = below(depth == 4 ? 20 : 5);
    Json made = kind == 1 ? Json::array() : Json::object();
    for (std::uint64_t i = 0; i < size; ++i) {
      if (kind == 1)
        made.push_back(document(depth - 1));
      else
        made[text() + std::to_string(i)] = document(depth - 1);
    }
    return made;
  }

 private:
  std::mt19937_64 random_;
};

/// Equal in kind and bits.
inline bool same(const Json& a, const Json& b) {
  if (a.is_number_integer() && b.is_number_integer()) return a == b;
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_number_float())
    return std::bit_cast<std::uint64_t>(a.get<double>()) ==
           std::bit_cast<std::uint64_t>(b.get<double>());
  if (!a.is_structured()) return a == b;
  for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y)
    if ((a.is_object() && x.key() != y.key()) || !same(*x, *y)) return false;
  return true;
}

}  // namespace polycodec::test
