// SPDX-License-Identifier: MIT
// Arrays that grow while a file is read, and then belong to the value.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <type_traits>

namespace polycodec::obj {

/// How much memory the arrays of one value may still take.
struct Budget {
  std::uint64_t left;

  void take(std::uint64_t bytes) {
    if (bytes > left)
      throw Error(Status::limit, "the value takes more memory than the limit allows").detail("obj.limit");
    left -= bytes;
  }
};

/// A growing array of a trivial type. It grows in place where the system can move pages instead of bytes, which an
/// arena cannot.
template <class T>
class Growing {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Growing(Budget& budget) noexcept : budget_(&budget) {}
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;
  ~Growing() { std::free(data_); }

  std::uint64_t size() const noexcept { return size_; }
  const T* data() const noexcept { return data_; }
  T& operator[](std::uint64_t i) noexcept { return data_[i]; }
  void shrink(std::uint64_t size) noexcept { size_ = size; }

  void push(T value) {
    if (size_ == capacity_) [[unlikely]]
      grow(1);
    data_[size_++] = value;
  }
  /// `count` more items, which the caller fills.
  T* extend(std::uint64_t count) {
    if (count > capacity_ - size_) [[unlikely]]
      grow(count);
    T* const at = data_ + size_;
    size_ += count;
    return at;
  }
  void fill(std::uint64_t count, T value) { std::fill_n(extend(count), count, value); }
  void append(const T* items, std::uint64_t count) {
    T* const to = extend(count);
    if (count != 0) std::memcpy(to, items, static_cast<std::size_t>(count) * sizeof(T));
  }

  /// The items, which live with the arena from now on; the array is empty afterwards.
  std::span<const T> give_to(Builder& out) {
    T* const data = std::exchange(data_, nullptr);
    const auto size = static_cast<std::size_t>(std::exchange(size_, 0));
    capacity_ = 0;
    if (data == nullptr) return {out.allocate<T>(1), 0};
    polycodec_arena* const arena = out.arena();
    if (arena->adopt(arena, data, [](void* p) { std::free(p); }) != POLYCODEC_OK)
      throw Error(Status::memory, "no memory for the columns of the value");
    return {data, size};
  }

 private:
  [[gnu::noinline]] void grow(std::uint64_t count) {
    const std::uint64_t capacity = std::max<std::uint64_t>({size_ + count, capacity_ + capacity_ / 2, 64});
    budget_->take((capacity - capacity_) * sizeof(T));
    auto* const data = static_cast<T*>(std::realloc(static_cast<void*>(data_), capacity * sizeof(T)));
    if (data == nullptr) throw std::bad_alloc();
    data_ = data;
    capacity_ = capacity;
    ask_for_huge_pages();
  }

  // Huge pages turn 512 page faults into one; where the kernel refuses, nothing is lost.
  void ask_for_huge_pages() const noexcept {
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(data_);
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t last = (begin + static_cast<std::uintptr_t>(capacity_ * sizeof(T))) / page * page;
    if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
  }

  Budget* budget_;
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace polycodec::obj
