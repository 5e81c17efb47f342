// SPDX-License-Identifier: MIT
// One way to walk any value, whatever it is made of: document nodes, columnar arrays, or both nested in each other.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/array_view.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/half.hpp>
#include <polycodec/utf_convert.hpp>
#include <polycodec/view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

/// Elements that are evenly spaced in memory: what loops over numbers want instead of one Item each.
struct ElementRun {
  const std::byte* data;
  std::uint64_t count;
  std::int64_t stride;  ///< in bytes
  std::uint32_t dtype;
  std::uint32_t item_size;
  std::uint8_t byte_order;
};

/// One item of a value: a document node, a columnar array, a part of one (a row, a list, a row of a matrix) or a
/// single element. What it *is* does not depend on how it is stored: kind() is that of a document node and never
/// ARRAY or ANNOTATED. An array is a LIST (a 0-d leaf is its element), a row of a record an OBJECT or TUPLE, a
/// missing item of an option NULL, an item of a union a VARIANT; dictionaries, indices and chunks are looked through.
///
/// Not owning, 40 bytes, no allocation, constant time except for chunks (binary search). The value has passed full
/// validation; indices are not checked. Safe to read from several threads. as_* throw Error(Status::type) for another
/// kind and Status::range where a number does not fit.
class Item {
 public:
  /// The null value.
  Item() noexcept : Item(View()) {}
  explicit Item(const polycodec_node* node) noexcept;
  explicit Item(View view) noexcept : Item(view.raw()) {}
  /// A whole array.
  explicit Item(ArrayView array) noexcept : Item(whole(&array.raw())) {}
  /// Item `i` of an array's first axis.
  static Item element(const polycodec_array& array, std::uint64_t i) noexcept;

  // -- what it is --
  polycodec_kind kind() const noexcept { return static_cast<polycodec_kind>(kind_); }
  bool is_null() const noexcept { return kind_ == POLYCODEC_NULL; }
  bool is_integer() const noexcept { return kind_ == POLYCODEC_SIGNED || kind_ == POLYCODEC_UNSIGNED; }
  bool is_list() const noexcept { return kind_ == POLYCODEC_LIST || kind_ == POLYCODEC_TUPLE; }
  /// Element type of booleans, numbers, times and fixed-size texts and bytes; DTYPE_NONE for all others.
  std::uint32_t dtype() const noexcept { return dtype_; }
  /// Items of a LIST or TUPLE, members of an OBJECT, entries of a MAP; 1 for EXTENSION and VARIANT; otherwise 0.
  std::uint64_t size() const noexcept;

  // -- what it stands on --
  /// The document node (looked through annotations), or NULL if this is (part of) an array.
  const polycodec_node* node() const noexcept { return state_ == State::node ? node_ : nullptr; }
  /// The array, if this item is an ARRAY node of the value; otherwise NULL.
  const polycodec_array* array() const noexcept { return whole_ ? array_ : nullptr; }
  /// The attributes of the node (an OBJECT), or else of the array that it holds; NULL if there are none.
  const polycodec_node* attributes() const noexcept;
  /// The elements, if this is a list of them in one leaf (the innermost axis).
  std::optional<ElementRun> elements() const noexcept;

  // -- scalars --
  bool as_bool() const;
  std::int64_t as_int64() const;
  std::uint64_t as_uint64() const;
  /// A REAL of up to 64 bits, or an integer that a double holds exactly.
  double as_double() const;
  /// Copies a number (BOOLEAN, SIGNED, UNSIGNED, REAL, WIDE) of its dtype in host byte order to `out`; returns its
  /// size. Bits are kept.
  std::uint32_t copy_bits(std::byte (&out)[16]) const;
  /// A DATETIME or TIMEDELTA, split into seconds and nanoseconds as a node is.
  polycodec_time as_time() const;

  /// The UTF-8 of a STRING. UTF-16 and UTF-32 elements are converted into `scratch`, all others are views.
  std::string_view as_string(std::string& scratch) const;
  /// The bytes of a BINARY.
  std::string_view as_bytes() const;
  /// True for a STRING node whose bytes need not be UTF-8.
  bool is_lenient_text() const noexcept {
    return kind_ == POLYCODEC_STRING && state_ == State::node && node_->dtype == POLYCODEC_TEXT_LENIENT;
  }

