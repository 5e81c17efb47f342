// SPDX-License-Identifier: MIT
// vector<struct> and vector<string>: a size, a count, and the elements one after the other.
#pragma once

#include "vector.hpp"

namespace fastbin_runtime {
inline namespace v1 {

namespace detail {

// `value`, which the compiler takes for another one.
inline std::size_t unshared(std::size_t value) noexcept {
#if defined(__GNUC__)
  asm("" : "+r"(value));
#endif
  return value;
}

}  // namespace detail

/// Goes over elements of differing sizes in one pass: each says where the next one is.
template <class T>
class WalkIterator {
 public:
  using value_type = T;
  using reference = T;
  using pointer = void;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;

  WalkIterator() = default;
  WalkIterator(const std::byte* p, std::size_t left) noexcept
      : p_(p), size_(left != 0 ? Part<T>::stored_size(p) : 0), left_(left) {}
  T operator*() const noexcept { return Part<T>::view(p_); }
  // Each size waits for the one before, so what lies between two loads is the speed of the walk.
  // The size of the next element is loaded from p_ + size_ without waiting for that sum, which the
  // compiler would otherwise share: a fifth less time.
  WalkIterator& operator++() noexcept {
    const std::size_t step = detail::unshared(size_);
    if (--left_ != 0) size_ = Part<T>::stored_size(p_ + size_);
    p_ += step;
    return *this;
  }
  WalkIterator operator++(int) noexcept {
    const WalkIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const WalkIterator& a, const WalkIterator& b) noexcept {
    return a.left_ == b.left_;
  }

 private:
  const std::byte* p_ = nullptr;
  std::size_t size_ = 0;  // of the element at p_
  std::size_t left_ = 0;
};

/// The elements of an array of structs or strings, in the buffer. Those of fixed size are found by
/// their index; others are gone through from the first one on.
template <class T>
class Records {
  struct Get {
    static T get(const std::byte* p) noexcept { return Part<T>::view(p); }
  };
  static constexpr std::size_t stride = Part<T>::least;

 public:
  using value_type = T;
  /// True if all elements have the same size.
  static constexpr bool is_fixed = Part<T>::is_fixed;
  using iterator = std::conditional_t<is_fixed, StrideIterator<T, stride, Get>, WalkIterator<T>>;

  Records() = default;
  /// The array at `data`, which has been checked.
  explicit Records(const std::byte* data) noexcept
      : data_(data + 2 * word), size_(load<std::uint64_t>(data + word)) {}

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  /// Element `i`, which is below size().
  T operator[](std::size_t i) const noexcept requires is_fixed {
    return Part<T>::view(data_ + i * stride);
  }
  iterator begin() const noexcept {
    if constexpr (is_fixed)
      return iterator(data_);
    else
      return iterator(data_, size_);
  }
  iterator end() const noexcept {
    if constexpr (is_fixed)
      return iterator(data_ + size_ * stride);
    else
      return iterator(nullptr, 0);
  }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
struct Part<Records<T>> {
  static constexpr bool is_fixed = false;
  static constexpr std::size_t least = 2 * word;
  using Item = typename Part<T>::Input;
  using Input = std::span<const Item>;

  // With the checks of the elements inside the loop, the way to the next one stays in registers: a
  // third faster. Arrays in elements remain functions of their own, so that nesting does not
  // multiply the code.
  [[gnu::flatten, gnu::noinline]] static bool check(Checker& c, std::size_t& at, std::size_t end) {
    std::size_t stop = 0;
    std::size_t count = 0;
    if (!c.open_array(at, end, Part<T>::least, stop, count)) return false;
    std::size_t item = at + 2 * word;
    if constexpr (Part<T>::is_fixed) {
      const std::size_t last = item + count * Part<T>::least;
      if (!c.close_array(at, last, stop)) return false;
      if (T::fastbin_needs_check(c))
        for (std::size_t i = 0; i < count; ++i)
          if (!Part<T>::check(c, item, stop)) return c.in(i);
    } else {
      for (std::size_t i = 0; i < count; ++i)
        if (!Part<T>::check(c, item, stop)) return c.in(i);
      if (!c.close_array(at, item, stop)) return false;
    }
    at = stop;
    return true;
  }
  static std::size_t stored_size(const std::byte* p) noexcept { return load<std::uint64_t>(p); }
  static Records<T> view(const std::byte* p) noexcept { return Records<T>(p); }
  static constexpr std::size_t size_of(Input items) noexcept {
    if constexpr (Part<T>::is_fixed) {
      return items.size() > block_size_mask / Part<T>::least
                 ? no_size
                 : 2 * word + items.size() * Part<T>::least;
    } else {
      std::size_t size = 2 * word;
      for (const Item& item : items) size = add_sizes(size, Part<T>::size_of(item));
      return size;
    }
  }
  static std::byte* write(std::byte* p, Input items) noexcept {
    std::byte* at = p + 2 * word;
    if constexpr (is_image) {
      copy_bytes(at, items.data(), items.size_bytes());
      at += items.size_bytes();
    } else {
      for (const Item& item : items) at = Part<T>::write(at, item);
    }
    store<std::uint64_t>(p, static_cast<std::uint64_t>(at - p));
    store<std::uint64_t>(p + word, items.size());
    return at;
  }

 private:
  /// True if values lie in memory as elements lie in buffers.
  static constexpr bool is_image = [] {
    if constexpr (Part<T>::is_fixed)
      return T::fastbin_is_image;
    else
      return false;
  }();
};

}  // namespace v1
}  // namespace fastbin_runtime
