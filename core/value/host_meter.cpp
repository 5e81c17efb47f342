// SPDX-License-Identifier: MIT
#include "core/value/host_meter.hpp"

#include <base/view_parts.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>

#include "core/value/arena.hpp"
#include "core/value/value.hpp"
#include "core/value/value_parts.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint64_t slice = 65536;

}  // namespace

polycodec_node node_around(const View& item) noexcept {
  if (item.node() != nullptr) return *item.node();
  if (item.array() != nullptr) return Builder::array(item.array());
  const bool has_parts = item.is_list() || item.is_object() || item.is_map();
  const polycodec_array* const around =
      has_parts && item.size() == 0 ? nullptr : ViewParts::place_of_child(item, 0).array;
  return around == nullptr ? Builder::null() : Builder::array(around);
}

std::uint64_t physical_bytes(NodeView value, std::uint32_t max_depth) {
  // The measure of a budget is not charged to it.
  Limits limits;
  limits.max_work = UINT64_MAX;
  Budget measuring(limits);
  const BudgetScope scope(measuring);
  std::uint64_t sum = 0;
  for (const std::string_view part : parts_of(value, max_depth)) sum += part.size();
  return sum;
}

Limits limits_of(const Value& value) noexcept {
  const Origin* const origin = value.origin();
  return origin == nullptr ? Limits{} : origin->limits;
}

bool add_origin(Budget& budget, const Value& value) noexcept {
  const Origin* const origin = value.origin();
  if (origin == nullptr) return false;
  budget.add_input(origin->input);
  budget.add_filtered(origin->filtered);
  return true;
}

void earn(Budget& budget, const Value& value) {
  if (add_origin(budget, value)) return;
  budget.add_input(value.used_bytes());  // which is known at once, but not all of what a part views
  earn_later(budget, value.view());
}

void take_memory(Budget& budget, std::uint64_t bytes) {
  if (!budget.take_memory(bytes))
    throw Error(Status::limit, "the result would take more memory than max_memory_bytes (" +
                                   std::to_string(budget.max_memory()) + ")")
        .detail("limit.max_memory_bytes");
}

ValueBudget::ValueBudget(const Value& value, const Value* second)
    : budget_(BudgetScope::current()) {
  if (budget_ != nullptr) return;
  budget_ = &own_.emplace(limits_of(value));
  scope_.emplace(*budget_);
  const auto measured = [this](const Value& of) {
    return add_origin(*budget_, of) ? NodeView() : of.view();
  };
  earn_later(*budget_, measured(value), second == nullptr ? NodeView() : measured(*second));
}

HostMeter::HostMeter(NodeView value, const Limits& limits, std::shared_ptr<Budget> budget,
                     NodeView second)
    : whole_(Builder::null()),
      value_(value),
      second_(second),
      given_(std::move(budget)),
      budget_(choose(limits)),
      max_output_(budget_.max_output()),
      scope_(budget_, &left_) {}

HostMeter::HostMeter(polycodec_node value, const Limits& limits)
    : whole_(value),
      value_(&whole_),
      budget_(choose(limits)),
      max_output_(budget_.max_output()),
      scope_(budget_, &left_) {}

HostMeter::HostMeter(const polycodec_array& array, const Limits& limits)
    : HostMeter(Builder::array(&array), limits) {}

HostMeter::HostMeter(const View& item, const Limits& limits)
    : HostMeter(node_around(item), limits) {}

Budget& HostMeter::choose(const Limits& limits) {
  if (given_ != nullptr) return *given_;
  if (Budget* const around = BudgetScope::current()) return *around;
  Budget& made = own_.emplace(limits);
  earn_later(made, value_, second_);
  return made;
}

HostMeter::~HostMeter() {
  if (arena_ != nullptr) arena_->settle(false);
  budget_.give_memory(taken_);
}

void HostMeter::charge(Builder& out) noexcept {
  Arena* const arena = Arena::of(out.arena());
  if (arena_ == nullptr && arena != nullptr && arena->charge_to(budget_)) arena_ = arena;
}

void HostMeter::refill(std::uint64_t units) {
  const std::uint64_t lacking = units - left_;
  left_ += lacking + budget_.spend(lacking, slice);
}

void HostMeter::refill(std::uint64_t units, std::string_view path) try {
  refill(units);
} catch (Error& e) {
  e.path(std::string(path));
  throw;
}

void HostMeter::refuse_output(std::uint64_t bytes) {
  max_output_ = budget_.max_output();  // it may have grown since
  if (bytes > max_output_ && budget_.earn()) max_output_ = budget_.max_output();
  if (bytes > max_output_)
    throw Error(Status::limit,
                "the text would exceed max_output_bytes (" + std::to_string(max_output_) + ")")
        .detail("limit.max_output_bytes");
}

}  // namespace polycodec