  // -- containers --
  /// Item i of a LIST or TUPLE, the value of member i of an OBJECT or of entry i of a MAP, the payload of an
  /// EXTENSION, the member of a VARIANT.
  Item child(std::uint64_t i = 0) const noexcept;
  /// The name of member i of an OBJECT, or of the EXTENSION.
  std::string_view name(std::uint64_t i = 0) const noexcept;
  /// The key of entry i of a MAP (or OBJECT node).
  Item key(std::uint64_t i) const noexcept;
  /// The member of an OBJECT with this name, if there is one; linear, like the members.
  std::optional<Item> find(std::string_view wanted) const noexcept;
  /// Which alternative a VARIANT holds.
  std::int64_t tag() const noexcept;
  /// What a REFERENCE points to.
  Item target() const noexcept { return Item(node_->as.node); }

 private:
  enum class State : std::uint8_t {
    node,    // node_
    range,   // items [at_, at_ + count_) of array_
    row,     // item at_ of the record array_
    member,  // item at_ of member count_ of the union array_
    axis,    // leaf array_: what is left of it at data_ from axis count_ on
    blob,    // count_ bytes at data_
  };

  Item(State state, polycodec_kind kind, std::uint32_t dtype = 0) noexcept
      : state_(state), kind_(static_cast<std::uint8_t>(kind)), dtype_(static_cast<std::uint8_t>(dtype)) {}
  static Item whole(const polycodec_array* array) noexcept {
    const bool leaf = array->form == POLYCODEC_FORM_NDARRAY;
    Item item = leaf ? axis(array, array->data, 0) : range(array, 0, array->length);
    item.whole_ = true;
    return item;
  }
  static Item range(const polycodec_array* array, std::uint64_t begin, std::uint64_t count) noexcept {
    Item item(State::range, POLYCODEC_LIST);
    item.array_ = array, item.at_ = begin, item.count_ = count;
    return item;
  }
  static Item axis(const polycodec_array* leaf, const void* data, std::uint32_t axis) noexcept;
  static polycodec_kind kind_of(std::uint32_t dtype) noexcept;
  /// An array without elements may have rows, and no data: NULL has no offsets.
  static const std::byte* advanced(const std::byte* data, std::int64_t offset) noexcept {
    return data == nullptr ? nullptr : data + offset;
  }
  static std::uint64_t chunk_of(const polycodec_array& array, std::uint64_t& i) noexcept;

  void expect(bool right, const char* what) const {
    if (!right) [[unlikely]]
      throw Error(Status::type, std::string("expected ") + what + ", found " + std::string(View::kind_name(kind_)));
  }
  template <class T>
  T load_as() const noexcept {
    return load<T>(data_, array_->byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little);
  }
  std::int64_t signed_element() const noexcept;
  std::uint64_t unsigned_element() const noexcept;

  union {
    const polycodec_node* node_;
    const polycodec_array* array_;
  };
  union {
    const std::byte* data_;
    std::uint64_t at_ = 0;
  };
  std::uint64_t count_ = 0;
  const polycodec_node* annotation_ = nullptr;
  State state_;
  std::uint8_t kind_;
  std::uint8_t dtype_;
  bool whole_ = false;  // all of array_, which the value itself holds as an array
};

// ---- implementation ----

inline polycodec_kind Item::kind_of(std::uint32_t dtype) noexcept {
  if (dtype == POLYCODEC_BOOL) return POLYCODEC_BOOLEAN;
  if (dtype >= POLYCODEC_INT8 && dtype <= POLYCODEC_INT64) return POLYCODEC_SIGNED;
  if (dtype >= POLYCODEC_UINT8 && dtype <= POLYCODEC_UINT64) return POLYCODEC_UNSIGNED;
  if (dtype >= POLYCODEC_FLOAT16 && dtype <= POLYCODEC_FLOAT64) return POLYCODEC_REAL;
  if (dtype == POLYCODEC_DATETIME64) return POLYCODEC_DATETIME;
  if (dtype == POLYCODEC_TIMEDELTA64) return POLYCODEC_TIMEDELTA;
  if (dtype == POLYCODEC_FIXED_BYTES) return POLYCODEC_BINARY;
  return is_fixed(dtype) ? POLYCODEC_STRING : POLYCODEC_WIDE;
}

