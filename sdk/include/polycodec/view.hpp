// SPDX-License-Identifier: MIT
// One way to walk any value, whatever it is made of: nodes, columnar arrays, or both nested in each
// other.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/byte_order.hpp>
#include <polycodec/bytes.hpp>
#include <polycodec/column.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

/// The word for a kind in messages, such as "list".
constexpr std::string_view kind_name(std::uint32_t kind) noexcept {
  constexpr std::string_view names[POLYCODEC_KIND_COUNT] = {
      "null",      "boolean",     "integer",          "unsigned integer",
      "float",     "wide number", "string",           "bytes",
      "list",      "tuple",       "object",           "map",
      "array",     "extension",   "reference",        "annotated",
      "timestamp", "duration",    "member of a union"};
  return kind < POLYCODEC_KIND_COUNT ? names[kind] : std::string_view("unknown kind");
}

/// One item of a value: a node, a columnar array, a part of one (a row, a list, a row of a matrix)
/// or a single element. What it *is* does not depend on how it is stored: kind() is that of a node
/// and never ARRAY or ANNOTATED. An array is a LIST (a 0-d array is its element), a row of a record
/// an OBJECT or TUPLE, a missing item of an option NULL, an item of a union a UNION; dictionaries,
/// indices and chunks are transparent.
///
/// Not owning, 40 bytes, no allocation, constant time except for chunks (binary search). The value
/// has passed full validation. Safe to read from several threads. as_* throw Error(Status::type)
/// for another kind and Status::range where a number does not fit.
class View {
 public:
  /// The null value.
  View() noexcept;
  explicit View(const polycodec_node* node) noexcept;
  /// A whole array.
  explicit View(const polycodec_array& array) noexcept : View(whole(&array)) {}
  /// Item `i` of an array's first axis; unchecked.
  static View element(const polycodec_array& array, std::uint64_t i) noexcept;

  // -- what it is --
  polycodec_kind kind() const noexcept { return static_cast<polycodec_kind>(kind_); }
  bool is_null() const noexcept { return kind_ == POLYCODEC_KIND_NULL; }
  bool is_string() const noexcept { return kind_ == POLYCODEC_KIND_STRING; }
  bool is_binary() const noexcept { return kind_ == POLYCODEC_KIND_BINARY; }
  bool is_object() const noexcept { return kind_ == POLYCODEC_KIND_OBJECT; }
  bool is_map() const noexcept { return kind_ == POLYCODEC_KIND_MAP; }
  bool is_integer() const noexcept {
    return kind_ == POLYCODEC_KIND_SIGNED || kind_ == POLYCODEC_KIND_UNSIGNED;
  }
  bool is_number() const noexcept { return is_integer() || kind_ == POLYCODEC_KIND_FLOAT; }
  bool is_list() const noexcept {
    return kind_ == POLYCODEC_KIND_LIST || kind_ == POLYCODEC_KIND_TUPLE;
  }
  /// Element type of booleans, numbers, times and fixed-width strings and bytes; DTYPE_NONE for all
  /// others.
  std::uint32_t dtype() const noexcept { return dtype_; }
  /// Items of a LIST or TUPLE, members of an OBJECT, entries of a MAP; 1 for EXTENSION and UNION;
  /// otherwise 0.
  std::uint64_t size() const noexcept;

  // -- how it is stored, for hot loops --
  /// The node (without its annotation), or NULL if this is an array or a part of one.
  const polycodec_node* node() const noexcept { return state_ == State::node ? node_ : nullptr; }
  /// The array, if this is an ARRAY node of the value; otherwise NULL.
  const polycodec_array* array() const noexcept { return whole_ ? array_ : nullptr; }
  /// The elements, if this is a list of them in one NDARRAY (its innermost axis).
  std::optional<Elements> elements() const noexcept;
  /// The elements as T, if elements() are of that dtype.
  template <class T>
  std::optional<Column<T>> column() const noexcept {
    const auto found = elements();
    return found ? found->template as<T>() : std::nullopt;
  }
  /// The metadata of the node (an OBJECT), or else of the array that it holds; NULL if there is
  /// none.
  const polycodec_node* metadata() const noexcept;

