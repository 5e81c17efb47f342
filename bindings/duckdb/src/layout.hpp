// SPDX-License-Identifier: MIT
// How items of columnar arrays are found (see polycodec/abi.h).
#pragma once

#include <polycodec/abi.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace polycodec_sql {

constexpr std::uint8_t host_byte_order =
    std::endian::native == std::endian::little ? POLYCODEC_LITTLE_ENDIAN : POLYCODEC_BIG_ENDIAN;

template <class T>
T load(const void* data) noexcept {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

/// Returns item i of a column of structure integers.
std::int64_t column_item(const polycodec_column& column, std::uint64_t i) noexcept;

/// Returns whether item i of an array with the layout OPTION_BYTES or OPTION_BITS is there.
bool is_present(const polycodec_array& option, std::uint64_t i) noexcept;

/// Where the items of a list lie in the first child.
struct Range {
  std::uint64_t begin;
  std::uint64_t size;
};
/// Returns the range of item i of a list layout.
Range range_of(const polycodec_array& list, std::uint64_t i) noexcept;

/// A chunk: its number, and the number of its first item in the whole array.
struct Chunk {
  std::uint32_t number;
  std::uint64_t start;
};
/// Returns the chunk of item i of an array with the layout CHUNKED.
Chunk chunk_of(const polycodec_array& chunked, std::uint64_t i) noexcept;

/// Items that are read: some consecutive ones, or those of an index, where a negative number is a
/// missing item.
class Rows {
 public:
  Rows(std::uint64_t first, std::uint64_t size) noexcept : first_(first), size_(size) {}
  explicit Rows(const std::vector<std::int64_t>& index) noexcept
      : index_(index.data()), size_(index.size()) {}

  std::uint64_t size() const noexcept { return size_; }
  bool is_consecutive() const noexcept { return index_ == nullptr; }
  /// The first item of consecutive ones.
  std::uint64_t first() const noexcept { return first_; }
  std::int64_t operator[](std::uint64_t i) const noexcept {
    return index_ == nullptr ? static_cast<std::int64_t>(first_ + i) : index_[i];
  }

 private:
  const std::int64_t* index_ = nullptr;
  std::uint64_t first_ = 0;
  std::uint64_t size_;
};

}  // namespace polycodec_sql
