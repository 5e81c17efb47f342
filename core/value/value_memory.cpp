// SPDX-License-Identifier: MIT
#include "core/value/value_memory.hpp"

#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include <cstring>
#include <string>

namespace polycodec::detail {

ValueMemory::Extent ValueMemory::find(const void* data, std::uint64_t size,
                                      const char* what) const {
  const std::string_view region = regions_->region_of(data, size);
  if (region.empty())
    throw Error(Status::plugin, std::string(stray_pointer) + what + " (" + std::to_string(size) +
                                    " bytes): a value points to its input, to memory of its call, "
                                    "to adopted memory and to constants of plugins; use "
                                    "call->arena or adopt()");
  return extent_of(region);
}

void ValueMemory::find_bytes(const void* data, std::uint64_t size, const char* what) {
  if (regions_ == nullptr || size == 0) return;
  const Extent found = find(data, size, what);
  bytes_before_ = bytes_in_;
  bytes_in_ = found;
}

void ValueMemory::find_struct(const void* data, std::uint64_t size, const char* what) {
  if (regions_ == nullptr || size == 0) return;
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(void*) != 0)
    throw Error(Status::plugin, "misaligned pointer to " + std::string(what) +
                                    ": nodes and structs are aligned to " +
                                    std::to_string(alignof(void*)) + " bytes; use call->arena");
  const Extent found = find(data, size, what);
  if (copies_ != nullptr && regions_->may_change(data, size))
    throw Error(Status::plugin, "the value has " + std::string(what) +
                                    " in a file that others may change: only bytes may lie "
                                    "there; use call->arena");
  structs_in_ = found;
}

void ValueMemory::check_size(const polycodec_array* array) {
  check_struct(array, sizeof array->struct_size, "an array");
  if (array->struct_size < sizeof *array)
    throw Error(Status::invalid, "an array struct of " + std::to_string(array->struct_size) +
                                     " bytes, at least " + std::to_string(sizeof *array) +
                                     " are needed");
  check_struct(array, array->struct_size, "an array");
}

void* ValueMemory::allocate(std::uint64_t size, std::uint64_t align) {
  auto error = make_error();
  void* const memory = polycodec_arena_alloc(copies_->abi(), size, align, &error);
  if (memory == nullptr) throw to_error(error.code, error);
  return memory;
}

void ValueMemory::require_own(const void* data, std::uint64_t size, const char* what) const {
  if (!copies_->owns(data, size))
    throw Error(Status::plugin, "the " + std::string(what) +
                                    " of a constant array lie in a file that others may change: "
                                    "make the array in call->arena");
}

void ValueMemory::find_extents(const std::int64_t* const& extents, std::uint32_t ndim,
                               const char* what) {
  const std::uint64_t size = std::uint64_t{ndim} * sizeof *extents;
  const bool changes = copies_ != nullptr && size != 0 && regions_->may_change(extents, size);
  if (!changes) return find_struct(extents, size, what);
  require_own(&extents, sizeof extents, what);
  static_cast<void>(find(extents, size, what));
  void* const copy = allocate(size, alignof(std::int64_t));
  std::memcpy(copy, extents, static_cast<std::size_t>(size));
  const_cast<const std::int64_t*&>(extents) = static_cast<const std::int64_t*>(copy);
}

void ValueMemory::check_items(const polycodec_column& column, std::uint64_t count,
                              const char* what) {
  const std::uint64_t width = dtype_size(column.dtype);
  const std::int64_t last = static_cast<std::int64_t>(count - 1) * column.stride;
  // Integers, because the pointer may be any.
  const std::uint64_t reach = last < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(last)
                                       : static_cast<std::uint64_t>(last);
  const auto at = reinterpret_cast<std::uintptr_t>(column.data) - (last < 0 ? reach : 0);
  const void* const low = reinterpret_cast<const void*>(at);  // NOLINT
  const std::uint64_t size = reach + width;
  check_bytes(low, size, what);
  if (copies_ == nullptr || !regions_->may_change(low, size)) return;
  require_own(&column, sizeof column, what);
  // Packed: the columns of a table of rows are spread over all of it.
  const std::uint64_t items = column.stride == 0 ? 1 : count;
  const auto* const first = static_cast<const std::byte*>(column.data);
  auto* const copy = static_cast<std::byte*>(allocate(items * width, 8));
  if (column.stride == static_cast<std::int64_t>(width)) {
    std::memcpy(copy, first, static_cast<std::size_t>(items * width));
  } else {
    for (std::uint64_t i = 0; i < items; ++i)
      std::memcpy(copy + i * width, first + static_cast<std::int64_t>(i) * column.stride,
                  static_cast<std::size_t>(width));
  }
  auto& kept = const_cast<polycodec_column&>(column);
  kept.data = copy;
  if (kept.stride != 0) kept.stride = static_cast<std::int64_t>(width);
}

void ValueMemory::keep_name(const polycodec_bytes& name, const char* what) {
  if (name.size == 0 || !regions_->may_change(name.data, name.size)) return;
  require_own(&name, sizeof name, what);
  void* const copy = allocate(name.size, 1);
  std::memcpy(copy, name.data, static_cast<std::size_t>(name.size));
  const_cast<polycodec_bytes&>(name).data = copy;
}

}  // namespace polycodec::detail
