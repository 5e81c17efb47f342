// SPDX-License-Identifier: MIT
// What a walk of the host over a value may take: printing, comparing, converting, validating.
#pragma once

#include <polycodec/node_view.hpp>
#include <polycodec/view.hpp>

#include "core/call/budget.hpp"
#include "core/call/limits.hpp"
#include "core/value/value.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace polycodec {

/// Distinct bytes of memory that a valid value is made of, without its attributes' names. Shared
/// parts count once, so a value that is huge on paper is small here. Takes memory of 16 bytes a
/// string or container at most. Throws Status::memory, Status::limit for more than 2^28 nodes.
std::uint64_t physical_bytes(NodeView value, std::uint32_t max_depth);

/// Lets values of the host program earn the physical_bytes() that they are made of, once they are
/// needed: see Budget::earn_later().
inline void earn_later(Budget& budget, NodeView value, NodeView second = {}) noexcept {
  budget.earn_later(physical_bytes, value, second);
}

/// The node of an item, or of the array that the item is a part of; null if it is not known.
polycodec_node node_around(const View& item) noexcept;

/// The limits of the call that decoded `value`; those of the library if it was not decoded.
Limits limits_of(const Value& value) noexcept;
/// Adds to `budget` what `value` was decoded from. False if it was not decoded.
bool add_origin(Budget& budget, const Value& value) noexcept;
/// The same, or else what the value is made of. It must live as long as the budget is used.
void earn(Budget& budget, const Value& value);
/// Charges memory. Throws Status::limit.
void take_memory(Budget& budget, std::uint64_t bytes);

/// A budget for walks of this thread over a value, or over two: that of the BudgetScope around it,
/// or one that is as large as what they were decoded from earns, or what values that were not
/// decoded are made of. While it lives, walks charge it.
class ValueBudget {
 public:
  explicit ValueBudget(const Value& value, const Value* second = nullptr);
  ValueBudget(const ValueBudget&) = delete;
  ValueBudget& operator=(const ValueBudget&) = delete;

  Budget& budget() noexcept { return *budget_; }

 private:
  Budget* budget_;
  std::optional<Budget> own_;
  std::optional<BudgetScope> scope_;
};

/// Charges a budget for the work and the output of a walk over a value: the one that was given, or
/// that of the BudgetScope around it, or one of its own. The latter starts with the base of
/// `limits`. Once that is spent, it grows by what physical_bytes() of the value, and of a `second`
/// value, earn. Walks inside this one charge the same budget. For one thread; the values must stay.
class HostMeter {
 public:
  HostMeter(NodeView value, const Limits& limits, std::shared_ptr<Budget> budget = nullptr,
            NodeView second = {});
  /// Of a value or a part of one. A part earns what the array around it does.
  HostMeter(const View& item, const Limits& limits);
  HostMeter(const polycodec_array& array, const Limits& limits);
  ~HostMeter();
  HostMeter(const HostMeter&) = delete;
  HostMeter& operator=(const HostMeter&) = delete;

  /// Charges `units`. Throws Status::limit, Status::cancelled.
  void tick(std::uint64_t units = 1) {
    if (units > left_) [[unlikely]]
      refill(units);
    left_ -= units;
  }
  /// The same; the error has `path`.
  void tick(std::uint64_t units, std::string_view path) {
    if (units > left_) [[unlikely]]
      refill(units, path);
    left_ -= units;
  }
  /// Charges what the walk makes in the arena of `out`, which outlives it.
  void charge(Builder& out) noexcept;
  /// Charges memory that is held until the walk ends. Throws Status::limit.
  void take(std::uint64_t bytes) {
    take_memory(budget_, bytes);
    taken_ += bytes;
  }
  /// Throws Status::limit if `bytes` are more output than the budget allows.
  void check_output(std::uint64_t bytes) {
    if (bytes > max_output_) [[unlikely]]
      refuse_output(bytes);
  }
  /// That of the walk.
  Budget& budget() noexcept { return budget_; }

 private:
  HostMeter(polycodec_node value, const Limits& limits);
  Budget& choose(const Limits& limits);
  void refill(std::uint64_t units);
  void refill(std::uint64_t units, std::string_view path);
  void refuse_output(std::uint64_t bytes);

  const polycodec_node whole_;  // of a part
  const NodeView value_, second_;
  const std::shared_ptr<Budget> given_;
  std::optional<Budget> own_;
  Budget& budget_;
  std::uint64_t left_ = 0;
  std::uint64_t max_output_;
  std::uint64_t taken_ = 0;
  Arena* arena_ = nullptr;  // that is charged
  const BudgetScope scope_;
};

/// Units of copying so many bytes.
constexpr std::uint64_t units_of_bytes(std::uint64_t bytes) noexcept {
  return bytes / 16 + 1;
}

}  // namespace polycodec