  // -- scalars --
  bool as_bool() const;
  std::int64_t as_int64() const;
  std::uint64_t as_uint64() const;
  /// A FLOAT, or an integer that a double holds exactly.
  double as_double() const;
  /// Copies a number (BOOLEAN, SIGNED, UNSIGNED, FLOAT, WIDE) of its dtype in host byte order to
  /// `out`; returns its size. Bits are kept.
  std::uint32_t copy_bits(std::byte (&out)[16]) const;
  /// A TIMESTAMP or DURATION, split into seconds and nanoseconds as a node is.
  polycodec_time as_time() const;
  /// The UTF-8 of a STRING in place. Throws Status::type for elements in UTF-16 and UTF-32, which
  /// the form with `scratch` converts.
  std::string_view as_string() const;
  std::string_view as_string(std::string& scratch) const;
  /// The bytes of a BINARY, or of a STRING in place.
  std::string_view as_bytes() const;
  /// True for a STRING node whose bytes need not be UTF-8.
  bool is_lenient_string() const noexcept {
    return is_string() && state_ == State::node && node_->dtype == POLYCODEC_STRING_LENIENT;
  }

  // -- containers --
  /// Item i of a LIST or TUPLE. Throws Status::type, Status::range.
  template <std::integral Index>
  View operator[](Index i) const {
    expect(is_list(), "a list");
    if (static_cast<std::uint64_t>(i) >= size()) [[unlikely]]
      throw_index(static_cast<std::uint64_t>(i));
    return child(static_cast<std::uint64_t>(i));
  }
  /// The member of an OBJECT with this name. Throws Status::type, Status::not_found.
  View operator[](std::string_view name) const {
    expect(is_object(), "an object");
    if (const auto found = find(name)) return *found;
    throw Error(Status::not_found, "no member '" + std::string(name) + "'");
  }
  View operator[](const char* name) const { return (*this)[std::string_view(name)]; }
  /// The member of an OBJECT (or entry of a MAP) with this name, if there is one; linear.
  std::optional<View> find(std::string_view name) const noexcept;

  /// Item i of a LIST or TUPLE, the value of member i of an OBJECT or of entry i of a MAP, the
  /// payload of an EXTENSION, the member of a UNION. Unchecked.
  View child(std::uint64_t i = 0) const noexcept;
  /// The name of member i of an OBJECT, or of the EXTENSION. Unchecked.
  std::string_view name(std::uint64_t i = 0) const noexcept;
  /// The key of entry i of a MAP (or OBJECT node). Unchecked.
  View key(std::uint64_t i) const noexcept;
  /// Which alternative a UNION holds. Unchecked.
  std::int64_t tag() const noexcept;
  /// The node that a REFERENCE points to. Unchecked.
  View target() const noexcept { return View(node_->as.node); }

  class Iterator;
  /// The items of a LIST or TUPLE: `for (View item : value)`. Throws Status::type.
  Iterator begin() const;
  Iterator end() const;

 private:
  enum class State : std::uint8_t {
    node,    // node_
    range,   // items [at_, at_ + count_) of array_
    row,     // item at_ of the record array_
    member,  // item at_ of member count_ of the union array_
    axis,    // leaf array_: what is left of it at data_ from axis count_ on
    blob,    // count_ bytes at data_
  };

  View(State state, polycodec_kind kind, std::uint32_t dtype = 0) noexcept
      : state_(state),
        kind_(static_cast<std::uint8_t>(kind)),
        dtype_(static_cast<std::uint8_t>(dtype)) {}
  static View whole(const polycodec_array* array) noexcept {
    const bool leaf = array->layout == POLYCODEC_LAYOUT_NDARRAY;
    View item = leaf ? axis(array, array->data, 0) : range(array, 0, array->length);
    item.whole_ = true;
    return item;
  }
  static View range(const polycodec_array* array, std::uint64_t begin,
                    std::uint64_t count) noexcept {
    View item(State::range, POLYCODEC_KIND_LIST);
    item.array_ = array, item.at_ = begin, item.count_ = count;
    return item;
  }
  static View axis(const polycodec_array* leaf, const void* data, std::uint32_t axis) noexcept;
  static polycodec_kind kind_of(std::uint32_t dtype) noexcept;
  /// An array without elements may have rows, and no data: NULL has no offsets.
  static const std::byte* advanced(const std::byte* data, std::int64_t offset) noexcept {
    return data == nullptr ? nullptr : data + offset;
  }
  static std::uint64_t chunk_of(const polycodec_array& array, std::uint64_t& i) noexcept;

