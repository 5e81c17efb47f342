// SPDX-License-Identifier: MIT
#include "core/convert/scalar_store.hpp"

#include <base/half.hpp>
#include <base/utf8.hpp>
#include <polycodec/error.hpp>

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
  throw Error(Status::range, "the value is not exactly a " +
                                 std::string(is_fixed(layout.dtype)  ? "text of this size"
                                             : is_time(layout.dtype) ? "count of this unit"
                                                                     : dtype_name(layout.dtype)));
}

// An integer of up to 64 bits and a sign.
struct Integer {
  bool negative;
  std::uint64_t magnitude;
};

Integer integer_of(const View& item, const ElementLayout& layout) {
  if (item.kind() == POLYCODEC_KIND_UNSIGNED) return {false, item.as_uint64()};
  if (item.kind() == POLYCODEC_KIND_SIGNED) {
    const std::int64_t value = item.as_int64();
    const auto bits = static_cast<std::uint64_t>(value);
    return {value < 0, value < 0 ? std::uint64_t{0} - bits : bits};
  }
  if (item.kind() != POLYCODEC_KIND_FLOAT) throw_type(item, layout);
  const double value = item.as_double();
  const double magnitude = std::fabs(value);
  if (!(magnitude < 0x1p64) || magnitude != std::trunc(magnitude) ||
      (value == 0 && std::signbit(value)))
    throw_range(layout);
  return {value < 0, static_cast<std::uint64_t>(magnitude)};
}

void store_integer(const View& item, const ElementLayout& layout, std::byte* out) {
  const Integer n = integer_of(item, layout);
  const unsigned bits = layout.item_size * 8;
  const bool is_signed = is_signed_integer(layout.dtype);
  const std::uint64_t low = n.negative ? std::uint64_t{0} - n.magnitude : n.magnitude;
  if (bits == 128) {
    if (n.negative && !is_signed) throw_range(layout);
    const std::uint64_t parts[2] = {low, n.negative ? UINT64_MAX : 0};
    constexpr bool little = std::endian::native == std::endian::little;
    std::memcpy(out, &parts[little ? 0 : 1], 8);
    std::memcpy(out + 8, &parts[little ? 1 : 0], 8);
    return;
  }
  const std::uint64_t most = UINT64_MAX >> (64 - bits + (is_signed ? 1 : 0));
  if (n.negative ? !is_signed || n.magnitude > most + 1 : n.magnitude > most) throw_range(layout);
  std::byte all[8];
  std::memcpy(all, &low, 8);
  std::memcpy(out, std::endian::native == std::endian::little ? all : all + 8 - layout.item_size,
              layout.item_size);
}

void store_real(double value, const ElementLayout& layout, std::uint32_t dtype, std::byte* out) {
  const auto same = [&](double back) {
    if (std::bit_cast<std::uint64_t>(back) != std::bit_cast<std::uint64_t>(value))
      throw_range(layout);
  };
  if (dtype == POLYCODEC_DTYPE_FLOAT64) {
    std::memcpy(out, &value, 8);
  } else if (dtype == POLYCODEC_DTYPE_FLOAT32) {
    const auto narrow = static_cast<float>(value);
    same(static_cast<double>(narrow));
    std::memcpy(out, &narrow, 4);
  } else {
    const std::uint16_t narrow = double_to_half(value);
    same(static_cast<double>(half_to_float(narrow)));
    std::memcpy(out, &narrow, 2);
  }
}

double real_of(const View& item, const ElementLayout& layout) {
  if (item.kind() != POLYCODEC_KIND_FLOAT && !item.is_integer()) throw_type(item, layout);
  return item.as_double();
}

void store_complex(const View& item, const ElementLayout& layout, std::byte* out) {
  if (!is_complex(item.dtype())) throw_type(item, layout);
  constexpr std::uint32_t part_types[] = {POLYCODEC_DTYPE_FLOAT16, POLYCODEC_DTYPE_FLOAT32,
                                          POLYCODEC_DTYPE_FLOAT64};
  std::byte bits[16] = {};
  const std::uint32_t from = item.copy_bits(bits) / 2;
  const std::uint32_t to = layout.item_size / 2;
  for (unsigned i = 0; i < 2; ++i) {
    const std::byte* p = bits + i * from;
    const double part =
        from == 8 ? load<double>(p, std::endian::native)
        : from == 4
            ? static_cast<double>(load<float>(p, std::endian::native))
            : static_cast<double>(half_to_float(load<std::uint16_t>(p, std::endian::native)));
    store_real(part, layout, part_types[layout.dtype - POLYCODEC_DTYPE_COMPLEX32], out + i * to);
  }
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

template <class Unit>
std::size_t encode_units(std::string_view text, std::byte* out, std::size_t capacity) {
  std::size_t used = 0;
  const auto put = [&](std::uint32_t unit) {
    if (used < capacity) {
      const auto narrow = static_cast<Unit>(unit);
      std::memcpy(out + used * sizeof(Unit), &narrow, sizeof(Unit));
    }
    ++used;
  };
  while (!text.empty()) {
    char32_t c = 0;
    const std::uint32_t size =
        decode_one(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), c);
    if (size == 0) return SIZE_MAX;
    text.remove_prefix(size);
    const auto point = static_cast<std::uint32_t>(c);
    if (sizeof(Unit) == 4 || point < 0x10000) {
      put(point);
    } else {
      put(0xd7c0 + (point >> 10));
      put(0xdc00 + (point & 0x3ff));
    }
  }
  return used;
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
  std::memset(out, 0, layout.item_size);
  std::size_t units = text.size();
  if (layout.dtype == POLYCODEC_DTYPE_FIXED_UTF16)
    units = encode_units<std::uint16_t>(text, out, layout.item_size / 2);
  if (layout.dtype == POLYCODEC_DTYPE_FIXED_UTF32)
    units = encode_units<std::uint32_t>(text, out, layout.item_size / 4);
  if (units > layout.item_size / dtype_swap_width(layout.dtype) || !is_utf8(text))
    throw_range(layout);
  if (layout.dtype == POLYCODEC_DTYPE_FIXED_UTF8 && units != 0)
    std::memcpy(out, text.data(), units);
}

}  // namespace

void store_scalar(const View& item, const ElementLayout& layout, std::byte* out) {
  if (is_time(layout.dtype)) return store_time(item, layout, out);
  if (is_fixed(layout.dtype)) return store_text(item, layout, out);
  const bool number = item.kind() >= POLYCODEC_KIND_BOOLEAN && item.kind() <= POLYCODEC_KIND_WIDE;
  if (number && item.dtype() == layout.dtype) {
    std::byte bits[16] = {};
    const std::uint32_t size = item.copy_bits(bits);
    std::memcpy(out, bits, size);
    return;
  }
  if (!number || item.kind() == POLYCODEC_KIND_BOOLEAN || layout.dtype == POLYCODEC_DTYPE_BOOLEAN)
    throw_type(item, layout);
  if (is_integer(layout.dtype)) return store_integer(item, layout, out);
  if (is_complex(layout.dtype)) return store_complex(item, layout, out);
  if (layout.dtype == POLYCODEC_DTYPE_FLOAT128) throw_type(item, layout);
  store_real(real_of(item, layout), layout, layout.dtype, out);
}

}  // namespace polycodec::detail
