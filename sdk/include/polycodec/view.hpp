// SPDX-License-Identifier: MIT
// One way to walk any value, whatever it is made of: nodes, columnar arrays, or both nested in each
// other.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/byte_order.hpp>
#include <polycodec/bytes.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace polycodec {

/// The word for a kind in messages, such as "list".
std::string_view kind_name(std::uint32_t kind) noexcept;

namespace detail {

inline constexpr polycodec_node null_node{};

/// Goes over items that `get` gives by number.
template <class Items, auto get>
class IndexIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using reference = std::invoke_result_t<decltype(get), const Items&, std::uint64_t>;
  using value_type = reference;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;

  IndexIterator() = default;
  IndexIterator(const Items& items, std::uint64_t at) noexcept : items_(items), at_(at) {}
  reference operator*() const noexcept { return (items_.*get)(at_); }
  IndexIterator& operator++() noexcept { return ++at_, *this; }
  IndexIterator operator++(int) noexcept { return {items_, at_++}; }
  bool operator==(const IndexIterator& other) const noexcept { return at_ == other.at_; }

 private:
  Items items_;
  std::uint64_t at_ = 0;
};

}  // namespace detail

/// Elements of C++ type T at a fixed distance, read where they are: any alignment, stride and byte
/// order. Data in files is seldom aligned, so reading goes through memcpy, which costs nothing on
/// the machines that allow it. Not owning.
template <class T>
class Column {
 public:
  Column(const std::byte* data, std::uint64_t count, std::int64_t stride,
         std::uint8_t byte_order) noexcept
      : data_(data),
        count_(count),
        stride_(stride),
        swap_(byte_order != host_byte_order && sizeof(T) > 1) {}

  std::uint64_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  /// Element i (unchecked).
  T operator[](std::uint64_t i) const noexcept {
    T value;
    std::memcpy(&value, data_ + static_cast<std::int64_t>(i) * stride_, sizeof value);
    return swap_ ? swapped(value) : value;
  }

  using Iterator = detail::IndexIterator<Column, (&Column::operator[])>;
  Iterator begin() const noexcept { return {*this, 0}; }
  Iterator end() const noexcept { return {*this, count_}; }

 private:
  static T swapped(T value) noexcept {
    // The parts of a complex number are swapped each for itself.
    constexpr std::size_t width = dtype_swap_width(dtype_of<T>);
    unsigned char bytes[sizeof(T)];
    unsigned char turned[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    for (std::size_t i = 0; i < sizeof(T); ++i)
      turned[i] = bytes[i - i % width + width - 1 - i % width];
    std::memcpy(&value, turned, sizeof value);
    return value;
  }

  const std::byte* data_;
  std::uint64_t count_;
  std::int64_t stride_;
  bool swap_;
};

/// Elements of C++ type T in one or more dimensions, read where they are as those of a Column. Not
/// owning. Axes and items are unchecked.
template <class T>
class NdView {
 public:
  /// `array` is an NDARRAY; of its axes those from `axis` on, of the first of them `count` items
  /// from `data` on.
  NdView(const polycodec_array& array, const std::byte* data, std::uint32_t axis,
         std::uint64_t count) noexcept
      : array_(&array), data_(data), count_(count), axis_(axis) {}

  std::uint32_t ndim() const noexcept { return array_->ndim - axis_; }
  /// How many items axis `axis` has, and how many bytes apart they are (which may be negative).
  std::uint64_t shape(std::uint32_t axis) const noexcept {
    return axis == 0 ? count_ : static_cast<std::uint64_t>(array_->shape[axis_ + axis]);
  }
  std::int64_t stride(std::uint32_t axis) const noexcept { return array_->strides[axis_ + axis]; }
  /// How many elements there are.
  std::uint64_t size() const noexcept {
    std::uint64_t all = 1;
    for (std::uint32_t axis = 0; axis < ndim(); ++axis) all *= shape(axis);
    return all;
  }
  /// The first element, in byte_order(); of no alignment.
  const std::byte* data() const noexcept { return data_; }
  std::uint8_t byte_order() const noexcept { return array_->byte_order; }

