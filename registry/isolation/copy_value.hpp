// SPDX-License-Identifier: MIT
// Values on their way into memory that both processes have.
#pragma once

#include <polycodec/abi.h>

#include "core/value/regions.hpp"

#include <cstdint>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace polycodec::isolation {

/// A run of addresses.
struct Range {
  std::uint64_t begin = 0, size = 0;
  bool holds(const void* data, std::uint64_t bytes) const noexcept {
    const std::uint64_t from = reinterpret_cast<std::uintptr_t>(data) - begin;
    return from < size && bytes <= size - from;
  }
};

/// Memory that was copied, and the original.
struct Copied {
  std::uint64_t begin, size;
  const void* original;
};

/// Copies the parts of a value that lie elsewhere into an arena, and leaves the others where they
/// are: what lies in `constant` is used as it is, and pointers in what lies in `own` are changed.
/// Parts that the value has twice are copied once where they are large. Stray pointers stay.
class ValueCopier {
 public:
  /// `readable`: the memory elsewhere that a value may have; null if all is. `file`: constant, too.
  ValueCopier(polycodec_arena* to, Range own, Range constant, std::uint32_t max_depth,
              std::uint64_t max_nodes, const Regions* readable = nullptr, Range file = {}) noexcept
      : to_(to),
        own_(own),
        constant_(constant),
        file_(file),
        max_depth_(max_depth),
        max_nodes_(max_nodes),
        readable_(readable) {}

  /// The value where both processes have it. Throws Error(limit) for a value that is too deep or
  /// does not fit.
  const polycodec_node* root(const polycodec_node* root);
  /// Large buffers that were copied, in order of their new addresses.
  const std::vector<Copied>& buffers() const noexcept { return buffers_; }

 private:
  struct Copying;
  const polycodec_node* nodes(const polycodec_node* block, std::uint64_t count,
                              std::uint32_t depth);
  const polycodec_array* array(const polycodec_array* array, std::uint32_t depth);
  bool is_in_place(const polycodec_node& node) const noexcept;
  /// The bytes, or a copy of them.
  const void* bytes(const void* data, std::uint64_t size, std::uint64_t align = 1);
  const void* buffer(const void* data, std::uint64_t size);
  bool is_constant(const void* data, std::uint64_t size) const noexcept {
    return constant_.holds(data, size) || file_.holds(data, size);
  }
  bool is_shared(const void* data, std::uint64_t size) const noexcept {
    return own_.holds(data, size) || is_constant(data, size);
  }
  bool is_stray(const void* data, std::uint64_t size) const noexcept {
    return readable_ != nullptr && !is_shared(data, size) && !readable_->contains(data, size);
  }
  template <class T>
  std::remove_const_t<T>* copy_of(T* from, std::uint64_t count);
  void* allocate(std::uint64_t size, std::uint64_t align);
  void check(std::uint32_t depth, std::uint64_t count);

  polycodec_arena* to_;
  Range own_, constant_, file_;
  std::uint32_t max_depth_;
  std::uint64_t max_nodes_;
  const Regions* readable_;
  bool tracks_ = false;  // the value has references, so each node has to keep its identity
  std::unordered_map<const void*, const void*> seen_;
  struct Block {
    const polycodec_node* copy = nullptr;
    std::uint64_t count = 0;
  };
  std::unordered_map<const polycodec_node*, Block> blocks_;  // lists may begin alike
  std::vector<const polycodec_node**> references_;           // in the copy, to what is elsewhere
  std::unordered_set<const polycodec_node*> lone_;           // copied for a reference alone
  std::vector<Copied> buffers_;
};

}  // namespace polycodec::isolation