  void expect(bool right, const char* what) const {
    if (!right) [[unlikely]]
      throw_kind(what);
  }
  [[noreturn]] void throw_kind(const char* what) const {
    throw Error(Status::type,
                std::string("expected ") + what + ", found " + std::string(kind_name(kind_)));
  }
  [[noreturn]] static void throw_range(const char* what) {
    throw Error(Status::range, std::string("the number does not fit in ") + what);
  }
  [[noreturn]] void throw_index(std::uint64_t i) const {
    throw Error(Status::range,
                "no item " + std::to_string(i) + ": the list has " + std::to_string(size()));
  }
  template <class T>
  T load_as() const noexcept {
    return load<T>(data_, order());
  }
  std::endian order() const noexcept {
    return array_->byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  }
  /// The element, sign- or zero-extended.
  std::uint64_t integer_element() const noexcept;

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

inline polycodec_kind View::kind_of(std::uint32_t dtype) noexcept {
  if (dtype == POLYCODEC_DTYPE_BOOLEAN) return POLYCODEC_KIND_BOOLEAN;
  if (dtype >= POLYCODEC_DTYPE_INT8 && dtype <= POLYCODEC_DTYPE_INT64) return POLYCODEC_KIND_SIGNED;
  if (dtype >= POLYCODEC_DTYPE_UINT8 && dtype <= POLYCODEC_DTYPE_UINT64)
    return POLYCODEC_KIND_UNSIGNED;
  if (dtype >= POLYCODEC_DTYPE_FLOAT16 && dtype <= POLYCODEC_DTYPE_FLOAT64)
    return POLYCODEC_KIND_FLOAT;
  if (dtype == POLYCODEC_DTYPE_TIMESTAMP64) return POLYCODEC_KIND_TIMESTAMP;
  if (dtype == POLYCODEC_DTYPE_DURATION64) return POLYCODEC_KIND_DURATION;
  if (dtype == POLYCODEC_DTYPE_FIXED_BYTES) return POLYCODEC_KIND_BINARY;
  return is_fixed(dtype) ? POLYCODEC_KIND_STRING : POLYCODEC_KIND_WIDE;
}

inline View::View() noexcept
    : node_(nullptr), state_(State::node), kind_(POLYCODEC_KIND_NULL), dtype_(0) {
  static constexpr polycodec_node null{};
  node_ = &null;
}

inline View::View(const polycodec_node* node) noexcept : state_(State::node) {
  const polycodec_node* annotation = nullptr;
  if (node->kind == POLYCODEC_KIND_ANNOTATED) {
    annotation = node->as.annotated->metadata;
    node = node->as.annotated->node;
  }
  if (node->kind == POLYCODEC_KIND_ARRAY) *this = whole(node->as.array);
  annotation_ = annotation;
  if (whole_) return;
  node_ = node;
  kind_ = node_->kind;
  dtype_ = kind_ == POLYCODEC_KIND_STRING ? std::uint8_t{0} : node_->dtype;
  if (kind_ == POLYCODEC_KIND_BOOLEAN) dtype_ = POLYCODEC_DTYPE_BOOLEAN;
}

inline View View::axis(const polycodec_array* leaf, const void* data, std::uint32_t axis) noexcept {
  const bool scalar = axis == leaf->ndim;
  View item(State::axis, scalar ? kind_of(leaf->dtype) : POLYCODEC_KIND_LIST,
            scalar ? leaf->dtype : 0);
  item.array_ = leaf;
  item.data_ = static_cast<const std::byte*>(data);
  item.count_ = axis;
  return item;
}

inline std::uint64_t View::chunk_of(const polycodec_array& array, std::uint64_t& i) noexcept {
  std::uint64_t low = 0;
  if (array.offsets.data == nullptr) {
    while (i >= array.children[low]->length) i -= array.children[low++]->length;
    return low;
  }
  for (std::uint64_t high = array.n_children; high - low > 1;) {
    const std::uint64_t middle = low + (high - low) / 2;
    (static_cast<std::uint64_t>(structure_item(array.offsets, middle)) <= i ? low : high) = middle;
  }
  i -= static_cast<std::uint64_t>(structure_item(array.offsets, low));
  return low;
}

inline View View::element(const polycodec_array& array, std::uint64_t i) noexcept {
  for (const polycodec_array* a = &array;;) {
    switch (a->layout) {
      case POLYCODEC_LAYOUT_NDARRAY:
        if (a->ndim == 0) return axis(a, a->data, 0);
        return axis(a,
                    advanced(static_cast<const std::byte*>(a->data),
                             static_cast<std::int64_t>(i) * a->strides[0]),
                    1);
      case POLYCODEC_LAYOUT_RECORD: {
        View item(State::row, a->names != nullptr ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_TUPLE);
        item.array_ = a, item.at_ = i;
        return item;
      }
      case POLYCODEC_LAYOUT_UNION: {
        View item(State::member, POLYCODEC_KIND_UNION);
        item.array_ = a;
        item.count_ = static_cast<std::uint64_t>(structure_item(a->tags, i));
        item.at_ = static_cast<std::uint64_t>(structure_item(a->index, i));
        return item;
      }
      case POLYCODEC_LAYOUT_OPTION_BYTES:
      case POLYCODEC_LAYOUT_OPTION_BITS:
        if (!is_present(*a, i)) return View();
        a = a->children[0];
        continue;
      case POLYCODEC_LAYOUT_INDEXED: {
        const std::int64_t index = structure_item(a->index, i);
        if (index < 0) return View();
        i = static_cast<std::uint64_t>(index);
        a = a->children[0];
        continue;
      }
      case POLYCODEC_LAYOUT_CHUNKED: {
        const std::uint64_t chunk = chunk_of(*a, i);
        a = a->children[chunk];
        continue;
      }
      case POLYCODEC_LAYOUT_DOCUMENT:
        return View(&a->nodes[i]);
      default: {
        const ItemRange r = item_range(*a, i);
        const bool is_string = (a->flags & POLYCODEC_ARRAY_STRING) != 0;
        if (!is_string && (a->flags & POLYCODEC_ARRAY_BINARY) == 0)
          return range(a->children[0], r.begin, r.end - r.begin);
        View item(State::blob, is_string ? POLYCODEC_KIND_STRING : POLYCODEC_KIND_BINARY);
        item.array_ = a;
        item.data_ = static_cast<const std::byte*>(a->children[0]->data) + r.begin;
        item.count_ = r.end - r.begin;
        return item;
      }
    }
  }
}

inline std::uint64_t View::size() const noexcept {
  switch (state_) {
    case State::node:
      if (kind_ >= POLYCODEC_KIND_LIST && kind_ <= POLYCODEC_KIND_MAP)
        return polycodec_node_size(node_);
      return kind_ == POLYCODEC_KIND_EXTENSION || kind_ == POLYCODEC_KIND_UNION ? 1 : 0;
    case State::range:
      return count_;
    case State::row:
      return array_->n_children;
    case State::member:
      return 1;
    case State::axis:
      return kind_ == POLYCODEC_KIND_LIST ? static_cast<std::uint64_t>(array_->shape[count_]) : 0;
    default:
      return 0;
  }
}

inline View View::child(std::uint64_t i) const noexcept {
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
  if (kind_ == POLYCODEC_KIND_EXTENSION) return View(node_->as.extension->payload);
  if (kind_ == POLYCODEC_KIND_UNION) return View(node_->as.tagged->node);
  return View(&node_->as.nodes[is_list() ? i : 2 * i + 1]);
}

inline std::string_view View::name(std::uint64_t i) const noexcept {
  if (state_ == State::row) return to_string_view(array_->names[i]);
  if (kind_ == POLYCODEC_KIND_EXTENSION) return to_string_view(node_->as.extension->name);
  const polycodec_node& key = node_->as.nodes[2 * i];
  return {static_cast<const char*>(key.as.data),
          static_cast<std::size_t>(polycodec_node_size(&key))};
}

inline View View::key(std::uint64_t i) const noexcept {
  return View(&node_->as.nodes[2 * i]);
}

inline std::optional<View> View::find(std::string_view wanted) const noexcept {
  const std::uint64_t n = is_object() || is_map() ? size() : 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (is_map() && node_->as.nodes[2 * i].kind != POLYCODEC_KIND_STRING) continue;
    if (name(i) == wanted) return child(i);
  }
  return std::nullopt;
}

