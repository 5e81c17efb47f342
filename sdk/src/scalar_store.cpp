// SPDX-License-Identifier: MIT
#include <base/article.hpp>
#include <base/convert_number.hpp>
#include <base/dtype_names.hpp>
#include <base/scalar_store.hpp>
#include <polycodec/error.hpp>
#include <polycodec/utf.hpp>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

namespace polycodec::detail {
namespace {

[[noreturn]] void throw_type(const View& item, const ElementLayout& layout) {
  const std::string wanted(is_fixed(layout.dtype) ? "a fixed-size text" : dtype_name(layout.dtype));
  throw Error(Status::type, std::string(kind_name(item.kind())) + " where " +
                                (is_time(layout.dtype) ? std::string("a time") : wanted) +
                                " is wanted");
}
[[noreturn]] void throw_range(const ElementLayout& layout) {
  throw Error(Status::range, "the value is not exactly " +
                                 with_article(is_fixed(layout.dtype)  ? "text of this size"
                                              : is_time(layout.dtype) ? "count of this unit"
                                                                      : dtype_name(layout.dtype)));
}

/// A float that is an integer, of less than 2^64.
Integer128 integer_of(double value, const ElementLayout& layout) {
  const double magnitude = std::fabs(value);
  if (!(magnitude < 0x1p64) || magnitude != std::trunc(magnitude) ||
      (value == 0 && std::signbit(value)))
    throw_range(layout);
  const auto bits = static_cast<std::uint64_t>(magnitude);
  return value < 0 ? Integer128{std::uint64_t{0} - bits, UINT64_MAX, true}
                   : Integer128{bits, 0, false};
}

void store_number(const View& item, const ElementLayout& layout, std::byte* out) {
  std::uint8_t bytes[16] = {};
  std::optional<bool> exact = convert_number(item, layout.dtype, bytes);
  if (!exact && item.kind() == POLYCODEC_KIND_FLOAT && is_integer(layout.dtype))
    exact = put_integer(integer_of(item.as_double(), layout), layout.dtype, bytes);
  if (!exact) throw_type(item, layout);
  if (!*exact) throw_range(layout);
  if constexpr (std::endian::native == std::endian::big) {
    const std::uint32_t width = dtype_swap_width(layout.dtype);
    swap_copy(bytes, bytes, layout.item_size / width, width);
  }
  std::memcpy(out, bytes, layout.item_size);
}

void store_time(const View& item, const ElementLayout& layout, std::byte* out) {
  const bool point = layout.dtype == POLYCODEC_DTYPE_TIMESTAMP64;
  if (item.kind() != (point ? POLYCODEC_KIND_TIMESTAMP : POLYCODEC_KIND_DURATION))
    throw_type(item, layout);
  const polycodec_time time = item.as_time();
  std::int64_t count = time.count;
  if (!point || !is_subsecond_unit(time.unit)) {
    if (time.unit != layout.unit) throw_range(layout);
  } else if (!is_subsecond_unit(layout.unit)) {
    throw_range(layout);
  } else if (count != INT64_MIN) {
    std::int64_t in_second = 1;
    for (std::uint32_t unit = POLYCODEC_UNIT_SECOND; unit < layout.unit; ++unit) in_second *= 1000;
    const std::int64_t step = 1000000000 / in_second;
    // Counted from the second above for negative times, so that the least count does not overflow
    // on the way.
    const std::int64_t up = count < 0 && time.nanoseconds != 0 ? 1 : 0;
    const std::int64_t rest = time.nanoseconds / step - up * in_second;
    if (time.nanoseconds % step != 0 || __builtin_mul_overflow(count + up, in_second, &count) ||
        __builtin_add_overflow(count, rest, &count) || count == INT64_MIN)
      throw_range(layout);
  }
  std::memcpy(out, &count, 8);
}

void store_text(const View& item, const ElementLayout& layout, std::byte* out) {
  if (layout.dtype == POLYCODEC_DTYPE_FIXED_BYTES) {
    if (item.kind() != POLYCODEC_KIND_BINARY) throw_type(item, layout);
    const std::string_view bytes = item.as_bytes();
    if (bytes.size() != layout.item_size) throw_range(layout);
    if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
    return;
  }
  if (item.kind() != POLYCODEC_KIND_STRING) throw_type(item, layout);
  std::string scratch;
  const std::string_view text = item.as_string(scratch);
  // The zeros of a text that ends in some could not be told from the padding.
  if (!text.empty() && text.back() == '\0') throw_range(layout);
  if (!is_utf8(text)) throw_range(layout);
  std::u16string units16;
  std::u32string units32;
  const void* units = text.data();
  std::size_t size = text.size();
  if (layout.dtype == POLYCODEC_DTYPE_FIXED_UTF16) {
    units16 = utf16_from_utf8(text);
    units = units16.data();
    size = units16.size() * 2;
  } else if (layout.dtype == POLYCODEC_DTYPE_FIXED_UTF32) {
    units32 = utf32_from_utf8(text);
    units = units32.data();
    size = units32.size() * 4;
  }
  if (size > layout.item_size) throw_range(layout);
  std::memset(out, 0, layout.item_size);
  if (size != 0) std::memcpy(out, units, size);
}

}  // namespace

void store_scalar(const View& item, const ElementLayout& layout, std::byte* out) {
  if (is_time(layout.dtype)) return store_time(item, layout, out);
  if (is_fixed(layout.dtype)) return store_text(item, layout, out);
  store_number(item, layout, out);
}

}  // namespace polycodec::detail
