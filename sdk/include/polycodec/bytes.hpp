// SPDX-License-Identifier: MIT
// Bytes and text of the ABI as std::string_view, which is the one type for both in C++.
#pragma once

#include <polycodec/abi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace polycodec {

/// The bytes of a polycodec_bytes.
inline std::string_view to_string_view(const polycodec_bytes& bytes) noexcept {
  return {static_cast<const char*>(bytes.data), static_cast<std::size_t>(bytes.size)};
}
/// `size` bytes at `data`.
inline std::string_view to_string_view(const void* data, std::uint64_t size) noexcept {
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}
inline polycodec_bytes to_bytes(std::string_view bytes) noexcept {
  return {bytes.data(), bytes.size()};
}
/// The bytes of contiguous elements.
template <class T, std::size_t N>
std::string_view bytes_of(std::span<T, N> elements) noexcept {
  return to_string_view(elements.data(), elements.size_bytes());
}

}  // namespace polycodec
