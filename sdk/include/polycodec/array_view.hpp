// SPDX-License-Identifier: MIT
// Reading columnar arrays without copying them.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/dtype.hpp>
#include <polycodec/element_range.hpp>
#include <polycodec/error.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace polycodec {

/// The text of a polycodec_bytes.
inline std::string_view to_string_view(const polycodec_bytes& bytes) noexcept {
  return {static_cast<const char*>(bytes.data), static_cast<std::size_t>(bytes.size)};
}
inline polycodec_bytes to_bytes(std::string_view text) noexcept {
  return {text.data(), text.size()};
}
inline polycodec_bytes to_bytes(std::span<const std::byte> bytes) noexcept {
  return {bytes.data(), bytes.size()};
}

/// A column of structure integers (offsets, tags, ..). Not owning; reads unaligned and strided memory.
class ColumnView {
 public:
  ColumnView() = default;
  explicit ColumnView(const polycodec_column& column) noexcept : column_(column) {}

  /// False if the array has no such column.
  bool present() const noexcept { return column_.data != nullptr; }
  std::uint32_t dtype() const noexcept { return column_.dtype; }
  const polycodec_column& raw() const noexcept { return column_; }

  /// Item i, sign- or zero-extended; a uint64 above INT64_MAX comes out as INT64_MAX, which no index can reach.
  /// No bounds check: the length belongs to the array.
  std::int64_t operator[](std::uint64_t i) const noexcept {
    const auto* p = static_cast<const unsigned char*>(column_.data) + static_cast<std::int64_t>(i) * column_.stride;
    switch (column_.dtype) {
      case POLYCODEC_INT64:
        return load<std::int64_t>(p);
      case POLYCODEC_INT32:
        return load<std::int32_t>(p);
      case POLYCODEC_INT16:
        return load<std::int16_t>(p);
      case POLYCODEC_INT8:
        return load<std::int8_t>(p);
      case POLYCODEC_UINT64: {
        const auto v = load<std::uint64_t>(p);
        return v > static_cast<std::uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<std::int64_t>(v);
      }
      case POLYCODEC_UINT32:
        return load<std::uint32_t>(p);
      case POLYCODEC_UINT16:
        return load<std::uint16_t>(p);
      default:
        return *p;
    }
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
  template <class T>
  static T load(const unsigned char* p) noexcept {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
  }
  polycodec_column column_{};
};

/// A columnar array. Not owning: it lives as long as its value. Cheap to copy; safe to read from several threads.
class ArrayView {
 public:
  explicit ArrayView(const polycodec_array& array) noexcept : array_(&array) {}

  const polycodec_array& raw() const noexcept { return *array_; }
  polycodec_form form() const noexcept { return static_cast<polycodec_form>(array_->form); }
  /// Number of items of the first axis; 1 for a 0-d leaf.
  std::uint64_t length() const noexcept { return array_->length; }

  // -- leaf (FORM_NDARRAY) --
  std::uint32_t dtype() const noexcept { return array_->dtype; }
  std::uint32_t item_size() const noexcept { return array_->item_size; }
  std::uint32_t unit() const noexcept { return array_->unit; }
  std::uint32_t ndim() const noexcept { return array_->ndim; }
  bool is_host_order() const noexcept {
    return array_->byte_order == host_byte_order || dtype_swap_width(array_->dtype) == 1;
  }
  std::span<const std::int64_t> shape() const noexcept { return {array_->shape, array_->ndim}; }
  std::span<const std::int64_t> strides() const noexcept { return {array_->strides, array_->ndim}; }
  const std::byte* data() const noexcept { return static_cast<const std::byte*>(array_->data); }

  /// Number of elements of a leaf: the product of its shape. Validated values never overflow here.
  std::uint64_t element_count() const noexcept {
    std::uint64_t count = 1;
    for (const std::int64_t extent : shape()) count *= static_cast<std::uint64_t>(extent);
    return count;
  }

  /// True if a leaf's elements lie one after another in C order (also when it has no or one element).
  bool is_contiguous() const noexcept {
    auto expected = static_cast<std::int64_t>(array_->item_size);
    for (std::uint32_t axis = array_->ndim; axis-- > 0;) {
      const std::int64_t extent = array_->shape[axis];
      if (extent == 0) return true;
      if (extent != 1 && array_->strides[axis] != expected) return false;
      expected *= extent;
    }
    return true;
  }

  /// All elements of a leaf as contiguous T in C order without a copy, if they are so in memory: dtype T, host byte
  /// order, C-contiguous and aligned for T. Otherwise nothing; polycodec/convert.hpp makes a copy that is.
  template <class T>
  std::optional<std::span<const T>> elements() const noexcept {
    if (form() != POLYCODEC_FORM_NDARRAY || array_->dtype != dtype_of<T> || !is_host_order() || !is_contiguous() ||
        reinterpret_cast<std::uintptr_t>(array_->data) % alignof(T) != 0)
      return std::nullopt;
    return std::span<const T>(static_cast<const T*>(array_->data), static_cast<std::size_t>(element_count()));
  }

