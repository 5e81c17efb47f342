// SPDX-License-Identifier: MIT
// All differences of two values, in groups.
#pragma once

#include "core/value/value.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace polycodec {

/// What a difference is about: kinds and types of numbers, lengths of lists, names and order of
/// members, attributes on one side only, or the value itself.
enum class DifferenceKind : std::uint8_t { value, type, length, members, attributes };

/// Differences of one kind at places that differ in nothing but the indices of lists.
struct DifferenceGroup {
  std::string pattern;  ///< their path with `[*]` for each index of a list
  DifferenceKind kind = DifferenceKind::value;
  std::uint64_t count = 0;
  std::vector<Difference> first;  ///< in the order of the first value
  double deviation = 0;           ///< the largest one between two numbers; 0 if there is none
};

/// All differences of two values.
struct Differences {
  std::vector<DifferenceGroup> groups;  ///< in the order of their first difference
  std::uint64_t count = 0;              ///< of all groups, and of those that are not kept

  bool empty() const noexcept { return count == 0; }
};

/// How much of the differences is kept; all are counted.
struct DifferenceBounds {
  std::size_t groups = 100;
  std::size_t in_group = 3;
};

/// Numbers of one type (with numbers_by_value: of any) are equal if they differ by no more than
/// `absolute`, or than `relative` times the larger magnitude. For complex numbers: each part.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// All differences of two valid values, found as first_difference() does. Where something differs,
/// the walk continues with all that both values have: items that both lists have, members by their
/// names, numbers of two types by their value. Throws as first_difference(). [thread-safe]
Differences all_differences(const View& a, const View& b, const CompareOptions& options = {},
                            const Tolerance& tolerance = {}, const DifferenceBounds& bounds = {});

}  // namespace polycodec
