// SPDX-License-Identifier: MIT
#include "core/text/scalar.hpp"

#include <base/dtype_names.hpp>
#include <base/hex.hpp>
#include <base/number_type.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/utf.hpp>

#include "core/text/time.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace polycodec::text {

namespace {

template <class T>
T load_host(const void* data) noexcept {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

char* write_hex(char* out, Uint128 bits, int digits) noexcept {
  for (int i = digits - 1; i >= 0; --i, bits >>= 4)
    out[i] = hex_digits[static_cast<unsigned>(bits & 15)];
  return out + digits;
}

/// Infinities and NaNs: {"$float": "nan"}; a NaN other than the positive quiet one without payload
/// shows its bits.
void put_special(TextOut& out, bool is_nan, bool negative, std::uint64_t bits,
                 std::uint64_t plain_nan, int digits) {
  if (!is_nan) return out.put(negative ? R"({"$float": "-inf"})" : R"({"$float": "inf"})");
  if (bits == plain_nan) return out.put(R"({"$float": "nan"})");
  out.put(R"({"$float": "nan:0x)");
  out.put_with([&](char* p) { return write_hex(p, bits, digits); });
  out.put("\"}");
}

template <class T>
char* write_integer(char* out, T value) noexcept {
  if constexpr (std::is_signed_v<T>)
    return write_signed(out, value);
  else
    return write_unsigned(out, value);
}

template <class T>
void put_integers(TextOut& out, const std::byte* p, std::uint64_t count, std::int64_t stride,
                  bool swap) {
  constexpr std::uint64_t block = 256;
  while (count > 0) {
    const std::uint64_t part = count < block ? count : block;
    char* at = out.room(static_cast<std::size_t>(part) * 24);
    for (std::uint64_t i = 0; i < part; ++i, p += stride) {
      T value;
      std::memcpy(&value, p, sizeof value);
      if (swap) value = byteswap(value);
      at = write_integer(at, value);
      *at++ = ',';
      *at++ = ' ';
    }
    count -= part;
    out.take(count == 0 ? at - 2 : at);
  }
}

}  // namespace

void put_half(TextOut& out, std::uint16_t bits) {
  if ((bits & 0x7c00u) != 0x7c00u)
    return out.put_with([&](char* p) { return write_half(p, bits); });
  put_special(out, (bits & 0x3ffu) != 0, (bits & 0x8000u) != 0, bits, 0x7e00u, 4);
}

void put_float(TextOut& out, float value) {
  if (std::isfinite(value)) return out.put_with([&](char* p) { return write_float(p, value); });
  put_special(out, std::isnan(value), std::signbit(value), std::bit_cast<std::uint32_t>(value),
              0x7fc00000u, 8);
}

void put_double(TextOut& out, double value) {
  if (std::isfinite(value)) return out.put_with([&](char* p) { return write_double(p, value); });
  put_special(out, std::isnan(value), std::signbit(value), std::bit_cast<std::uint64_t>(value),
              0x7ff8000000000000u, 16);
}

void put_text(TextOut& out, std::string_view text) {
  if (is_utf8(text)) return out.put_quoted(text);
  out.put(R"({"$string": )");
  out.put_base64(text.data(), text.size());
  out.put('}');
}

void put_bytes(TextOut& out, const void* data, std::size_t size) {
  out.put(R"({"$bytes": )");
  out.put_base64(data, size);
  out.put('}');
}

void put_datetime(TextOut& out, const polycodec_time& time) {
  if (time.nanoseconds > 999999999)
    throw Error(Status::invalid, "a time has a second or more of nanoseconds");
  if (time.count == not_a_time) return out.put(R"({"$datetime": "NaT"})");
  if (time.unit == POLYCODEC_UNIT_NONE || time.unit >= POLYCODEC_UNIT_COUNT) {
    // A count of nobody knows what is not a date.
    out.put(R"({"$datetime": [)");
    out.put_with([&](char* p) { return write_signed(p, time.count); });
    return out.put("]}");
  }
  out.put(R"({"$datetime": ")");
  out.take(write_time(out.room(max_time_size), time));
  out.put("\"}");
}

void put_timedelta(TextOut& out, std::int64_t count, std::uint32_t unit) {
  out.put(R"({"$timedelta": [)");
  if (count == not_a_time)
    out.put("\"NaT\"");
  else
    out.put_with([&](char* p) { return write_signed(p, count); });
  out.put(", \"");
  out.put(time_unit_name(unit));
  out.put("\"]}");
}

namespace {

/// A boolean, a number of 128 bits or a complex number.
void put_other(TextOut& out, const unsigned char* p, std::uint32_t dtype) {
  if (dtype == POLYCODEC_DTYPE_BOOLEAN) {
    out.put(*p != 0 ? "true" : "false");
  } else if (dtype == POLYCODEC_DTYPE_INT128) {
    out.put_with([=](char* to) { return write_signed128(to, load_host<Int128>(p)); });
  } else if (dtype == POLYCODEC_DTYPE_UINT128) {
    out.put_with([=](char* to) { return write_unsigned128(to, load_host<Uint128>(p)); });
  } else if (dtype == POLYCODEC_DTYPE_FLOAT128) {
    out.put(R"({"$float": "0x)");
    out.put_with([=](char* to) { return write_hex(to, load_host<Uint128>(p), 32); });
    out.put("\"}");
  } else if (is_complex(dtype)) {
    const std::uint32_t part = part_dtype(dtype);
    out.put(R"({"$complex": [)");
    put_number(out, p, part);
    out.put(", ");
    put_number(out, p + dtype_size(part), part);
    out.put("]}");
  } else {
    throw Error(Status::invalid, "a number of unknown element type " + std::to_string(dtype));
  }
}

}  // namespace

void put_number(TextOut& out, const void* data, std::uint32_t dtype) {
  const auto* p = static_cast<const unsigned char*>(data);
  with_number_type(
      dtype,
      [&](auto zero) {
        using T = decltype(zero);
        const T value = load_host<T>(p);
        if constexpr (std::is_same_v<T, Half>)
          put_half(out, static_cast<std::uint16_t>(value));
        else if constexpr (std::is_same_v<T, float>)
          put_float(out, value);
        else if constexpr (std::is_same_v<T, double>)
          put_double(out, value);
        else
          out.put_with([=](char* to) { return write_integer(to, value); });
      },
      [&] { put_other(out, p, dtype); });
}

void ElementPrinter::put_fixed(TextOut& out, const std::byte* element) const {
  std::size_t size = size_;
  const std::size_t unit = dtype_ == POLYCODEC_DTYPE_FIXED_UTF16   ? 2
                           : dtype_ == POLYCODEC_DTYPE_FIXED_UTF32 ? 4
                                                                   : 1;
  size -= size % unit;
  const auto is_zero = [=](std::size_t at) {
    for (std::size_t i = 0; i < unit; ++i)
      if (element[at + i] != std::byte{0}) return false;
    return true;
  };
  while (size > 0 && is_zero(size - unit)) size -= unit;
  const char* chars = reinterpret_cast<const char*>(element);
  if (unit == 1) return put_text(out, {chars, size});
  const std::endian order = swap_ == (std::endian::native == std::endian::little)
                                ? std::endian::big
                                : std::endian::little;
  std::string text;
  try {
    text = unit == 2 ? utf8_from_utf16(element, size / 2, order)
                     : utf8_from_utf32(element, size / 4, order);
  } catch (const Error&) {
    // What is not a text stays what it is: the code units, little-endian.
    std::string raw(chars, size);
    if (order == std::endian::big)
      for (std::size_t i = 0; i < size; i += unit)
        std::reverse(raw.begin() + static_cast<std::ptrdiff_t>(i),
                     raw.begin() + static_cast<std::ptrdiff_t>(i + unit));
    out.put(R"({"$string": )");
    out.put_base64(raw.data(), raw.size());
    return out.put('}');
  }
  out.put_quoted(text);
}

void ElementPrinter::put(TextOut& out, const std::byte* element) const {
  if (dtype_ == POLYCODEC_DTYPE_FIXED_BYTES) return put_bytes(out, element, size_);
  if (is_fixed(dtype_)) return put_fixed(out, element);
  unsigned char bytes[16];
  const std::size_t size = dtype_size(dtype_);
  std::memcpy(bytes, element, size);
  if (swap_) {
    const std::size_t width = dtype_swap_width(dtype_);
    for (std::size_t i = 0; i < size; i += width) std::reverse(bytes + i, bytes + i + width);
  }
  if (dtype_ == POLYCODEC_DTYPE_TIMESTAMP64)
    return put_datetime(out, split_count(load_host<std::int64_t>(bytes), unit_));
  if (dtype_ == POLYCODEC_DTYPE_DURATION64)
    return put_timedelta(out, load_host<std::int64_t>(bytes), unit_);
  put_number(out, bytes, dtype_);
}

void ElementPrinter::put_run(TextOut& out, const std::byte* first, std::uint64_t count,
                             std::int64_t stride) const {
  if (count == 0) return;
  const auto one_by_one = [&] {
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i != 0) out.put(", ");
      put(out, first + static_cast<std::int64_t>(i) * stride);
    }
  };
  with_number_type(
      dtype_,
      [&](auto zero) {
        if constexpr (std::is_integral_v<decltype(zero)>)
          put_integers<decltype(zero)>(out, first, count, stride, swap_);
        else
          one_by_one();
      },
      one_by_one);
}

}  // namespace polycodec::text