  /// The element at these indices, one for each axis.
  template <std::integral... Index>
  T operator()(Index... index) const noexcept {
    std::int64_t offset = 0;
    std::uint32_t axis = 0;
    ((offset += static_cast<std::int64_t>(index) * stride(axis++)), ...);
    return Column<T>(data_ + offset, 1, 0, byte_order())[0];
  }
  /// Item `i` of the first axis, of at least two.
  NdView operator[](std::uint64_t i) const noexcept {
    return {*array_, data_ + static_cast<std::int64_t>(i) * stride(0), axis_ + 1, shape(1)};
  }
  /// The items of the only axis.
  Column<T> column() const noexcept { return {data_, count_, stride(0), byte_order()}; }

 private:
  const polycodec_array* array_;
  const std::byte* data_;
  std::uint64_t count_;
  std::uint32_t axis_;
};

/// Elements that are evenly spaced in memory: for loops over numbers that want no View for each.
struct Elements {
  const std::byte* data;
  std::uint64_t count;
  std::int64_t stride;  ///< in bytes
  std::uint32_t dtype;
  std::uint32_t item_size;
  std::uint8_t byte_order;
};

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
  View() noexcept : View(&detail::null_node) {}
  explicit View(const polycodec_node* node) noexcept : state_(State::node) {
    if (node->kind == POLYCODEC_KIND_ANNOTATED) {
      annotation_ = node->as.annotated->metadata;
      node = node->as.annotated->node;
    }
    node_ = node;
    kind_ = node->kind;
    dtype_ = kind_ == POLYCODEC_KIND_STRING    ? std::uint8_t{0}
             : kind_ == POLYCODEC_KIND_BOOLEAN ? std::uint8_t{POLYCODEC_DTYPE_BOOLEAN}
                                               : node->dtype;
    if (kind_ == POLYCODEC_KIND_ARRAY) [[unlikely]]
      *this = whole(*node->as.array, annotation_);
  }
  /// A whole array.
  explicit View(const polycodec_array& array) noexcept : View(whole(array, nullptr)) {}
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
  std::uint64_t size() const noexcept {
    if (state_ == State::node && kind_ >= POLYCODEC_KIND_LIST && kind_ <= POLYCODEC_KIND_MAP)
      return polycodec_node_size(node_);
    return size_of_part(state_, kind(), array_, count_);
  }

  // -- how it is stored, for hot loops --
  /// The node (without its annotation), or NULL if this is an array or a part of one.
  const polycodec_node* node() const noexcept { return state_ == State::node ? node_ : nullptr; }
  /// The array, if this is an ARRAY node of the value; otherwise NULL.
  const polycodec_array* array() const noexcept { return whole_ ? array_ : nullptr; }
  /// The elements, if this is a list of them in one NDARRAY (its innermost axis).
  std::optional<Elements> elements() const noexcept;
  /// True if this is a list of elements of type T in one NDARRAY: as<T>() gives them.
  template <class T>
  bool is() const noexcept {
    static_assert(dtype_of<T> != POLYCODEC_DTYPE_NONE);
    const polycodec_array* const leaf = leaf_of(state_, kind_, array_);
    return leaf != nullptr && leaf->dtype == dtype_of<T> && inner_axes() == 1;
  }
  /// The elements of a list that is<T>(). Throws Status::type for any other.
  template <class T>
  Column<T> as() const {
    const NdView<T> all = nd<T>();
    if (all.ndim() != 1) [[unlikely]]
      throw_elements(dtype_of<T>, all.ndim());
    return all.column();
  }
  /// The same with all dimensions of a list of lists in one NDARRAY.
  template <class T>
  NdView<T> nd() const {
    static_assert(dtype_of<T> != POLYCODEC_DTYPE_NONE);
    const polycodec_array* const leaf = leaf_of(state_, kind_, array_);
    if (leaf == nullptr) [[unlikely]]
      throw_elements(dtype_of<T>, 0);
    if (leaf->dtype != dtype_of<T>) [[unlikely]]
      throw_elements(dtype_of<T>, 0, leaf->dtype);
    return {*leaf, first_element(), leaf->ndim - inner_axes(), size()};
  }
  /// The metadata of the node (an OBJECT), or else of the array that it holds; NULL if there is
  /// none.
  const polycodec_node* metadata() const noexcept {
    return annotation_ == nullptr && whole_ ? array_->metadata : annotation_;
  }