inline std::int64_t View::tag() const noexcept {
  return state_ == State::member ? static_cast<std::int64_t>(count_) : node_->as.tagged->tag;
}

inline const polycodec_node* View::metadata() const noexcept {
  if (annotation_ != nullptr) return annotation_;
  return whole_ ? array_->metadata : nullptr;
}

inline std::optional<Elements> View::elements() const noexcept {
  if (kind_ != POLYCODEC_KIND_LIST) return std::nullopt;
  const auto made = [this](const std::byte* data, std::uint64_t count, std::int64_t stride) {
    return Elements{data, count, stride, array_->dtype, array_->item_size, array_->byte_order};
  };
  if (state_ == State::axis && count_ + 1 == array_->ndim)
    return made(data_, size(), array_->strides[count_]);
  if (state_ == State::range && array_->layout == POLYCODEC_LAYOUT_NDARRAY && array_->ndim == 1)
    return made(advanced(static_cast<const std::byte*>(array_->data),
                         static_cast<std::int64_t>(at_) * array_->strides[0]),
                count_, array_->strides[0]);
  return std::nullopt;
}

inline std::uint64_t View::integer_element() const noexcept {
  const std::uint32_t size = dtype_size(array_->dtype);
  const std::uint64_t bits = size == 1   ? load_as<std::uint8_t>()
                             : size == 2 ? load_as<std::uint16_t>()
                             : size == 4 ? load_as<std::uint32_t>()
                                         : load_as<std::uint64_t>();
  if (!is_signed_integer(array_->dtype)) return bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << (64 - 8 * size)) >>
                                    (64 - 8 * size));
}