  /// All elements of a leaf of dtype T in C order, read where they are, whatever their alignment and byte order: for
  /// every C-contiguous leaf, and for 1-d leaves of any stride. Otherwise nothing.
  template <class T>
  std::optional<ElementRange<T>> values() const noexcept {
    if (form() != POLYCODEC_FORM_NDARRAY || array_->dtype != dtype_of<T>) return std::nullopt;
    const bool contiguous = is_contiguous();
    if (!contiguous && array_->ndim != 1) return std::nullopt;
    const std::int64_t stride = contiguous ? static_cast<std::int64_t>(sizeof(T)) : array_->strides[0];
    return ElementRange<T>(data(), element_count(), stride, array_->byte_order);
  }

  /// The bytes of all elements of a C-contiguous leaf.
  std::span<const std::byte> contiguous_bytes() const noexcept {
    return {data(), static_cast<std::size_t>(element_count() * array_->item_size)};
  }

  /// Address of the element at `indices` (ndim of them, unchecked).
  const std::byte* element_at(std::span<const std::int64_t> indices) const noexcept {
    const std::byte* p = data();
    for (std::uint32_t axis = 0; axis < array_->ndim; ++axis) p += indices[axis] * array_->strides[axis];
    return p;
  }

  // -- structure --
  ColumnView index() const noexcept { return ColumnView(array_->index); }
  ColumnView index2() const noexcept { return ColumnView(array_->index2); }
  std::uint64_t list_size() const noexcept { return array_->list_size; }
  std::uint32_t child_count() const noexcept { return array_->n_children; }
  ArrayView child(std::uint32_t i = 0) const noexcept { return ArrayView(*array_->children[i]); }
  bool has_names() const noexcept { return array_->names != nullptr; }
  std::string_view name(std::uint32_t i) const noexcept { return to_string_view(array_->names[i]); }

  /// The column of a record with this name; nothing if there is none or the array is no record.
  std::optional<ArrayView> column(std::string_view wanted) const noexcept {
    if (form() != POLYCODEC_FORM_RECORD || !has_names()) return std::nullopt;
    for (std::uint32_t i = 0; i < child_count(); ++i)
      if (name(i) == wanted) return child(i);
    return std::nullopt;
  }

  bool is_list() const noexcept {
    return form() >= POLYCODEC_FORM_LIST_OFFSETS && form() <= POLYCODEC_FORM_LIST_FIXED;
  }
  bool is_text() const noexcept { return (array_->flags & POLYCODEC_ARRAY_TEXT) != 0; }
  bool is_binary() const noexcept { return (array_->flags & POLYCODEC_ARRAY_BINARY) != 0; }
  bool is_option() const noexcept {
    return form() == POLYCODEC_FORM_OPTION_BYTES || form() == POLYCODEC_FORM_OPTION_BITS;
  }

  /// Start and end of list item i in child(0) (unchecked; for list forms).
  struct Range {
    std::uint64_t begin, end;
  };
  Range range(std::uint64_t i) const noexcept {
    switch (form()) {
      case POLYCODEC_FORM_LIST_OFFSETS:
        return {static_cast<std::uint64_t>(index()[i]), static_cast<std::uint64_t>(index()[i + 1])};
      case POLYCODEC_FORM_LIST_VIEW:
        return {static_cast<std::uint64_t>(index()[i]), static_cast<std::uint64_t>(index2()[i])};
      default:
        return {i * array_->list_size, (i + 1) * array_->list_size};
    }
  }

  /// Item i of a TEXT or BINARY list (unchecked index; the value has been validated).
  std::string_view text(std::uint64_t i) const noexcept {
    const Range r = range(i);
    return {reinterpret_cast<const char*>(child().data()) + r.begin, static_cast<std::size_t>(r.end - r.begin)};
  }

  /// True if item i is present (for the option forms and INDEXED; true for all others).
  bool is_present(std::uint64_t i) const noexcept {
    const bool valid_when = (array_->flags & POLYCODEC_ARRAY_MASK_VALID) != 0;
    switch (form()) {
      case POLYCODEC_FORM_OPTION_BYTES:
        return (index()[i] != 0) == valid_when;
      case POLYCODEC_FORM_OPTION_BITS: {
        const auto byte = static_cast<unsigned>(ColumnView(array_->index)[i >> 3]) & 0xffu;
        const unsigned bit =
            (array_->flags & POLYCODEC_ARRAY_BITS_LSB) != 0 ? (byte >> (i & 7)) & 1u : (byte >> (7 - (i & 7))) & 1u;
        return (bit != 0) == valid_when;
      }
      case POLYCODEC_FORM_INDEXED:
        return index()[i] >= 0;
      default:
        return true;
    }
  }

  const polycodec_node* attributes() const noexcept { return array_->attributes; }

 private:
  const polycodec_array* array_;
};

}  // namespace polycodec
