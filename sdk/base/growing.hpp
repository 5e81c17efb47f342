// SPDX-License-Identifier: MIT
// Arrays that grow while input is read, and then belong to the value.
#pragma once

#include <polycodec/builder.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace polycodec {

/// A growing array of a trivial type in the arena of a call, which resizes it in place where it
/// can. The memory lives as long as the arena, also when the array is dropped. For one thread.
/// Throws what the arena reports: Status::limit, Status::memory.
template <class T>
class Growing {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Growing(Builder& out) noexcept : out_(&out) {}
  Growing(Growing&& other) noexcept
      : out_(other.out_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Growing& operator=(Growing&&) = delete;

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::uint64_t size() const noexcept { return size_; }
  std::uint64_t capacity() const noexcept { return capacity_; }
  /// Items that can be added where the array is.
  std::uint64_t room() const noexcept { return capacity_ - size_; }
  T& operator[](std::uint64_t i) noexcept { return data_[i]; }
  const T& operator[](std::uint64_t i) const noexcept { return data_[i]; }
  void shrink(std::uint64_t size) noexcept { size_ = size; }

  /// Room for `more` items after those that there are; returns where they go.
  T* reserve(std::uint64_t more) {
    if (more > room()) [[unlikely]]
      grow(more);
    return data_ + size_;
  }
  /// The first `count` items of what reserve() gave are there.
  void commit(std::uint64_t count) noexcept { size_ += count; }
  /// `count` more items, which the caller fills.
  T* extend(std::uint64_t count) {
    T* const at = reserve(count);
    size_ += count;
    return at;
  }
  void push(T item) { *extend(1) = item; }
  void fill(std::uint64_t count, T item) { std::fill_n(extend(count), count, item); }
  void append(const T* items, std::uint64_t count) {
    T* const to = extend(count);
    if (count != 0)
      std::memcpy(static_cast<void*>(to), items, static_cast<std::size_t>(count) * sizeof(T));
  }

  /// The items, for the value to point to, never at NULL. The array is empty afterwards.
  std::span<const T> take() {
    if (data_ == nullptr) grow(1);
    capacity_ = 0;
    return {std::exchange(data_, nullptr), static_cast<std::size_t>(std::exchange(size_, 0))};
  }

 private:
  [[gnu::noinline]] void grow(std::uint64_t more) {
    // Half more, so that little is left unused; doubling while that is small.
    const std::uint64_t wish = capacity_ < 65536 ? capacity_ * 2 : capacity_ + capacity_ / 2;
    const std::uint64_t need = more > UINT64_MAX - size_ ? UINT64_MAX : size_ + more;
    const std::uint64_t capacity =
        std::max<std::uint64_t>({need, wish, (64 + sizeof(T) - 1) / sizeof(T)});
    data_ = out_->resize(data_, capacity_, capacity);
    capacity_ = capacity;
  }

  Builder* out_;
  T* data_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
};

}  // namespace polycodec
