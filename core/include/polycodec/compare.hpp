// SPDX-License-Identifier: MIT
// Equality of values by what they mean, not by how they are stored.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace polycodec {

/// What counts as a difference. By default everything does that a value says: kinds, element types,
/// bits of numbers, order of members, attributes. How it is stored never counts: a list of nodes
/// equals an array of any form, strides or byte order; an option's missing item equals null; a
/// fixed-size text equals a string.
struct CompareOptions {
  /// Integers and floats compare by their mathematical value, whatever their types (2 equals 2.0; a
  /// NaN equals a NaN and -0.0 equals 0.0); times likewise, whatever their units between seconds
  /// and nanoseconds.
  bool numbers_by_value = false;
  /// Floats of one type compare by value: every NaN equals every NaN, -0.0 equals 0.0. Otherwise by
  /// bits.
  bool floats_by_value = false;
  /// A tuple equals a list of the same items, and a reference what it refers to.
  bool lists_by_content = false;
  /// Members of objects may come in any order (members of one name in theirs). Entries of maps stay
  /// ordered.
  bool unordered_objects = false;
  /// Attributes count: 1 cm is not 1 m. Of nodes, and of arrays and their columns where both values
  /// have the same columns. An empty object of attributes is like none.
  bool metadata = true;
  /// Deeper values are refused with Error(Status::limit).
  std::uint32_t max_depth = 512;
};

/// Where two values differ first, and in what.
struct Difference {
  std::string path;    ///< as in path.hpp
  std::string reason;  ///< for people
};

/// The first difference of two valid values in their order; nothing if they are equal. References
/// are equal if their targets are; cycles are compared once. [thread-safe]
POLYCODEC_API std::optional<Difference> first_difference(const View& a, const View& b,
                                                         const CompareOptions& options = {});

/// True if the values are equal.
inline bool equal(const View& a, const View& b, const CompareOptions& options = {}) {
  return !first_difference(a, b, options).has_value();
}

}  // namespace polycodec
