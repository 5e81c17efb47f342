// SPDX-License-Identifier: MIT
// Columnar arrays as they are stored. Everything else walks a value with View.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>
#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/items.h>
#include <polycodec/view.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace polycodec {

/// A column of structure integers (offsets, tags, ..). Not owning; reads unaligned and strided
/// memory.
class ColumnView {
 public:
  ColumnView() = default;
  explicit ColumnView(const polycodec_column& column) noexcept : column_(column) {}

  /// False if the array has no such column.
  bool present() const noexcept { return column_.data != nullptr; }
  std::uint32_t dtype() const noexcept { return column_.dtype; }
  const polycodec_column& raw() const noexcept { return column_; }

  /// See polycodec_column_item().
  std::int64_t operator[](std::uint64_t i) const noexcept {
    return polycodec_column_item(&column_, i);
  }

  /// The items as contiguous aligned T, if that is what they are in memory (`count` items).
  template <class T>
  std::optional<std::span<const T>> contiguous(std::uint64_t count) const noexcept {
    if (column_.dtype != dtype_of<T> || column_.stride != static_cast<std::int64_t>(sizeof(T)) ||
        reinterpret_cast<std::uintptr_t>(column_.data) % alignof(T) != 0)
      return std::nullopt;
    return std::span<const T>(static_cast<const T*>(column_.data), static_cast<std::size_t>(count));
  }

 private:
  polycodec_column column_{};
};

/// A columnar array. Not owning: it lives as long as its value. Cheap to copy; safe to read from
/// several threads.
class ArrayView {
 public:
  ArrayView(const polycodec_array& array) noexcept : array_(&array) {}
  /// The same array, to be walked as any other value.
  operator View() const noexcept { return View(*array_); }

  const polycodec_array& raw() const noexcept { return *array_; }
  polycodec_layout layout() const noexcept { return static_cast<polycodec_layout>(array_->layout); }
  /// Number of items of the first axis; 1 for a 0-d leaf.
  std::uint64_t length() const noexcept { return array_->length; }

  // -- NDARRAY --
  std::uint32_t dtype() const noexcept { return array_->dtype; }
  std::uint32_t item_size() const noexcept { return array_->item_size; }
  std::uint32_t unit() const noexcept { return array_->unit; }
  std::uint32_t ndim() const noexcept {
    return layout() == POLYCODEC_LAYOUT_NDARRAY ? array_->ndim : 0;
  }
  bool is_host_order() const noexcept {
    return array_->byte_order == host_byte_order || dtype_swap_width(array_->dtype) == 1;
  }
  std::span<const std::int64_t> shape() const noexcept { return {array_->shape, ndim()}; }
  std::span<const std::int64_t> strides() const noexcept { return {array_->strides, ndim()}; }
  const std::byte* data() const noexcept { return static_cast<const std::byte*>(array_->data); }

  /// Number of elements of a leaf: the product of its shape. Validated values never overflow here.
  std::uint64_t element_count() const noexcept {
    std::uint64_t count = 1;
    for (const std::int64_t extent : shape()) count *= static_cast<std::uint64_t>(extent);
    return count;
  }

  /// True if a leaf's elements lie one after another in C order (also when it has no or one
  /// element).
  bool is_contiguous() const noexcept {
    auto expected = static_cast<std::int64_t>(array_->item_size);
    for (std::uint32_t axis = ndim(); axis-- > 0;) {
      const std::int64_t extent = array_->shape[axis];
      if (extent == 0) return true;
      if (extent != 1 && array_->strides[axis] != expected) return false;
      expected *= extent;
    }
    return true;
  }

  /// All elements of a leaf as contiguous T in C order without a copy, if they are so in memory:
  /// dtype T, host byte order, C-contiguous and aligned for T. Otherwise nothing.
  template <class T>
  std::optional<std::span<const T>> elements() const noexcept {
    if (layout() != POLYCODEC_LAYOUT_NDARRAY || array_->dtype != dtype_of<T> || !is_host_order() ||
        !is_contiguous() || reinterpret_cast<std::uintptr_t>(array_->data) % alignof(T) != 0)
      return std::nullopt;
    return std::span<const T>(static_cast<const T*>(array_->data),
                              static_cast<std::size_t>(element_count()));
  }