inline Item::Item(const polycodec_node* node) noexcept : state_(State::node) {
  const polycodec_node* annotation = nullptr;
  if (node->kind == POLYCODEC_ANNOTATED) {
    annotation = node->as.annotated->attributes;
    node = node->as.annotated->node;
  }
  if (node->kind == POLYCODEC_ARRAY) *this = whole(node->as.array);
  annotation_ = annotation;
  if (whole_) return;
  node_ = node;
  kind_ = node_->kind;
  dtype_ = kind_ == POLYCODEC_STRING ? std::uint8_t{0} : node_->dtype;
  if (kind_ == POLYCODEC_BOOLEAN) dtype_ = POLYCODEC_BOOL;
}

inline Item Item::axis(const polycodec_array* leaf, const void* data, std::uint32_t axis) noexcept {
  const bool scalar = axis == leaf->ndim;
  Item item(State::axis, scalar ? kind_of(leaf->dtype) : POLYCODEC_LIST, scalar ? leaf->dtype : 0);
  item.array_ = leaf;
  item.data_ = static_cast<const std::byte*>(data);
  item.count_ = axis;
  return item;
}

inline std::uint64_t Item::chunk_of(const polycodec_array& array, std::uint64_t& i) noexcept {
  std::uint64_t low = 0;
  if (array.index.data == nullptr) {
    while (i >= array.children[low]->length) i -= array.children[low++]->length;
    return low;
  }
  const ColumnView starts(array.index);
  for (std::uint64_t high = array.n_children; high - low > 1;) {
    const std::uint64_t middle = low + (high - low) / 2;
    (static_cast<std::uint64_t>(starts[middle]) <= i ? low : high) = middle;
  }
  i -= static_cast<std::uint64_t>(starts[low]);
  return low;
}

inline Item Item::element(const polycodec_array& array, std::uint64_t i) noexcept {
  for (const polycodec_array* a = &array;;) {
    const ArrayView view(*a);
    switch (a->form) {
      case POLYCODEC_FORM_NDARRAY:
        if (a->ndim == 0) return axis(a, a->data, 0);
        return axis(a, advanced(view.data(), static_cast<std::int64_t>(i) * a->strides[0]), 1);
      case POLYCODEC_FORM_RECORD: {
        Item item(State::row, a->names != nullptr ? POLYCODEC_OBJECT : POLYCODEC_TUPLE);
        item.array_ = a, item.at_ = i;
        return item;
      }
      case POLYCODEC_FORM_UNION: {
        Item item(State::member, POLYCODEC_VARIANT);
        item.array_ = a;
        item.count_ = static_cast<std::uint64_t>(view.index2()[i]);
        item.at_ = static_cast<std::uint64_t>(view.index()[i]);
        return item;
      }
      case POLYCODEC_FORM_OPTION_BYTES:
      case POLYCODEC_FORM_OPTION_BITS:
        if (!view.is_present(i)) return Item();
        a = a->children[0];
        continue;
      case POLYCODEC_FORM_INDEXED: {
        const std::int64_t index = view.index()[i];
        if (index < 0) return Item();
        i = static_cast<std::uint64_t>(index);
        a = a->children[0];
        continue;
      }
      case POLYCODEC_FORM_CHUNKED: {
        const std::uint64_t chunk = chunk_of(*a, i);
        a = a->children[chunk];
        continue;
      }
      case POLYCODEC_FORM_DOCUMENT:
        return Item(&a->nodes[i]);
      default: {
        const ArrayView::Range r = view.range(i);
        if (!view.is_text() && !view.is_binary()) return range(a->children[0], r.begin, r.end - r.begin);
        Item item(State::blob, view.is_text() ? POLYCODEC_STRING : POLYCODEC_BINARY);
        item.array_ = a;
        item.data_ = view.child().data() + r.begin;
        item.count_ = r.end - r.begin;
        return item;
      }
    }
  }
}

inline std::uint64_t Item::size() const noexcept {
  switch (state_) {
    case State::node:
      if (kind_ >= POLYCODEC_LIST && kind_ <= POLYCODEC_MAP) return polycodec_node_size(node_);
      return kind_ == POLYCODEC_EXTENSION || kind_ == POLYCODEC_VARIANT ? 1 : 0;
    case State::range:
      return count_;
    case State::row:
      return array_->n_children;
    case State::member:
      return 1;
    case State::axis:
      return kind_ == POLYCODEC_LIST ? static_cast<std::uint64_t>(array_->shape[count_]) : 0;
    default:
      return 0;
  }
}

