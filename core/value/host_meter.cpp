// SPDX-License-Identifier: MIT
#include "core/value/host_meter.hpp"

#include <polycodec/error.hpp>
#include <polycodec/value.hpp>

#include "core/value/regions.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

constexpr std::uint64_t slice = 65536;

/// Takes down where the parts of a value lie: validation asks for each of them.
class PartsOfValue final : public Regions {
 public:
  bool contains(const void* data, std::uint64_t size) const noexcept override {
    if (size == 0) return true;
    try {
      const auto begin = reinterpret_cast<std::uintptr_t>(data);
      if (all_.size() == all_.capacity() && all_.size() >= merge_at_) merge();
      all_.emplace_back(begin, begin + size);
    } catch (const std::bad_alloc&) {
      no_memory_ = true;
    }
    return true;
  }

  std::uint64_t bytes() const {
    if (no_memory_) throw Error(Status::memory, "no memory to measure the value");
    merge();
    std::uint64_t sum = 0;
    for (const auto& [begin, end] : all_) sum += end - begin;
    return sum;
  }

 private:
  using Extent = std::pair<std::uintptr_t, std::uintptr_t>;

  void merge() const {
    std::ranges::sort(all_);
    std::size_t kept = 0;
    for (const Extent& next : all_) {
      if (kept != 0 && next.first <= all_[kept - 1].second)
        all_[kept - 1].second = std::max(all_[kept - 1].second, next.second);
      else
        all_[kept++] = next;
    }
    all_.resize(kept);
    merge_at_ = std::max<std::size_t>(std::size_t{1} << 20, 2 * kept);
  }

  mutable std::vector<Extent> all_;
  mutable std::size_t merge_at_ = std::size_t{1} << 20;
  mutable bool no_memory_ = false;
};

}  // namespace

std::uint64_t physical_bytes(NodeView value, std::uint32_t max_depth) {
  const PartsOfValue parts;
  Limits limits;
  limits.max_depth = max_depth;
  validate(value.raw(), limits, Validation::structure, &parts);
  return parts.bytes();
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
