// SPDX-License-Identifier: MIT
// Comparing a value with its encoded and decoded self, and what a format may change in between.
#pragma once

#include <polycodec/view.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::kit {

/// A difference that a format may declare: it cannot say one from the other.
struct Change {
  std::string_view name;
  std::string_view meaning;
};

/// All changes that a codec may declare.
std::span<const Change> known_changes();

/// A set of changes.
class ChangeSet {
 public:
  /// No changes at all.
  ChangeSet() = default;
  /// Throws Failure for an unknown name.
  explicit ChangeSet(std::span<const std::string> names);
  static ChangeSet all() noexcept;
  bool has(std::string_view name) const noexcept;
  ChangeSet without(std::string_view name) const noexcept;

 private:
  std::uint32_t bits_ = 0;
};

/// What differs first between two values, as `path: what`; empty if nothing does. How a value is
/// stored (a list of nodes or a columnar array, strides, byte order) never counts, nor do
/// attributes that only `after` has.
std::string first_difference(View before, View after, const ChangeSet& allowed);

}  // namespace polycodec::kit