  // -- scalars --
  bool as_bool() const {
    expect(kind_ == POLYCODEC_KIND_BOOLEAN, "a boolean");
    return integer() != 0;
  }
  std::int64_t as_int64() const {
    expect(is_integer(), "an integer");
    const std::uint64_t value = integer();
    if (kind_ == POLYCODEC_KIND_UNSIGNED && value > INT64_MAX) throw_range("int64");
    return static_cast<std::int64_t>(value);
  }
  std::uint64_t as_uint64() const {
    expect(is_integer(), "an integer");
    const std::uint64_t value = integer();
    if (kind_ == POLYCODEC_KIND_SIGNED && value > INT64_MAX) throw_range("uint64");
    return value;
  }
  /// A FLOAT, or an integer that a double holds exactly.
  double as_double() const {
    if (dtype_ == POLYCODEC_DTYPE_FLOAT64)
      return state_ == State::node ? node_->as.f64 : load<double>(data_, order());
    return double_of(kind(), dtype_, is_number() ? integer() : 0);
  }
  /// Copies a number (BOOLEAN, SIGNED, UNSIGNED, FLOAT, WIDE) of its dtype in host byte order to
  /// `out`; returns its size. Bits are kept.
  std::uint32_t copy_bits(std::byte (&out)[16]) const;
  /// A TIMESTAMP or DURATION, split into seconds and nanoseconds as a node is.
  polycodec_time as_time() const;
  /// The UTF-8 of a STRING in place. Throws Status::type for elements in UTF-16 and UTF-32, which
  /// the form with `scratch` converts.
  std::string_view as_string() const {
    expect(is_string(), "a string");
    if (state_ == State::node) return node_bytes();
    return string_of_part(state_, *array_, data_, count_);
  }
  std::string_view as_string(std::string& scratch) const;
  /// The bytes of a BINARY, or of a STRING in place.
  std::string_view as_bytes() const {
    if (is_string()) return as_string();
    expect(is_binary(), "bytes");
    if (state_ == State::node) return node_bytes();
    return to_string_view(data_, state_ == State::blob ? count_ : array_->item_size);
  }
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
      throw_index(static_cast<std::uint64_t>(i), size());
    return child(static_cast<std::uint64_t>(i));
  }
  /// The member of an OBJECT with this name. Throws Status::type, Status::not_found.
  View operator[](std::string_view name) const;
  View operator[](const char* name) const { return (*this)[std::string_view(name)]; }
  /// The member of an OBJECT (or entry of a MAP) with this name, if there is one; linear.
  std::optional<View> find(std::string_view name) const noexcept;

  /// Item i of a LIST or TUPLE, the value of member i of an OBJECT or of entry i of a MAP, the
  /// payload of an EXTENSION, the member of a UNION. Unchecked.
  View child(std::uint64_t i = 0) const noexcept {
    if (state_ != State::node) return child_of_part(state_, *array_, data_, at_, count_, i);
    if (kind_ == POLYCODEC_KIND_EXTENSION) return View(node_->as.extension->payload);
    if (kind_ == POLYCODEC_KIND_UNION) return View(node_->as.tagged->node);
    return View(&node_->as.nodes[is_list() ? i : 2 * i + 1]);
  }
  /// The name of member i of an OBJECT, or of the EXTENSION. Unchecked.
  std::string_view name(std::uint64_t i = 0) const noexcept {
    if (state_ == State::row) return to_string_view(array_->names[i]);
    if (kind_ == POLYCODEC_KIND_EXTENSION) return to_string_view(node_->as.extension->name);
    const polycodec_node& key = node_->as.nodes[2 * i];
    return to_string_view(key.as.data, polycodec_node_size(&key));
  }
  /// The key of entry i of a MAP (or OBJECT node). Unchecked.
  View key(std::uint64_t i) const noexcept { return View(&node_->as.nodes[2 * i]); }
  /// Which alternative a UNION holds. Unchecked.
  std::int64_t tag() const noexcept {
    return state_ == State::member ? static_cast<std::int64_t>(count_) : node_->as.tagged->tag;
  }
  /// The node that a REFERENCE points to. Unchecked.
  View target() const noexcept { return View(node_->as.node); }

  using Iterator = detail::IndexIterator<View, &View::child>;
  /// The items of a LIST or TUPLE: `for (View item : value)`. Throws Status::type.
  Iterator begin() const {
    expect(is_list(), "a list");
    return {*this, 0};
  }
  Iterator end() const { return {*this, size()}; }

 private:
  enum class State : std::uint8_t {
    node,    // node_
    range,   // items [at_, at_ + count_) of array_
    row,     // item at_ of the record array_
    member,  // item at_ of member count_ of the union array_
    axis,    // leaf array_: the rest of it at data_ from axis count_ on
    blob,    // count_ bytes at data_
  };

  friend struct ViewParts;  // what the parts of arrays are
  View(State state, polycodec_kind kind, std::uint32_t dtype = 0) noexcept
      : state_(state),
        kind_(static_cast<std::uint8_t>(kind)),
        dtype_(static_cast<std::uint8_t>(dtype)) {}
  static View whole(const polycodec_array& array, const polycodec_node* annotation) noexcept;
  static View range_of(const polycodec_array* array, std::uint64_t begin,
                       std::uint64_t count) noexcept;
  static View axis_of(const polycodec_array* leaf, const void* data, std::uint32_t axis) noexcept;

  std::string_view node_bytes() const noexcept {
    return to_string_view(node_->as.data, polycodec_node_size(node_));
  }
  std::endian order() const noexcept {
    return array_->byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  }
  // The NDARRAY whose elements a LIST is; null if it is another one.
  static const polycodec_array* leaf_of(State state, std::uint8_t kind,
                                        const polycodec_array* array) noexcept {
    if (kind != POLYCODEC_KIND_LIST || (state != State::axis && state != State::range))
      return nullptr;
    return array->layout == POLYCODEC_LAYOUT_NDARRAY ? array : nullptr;
  }
  // Of such a list: how many axes it has, and where its first element is.
  std::uint32_t inner_axes() const noexcept {
    return state_ == State::axis ? array_->ndim - static_cast<std::uint32_t>(count_) : array_->ndim;
  }
  const std::byte* first_element() const noexcept;
  // The bits of a number of at most 8 bytes; integers sign- or zero-extended.
  std::uint64_t integer() const noexcept {
    return state_ == State::node ? node_->as.u64 : integer_of(*array_, data_);
  }
  // For parts of arrays. They take values, not the View: then it need not be in memory.
  static std::uint64_t size_of_part(State, polycodec_kind, const polycodec_array*,
                                    std::uint64_t count) noexcept;
  static std::uint64_t integer_of(const polycodec_array&, const std::byte* data) noexcept;
  static double double_of(polycodec_kind, std::uint32_t dtype, std::uint64_t bits);
  static std::string_view string_of_part(State, const polycodec_array&, const std::byte* data,
                                         std::uint64_t count);
  static View child_of_part(State, const polycodec_array&, const std::byte* data, std::uint64_t at,
                            std::uint64_t count, std::uint64_t i) noexcept;

  void expect(bool right, const char* what) const {
    if (!right) [[unlikely]]
      throw_kind(kind_, what);
  }
  [[noreturn, gnu::cold]] static void throw_kind(std::uint32_t kind, const char* what);
  [[noreturn, gnu::cold]] static void throw_range(const char* what);
  [[noreturn, gnu::cold]] static void throw_elements(std::uint32_t wanted, std::uint32_t ndim,
                                                     std::uint32_t found = 0);
  [[noreturn, gnu::cold]] static void throw_index(std::uint64_t i, std::uint64_t size);

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
  State state_ = State::node;
  std::uint8_t kind_;
  std::uint8_t dtype_;
  bool whole_ = false;  // all of array_, which the value itself holds as an array
};

}  // namespace polycodec

#include <polycodec/detail/view_inline.hpp>
