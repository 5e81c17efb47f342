// SPDX-License-Identifier: MIT
#include "core/text/scalar.hpp"

#include <base/dtype_names.hpp>
#include <base/half.hpp>
#include <base/hex.hpp>
#include <base/utf_convert.hpp>
#include <polycodec/byte_order.hpp>

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

template <class Part>
void put_complex(TextOut& out, const unsigned char* data, std::size_t part, Part put_part) {
  out.put(R"({"$complex": [)");
  put_part(out, data);
  out.put(", ");
  put_part(out, data + part);
  out.put("]}");
}

/// Calls `run` with a function that writes one element of type T.
template <class T, class Write>
void put_integers(TextOut& out, const std::byte* p, std::uint64_t count, std::int64_t stride,
                  bool swap, Write write) {
  constexpr std::uint64_t block = 256;
  while (count > 0) {
    const std::uint64_t part = count < block ? count : block;
    char* at = out.room(static_cast<std::size_t>(part) * 24);
    for (std::uint64_t i = 0; i < part; ++i, p += stride) {
      T value;
      std::memcpy(&value, p, sizeof value);
      if (swap) value = byteswap(value);
      at = write(at, value);
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
    // A count of nobody knows what is no date.
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

void put_number(TextOut& out, const void* data, std::uint32_t dtype) {
  const auto* p = static_cast<const unsigned char*>(data);
  const auto put_signed = [&out](std::int64_t value) {
    out.put_with([=](char* q) { return write_signed(q, value); });
  };
  const auto put_unsigned = [&out](std::uint64_t value) {
    out.put_with([=](char* q) { return write_unsigned(q, value); });
  };
  switch (dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      return out.put(*p != 0 ? "true" : "false");
    case POLYCODEC_DTYPE_INT8:
      return put_signed(load_host<std::int8_t>(p));
    case POLYCODEC_DTYPE_INT16:
      return put_signed(load_host<std::int16_t>(p));
    case POLYCODEC_DTYPE_INT32:
      return put_signed(load_host<std::int32_t>(p));
    case POLYCODEC_DTYPE_INT64:
      return put_signed(load_host<std::int64_t>(p));
    case POLYCODEC_DTYPE_INT128:
      return out.put_with([=](char* q) { return write_signed128(q, load_host<Int128>(p)); });
    case POLYCODEC_DTYPE_UINT8:
      return put_unsigned(*p);
    case POLYCODEC_DTYPE_UINT16:
      return put_unsigned(load_host<std::uint16_t>(p));
    case POLYCODEC_DTYPE_UINT32:
      return put_unsigned(load_host<std::uint32_t>(p));
    case POLYCODEC_DTYPE_UINT64:
      return put_unsigned(load_host<std::uint64_t>(p));
    case POLYCODEC_DTYPE_UINT128:
      return out.put_with([=](char* q) { return write_unsigned128(q, load_host<Uint128>(p)); });
    case POLYCODEC_DTYPE_FLOAT16:
      return put_half(out, load_host<std::uint16_t>(p));
    case POLYCODEC_DTYPE_FLOAT32:
      return put_float(out, load_host<float>(p));
    case POLYCODEC_DTYPE_FLOAT64:
      return put_double(out, load_host<double>(p));
    case POLYCODEC_DTYPE_FLOAT128:
      out.put(R"({"$float": "0x)");
      out.put_with([=](char* q) { return write_hex(q, load_host<Uint128>(p), 32); });
      return out.put("\"}");
    case POLYCODEC_DTYPE_COMPLEX32:
      return put_complex(
          out, p, 2, [](TextOut& o, const void* q) { put_half(o, load_host<std::uint16_t>(q)); });
    case POLYCODEC_DTYPE_COMPLEX64:
      return put_complex(out, p, 4,
                         [](TextOut& o, const void* q) { put_float(o, load_host<float>(q)); });
    case POLYCODEC_DTYPE_COMPLEX128:
      return put_complex(out, p, 8,
                         [](TextOut& o, const void* q) { put_double(o, load_host<double>(q)); });
    default:
      throw Error(Status::invalid, "a number of unknown element type " + std::to_string(dtype));
  }
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
    // What is no text stays what it is: the code units, little-endian.
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
  const auto write_s = [](char* p, auto value) { return write_signed(p, value); };
  const auto write_u = [](char* p, auto value) { return write_unsigned(p, value); };
  switch (dtype_) {
    case POLYCODEC_DTYPE_INT8:
      return put_integers<std::int8_t>(out, first, count, stride, false, write_s);
    case POLYCODEC_DTYPE_INT16:
      return put_integers<std::int16_t>(out, first, count, stride, swap_, write_s);
    case POLYCODEC_DTYPE_INT32:
      return put_integers<std::int32_t>(out, first, count, stride, swap_, write_s);
    case POLYCODEC_DTYPE_INT64:
      return put_integers<std::int64_t>(out, first, count, stride, swap_, write_s);
    case POLYCODEC_DTYPE_UINT8:
      return put_integers<std::uint8_t>(out, first, count, stride, false, write_u);
    case POLYCODEC_DTYPE_UINT16:
      return put_integers<std::uint16_t>(out, first, count, stride, swap_, write_u);
    case POLYCODEC_DTYPE_UINT32:
      return put_integers<std::uint32_t>(out, first, count, stride, swap_, write_u);
    case POLYCODEC_DTYPE_UINT64:
      return put_integers<std::uint64_t>(out, first, count, stride, swap_, write_u);
    default:
      for (std::uint64_t i = 0; i < count; ++i) {
        if (i != 0) out.put(", ");
        put(out, first + static_cast<std::int64_t>(i) * stride);
      }
  }
}

}  // namespace polycodec::text
