// SPDX-License-Identifier: MIT
// A list that grows in the memory of the call, so that the limits count it.
#pragma once

#include <polycodec/builder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace polycodec::gltf {

/// Items of a trivial type in the arena of a call. For one thread; the Builder outlives it.
template <class T>
class Growing {
 public:
  explicit Growing(Builder& out) noexcept : out_(out) {}

  const T* data() const noexcept { return data_; }
  std::uint64_t size() const noexcept { return size_; }
  const T& operator[](std::uint64_t i) const noexcept { return data_[i]; }

  /// Throws Status::limit, Status::memory.
  void push(T item) {
    if (size_ == capacity_) {
      const std::uint64_t more = std::max<std::uint64_t>(16, capacity_ + capacity_ / 2);
      data_ = out_.resize(data_, capacity_, more);
      capacity_ = more;
    }
    data_[size_++] = item;
  }
  /// Removes the last item, which there must be.
  T pop() noexcept { return data_[--size_]; }

 private:
  Builder& out_;
  T* data_ = nullptr;
  std::uint64_t size_ = 0, capacity_ = 0;
};

}  // namespace polycodec::gltf
