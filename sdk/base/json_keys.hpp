// SPDX-License-Identifier: MIT
// The keys of objects, each of which may occur once.
#pragma once

#include <base/seeded_hash.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Finds keys that occur twice in an object. Most objects have few keys, or those of the object
/// before in the same order, and neither takes a hash. What one object costs depends on its own
/// keys alone.
class JsonKeys {
 public:
  /// The next object begins.
  void begin() {
    n_ = 0;
    if (!hashed_.empty()) hashed_ = {};  // clear() would pass all buckets of the largest object
  }
  /// False if the object has `key` already.
  bool add(std::string_view key) {
    if (hashed_.empty()) {
      if (n_ < known_.size() && known_[n_] == key) return ++n_, true;
      const auto end = known_.begin() + static_cast<std::ptrdiff_t>(n_);
      if (n_ < few) return std::find(known_.begin(), end, key) == end && (know(key), true);
      hashed_.insert(known_.begin(), end);
    }
    if (!hashed_.emplace(key).second) return false;
    if (n_ < most_known) know(key);
    return true;
  }

 private:
  static constexpr std::size_t few = 16;
  static constexpr std::size_t most_known = 1024;

  void know(std::string_view key) {
    known_.resize(n_++);
    known_.emplace_back(key);
  }

  std::vector<std::string> known_;  // all different; those of this object are the first
  std::size_t n_ = 0;               // of them
  SeededSet<std::string> hashed_;   // not empty: all keys of this object
};

}  // namespace polycodec
