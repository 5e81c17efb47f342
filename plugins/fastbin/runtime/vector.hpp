// SPDX-License-Identifier: MIT
// vector<primitive> and vector<enum>: numbers back to back in a padded block.
#pragma once

#include "part.hpp"

#include <compare>
#include <iterator>
#include <span>

namespace fastbin_runtime {
inline namespace v1 {

/// Goes over elements that are `Stride` bytes apart; Get::get(p) makes the value. Values come by
/// value, so that unaligned buffers can be read.
template <class T, std::size_t Stride, class Get>
class StrideIterator {
 public:
  using value_type = T;
  using reference = T;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::random_access_iterator_tag;

  StrideIterator() = default;
  explicit StrideIterator(const std::byte* p) noexcept : p_(p) {}
  T operator*() const noexcept { return Get::get(p_); }
  T operator[](difference_type i) const noexcept { return Get::get(p_ + i * stride); }
  StrideIterator& operator++() noexcept { return p_ += stride, *this; }
  StrideIterator& operator--() noexcept { return p_ -= stride, *this; }
  StrideIterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
  StrideIterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }
  StrideIterator& operator+=(difference_type n) noexcept { return p_ += n * stride, *this; }
  StrideIterator& operator-=(difference_type n) noexcept { return p_ -= n * stride, *this; }
  friend StrideIterator operator+(StrideIterator i, difference_type n) noexcept { return i += n; }
  friend StrideIterator operator+(difference_type n, StrideIterator i) noexcept { return i += n; }
  friend StrideIterator operator-(StrideIterator i, difference_type n) noexcept { return i -= n; }
  friend difference_type operator-(StrideIterator a, StrideIterator b) noexcept {
    return (a.p_ - b.p_) / stride;
  }
  friend bool operator==(StrideIterator, StrideIterator) = default;
  friend auto operator<=>(StrideIterator, StrideIterator) = default;

 private:
  static constexpr auto stride = static_cast<difference_type>(Stride);
  const std::byte* p_ = nullptr;
};

/// The numbers of a vector, in the buffer.
template <Scalar T>
class Vector {
  struct Get {
    static T get(const std::byte* p) noexcept { return load<T>(p); }
  };

 public:
  using value_type = T;
  using iterator = StrideIterator<T, sizeof(T), Get>;

  Vector() = default;
  Vector(const std::byte* data, std::size_t size) noexcept : data_(data), size_(size) {}

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  /// Element `i`, which is below size().
  T operator[](std::size_t i) const noexcept { return load<T>(data_ + i * sizeof(T)); }
  iterator begin() const noexcept { return iterator(data_); }
  iterator end() const noexcept { return iterator(data_ + size_ * sizeof(T)); }
  /// The elements as they lie in the buffer.
  std::span<const std::byte> bytes() const noexcept { return {data_, size_ * sizeof(T)}; }
  /// Copies the first elements to `to`, as many as both have; returns how many.
  std::size_t copy_to(std::span<T> to) const noexcept {
    const std::size_t n = size_ < to.size() ? size_ : to.size();
    if constexpr (bool_like<T>)
      for (std::size_t i = 0; i < n; ++i) to[i] = (*this)[i];
    else
      copy_bytes(to.data(), data_, n * sizeof(T));
    return n;
  }
  /// True if the elements can be used in place: always in a buffer that starts at a multiple of 8.
  bool is_aligned() const noexcept {
    return reinterpret_cast<std::uintptr_t>(data_) % alignof(T) == 0;
  }
  /// The elements in place; only if is_aligned().
  std::span<const T> span() const noexcept requires(!bool_like<T>) {
    return {reinterpret_cast<const T*>(data_), size_};
  }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

template <Scalar T>
struct Part<Vector<T>> {
  static constexpr bool is_fixed = false;
  static constexpr std::size_t least = word;
  using Input = std::span<const T>;

  static bool check(Checker& c, std::size_t& at, std::size_t end) {
    std::size_t content = 0;
    if (!c.open_block(at, end, sizeof(T), content) || !check_values(c, at + word, content))
      return false;
    at += whole_words(word + content);
    return true;
  }
  static std::size_t stored_size(const std::byte* p) noexcept { return stored_block_size(p); }
  static Vector<T> view(const std::byte* p) noexcept {
    return payload_view(p + word, stored_block_content(p));
  }
  static constexpr std::size_t size_of(Input values) noexcept {
    return values.size() > block_size_mask / sizeof(T) ? no_size : block_size(values.size_bytes());
  }
  static std::byte* write(std::byte* p, Input values) noexcept {
    copy_bytes(begin_block(p, values.size_bytes()), values.data(), values.size_bytes());
    return p + whole_words(word + values.size_bytes());
  }

  static bool payload_check(Checker& c, std::size_t at, std::size_t n) {
    if (n % sizeof(T) != 0)
      return c.fail(Code::bad_length, at - word, "bytes:", n, "no multiple of", sizeof(T));
    return check_values(c, at, n);
  }
  static Vector<T> payload_view(const std::byte* p, std::size_t n) noexcept {
    return {p, n / sizeof(T)};
  }
  static constexpr std::size_t payload_size(Input values) noexcept {
    return values.size() > block_size_mask / sizeof(T) ? no_size : values.size_bytes();
  }
  static void payload_write(std::byte* p, Input values) noexcept {
    copy_bytes(p, values.data(), values.size_bytes());
  }

 private:
  static bool check_values(Checker& c, std::size_t at, std::size_t content) {
    if (!needs_check<T>(c)) return true;
    if constexpr (bool_like<T>) {
      std::uint8_t all =
          0;  // most vectors are right: look for the culprit only in those that are not
      for (std::size_t i = 0; i < content; ++i)
        all = static_cast<std::uint8_t>(all | c.get<std::uint8_t>(at + i));
      if (all <= 1) return true;
    }
    for (std::size_t i = 0; i < content / sizeof(T); ++i)
      if (!check_value<T>(c, at + i * sizeof(T))) return c.in(i);
    return true;
  }
};

}  // namespace v1
}  // namespace fastbin_runtime
