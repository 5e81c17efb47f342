// SPDX-License-Identifier: MIT
// Reading the columns that meshes are made of: numbers, and lists of indices.
#pragma once

#include <base/number_type.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace polycodec::mesh {

/// True for a dtype that Numbers reads: booleans, integers of up to 64 bits, float32 and float64.
constexpr bool is_plain_number(std::uint32_t dtype) noexcept {
  return dtype == POLYCODEC_DTYPE_BOOLEAN || (is_integer(dtype) && dtype_size(dtype) <= 8) ||
         dtype == POLYCODEC_DTYPE_FLOAT32 || dtype == POLYCODEC_DTYPE_FLOAT64;
}

/// The number of this dtype (is_plain_number) at `p`, as T.
template <class T>
T load_number(const std::byte* p, std::uint32_t dtype, std::endian order) noexcept {
  return with_number_type(
      dtype, [&](auto zero) { return static_cast<T>(value_of(load<decltype(zero)>(p, order))); },
      [p] { return static_cast<T>(*p); });  // a boolean
}

inline std::endian order_of(const polycodec_array& leaf) noexcept {
  return leaf.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
}

/// The same for integers: most are int32 in the order of the machine.
inline std::int64_t load_integer(const std::byte* p, std::uint32_t dtype,
                                 std::endian order) noexcept {
  if (dtype == POLYCODEC_DTYPE_INT32 && order == std::endian::native) [[likely]]
    return load<std::int32_t>(p, std::endian::native);
  return load_number<std::int64_t>(p, dtype, order);
}

/// A column of numbers: a 1-d leaf, or an option over one. Not owning; [thread-safe].
class Numbers {
 public:
  Numbers() = default;
  /// True if `column` is one that this class reads.
  static bool fits(const polycodec_array& column) noexcept {
    const polycodec_array& leaf = ArrayView(column).is_option() ? *column.children[0] : column;
    return leaf.layout == POLYCODEC_LAYOUT_NDARRAY && leaf.ndim == 1 && is_plain_number(leaf.dtype);
  }
  explicit Numbers(const polycodec_array& column) noexcept {
    const polycodec_array* leaf = &column;
    if (ArrayView(column).is_option()) {
      option_ = &column;
      leaf = column.children[0];
    }
    data_ = static_cast<const std::byte*>(leaf->data);
    stride_ = leaf->strides[0];
    size_ = column.length;
    dtype_ = leaf->dtype;
    order_ = order_of(*leaf);
  }

  std::uint64_t size() const noexcept { return size_; }
  std::uint32_t dtype() const noexcept { return dtype_; }
  /// False where an option lacks the number.
  bool has(std::uint64_t i) const noexcept {
    return option_ == nullptr || ArrayView(*option_).is_present(i);
  }
  double real(std::uint64_t i) const noexcept { return load_number<double>(at(i), dtype_, order_); }
  /// Only for integers; a uint64 above INT64_MAX comes out negative, which no index is.
  std::int64_t integer(std::uint64_t i) const noexcept {
    return load_integer(at(i), dtype_, order_);
  }
  /// True for float32 of this machine in every row.
  bool are_plain_floats() const noexcept {
    return dtype_ == POLYCODEC_DTYPE_FLOAT32 && order_ == std::endian::native && option_ == nullptr;
  }
  std::int64_t stride() const noexcept { return stride_; }
  const std::byte* at(std::uint64_t i) const noexcept {
    return data_ + static_cast<std::int64_t>(i) * stride_;
  }
  std::endian order() const noexcept { return order_; }

 private:
  const std::byte* data_ = nullptr;
  std::int64_t stride_ = 0;
  std::uint64_t size_ = 0;
  const polycodec_array* option_ = nullptr;
  std::uint32_t dtype_ = POLYCODEC_DTYPE_FLOAT64;
  std::endian order_ = std::endian::native;
};

/// A column of lists of numbers: a list form over a 1-d leaf, or a 2-d leaf. Not owning;
/// [thread-safe].
class Lists {
 public:
  struct Row {
    const std::byte* data;
    std::uint64_t count;
  };

