// SPDX-License-Identifier: MIT
// The functions of View. polycodec/view.hpp includes this header itself. Those with more code than
// a call is worth are not expanded where they are called, so that loops of others stay small.
#pragma once

#include <polycodec/detail/half.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/items.h>
#include <polycodec/view.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

namespace detail {

inline constexpr std::string_view kind_names[POLYCODEC_KIND_COUNT] = {
    "null",      "boolean",     "integer",          "unsigned integer",
    "float",     "wide number", "string",           "bytes",
    "list",      "tuple",       "object",           "map",
    "array",     "extension",   "reference",        "annotated",
    "timestamp", "duration",    "member of a union"};

// `size` bytes of UTF-16 (width 2) or UTF-32 (width 4) as UTF-8. Throws Status::malformed for a
// code unit that is not a character.
[[gnu::noinline]] inline std::string utf8_from_units(const std::byte* data, std::size_t size,
                                                     std::size_t width, std::endian order) {
  std::string text;
  const auto unit = [&](std::size_t at) -> char32_t {
    return width == 2 ? load<std::uint16_t>(data + at, order)
                      : load<std::uint32_t>(data + at, order);
  };
  for (std::size_t at = 0; at < size; at += width) {
    char32_t c = unit(at);
    if (width == 2 && c >= 0xd800 && c < 0xdc00 && at + 2 < size) {
      const char32_t low = unit(at + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        at += 2;
      }
    }
    if (!append_utf8(text, c))
      throw Error(Status::malformed, "the string has a code unit that is not a character", at);
  }
  return text;
}

inline polycodec_kind kind_of(std::uint32_t dtype) noexcept {
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

// An array without elements may have rows, and no data: NULL has no offsets.
inline const std::byte* advanced(const void* data, std::int64_t offset) noexcept {
  return data == nullptr ? nullptr : static_cast<const std::byte*>(data) + offset;
}

inline std::endian order_of(const polycodec_array& array) noexcept {
  return array.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
}

}  // namespace detail

inline std::string_view kind_name(std::uint32_t kind) noexcept {
  return kind < POLYCODEC_KIND_COUNT ? detail::kind_names[kind] : std::string_view("unknown kind");
}

inline View View::range_of(const polycodec_array* array, std::uint64_t begin,
                           std::uint64_t count) noexcept {
  View item(State::range, POLYCODEC_KIND_LIST);
  item.array_ = array, item.at_ = begin, item.count_ = count;
  return item;
}

inline View View::axis_of(const polycodec_array* leaf, const void* data,
                          std::uint32_t axis) noexcept {
  const bool scalar = axis == leaf->ndim;
  View item(State::axis, scalar ? detail::kind_of(leaf->dtype) : POLYCODEC_KIND_LIST,
            scalar ? leaf->dtype : 0);
  item.array_ = leaf;
  item.data_ = static_cast<const std::byte*>(data);
  item.count_ = axis;
  return item;
}

[[gnu::noinline]] inline View View::whole(const polycodec_array& array,
                                          const polycodec_node* annotation) noexcept {
  const bool leaf = array.layout == POLYCODEC_LAYOUT_NDARRAY;
  View item = leaf ? axis_of(&array, array.data, 0) : range_of(&array, 0, array.length);
  item.annotation_ = annotation;
  item.whole_ = true;
  return item;
}

[[gnu::noinline]] inline View View::element(const polycodec_array& array,
                                            std::uint64_t i) noexcept {
  for (const polycodec_array* a = &array;;) {
    switch (a->layout) {
      case POLYCODEC_LAYOUT_NDARRAY:
        if (a->ndim == 0) return axis_of(a, a->data, 0);
        return axis_of(a, polycodec_element(a, i), 1);
      case POLYCODEC_LAYOUT_RECORD: {
        View item(State::row, a->names != nullptr ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_TUPLE);
        item.array_ = a, item.at_ = i;
        return item;
      }
      case POLYCODEC_LAYOUT_UNION: {
        std::int64_t tag = 0;
        View item(State::member, POLYCODEC_KIND_UNION);
        item.at_ = polycodec_union_item(a, i, &tag).index;
        item.array_ = a, item.count_ = static_cast<std::uint64_t>(tag);
        return item;
      }
      case POLYCODEC_LAYOUT_OPTION_BYTES:
      case POLYCODEC_LAYOUT_OPTION_BITS:
      case POLYCODEC_LAYOUT_INDEXED:
      case POLYCODEC_LAYOUT_CHUNKED:
        a = polycodec_chosen(a, &i);
        if (a == nullptr) return View();
        continue;
      case POLYCODEC_LAYOUT_DOCUMENT:
        return View(&a->nodes[i]);
      default: {
        const polycodec_range range = polycodec_list_range(a, i);
        const std::uint64_t size = range.end - range.begin;
        if (polycodec_is_text(a) == 0) return range_of(a->children[0], range.begin, size);
        const bool is_string = (a->flags & POLYCODEC_ARRAY_STRING) != 0;
        View item(State::blob, is_string ? POLYCODEC_KIND_STRING : POLYCODEC_KIND_BINARY);
        item.array_ = a;
        item.data_ = static_cast<const std::byte*>(a->children[0]->data) + range.begin;
        item.count_ = size;
        return item;
      }
    }
  }
}

inline std::uint64_t View::size_of_part(State state, polycodec_kind kind,
                                        const polycodec_array* array,
                                        std::uint64_t count) noexcept {
  switch (state) {
    case State::node:
    case State::member:
      return kind == POLYCODEC_KIND_EXTENSION || kind == POLYCODEC_KIND_UNION ? 1 : 0;
    case State::range:
      return count;
    case State::row:
      return array->n_children;
    case State::axis:
      return kind == POLYCODEC_KIND_LIST ? static_cast<std::uint64_t>(array->shape[count]) : 0;
    default:
      return 0;
  }
}

inline View View::child_of_part(State state, const polycodec_array& array, const std::byte* data,
                                std::uint64_t at, std::uint64_t count, std::uint64_t i) noexcept {
  switch (state) {
    case State::row:
      return element(*array.children[i], at);
    case State::member:
      return element(*array.children[count], at);
    case State::axis:
      return axis_of(&array,
                     detail::advanced(data, static_cast<std::int64_t>(i) * array.strides[count]),
                     static_cast<std::uint32_t>(count) + 1);
    default:
      return element(array, at + i);
  }
}

[[gnu::noinline]] inline std::optional<View> View::find(std::string_view wanted) const noexcept {
  const std::uint64_t n = is_object() || is_map() ? size() : 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (is_map() && node_->as.nodes[2 * i].kind != POLYCODEC_KIND_STRING) continue;
    if (name(i) == wanted) return child(i);
  }
  return std::nullopt;
}

