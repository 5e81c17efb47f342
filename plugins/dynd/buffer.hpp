// SPDX-License-Identifier: MIT
// Memory that grows while a column is read, and becomes part of the value when it is done.
#pragma once

#include <polycodec/abi.h>

#include "fault.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace polycodec::dynd {

/// Bytes of growing memory that one decode may still take.
struct MemoryBudget {
  std::uint64_t left;
};

/// Growing memory for items of a trivial type. For one thread. What it holds is freed with it, unless hand_over() has
/// made it the arena's. Growing is realloc: large blocks move by page tables, not by copying.
template <class T>
class Buffer {
 public:
  explicit Buffer(MemoryBudget& budget) noexcept : budget_(&budget) {}
  Buffer(Buffer&& other) noexcept
      : budget_(other.budget_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() {
    std::free(data_);
    budget_->left += capacity_ * sizeof(T);
  }

  T* data() noexcept { return data_; }
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t capacity() const noexcept { return capacity_; }

  /// Room for `more` items behind those that there are; returns where they go.
  T* reserve(std::uint64_t more) {
    if (more > capacity_ - size_) [[unlikely]]
      grow(more);
    return data_ + size_;
  }
  /// The first `count` items of what reserve() gave are there.
  void commit(std::uint64_t count) noexcept { size_ += count; }
  void push(T item) {
    *reserve(1) = item;
    ++size_;
  }
  void append(const T* items, std::uint64_t count) {
    T* to = reserve(count);
    if (count != 0) std::memcpy(static_cast<void*>(to), items, static_cast<std::size_t>(count) * sizeof(T));
    size_ += count;
  }

  /// The items, which from now on are freed with the arena; never NULL. The buffer is empty afterwards.
  T* hand_over(polycodec_arena* arena) {
    if (data_ == nullptr) reserve(1);
    T* data = std::exchange(data_, nullptr);
    // The budget stays taken: the memory is still there.
    size_ = capacity_ = 0;
    if (arena->adopt(arena, data, [](void* p) { std::free(p); }) != POLYCODEC_OK) throw std::bad_alloc();
    return data;
  }

 private:
  [[gnu::noinline]] void grow(std::uint64_t more) {
    const std::uint64_t room = budget_->left / sizeof(T);  // on top of capacity_
    if (more > capacity_ + room - size_) refuse_limit("the value needs more memory than the limits allow");
    const std::uint64_t wanted = std::max<std::uint64_t>({size_ + more, capacity_ * 2, 64 / sizeof(T)});
    const std::uint64_t capacity = std::min(wanted, capacity_ + room);
    void* moved = std::realloc(static_cast<void*>(data_), static_cast<std::size_t>(capacity) * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    budget_->left -= (capacity - capacity_) * sizeof(T);
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  MemoryBudget* budget_;
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace polycodec::dynd
