// SPDX-License-Identifier: MIT
// The differences of two values, gathered in groups.
#pragma once

#include "core/value/differences.hpp"
#include "core/value/step.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace polycodec::detail {

/// Gathers differences. For one thread.
class DifferenceList {
 public:
  explicit DifferenceList(const DifferenceBounds& bounds) : bounds_(bounds) {}

  /// Counts a difference at `at`, after `prefix`, and keeps it within the bounds. `reason()` is
  /// asked only for those that are kept. `deviation`: between two numbers, otherwise 0.
  template <class Reason>
  void add(const Step* at, const std::string& prefix, DifferenceKind kind, const Reason& reason,
           double deviation) {
    ++all_.count;
    DifferenceGroup* group = find(path_of(at, prefix, true), kind);
    if (group == nullptr) return;
    ++group->count;
    if (deviation > group->deviation) group->deviation = deviation;
    if (group->first.size() < bounds_.in_group)
      group->first.push_back({path_of(at, prefix), reason()});
  }

  /// The group of differences at `at`, of which nothing but their number and the largest deviation
  /// is kept any more, or null if there will be no group. Nothing: they have to be added one by
  /// one.
  std::optional<DifferenceGroup*> counted(const Step* at, const std::string& prefix,
                                          DifferenceKind kind) {
    const auto known = known_.find({path_of(at, prefix, true), kind});
    if (known == known_.end())
      return all_.groups.size() == bounds_.groups ? std::optional(nullptr) : std::nullopt;
    DifferenceGroup* const group = &all_.groups[known->second];
    return group->first.size() == bounds_.in_group ? std::optional(group) : std::nullopt;
  }
  /// Adds differences to such a group.
  void add(DifferenceGroup* group, std::uint64_t count, double deviation) {
    all_.count += count;
    if (group == nullptr) return;
    group->count += count;
    group->deviation = std::max(group->deviation, deviation);
  }

  Differences take() { return std::move(all_); }

 private:
  DifferenceGroup* find(std::string pattern, DifferenceKind kind) {
    const auto known = known_.find({pattern, kind});
    if (known != known_.end()) return &all_.groups[known->second];
    if (all_.groups.size() == bounds_.groups) return nullptr;
    known_.emplace(std::pair(pattern, kind), all_.groups.size());
    all_.groups.push_back({std::move(pattern), kind, 0, {}, 0});
    return &all_.groups.back();
  }

  const DifferenceBounds bounds_;
  Differences all_;
  std::map<std::pair<std::string, DifferenceKind>, std::size_t> known_;
};

}  // namespace polycodec::detail