inline bool View::as_bool() const {
  expect(kind_ == POLYCODEC_KIND_BOOLEAN, "a boolean");
  return (state_ == State::node ? node_->as.u64 : integer_element()) != 0;
}

inline std::int64_t View::as_int64() const {
  if (kind_ == POLYCODEC_KIND_UNSIGNED) {
    const std::uint64_t value = state_ == State::node ? node_->as.u64 : integer_element();
    if (value > static_cast<std::uint64_t>(INT64_MAX)) throw_range("int64");
    return static_cast<std::int64_t>(value);
  }
  expect(kind_ == POLYCODEC_KIND_SIGNED, "an integer");
  return state_ == State::node ? node_->as.i64 : static_cast<std::int64_t>(integer_element());
}

inline std::uint64_t View::as_uint64() const {
  if (kind_ == POLYCODEC_KIND_SIGNED) {
    const std::int64_t value =
        state_ == State::node ? node_->as.i64 : static_cast<std::int64_t>(integer_element());
    if (value < 0) throw_range("uint64");
    return static_cast<std::uint64_t>(value);
  }
  expect(kind_ == POLYCODEC_KIND_UNSIGNED, "an integer");
  return state_ == State::node ? node_->as.u64 : integer_element();
}

inline double View::as_double() const {
  if (is_integer()) {
    const bool is_signed = kind_ == POLYCODEC_KIND_SIGNED;
    const std::int64_t i = is_signed ? as_int64() : 0;
    const std::uint64_t u = is_signed ? static_cast<std::uint64_t>(i) : as_uint64();
    const std::uint64_t magnitude = i < 0 ? std::uint64_t{0} - u : u;
    const auto value = static_cast<double>(magnitude);
    if (value >= 18446744073709551616.0 || static_cast<std::uint64_t>(value) != magnitude)
      throw_range("float64");
    return i < 0 ? -value : value;
  }
  expect(kind_ == POLYCODEC_KIND_FLOAT, "a number");
  const bool in_node = state_ == State::node;
  if (dtype_ == POLYCODEC_DTYPE_FLOAT64) return in_node ? node_->as.f64 : load_as<double>();
  if (dtype_ == POLYCODEC_DTYPE_FLOAT32)
    return static_cast<double>(in_node ? node_->as.f32 : load_as<float>());
  return static_cast<double>(half_to_float(in_node ? static_cast<std::uint16_t>(node_->as.u64)
                                                   : load_as<std::uint16_t>()));
}

