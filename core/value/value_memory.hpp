// SPDX-License-Identifier: MIT
// Where the pointers of a value lead, as validation meets them.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>

#include "core/value/regions.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::detail {

/// Checks each pointer of a value before anything is read through it. Structure that others may
/// change is copied, so that it stays as it is checked. `what` names the target in messages.
class ValueMemory {
 public:
  /// `regions` null: nothing is known, nothing is checked. `copies`: see validate().
  ValueMemory(const Regions* regions, Arena* copies) noexcept
      : regions_(regions), copies_(regions == nullptr || regions->is_stable() ? nullptr : copies) {}

  /// Text, bytes and elements, at any alignment.
  void check_bytes(const void* data, std::uint64_t size, const char* what) {
    if (regions_ == nullptr || size == 0 || lies_in(bytes_in_, data, size)) [[likely]]
      return;
    bytes_in_ = find(data, size, what);
  }
  /// Nodes, structs and tables of pointers: aligned, and never in a file that others may change,
  /// where whoever writes would choose the pointers.
  void check_struct(const void* data, std::uint64_t size, const char* what) {
    if (regions_ == nullptr || size == 0) return;
    if (reinterpret_cast<std::uintptr_t>(data) % alignof(void*) != 0) [[unlikely]]
      fail_alignment(what);
    if (lies_in(structs_in_, data, size)) [[likely]]
      return;
    structs_in_ = find_struct(data, size, what);
  }
  /// An array struct: its size first, and then all of it.
  void check_array(const polycodec_array& array) {
    if (regions_ == nullptr ||
        (is_known_struct(&array, sizeof array) && array.struct_size == sizeof array)) [[likely]]
      return;
    check_any_array(array);
  }
  /// A shape or strides.
  void check_extents(const std::int64_t* const& extents, std::uint32_t ndim, const char* what) {
    if (regions_ == nullptr || ndim == 0) return;
    if (copies_ == nullptr && is_known_struct(extents, std::uint64_t{ndim} * sizeof *extents))
        [[likely]]
      return;
    check_table(extents, ndim, what);
  }
  /// `count` items of a column, whose dtype and stride are right.
  void check_column(const polycodec_column& column, std::uint64_t count, const char* what) {
    if (regions_ == nullptr || count == 0) return;
    check_items(column, count, what);
  }
  /// A name in a table or an extension.
  void check_name(const polycodec_bytes& name, const char* what) {
    check_bytes(name.data, name.size, what);
    if (copies_ != nullptr) [[unlikely]]
      keep_name(name, what);
  }

 private:
  bool is_known_struct(const void* data, std::uint64_t size) const noexcept {
    return reinterpret_cast<std::uintptr_t>(data) % alignof(void*) == 0 &&
           lies_in(structs_in_, data, size);
  }
  void check_any_array(const polycodec_array& array);
  static bool lies_in(std::string_view region, const void* data, std::uint64_t size) noexcept {
    return !region_around(region, data, size).empty();
  }
  std::string_view find(const void* data, std::uint64_t size, const char* what) const;
  std::string_view find_struct(const void* data, std::uint64_t size, const char* what) const;
  void check_table(const std::int64_t* const& extents, std::uint32_t ndim, const char* what);
  void check_items(const polycodec_column& column, std::uint64_t count, const char* what);
  void keep_name(const polycodec_bytes& name, const char* what);
  void* allocate(std::uint64_t size, std::uint64_t align);
  void require_own(const void* data, std::uint64_t size, const char* what) const;
  [[noreturn, gnu::cold]] static void fail_alignment(const char* what);

  const Regions* regions_;
  Arena* copies_;  // null: nothing can change
  // Nodes and what they point to lie in few regions: the last one of each is remembered.
  std::string_view structs_in_, bytes_in_;
};

}  // namespace polycodec::detail
