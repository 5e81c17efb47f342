// SPDX-License-Identifier: MIT
#include "core/value/host_meter.hpp"

#include <polycodec/error.hpp>
#include <polycodec/value.hpp>

#include "core/value/value_parts.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint64_t slice = 65536;

}  // namespace

std::uint64_t physical_bytes(NodeView value, std::uint32_t max_depth) {
  std::uint64_t sum = 0;
  for (const std::string_view part : parts_of(value, max_depth)) sum += part.size();
  return sum;
}

HostMeter::HostMeter(NodeView value, const Limits& limits, std::shared_ptr<Budget> budget,
                     NodeView second)
    : budget_(std::move(budget)) {
  if (budget_ == nullptr) {
    budget_ = std::make_shared<Budget>(limits);
    budget_->earn_later([value, second, depth = limits.max_depth] {
      return physical_bytes(value, depth) + physical_bytes(second, depth);
    });
  }
  max_output_ = budget_->max_output();
}

void HostMeter::refill(std::uint64_t units) {
  const std::uint64_t lacking = units - left_;
  left_ += lacking + budget_->spend(lacking, slice);
}

void HostMeter::refuse_output(std::uint64_t bytes) {
  max_output_ = budget_->max_output();  // it may have grown since
  if (bytes > max_output_ && budget_->earn()) max_output_ = budget_->max_output();
  if (bytes > max_output_)
    throw Error(Status::limit, "the text would exceed the limit of " + std::to_string(max_output_) +
                                   " bytes: raise max_output_bytes")
        .detail("limit.max_output_bytes");
}

}  // namespace polycodec
