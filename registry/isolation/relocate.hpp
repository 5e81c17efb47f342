// SPDX-License-Identifier: MIT
// Values that were copied as bytes: their pointers still lead to where they came from.
#pragma once

#include <polycodec/abi.h>

#include "core/value/regions.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace polycodec::isolation {

/// Changes the pointers of a value to where its memory is now. The value comes from a worker and
/// may be anything. A pointer that leads nowhere is left as it is, for validation to find. Nothing
/// is read that the copies do not hold.
class Relocator final : public Regions {
 public:
  /// `max_work` bounds the parts that are visited.
  explicit Relocator(std::uint32_t max_depth, std::uint64_t max_work) noexcept
      : max_depth_(max_depth), left_(max_work) {}

  /// [from, from + size) is now at `to`. `writable`: a copy, whose pointers are changed as well.
  /// Ranges do not overlap.
  void add(std::uint64_t from, std::uint64_t size, const void* to, bool writable);
  /// Where `root` is now. Throws Error(limit).
  const polycodec_node* root(const polycodec_node* root);
  /// Where other bytes are now; null if they were not copied.
  const void* find(std::uint64_t at, std::uint64_t size) const noexcept;
  /// The memory where all of it is now.
  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override;

 private:
  struct Mover;
  struct Moved {
    std::uint64_t from, size, to;
    bool writable;
  };
  const Moved* range_of(std::uint64_t at, std::uint64_t size) const noexcept;
  /// Moves a pointer. True if what it points to is to be visited.
  template <class T>
  bool move(T*& pointer, std::uint64_t count);
  void nodes(const polycodec_node*& block, std::uint64_t count, std::uint32_t depth);
  void spend(std::uint64_t parts, std::uint32_t depth);

  std::vector<Moved> ranges_;
  std::vector<const polycodec_node*> targets_;  // of references, to be visited
  mutable std::size_t last_ = 0;
  std::uint32_t max_depth_;
  std::uint64_t left_;
};

}  // namespace polycodec::isolation
