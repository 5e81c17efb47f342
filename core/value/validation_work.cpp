// SPDX-License-Identifier: MIT
#include "core/value/validation_work.hpp"

#include "core/value/validate_array.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::detail {

void ValidationWork::bound_content(std::uint64_t bytes) {
  if (!std::exchange(bounded_, true)) {
    const std::uint64_t memory = limits_.memory_for(UINT64_MAX);
    content_left_ =
        limits_.max_input_bytes + std::min(memory, UINT64_MAX - limits_.max_input_bytes);
  }
  if (bytes > content_left_)
    throw_limit("the arrays repeat more content than can be checked within the limits");
}

void ValidationWork::take(std::uint64_t bytes) {
  if (bytes > content_left_) [[unlikely]]
    bound_content(bytes);
  content_left_ -= bytes;
  charge(units_of_bytes(bytes));
}

void ValidationWork::finish() {
  if (meter_ != nullptr) return settle(0);
  // Most values end here: they need no meter.
  if (Budget* const budget = BudgetScope::current())
    static_cast<void>(budget->spend(std::exchange(uncharged_, 0)));
}

void ValidationWork::settle(std::uint64_t units) {
  units += std::exchange(uncharged_, 0);
  if (meter_ == nullptr) {
    if (!measured_ && BudgetScope::current() == nullptr) return;
    meter_ = std::make_unique<HostMeter>(NodeView(root_), limits_);
  }
  meter_->tick(units);
}

}  // namespace polycodec::detail