  Lists() = default;
  /// True if `column` is one that this class reads.
  static bool fits(const polycodec_array& column) noexcept {
    const ArrayView view(column);
    if (column.layout == POLYCODEC_LAYOUT_NDARRAY)
      return column.ndim == 2 && is_plain_number(column.dtype);
    return view.is_list() && !view.is_string() && !view.is_binary() &&
           column.children[0]->ndim == 1 &&
           column.children[0]->layout == POLYCODEC_LAYOUT_NDARRAY &&
           is_plain_number(column.children[0]->dtype);
  }
  explicit Lists(const polycodec_array& column) noexcept : size_(column.length) {
    const polycodec_array* leaf = &column;
    if (column.layout != POLYCODEC_LAYOUT_NDARRAY) {
      list_ = &column;
      leaf = column.children[0];
      stride_ = leaf->strides[0];
    } else {
      row_stride_ = leaf->strides[0];
      stride_ = leaf->strides[1];
      length_ = static_cast<std::uint64_t>(leaf->shape[1]);
    }
    data_ = static_cast<const std::byte*>(leaf->data);
    dtype_ = leaf->dtype;
    order_ = order_of(*leaf);
  }

  std::uint64_t size() const noexcept { return size_; }
  std::uint32_t dtype() const noexcept { return dtype_; }
  /// True if all rows have at least `count` items because all have the same number of them.
  bool all_have(std::uint64_t count) const noexcept { return list_ == nullptr && length_ >= count; }
  /// True for int32 of this machine, which lie stride() bytes apart in a row.
  bool are_plain_integers() const noexcept {
    return dtype_ == POLYCODEC_DTYPE_INT32 && order_ == std::endian::native;
  }
  std::int64_t stride() const noexcept { return stride_; }
  /// The items of all rows if they lie one after another as int32 of this machine, maybe with items
  /// of no row among them; empty otherwise.
  std::span<const std::byte> plain_items() const noexcept {
    if (!are_plain_integers() || stride_ != 4) return {};
    const bool is_dense = list_ != nullptr || row_stride_ == static_cast<std::int64_t>(length_) * 4;
    const std::uint64_t items = list_ != nullptr
                                    ? static_cast<std::uint64_t>(list_->children[0]->shape[0])
                                    : size_ * length_;
    return is_dense ? std::span(data_, static_cast<std::size_t>(items * 4))
                    : std::span<const std::byte>();
  }
  Row row(std::uint64_t i) const noexcept {
    if (list_ == nullptr)
      return {length_ == 0 ? data_ : data_ + static_cast<std::int64_t>(i) * row_stride_, length_};
    const ArrayView::Range r = ArrayView(*list_).range(i);
    return {r.begin == r.end ? data_ : data_ + static_cast<std::int64_t>(r.begin) * stride_,
            r.end - r.begin};
  }
  /// Item `k` of a row; as Numbers::integer.
  std::int64_t integer(const Row& row, std::uint64_t k) const noexcept {
    return load_integer(row.data + static_cast<std::int64_t>(k) * stride_, dtype_, order_);
  }
  double real(const Row& row, std::uint64_t k) const noexcept {
    return load_number<double>(row.data + static_cast<std::int64_t>(k) * stride_, dtype_, order_);
  }
  /// All items of all rows.
  std::uint64_t total() const noexcept {
    if (list_ == nullptr) return size_ * length_;
    std::uint64_t all = 0;
    for (std::uint64_t i = 0; i < size_; ++i) all += row(i).count;
    return all;
  }

 private:
  const std::byte* data_ = nullptr;
  std::int64_t stride_ = 0;
  std::int64_t row_stride_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t length_ = 0;
  const polycodec_array* list_ = nullptr;
  std::uint32_t dtype_ = POLYCODEC_DTYPE_INT32;
  std::endian order_ = std::endian::native;
};

}  // namespace polycodec::mesh
