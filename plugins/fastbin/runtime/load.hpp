// SPDX-License-Identifier: MIT
// Numbers in buffers: loaded and stored byte by byte, whatever the alignment; and the arithmetic of
// sizes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace fastbin_runtime {
inline namespace v1 {

static_assert(std::endian::native == std::endian::little, "fastbin buffers are little endian");
static_assert(sizeof(std::size_t) == 8, "fastbin needs 64 bits");

/// All parts start at multiples of a word and take whole words.
inline constexpr std::size_t word = 8;

/// One number: an arithmetic type, std::byte, or an enum.
template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

namespace detail {

template <class T>
constexpr bool is_bool_like() {
  if constexpr (std::is_enum_v<T>)
    return std::is_same_v<std::underlying_type_t<T>, bool>;
  else
    return std::is_same_v<T, bool>;
}

}  // namespace detail

/// True for what may only be 0 or 1 in memory: bool, and enums stored as bool.
template <class T>
inline constexpr bool bool_like = detail::is_bool_like<T>();
/// True for enums of the schema; std::byte is none.
template <class T>
inline constexpr bool named_enum = std::is_enum_v<T> && !std::is_same_v<T, std::byte>;

/// The number at `at`. A byte that is no boolean is never loaded as one.
template <Scalar T>
inline T load(const std::byte* at) noexcept {
  if constexpr (bool_like<T>) {
    return static_cast<T>(at[0] != std::byte{0});
  } else {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
  }
}
/// Writes the number in its own size.
template <Scalar T>
inline void store(std::byte* at, T value) noexcept {
  std::memcpy(at, &value, sizeof value);
}
/// The number as a slot: a word whose other bytes are 0.
template <Scalar T>
inline std::uint64_t slot_of(T value) noexcept {
  std::uint64_t slot = 0;
  std::memcpy(&slot, &value, sizeof value);
  return slot;
}
/// Writes the number as a slot.
template <Scalar T>
inline void store_slot(std::byte* at, T value) noexcept {
  store(at, slot_of(value));
}
/// Writes two numbers as slots, with one store where the processor has one for both, and returns
/// what is behind them.
template <Scalar A, Scalar B>
inline std::byte* write_slots(std::byte* at, A first, B second) noexcept {
  const std::array<std::uint64_t, 2> slots = {slot_of(first), slot_of(second)};
  std::memcpy(at, slots.data(), sizeof slots);
  return at + sizeof slots;
}

/// Stands for every size that cannot be.
inline constexpr std::size_t no_size = std::numeric_limits<std::size_t>::max();
/// The sum of two sizes, or no_size.
constexpr std::size_t add_sizes(std::size_t a, std::size_t b) noexcept {
  return a > no_size - b ? no_size : a + b;
}
/// `n` rounded up to whole words; `n` is below 2^63.
constexpr std::size_t whole_words(std::size_t n) noexcept {
  return (n + (word - 1)) & ~(word - 1);
}

/// Padded blocks begin with a word: the size of the block in the low 56 bits, the bytes of padding
/// in the high 8.
inline constexpr std::uint64_t block_size_mask = 0x00FF'FFFF'FFFF'FFFF;
/// The size of a block with `n` bytes in it, or no_size.
constexpr std::size_t block_size(std::size_t n) noexcept {
  return n > block_size_mask - 2 * word ? no_size : whole_words(word + n);
}
/// Writes the word of a block, zeroes its padding, and returns where `n` bytes of content go.
inline std::byte* begin_block(std::byte* at, std::size_t n) noexcept {
  const std::size_t size = whole_words(word + n);
  store<std::uint64_t>(at + size - word, 0);  // the last word holds the padding, if there is any
  store<std::uint64_t>(at, size | static_cast<std::uint64_t>(size - word - n) << 56);
  return at + word;
}
/// The size of the block at `at`, which has been checked.
inline std::size_t stored_block_size(const std::byte* at) noexcept {
  return load<std::uint64_t>(at) & block_size_mask;
}
/// The bytes of content of the block at `at`, which has been checked.
inline std::size_t stored_block_content(const std::byte* at) noexcept {
  const auto head = load<std::uint64_t>(at);
  return (head & block_size_mask) - (head >> 56) - word;
}
/// Copies `n` bytes; `from` may be null where `n` is 0.
inline void copy_bytes(void* to, const void* from, std::size_t n) noexcept {
  if (n != 0) std::memcpy(to, from, n);
}

}  // namespace v1
}  // namespace fastbin_runtime