[[gnu::noinline]] inline View View::operator[](std::string_view name) const {
  expect(is_object(), "an object");
  if (const auto found = find(name)) return *found;
  throw Error(Status::not_found, std::string("no member '") + std::string(name) + "'");
}

inline std::optional<Elements> View::elements() const noexcept {
  if (leaf_of(state_, kind_, array_) == nullptr || inner_axes() != 1) return std::nullopt;
  return Elements{first_element(),
                  size(),
                  array_->strides[array_->ndim - 1],
                  array_->dtype,
                  array_->item_size,
                  array_->byte_order};
}

inline const std::byte* View::first_element() const noexcept {
  if (state_ == State::axis) return data_;
  return detail::advanced(static_cast<const std::byte*>(array_->data),
                          static_cast<std::int64_t>(at_) * array_->strides[0]);
}

inline std::uint64_t View::integer_of(const polycodec_array& array,
                                      const std::byte* data) noexcept {
  const std::endian order = detail::order_of(array);
  const std::uint32_t size = dtype_size(array.dtype);
  const std::uint64_t bits = size == 1   ? load<std::uint8_t>(data, order)
                             : size == 2 ? load<std::uint16_t>(data, order)
                             : size == 4 ? load<std::uint32_t>(data, order)
                                         : load<std::uint64_t>(data, order);
  if (!is_signed_integer(array.dtype)) return bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << (64 - 8 * size)) >>
                                    (64 - 8 * size));
}

