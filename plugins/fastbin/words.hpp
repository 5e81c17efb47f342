// SPDX-License-Identifier: MIT
// The words of the format in a buffer that has been verified, and the parts of those that have not.
#pragma once

#include <base/nodes.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include "schema/schema.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::fastbin {

inline constexpr std::uint64_t block_size_mask = (std::uint64_t{1} << 56) - 1;

/// A word of a padded block: its size with padding and the word itself, and the padding in the top
/// byte.
struct BlockWord {
  std::uint64_t size;
  std::uint64_t padding;

  explicit constexpr BlockWord(std::uint64_t word) noexcept
      : size(word & block_size_mask), padding(word >> 56) {}
  /// Bytes of content, if padding and size are right.
  constexpr std::uint64_t content() const noexcept { return size - padding - word_size; }
};

/// The word for a block of `content` bytes, which the format cannot hold from 2^56 - 15 on.
constexpr std::uint64_t block_word(std::uint64_t content) noexcept {
  const std::uint64_t size = (content + 2 * word_size - 1) & ~(word_size - 1);
  return size | (size - word_size - content) << 56;
}
/// What a block of `content` bytes takes.
constexpr std::uint64_t block_size(std::uint64_t content) noexcept {
  return (content + 2 * word_size - 1) & ~(word_size - 1);
}

/// The word of a variant cell: its size with the word itself, and which alternative it holds.
struct CellWord {
  std::uint64_t size;
  std::uint64_t index;

  explicit constexpr CellWord(std::uint64_t word) noexcept : size(word >> 8), index(word & 0xff) {}
};

inline std::uint64_t word_at(const std::byte* base, std::uint64_t at) noexcept {
  return load<std::uint64_t>(base + at, std::endian::little);
}

/// The bytes that the member at `at` of a verified buffer takes.
inline std::uint64_t verified_size(const Schema& schema, const Type& type, const std::byte* base,
                                   std::uint64_t at) {
  if (type.is_scalar()) return word_size;
  if (type.kind == Kind::structure && schema.struct_of(type).fixed)
    return schema.struct_of(type).fixed_size;
  // Blocks have padding in the top byte; sizes of structs and arrays never reach it.
  return word_at(base, at) & block_size_mask;
}

/// A step of a path: a member, or an item of a vector. The root has no outer place.
struct Place {
  const Place* outer = nullptr;
  std::string_view name;
  std::uint64_t index = 0;
  bool is_item = false;

  static Place member(const Place& outer, std::string_view name) noexcept {
    return {&outer, name, 0, false};
  }
  static Place item(const Place& outer, std::uint64_t index) noexcept {
    return {&outer, {}, index, true};
  }

  std::string text() const {
    if (outer == nullptr) return std::string(path_root);
    std::string path = outer->text();
    if (is_item)
      append_index(path, index);
    else
      append_key(path, name);
    return path;
  }
};

/// Throws with the word of the format for what is wrong, such as "bad_size", and where.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(Status status, std::string_view word,
                                                          const Place& place, std::uint64_t offset,
                                                          std::string message) {
  throw Error(status, std::move(message), offset).detail(word).path(place.text());
}

/// The value that is to be written is not of its type.
[[noreturn, gnu::cold, gnu::noinline]] inline void wrong(const Place& place, std::string message) {
  refuse(Status::type, "fastbin.type", place, Error::no_offset, std::move(message));
}

}  // namespace polycodec::fastbin
