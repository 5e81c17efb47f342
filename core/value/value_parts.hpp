// SPDX-License-Identifier: MIT
// Where a value that a program built lies: the host learns it by following the pointers.
#pragma once

#include <polycodec/node_view.hpp>

#include "core/value/regions.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

using MemoryParts = std::vector<std::string_view>;

/// Sorts extents by address and unites those that overlap or touch.
void unite(MemoryParts& extents);

/// Returns the memory that the value consists of, united: nodes, structs, columns, buffers, text.
/// Throws what validation of its structure does, and Error(Status::memory).
MemoryParts parts_of(NodeView value, std::uint32_t max_depth);

/// MemoryParts that are found when a pointer is first looked up. For one thread.
class LazyRegions final : public Regions {
 public:
  /// Where `find` throws, there are none.
  explicit LazyRegions(std::function<MemoryParts()> find) : find_(std::move(find)) {}
  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override;

 private:
  std::function<MemoryParts()> find_;
  mutable std::optional<MemoryParts> extents_;
};

}  // namespace polycodec