inline Item Item::child(std::uint64_t i) const noexcept {
  switch (state_) {
    case State::range:
      return element(*array_, at_ + i);
    case State::row:
      return element(*array_->children[i], at_);
    case State::member:
      return element(*array_->children[count_], at_);
    case State::axis:
      return axis(array_, advanced(data_, static_cast<std::int64_t>(i) * array_->strides[count_]),
                  static_cast<std::uint32_t>(count_) + 1);
    default:
      break;
  }
  if (kind_ == POLYCODEC_EXTENSION) return Item(node_->as.extension->payload);
  if (kind_ == POLYCODEC_VARIANT) return Item(node_->as.variant->node);
  return Item(&node_->as.nodes[is_list() ? i : 2 * i + 1]);
}

inline std::string_view Item::name(std::uint64_t i) const noexcept {
  if (state_ == State::row) return to_string_view(array_->names[i]);
  if (kind_ == POLYCODEC_EXTENSION) return to_string_view(node_->as.extension->name);
  const polycodec_node& key = node_->as.nodes[2 * i];
  return {static_cast<const char*>(key.as.data), static_cast<std::size_t>(polycodec_node_size(&key))};
}

inline Item Item::key(std::uint64_t i) const noexcept {
  return Item(&node_->as.nodes[2 * i]);
}

inline std::optional<Item> Item::find(std::string_view wanted) const noexcept {
  if (kind_ != POLYCODEC_OBJECT) return std::nullopt;
  for (std::uint64_t i = 0, n = size(); i < n; ++i)
    if (name(i) == wanted) return child(i);
  return std::nullopt;
}

inline std::int64_t Item::tag() const noexcept {
  return state_ == State::member ? static_cast<std::int64_t>(count_) : node_->as.variant->tag;
}

inline const polycodec_node* Item::attributes() const noexcept {
  if (annotation_ != nullptr) return annotation_;
  return whole_ ? array_->attributes : nullptr;
}

inline std::optional<ElementRun> Item::elements() const noexcept {
  if (kind_ != POLYCODEC_LIST) return std::nullopt;
  if (state_ == State::axis && count_ + 1 == array_->ndim)
    return ElementRun{data_, size(), array_->strides[count_], array_->dtype, array_->item_size, array_->byte_order};
  if (state_ == State::range && array_->form == POLYCODEC_FORM_NDARRAY && array_->ndim == 1)
    return ElementRun{
        static_cast<const std::byte*>(array_->data) + static_cast<std::int64_t>(at_) * array_->strides[0],
        count_,
        array_->strides[0],
        array_->dtype,
        array_->item_size,
        array_->byte_order};
  return std::nullopt;
}

inline std::int64_t Item::signed_element() const noexcept {
  switch (array_->dtype) {
    case POLYCODEC_INT8:
      return load_as<std::int8_t>();
    case POLYCODEC_INT16:
      return load_as<std::int16_t>();
    case POLYCODEC_INT32:
      return load_as<std::int32_t>();
    default:
      return load_as<std::int64_t>();
  }
}

inline std::uint64_t Item::unsigned_element() const noexcept {
  switch (array_->dtype) {
    case POLYCODEC_UINT8:
    case POLYCODEC_BOOL:
      return load_as<std::uint8_t>();
    case POLYCODEC_UINT16:
      return load_as<std::uint16_t>();
    case POLYCODEC_UINT32:
      return load_as<std::uint32_t>();
    default:
      return load_as<std::uint64_t>();
  }
}

inline bool Item::as_bool() const {
  expect(kind_ == POLYCODEC_BOOLEAN, "a boolean");
  return (state_ == State::node ? node_->as.u64 : unsigned_element()) != 0;
}

inline std::int64_t Item::as_int64() const {
  if (kind_ == POLYCODEC_UNSIGNED) {
    const std::uint64_t value = state_ == State::node ? node_->as.u64 : unsigned_element();
    if (value > static_cast<std::uint64_t>(INT64_MAX)) throw Error(Status::range, "the number does not fit in int64");
    return static_cast<std::int64_t>(value);
  }
  expect(kind_ == POLYCODEC_SIGNED, "an integer");
  return state_ == State::node ? node_->as.i64 : signed_element();
}

inline std::uint64_t Item::as_uint64() const {
  if (kind_ == POLYCODEC_SIGNED) {
    const std::int64_t value = state_ == State::node ? node_->as.i64 : signed_element();
    if (value < 0) throw Error(Status::range, "the number does not fit in uint64");
    return static_cast<std::uint64_t>(value);
  }
  expect(kind_ == POLYCODEC_UNSIGNED, "an integer");
  return state_ == State::node ? node_->as.u64 : unsigned_element();
}