inline double View::double_of(polycodec_kind kind, std::uint32_t dtype, std::uint64_t bits) {
  if (kind == POLYCODEC_KIND_SIGNED || kind == POLYCODEC_KIND_UNSIGNED) {
    const bool negative = kind == POLYCODEC_KIND_SIGNED && static_cast<std::int64_t>(bits) < 0;
    const std::uint64_t magnitude = negative ? std::uint64_t{0} - bits : bits;
    const auto value = static_cast<double>(magnitude);
    if (value >= 18446744073709551616.0 || static_cast<std::uint64_t>(value) != magnitude)
      throw_range("float64");
    return negative ? -value : value;
  }
  if (kind != POLYCODEC_KIND_FLOAT) throw_kind(kind, "a number");
  if (dtype == POLYCODEC_DTYPE_FLOAT64) return std::bit_cast<double>(bits);
  if (dtype == POLYCODEC_DTYPE_FLOAT16) return half_to_float(static_cast<std::uint16_t>(bits));
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

[[gnu::noinline]] inline std::uint32_t View::copy_bits(std::byte (&out)[16]) const {
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

[[gnu::noinline]] inline polycodec_time View::as_time() const {
  expect(kind_ == POLYCODEC_KIND_TIMESTAMP || kind_ == POLYCODEC_KIND_DURATION, "a time");
  if (state_ == State::node) return *node_->as.time;
  polycodec_time time{load<std::int64_t>(data_, detail::order_of(*array_)), 0, array_->unit};
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

inline std::string_view View::string_of_part(State state, const polycodec_array& array,
                                             const std::byte* data, std::uint64_t count) {
  if (state == State::blob) return to_string_view(data, count);
  if (array.dtype != POLYCODEC_DTYPE_FIXED_UTF8)
    throw_kind(POLYCODEC_KIND_STRING, "a string in UTF-8");
  std::size_t size = array.item_size;
  while (size != 0 && data[size - 1] == std::byte{0}) --size;
  return to_string_view(data, size);
}

[[gnu::noinline]] inline std::string_view View::as_string(std::string& scratch) const {
  if (!is_string() || state_ != State::axis || dtype_ == POLYCODEC_DTYPE_FIXED_UTF8)
    return as_string();
  const std::size_t width = dtype_swap_width(dtype_);
  std::size_t size = array_->item_size;
  while (size != 0 && data_[size - 1] == std::byte{0}) --size;
  scratch = detail::utf8_from_units(data_, (size + width - 1) / width * width, width,
                                    detail::order_of(*array_));
  return scratch;
}

inline void View::throw_kind(std::uint32_t kind, const char* what) {
  throw Error(Status::type,
              std::string("expected ") + what + ", found " + std::string(kind_name(kind)));
}

inline void View::throw_range(const char* what) {
  throw Error(Status::range, std::string("the number does not fit in ") + what);
}

inline void View::throw_elements(std::uint32_t wanted, std::uint32_t ndim, std::uint32_t found) {
  std::string text = std::string("expected a list of ") + std::string(dtype_name(wanted));
  if (ndim != 0)
    text += ", found " + std::to_string(ndim) + " dimensions: read them with nd()";
  else if (!dtype_name(found).empty())
    text += " in one array, found " + std::string(dtype_name(found));
  else
    text += " in one array, found other items: read them one by one, or copy them as numbers";
  throw Error(Status::type, text);
}

inline void View::throw_index(std::uint64_t i, std::uint64_t size) {
  throw Error(Status::range, std::string("no item ") + std::to_string(i) + ": the list has " +
                                 std::to_string(size));
}

}  // namespace polycodec
