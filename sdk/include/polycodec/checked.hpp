// SPDX-License-Identifier: MIT
// Arithmetic on sizes that come from untrusted bytes: it says when it overflows instead of
// wrapping.
#pragma once

#include <cstdint>
#include <optional>

namespace polycodec {

/// `sum` = a + b. Returns false, and leaves `sum` unspecified, if that is more than 2^64 - 1.
[[nodiscard]] constexpr bool checked_add(std::uint64_t a, std::uint64_t b,
                                         std::uint64_t& sum) noexcept {
  return !__builtin_add_overflow(a, b, &sum);
}

/// `product` = a * b. Returns false, and leaves `product` unspecified, if that is more than 2^64
/// - 1.
[[nodiscard]] constexpr bool checked_mul(std::uint64_t a, std::uint64_t b,
                                         std::uint64_t& product) noexcept {
  return !__builtin_mul_overflow(a, b, &product);
}

/// a + b, or nothing if that is more than 2^64 - 1.
[[nodiscard]] constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a,
                                                                 std::uint64_t b) noexcept {
  std::uint64_t sum = 0;
  return checked_add(a, b, sum) ? std::optional(sum) : std::nullopt;
}

/// a * b, or nothing if that is more than 2^64 - 1.
[[nodiscard]] constexpr std::optional<std::uint64_t> checked_mul(std::uint64_t a,
                                                                 std::uint64_t b) noexcept {
  std::uint64_t product = 0;
  return checked_mul(a, b, product) ? std::optional(product) : std::nullopt;
}

/// True if [offset, offset + size) lies inside [0, total); the empty range may also be at
/// `total`.
[[nodiscard]] constexpr bool range_fits(std::uint64_t offset, std::uint64_t size,
                                        std::uint64_t total) noexcept {
  return offset <= total && size <= total - offset;
}

/// The least multiple of `alignment` (a power of two) that is not less than `value`, or nothing if
/// that is more than 2^64 - 1.
[[nodiscard]] constexpr std::optional<std::uint64_t> align_up(std::uint64_t value,
                                                              std::uint64_t alignment) noexcept {
  std::uint64_t raised = 0;
  if (!checked_add(value, alignment - 1, raised)) return std::nullopt;
  return raised & ~(alignment - 1);
}

}  // namespace polycodec
