// SPDX-License-Identifier: MIT
// Where the pointers of a value lead, as validation meets them.
#pragma once

#include <polycodec/abi.h>

#include "core/value/arena.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::detail {

/// Checks each pointer of a value before anything is read through it. Structure that others may
/// change is copied, so that it stays as it is checked. `what` names the target in messages.
///
/// Nodes and what they point to lie in few regions, and the last one of each kind is remembered:
/// each check is a subtraction and two comparisons, because most values have a pointer a node.
class ValueMemory {
 public:
  /// `regions` null: nothing is known, nothing is checked. `copies`: see validate().
  ValueMemory(const Regions* regions, Arena* copies) noexcept
      : regions_(regions), copies_(regions == nullptr || regions->is_stable() ? nullptr : copies) {
    if (regions == nullptr) return;
    structs_in_ = copies == nullptr ? Extent{0, 0} : extent_of(copies->last_region());
    bytes_in_ = copies == nullptr ? Extent{0, 0} : extent_of(copies->first_bytes());
  }

  /// True if bytes lie where the last ones did, or those elsewhere before them: names that many
  /// objects share lie apart from other text. False says nothing.
  bool holds(const void* data, std::uint64_t size) const noexcept {
    return bytes_in_.holds(data, size) || bytes_before_.holds(data, size);
  }
  /// The same for an aligned struct.
  bool holds_struct(const void* data, std::uint64_t size) const noexcept {
    return reinterpret_cast<std::uintptr_t>(data) % alignof(void*) == 0 &&
           structs_in_.holds(data, size);
  }
  /// Text, bytes and elements, at any alignment.
  void check_bytes(const void* data, std::uint64_t size, const char* what) {
    if (!holds(data, size)) [[unlikely]]
      find_bytes(data, size, what);
  }
  /// Nodes, structs and tables of pointers: aligned, and never in a file that others may change,
  /// where whoever writes would choose the pointers.
  void check_struct(const void* data, std::uint64_t size, const char* what) {
    if (!holds_struct(data, size)) [[unlikely]]
      find_struct(data, size, what);
  }
  /// An array struct: its size first, and then all of it. No reference to it before.
  void check_array(const polycodec_array* array) {
    if (!holds_struct(array, sizeof *array) || array->struct_size != sizeof *array) [[unlikely]]
      check_size(array);
  }
  /// A shape or strides.
  void check_extents(const std::int64_t* const& extents, std::uint32_t ndim, const char* what) {
    if (!holds_struct(extents, ndim * sizeof *extents)) [[unlikely]]
      find_extents(extents, ndim, what);
  }
  /// `count` items of a column, whose dtype and stride are right.
  void check_column(const polycodec_column& column, std::uint64_t count, const char* what) {
    if (regions_ != nullptr && count != 0) check_items(column, count, what);
  }
  /// A name in a table or an extension.
  void check_name(const polycodec_bytes& name, const char* what) {
    check_bytes(name.data, name.size, what);
    if (copies_ != nullptr) [[unlikely]]
      keep_name(name, what);
  }

 private:
  struct Extent {
    std::uintptr_t begin = 1;  // all memory but NULL
    std::uint64_t size = UINT64_MAX - 1;
    bool holds(const void* data, std::uint64_t bytes) const noexcept {
      const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(data) - begin;
      return from < size && bytes <= size - from;
    }
  };
  static Extent extent_of(std::string_view region) noexcept {
    return {reinterpret_cast<std::uintptr_t>(region.data()), region.size()};
  }
  Extent find(const void* data, std::uint64_t size, const char* what) const;
  void find_bytes(const void* data, std::uint64_t size, const char* what);
  void find_struct(const void* data, std::uint64_t size, const char* what);
  void find_extents(const std::int64_t* const& extents, std::uint32_t ndim, const char* what);
  void check_size(const polycodec_array* array);
  void check_items(const polycodec_column& column, std::uint64_t count, const char* what);
  void keep_name(const polycodec_bytes& name, const char* what);
  void* allocate(std::uint64_t size, std::uint64_t align);
  void require_own(const void* data, std::uint64_t size, const char* what) const;

  const Regions* regions_;
  Arena* copies_;  // null: nothing can change
  Extent structs_in_, bytes_in_, bytes_before_{0, 0};
};

}  // namespace polycodec::detail
