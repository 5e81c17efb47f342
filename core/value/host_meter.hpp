// SPDX-License-Identifier: MIT
// What a walk of the host over a value may take: printing, comparing.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>

#include "core/value/budget.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace polycodec {

/// Distinct bytes of memory that a valid value is made of, without its attributes' names. Shared
/// parts count once, so a value that is huge on paper is small here. Takes memory of 16 bytes a
/// string or container at most. Throws Status::memory, Status::limit for more than 2^28 nodes.
POLYCODEC_API std::uint64_t physical_bytes(NodeView value, std::uint32_t max_depth);

/// Charges a budget for the work and the output of a walk over a value. Without a budget of the
/// caller's there is one of its own, which starts with the base of `limits`; once that is spent,
/// it grows by what physical_bytes() of `value`, and of a `second` value, earn. For one thread; the
/// values must stay.
class HostMeter {
 public:
  HostMeter(NodeView value, const Limits& limits, std::shared_ptr<Budget> budget,
            NodeView second = {});
  HostMeter(const HostMeter&) = delete;
  HostMeter& operator=(const HostMeter&) = delete;
  ~HostMeter() { budget_->give_back(left_); }

  /// Charges `units`. Throws Status::limit, Status::cancelled.
  void tick(std::uint64_t units = 1) {
    if (units > left_) [[unlikely]]
      refill(units);
    left_ -= units;
  }
  /// Throws Status::limit if `bytes` are more output than the budget allows.
  void check_output(std::uint64_t bytes) {
    if (bytes > max_output_) [[unlikely]]
      refuse_output(bytes);
  }

 private:
  void refill(std::uint64_t units);
  void refuse_output(std::uint64_t bytes);

  std::shared_ptr<Budget> budget_;
  std::uint64_t left_ = 0;
  std::uint64_t max_output_;
};

}  // namespace polycodec
