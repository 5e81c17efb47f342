// SPDX-License-Identifier: MIT
// Hash tables whose keys come from data: names, and numbers that take the place of names.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace polycodec {

/// The secret half of a hash.
using HashKey = std::array<std::uint64_t, 2>;

/// SipHash-1-3 of `bytes` under `key` (Aumasson and Bernstein, "SipHash: a fast short-input PRF").
std::uint64_t siphash(const HashKey& key, std::string_view bytes) noexcept;

/// A key that nobody can foresee. WebAssembly offers none: modules have a constant, and the host
/// charges the time of their calls.
HashKey draw_hash_key() noexcept;

namespace detail {
/// Before all tables of a file that includes this, and with no guard that a fork could leave taken.
inline const HashKey hash_key = draw_hash_key();
}  // namespace detail

/// A hash that differs from process to process, so that no data can be made whose keys collide: a
/// table of n such keys would take n^2 steps. The order of a table's elements differs as well, so
/// results must not depend on it. Not noexcept: tables then keep the hashes of their keys.
struct SeededHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view key) const {
    return static_cast<std::size_t>(siphash(detail::hash_key, key));
  }
  std::size_t operator()(std::integral auto key) const {
    return (*this)({reinterpret_cast<const char*>(&key), sizeof key});
  }
};

template <class Key, class T>
using SeededMap = std::unordered_map<Key, T, SeededHash, std::equal_to<>>;
template <class Key>
using SeededSet = std::unordered_set<Key, SeededHash, std::equal_to<>>;

}  // namespace polycodec
