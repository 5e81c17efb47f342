// SPDX-License-Identifier: MIT
// Nodes as two words of eight bytes.
#pragma once

#include <base/node_word.hpp>
#include <polycodec/abi.h>

#include <cstdint>
#include <cstring>

namespace polycodec::msgpack_ndarray {

// Sizes of msgpack have 32 bits.
inline constexpr std::uint64_t null_word = node_word(POLYCODEC_KIND_NULL, 0, 0);
inline constexpr std::uint64_t boolean_word =
    node_word(POLYCODEC_KIND_BOOLEAN, POLYCODEC_DTYPE_BOOLEAN, 0);
inline constexpr std::uint64_t signed_word =
    node_word(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT64, 0);
inline constexpr std::uint64_t unsigned_word =
    node_word(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_UINT64, 0);
inline constexpr std::uint64_t real32_word =
    node_word(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT32, 0);
inline constexpr std::uint64_t real64_word =
    node_word(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT64, 0);
inline constexpr std::uint64_t time_word =
    node_word(POLYCODEC_KIND_TIMESTAMP, POLYCODEC_DTYPE_TIMESTAMP64, 0);

/// A string of `size` bytes; `strict`: they are UTF-8.
constexpr std::uint64_t text_word(std::uint64_t size, bool strict) noexcept {
  return node_word(POLYCODEC_KIND_STRING, strict ? 0 : POLYCODEC_STRING_LENIENT, size);
}

inline std::uint64_t word_of(const polycodec_node* node) noexcept {
  std::uint64_t head;
  std::memcpy(&head, node, sizeof head);
  return head;
}
inline void put(polycodec_node* node, std::uint64_t head, std::uint64_t payload) noexcept {
  std::memcpy(static_cast<void*>(node), &head, sizeof head);
  node->as.u64 = payload;
}
inline void put_data(polycodec_node* node, std::uint64_t head, const void* data) noexcept {
  std::memcpy(static_cast<void*>(node), &head, sizeof head);
  node->as.data = data;
}

}  // namespace polycodec::msgpack_ndarray