inline double Item::as_double() const {
  if (state_ == State::node) return View(node_).as_double();
  if (kind_ == POLYCODEC_SIGNED) {
    const polycodec_node n{kind_, dtype_, 0, 0, {.i64 = signed_element()}};
    return View(&n).as_double();
  }
  if (kind_ == POLYCODEC_UNSIGNED) {
    const polycodec_node n{kind_, dtype_, 0, 0, {.u64 = unsigned_element()}};
    return View(&n).as_double();
  }
  expect(kind_ == POLYCODEC_REAL, "a number");
  if (dtype_ == POLYCODEC_FLOAT64) return load_as<double>();
  if (dtype_ == POLYCODEC_FLOAT32) return static_cast<double>(load_as<float>());
  return static_cast<double>(half_to_float(load_as<std::uint16_t>()));
}

inline std::uint32_t Item::copy_bits(std::byte (&out)[16]) const {
  expect(kind_ >= POLYCODEC_BOOLEAN && kind_ <= POLYCODEC_WIDE, "a number");
  const std::uint32_t size = dtype_size(dtype_);
  if (state_ != State::node) {
    const std::uint32_t width = dtype_swap_width(dtype_);
    if (array_->byte_order == host_byte_order) {
      std::memcpy(out, data_, size);
    } else {
      swap_copy(out, data_, size / width, width);
    }
  } else if (kind_ == POLYCODEC_WIDE) {
    std::memcpy(out, node_->as.data, size);
  } else if (dtype_ == POLYCODEC_FLOAT32) {
    std::memcpy(out, &node_->as.f32, 4);
  } else {
    // The value as an integer of its own width, in whatever byte order the machine has.
    store(out, node_->as.u64, std::endian::little);
    if constexpr (std::endian::native == std::endian::big) swap_copy(out, out, 1, size);
  }
  return size;
}

inline polycodec_time Item::as_time() const {
  expect(kind_ == POLYCODEC_DATETIME || kind_ == POLYCODEC_TIMEDELTA, "a time");
  if (state_ == State::node) return *node_->as.time;
  polycodec_time time{load_as<std::int64_t>(), 0, array_->unit};
  if (kind_ == POLYCODEC_TIMEDELTA || !is_subsecond_unit(time.unit) || time.count == INT64_MIN) return time;
  std::int64_t in_second = 1;
  for (std::uint32_t unit = POLYCODEC_UNIT_S; unit < time.unit; ++unit) in_second *= 1000;
  const std::int64_t rest = (time.count % in_second + in_second) % in_second;
  // Rounds down without leaving the range: the truncated quotient is one too large where a negative count has a rest.
  time.count = time.count / in_second - (time.count < 0 && rest != 0 ? 1 : 0);
  time.nanoseconds = static_cast<std::uint32_t>(rest * (1000000000 / in_second));
  return time;
}

inline std::string_view Item::as_string(std::string& scratch) const {
  expect(kind_ == POLYCODEC_STRING, "a string");
  if (state_ == State::node)
    return {static_cast<const char*>(node_->as.data), static_cast<std::size_t>(polycodec_node_size(node_))};
  if (state_ == State::blob) return {reinterpret_cast<const char*>(data_), static_cast<std::size_t>(count_)};
  const std::uint32_t width = dtype_swap_width(dtype_);
  std::size_t size = array_->item_size;
  while (size != 0 && data_[size - 1] == std::byte{0}) --size;
  if (dtype_ == POLYCODEC_FIXED_UTF8) return {reinterpret_cast<const char*>(data_), size};
  const std::size_t units = (size + width - 1) / width;
  const auto order = array_->byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  scratch = width == 2 ? utf8_from_utf16(data_, units, order) : utf8_from_utf32(data_, units, order);
  return scratch;
}

inline std::string_view Item::as_bytes() const {
  expect(kind_ == POLYCODEC_BINARY, "bytes");
  if (state_ == State::node)
    return {static_cast<const char*>(node_->as.data), static_cast<std::size_t>(polycodec_node_size(node_))};
  return {reinterpret_cast<const char*>(data_),
          static_cast<std::size_t>(state_ == State::blob ? count_ : array_->item_size)};
}

}  // namespace polycodec