inline std::uint32_t View::copy_bits(std::byte (&out)[16]) const {
  expect(kind_ >= POLYCODEC_KIND_BOOLEAN && kind_ <= POLYCODEC_KIND_WIDE, "a number");
  const std::uint32_t size = dtype_size(dtype_);
  if (state_ != State::node) {
    const std::uint32_t width = dtype_swap_width(dtype_);
    if (array_->byte_order == host_byte_order) {
      std::memcpy(out, data_, size);
    } else {
      for (std::uint32_t i = 0; i < size; ++i)
        out[i] = data_[i - i % width + width - 1 - i % width];
    }
  } else if (kind_ == POLYCODEC_KIND_WIDE) {
    std::memcpy(out, node_->as.data, size);
  } else if (dtype_ == POLYCODEC_DTYPE_FLOAT32) {
    std::memcpy(out, &node_->as.f32, 4);
  } else {
    // The value as an integer of its own width.
    std::memcpy(out, &node_->as.u64, 8);
    if constexpr (std::endian::native == std::endian::big) std::memmove(out, out + 8 - size, size);
  }
  return size;
}

inline polycodec_time View::as_time() const {
  expect(kind_ == POLYCODEC_KIND_TIMESTAMP || kind_ == POLYCODEC_KIND_DURATION, "a time");
  if (state_ == State::node) return *node_->as.time;
  polycodec_time time{load_as<std::int64_t>(), 0, array_->unit};
  if (kind_ == POLYCODEC_KIND_DURATION || !is_subsecond_unit(time.unit) || time.count == INT64_MIN)
    return time;
  std::int64_t in_second = 1;
  for (std::uint32_t unit = POLYCODEC_UNIT_SECOND; unit < time.unit; ++unit) in_second *= 1000;
  const std::int64_t rest = (time.count % in_second + in_second) % in_second;
  // Rounds down without leaving the range: the truncated quotient is one too large where a negative
  // count has a rest.
  time.count = time.count / in_second - (time.count < 0 && rest != 0 ? 1 : 0);
  time.nanoseconds = static_cast<std::uint32_t>(rest * (1000000000 / in_second));
  return time;
}

inline std::string_view View::as_string() const {
  expect(is_string(), "a string");
  if (state_ == State::node) return to_string_view(node_->as.data, polycodec_node_size(node_));
  if (state_ == State::blob) return to_string_view(data_, count_);
  if (dtype_ != POLYCODEC_DTYPE_FIXED_UTF8) throw_kind("a string in UTF-8");
  std::size_t size = array_->item_size;
  while (size != 0 && data_[size - 1] == std::byte{0}) --size;
  return to_string_view(data_, size);
}

inline std::string_view View::as_bytes() const {
  if (is_string()) return as_string();
  expect(is_binary(), "bytes");
  if (state_ == State::node) return to_string_view(node_->as.data, polycodec_node_size(node_));
  return to_string_view(data_, state_ == State::blob ? count_ : array_->item_size);
}

/// Goes over the items of a list.
class View::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = View;
  using difference_type = std::ptrdiff_t;
  using pointer = const View*;
  using reference = View;

  Iterator() = default;
  Iterator(const View& list, std::uint64_t at) noexcept : list_(list), at_(at) {}
  View operator*() const noexcept { return list_.child(at_); }
  Iterator& operator++() noexcept { return ++at_, *this; }
  Iterator operator++(int) noexcept {
    const Iterator before = *this;
    ++at_;
    return before;
  }
  friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.at_ == b.at_; }

 private:
  View list_;
  std::uint64_t at_ = 0;
};

inline View::Iterator View::begin() const {
  expect(is_list(), "a list");
  return {*this, 0};
}
inline View::Iterator View::end() const {
  return {*this, size()};
}

}  // namespace polycodec