  /// All elements of a leaf of dtype T in C order, read where they are, whatever their alignment
  /// and byte order: for every C-contiguous leaf, and for 1-d leaves of any stride. Otherwise
  /// nothing.
  template <class T>
  std::optional<Column<T>> values() const noexcept {
    if (layout() != POLYCODEC_LAYOUT_NDARRAY || array_->dtype != dtype_of<T>) return std::nullopt;
    const bool contiguous = is_contiguous();
    if (!contiguous && array_->ndim != 1) return std::nullopt;
    const std::int64_t stride =
        contiguous ? static_cast<std::int64_t>(sizeof(T)) : array_->strides[0];
    return Column<T>(data(), element_count(), stride, array_->byte_order);
  }

  /// The bytes of all elements of a C-contiguous leaf.
  std::string_view contiguous_bytes() const noexcept {
    return to_string_view(data(), element_count() * array_->item_size);
  }

  // -- structure --
  ColumnView offsets() const noexcept { return ColumnView(array_->offsets); }
  ColumnView starts() const noexcept { return ColumnView(array_->starts); }
  ColumnView stops() const noexcept { return ColumnView(array_->stops); }
  ColumnView index() const noexcept { return ColumnView(array_->index); }
  ColumnView tags() const noexcept { return ColumnView(array_->tags); }
  ColumnView mask() const noexcept { return ColumnView(array_->mask); }
  std::uint64_t list_size() const noexcept { return array_->list_size; }
  std::uint32_t child_count() const noexcept {
    return static_cast<std::uint32_t>(children_of(*array_).size());
  }
  ArrayView child(std::uint32_t i = 0) const noexcept { return ArrayView(*array_->children[i]); }
  bool has_names() const noexcept { return names_of(*array_) != nullptr; }
  std::string_view name(std::uint32_t i) const noexcept { return to_string_view(array_->names[i]); }

  /// The column of a record with this name; nothing if there is none or the array is not a record.
  std::optional<ArrayView> column(std::string_view wanted) const noexcept {
    if (layout() != POLYCODEC_LAYOUT_RECORD || !has_names()) return std::nullopt;
    for (std::uint32_t i = 0; i < child_count(); ++i)
      if (name(i) == wanted) return child(i);
    return std::nullopt;
  }

  bool is_list() const noexcept {
    return layout() >= POLYCODEC_LAYOUT_LIST_OFFSETS && layout() <= POLYCODEC_LAYOUT_LIST_FIXED;
  }
  bool is_string() const noexcept { return (array_->flags & POLYCODEC_ARRAY_STRING) != 0; }
  bool is_binary() const noexcept { return (array_->flags & POLYCODEC_ARRAY_BINARY) != 0; }
  bool is_option() const noexcept {
    return layout() == POLYCODEC_LAYOUT_OPTION_BYTES || layout() == POLYCODEC_LAYOUT_OPTION_BITS;
  }

  /// Start and end of list item i in child(0); see polycodec_list_range().
  using Range = polycodec_range;
  Range range(std::uint64_t i) const noexcept { return polycodec_list_range(array_, i); }

  /// Item i of a TEXT or BINARY list (unchecked index; the value has been validated).
  std::string_view text(std::uint64_t i) const noexcept {
    const Range r = range(i);
    return {reinterpret_cast<const char*>(child().data()) + r.begin,
            static_cast<std::size_t>(r.end - r.begin)};
  }

  /// True if item i is present; see polycodec_is_present().
  bool is_present(std::uint64_t i) const noexcept { return polycodec_is_present(array_, i) != 0; }

  const polycodec_node* metadata() const noexcept { return array_->metadata; }

 private:
  const polycodec_array* array_;
};

}  // namespace polycodec
