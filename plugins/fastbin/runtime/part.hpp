// SPDX-License-Identifier: MIT
// How each type of the schema lies in a buffer. Part<T> says for a type T, which is also what
// reading gives:
//   is_fixed            always the same size, without a size word
//   least               bytes of the smallest one; the size if it is fixed
//   Input               what writing takes
//   check(c, at, end)   checks the part at `at` and moves `at` behind it
//   stored_size(p)      bytes of the checked part at p
//   view(p)             the value of the checked part at p
//   size_of(input)      bytes that it will take
//   write(p, input)     writes it, returns what is behind it
// and the same for the alternative of a variant, which stands there without slot or size word:
// payload_*.
#pragma once

#include "checker.hpp"
#include "load.hpp"

#include <concepts>
#include <string_view>

namespace fastbin_runtime {
inline namespace v1 {

template <class T>
struct Part;

/// A generated struct.
template <class T>
concept Struct = requires {
  typename T::fastbin_struct;
};

/// Checks the number at `at`, which is inside the buffer.
template <Scalar T>
inline bool check_value(Checker& c, std::size_t at) {
  if constexpr (bool_like<T>) {
    const auto bits = c.get<std::uint8_t>(at);
    if (bits > 1) [[unlikely]]
      return c.fail(Code::bad_bool, at, "a boolean is", bits, "at most", 1);
  } else if constexpr (named_enum<T>) {
    if (c.options().known_enums) {
      const T value = c.get<T>(at);
      if (!is_known(value))
        return c.fail(Code::bad_enum, at,
                      "no name for the value " +
                          std::to_string(static_cast<std::underlying_type_t<T>>(value)));
    }
  }
  return true;
}
/// True if numbers of this type can be wrong.
template <Scalar T>
inline bool needs_check(const Checker& c) noexcept {
  return bool_like<T> || (named_enum<T> && c.options().known_enums);
}

/// What is behind the checked part at `p`.
template <class T>
inline const std::byte* behind(const std::byte* p) noexcept {
  return p + Part<T>::stored_size(p);
}

template <Scalar T>
struct Part<T> {
  static constexpr bool is_fixed = true;
  static constexpr std::size_t least = word;
  using Input = T;

  static bool check(Checker& c, std::size_t& at, std::size_t end) {
    if (!c.room(at, end, word) || !check_value<T>(c, at)) return false;
    at += word;
    return true;
  }
  static constexpr std::size_t stored_size(const std::byte*) noexcept { return word; }
  static T view(const std::byte* p) noexcept { return load<T>(p); }
  static constexpr std::size_t size_of(T) noexcept { return word; }
  static std::byte* write(std::byte* p, T value) noexcept { return store_slot(p, value), p + word; }

  static bool payload_check(Checker& c, std::size_t at, std::size_t n) {
    if (n != sizeof(T))
      return c.fail(Code::bad_variant_size, at - word, "bytes of the value:", n, "expected",
                    sizeof(T));
    return check_value<T>(c, at);
  }
  static T payload_view(const std::byte* p, std::size_t) noexcept { return load<T>(p); }
  static constexpr std::size_t payload_size(T) noexcept { return sizeof(T); }
  static void payload_write(std::byte* p, T value) noexcept { store(p, value); }
};

/// Texts are bytes: nothing checks that they are UTF-8.
template <>
struct Part<std::string_view> {
  static constexpr bool is_fixed = false;
  static constexpr std::size_t least = word;
  using Input = std::string_view;

  static bool check(Checker& c, std::size_t& at, std::size_t end) {
    std::size_t content = 0;
    if (!c.open_block(at, end, 1, content)) return false;
    at += whole_words(word + content);
    return true;
  }
  static std::size_t stored_size(const std::byte* p) noexcept { return stored_block_size(p); }
  static std::string_view view(const std::byte* p) noexcept {
    return payload_view(p + word, stored_block_content(p));
  }
  static constexpr std::size_t size_of(std::string_view text) noexcept {
    return block_size(text.size());
  }
  static std::byte* write(std::byte* p, std::string_view text) noexcept {
    copy_bytes(begin_block(p, text.size()), text.data(), text.size());
    return p + whole_words(word + text.size());
  }

  static bool payload_check(Checker&, std::size_t, std::size_t) noexcept { return true; }
  static std::string_view payload_view(const std::byte* p, std::size_t n) noexcept {
    return {reinterpret_cast<const char*>(p), n};
  }
  static constexpr std::size_t payload_size(std::string_view text) noexcept { return text.size(); }
  static void payload_write(std::byte* p, std::string_view text) noexcept {
    copy_bytes(p, text.data(), text.size());
  }
};

template <Struct T>
struct Part<T> {
  static constexpr bool is_fixed = T::is_fixed;
  static constexpr std::size_t least = T::min_size;
  using Input = typename T::Values;

  static bool check(Checker& c, std::size_t& at, std::size_t end) {
    if constexpr (is_fixed) {
      if (!c.room(at, end, least)) return false;
      if (T::fastbin_needs_check(c) && !T::fastbin_check(c, at)) return false;
      at += least;
      return true;
    } else {
      return T::fastbin_check(c, at, end);
    }
  }
  static std::size_t stored_size(const std::byte* p) noexcept {
    if constexpr (is_fixed)
      return least;
    else
      return load<std::uint64_t>(p);
  }
  static T view(const std::byte* p) noexcept { return T::trust(p); }
  static constexpr std::size_t size_of(const Input& values) noexcept { return T::size_of(values); }
  static std::byte* write(std::byte* p, const Input& values) noexcept {
    return T::fastbin_write(p, values);
  }

  static bool payload_check(Checker& c, std::size_t at, std::size_t n) {
    std::size_t last = at;
    if (!check(c, last, at + n)) return false;
    if (last == at + n) return true;
    return c.fail(Code::bad_variant_size, at - word, "bytes of the value:", n, "its struct takes",
                  last - at);
  }
  static T payload_view(const std::byte* p, std::size_t) noexcept { return T::trust(p); }
  static constexpr std::size_t payload_size(const Input& values) noexcept {
    return T::size_of(values);
  }
  static void payload_write(std::byte* p, const Input& values) noexcept {
    T::fastbin_write(p, values);
  }
};

}  // namespace v1
}  // namespace fastbin_runtime
