// SPDX-License-Identifier: MIT
#include "core/value/value_parts.hpp"

#include <polycodec/error.hpp>

#include "core/value/value.hpp"

#include <algorithm>
#include <exception>
#include <iterator>

namespace polycodec {
namespace {

std::uintptr_t address_of_part(std::string_view extent) noexcept {
  return reinterpret_cast<std::uintptr_t>(extent.data());
}

/// Takes down where the parts of a value lie: validation asks for each of them.
class Recorder final : public Regions {
 public:
  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override {
    const std::string_view part = to_string_view(data, size);
    try {
      if (all_.size() == all_.capacity() && all_.size() >= unite_at_) {
        unite(all_);
        unite_at_ = std::max(least, 2 * all_.size());
      }
      all_.push_back(part);
    } catch (const std::bad_alloc&) {
      no_memory_ = true;
    }
    return part;
  }

  MemoryParts take() {
    if (no_memory_) throw Error(Status::memory, "no memory to measure the value");
    unite(all_);
    return std::move(all_);
  }

 private:
  static constexpr std::size_t least = std::size_t{1} << 20;
  mutable MemoryParts all_;
  mutable std::size_t unite_at_ = least;
  mutable bool no_memory_ = false;
};

}  // namespace

void unite(MemoryParts& extents) {
  std::ranges::sort(extents, {}, address_of_part);
  std::size_t kept = 0;
  for (const std::string_view next : extents) {
    std::string_view& last = extents[kept == 0 ? 0 : kept - 1];
    const std::uintptr_t from = address_of_part(next) - address_of_part(last);
    if (kept != 0 && from <= last.size())
      last = {last.data(), std::max(last.size(), from + next.size())};
    else
      extents[kept++] = next;
  }
  extents.resize(kept);
}

MemoryParts parts_of(NodeView value, std::uint32_t max_depth) {
  Recorder recorder;
  Limits limits;
  limits.max_depth = max_depth;
  validate(value.raw(), limits, Validation::structure, &recorder);
  return recorder.take();
}

std::string_view LazyRegions::region_of(const void* data, std::uint64_t size) const noexcept {
  if (!extents_) try {
      extents_ = find_();
    } catch (const std::exception&) {
      extents_.emplace();
    }
  const auto after = std::ranges::upper_bound(*extents_, reinterpret_cast<std::uintptr_t>(data), {},
                                              address_of_part);
  return after == extents_->begin() ? std::string_view()
                                    : region_around(*std::prev(after), data, size);
}

}  // namespace polycodec
