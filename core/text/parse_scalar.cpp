// SPDX-License-Identifier: MIT
#include "core/text/parse_scalar.hpp"

#include <base/base64.hpp>
#include <base/dtype_names.hpp>
#include <base/number_type.hpp>

#include "core/text/time.hpp"

#include <bit>
#include <charconv>

namespace polycodec::text {

namespace {

template <class T>
void store_host(unsigned char* out, T value) noexcept {
  std::memcpy(out, &value, sizeof value);
}

void store_bits(unsigned char* out, Uint128 bits, std::uint32_t size) noexcept {
  switch (size) {
    case 1:
      return store_host(out, static_cast<std::uint8_t>(bits));
    case 2:
      return store_host(out, static_cast<std::uint16_t>(bits));
    case 4:
      return store_host(out, static_cast<std::uint32_t>(bits));
    case 8:
      return store_host(out, static_cast<std::uint64_t>(bits));
    default:
      return store_host(out, bits);
  }
}

/// `0x` and exactly so many hex digits.
bool read_hex(std::string_view text, std::size_t digits, Uint128& bits) noexcept {
  if (!text.starts_with("0x") || text.size() != digits + 2) return false;
  bits = 0;
  for (const char c : text.substr(2)) {
    unsigned digit = 0;
    if (std::from_chars(&c, &c + 1, digit, 16).ec != std::errc()) return false;
    bits = bits << 4 | digit;
  }
  return true;
}

/// Exponent and mantissa of an infinity or NaN: sign bit excluded.
bool is_nan_bits(Uint128 bits, std::uint32_t size) noexcept {
  const unsigned width = size * 8;
  const unsigned mantissa = size == 2 ? 10 : size == 4 ? 23 : size == 8 ? 52 : 112;
  const Uint128 magnitude = bits & ((Uint128{1} << (width - 1)) - 1);
  return magnitude > (((Uint128{1} << (width - 1 - mantissa)) - 1) << mantissa);
}

Uint128 infinity_bits(std::uint32_t size) noexcept {
  return size == 2 ? 0x7c00u : size == 4 ? 0x7f800000u : 0x7ff0000000000000u;
}
Uint128 nan_bits(std::uint32_t size) noexcept {
  return size == 2 ? 0x7e00u : size == 4 ? 0x7fc00000u : 0x7ff8000000000000u;
}

}  // namespace

void ScalarParser::special_float(std::uint32_t dtype, unsigned char* out) {
  const std::uint32_t size = dtype_size(dtype);
  const std::string_view word = scanner_.string();
  Uint128 bits = 0;
  if (size == 16) {
    if (!read_hex(word, 32, bits))
      scanner_.fail_token(Status::type, "text.type",
                          "a float128 is written as 0x and 32 hex digits");
  } else if (word == "nan") {
    bits = nan_bits(size);
  } else if (word == "inf") {
    bits = infinity_bits(size);
  } else if (word == "-inf") {
    bits = infinity_bits(size) | Uint128{1} << (size * 8 - 1);
  } else if (!word.starts_with("nan:") || !read_hex(word.substr(4), size * 2, bits) ||
             !is_nan_bits(bits, size)) {
    scanner_.fail_token(Status::type, "text.type",
                        "expected nan, inf, -inf or nan:0x and the " + std::to_string(size * 2) +
                            " hex digits of a NaN");
  }
  store_bits(out, bits, size);
  scanner_.close_form();
}

void ScalarParser::float_number(std::uint32_t dtype, unsigned char* out) {
  if (scanner_.open_form("$float")) return special_float(dtype, out);
  if (!scanner_.at_number()) {
    if (scanner_.at_end()) scanner_.unexpected("a number");
    scanner_.fail(Status::type, "text.type", "expected a " + std::string(dtype_name(dtype)));
  }
  if (dtype == POLYCODEC_DTYPE_FLOAT128)
    scanner_.fail(Status::type, "text.type", R"(expected a float128, {"$float": "0x..."})");
  const std::string_view token = scanner_.number();
  bool fits = false;
  if (dtype == POLYCODEC_DTYPE_FLOAT16) {
    const auto value = read_half(token);
    if ((fits = value.has_value())) store_host(out, *value);
  } else if (dtype == POLYCODEC_DTYPE_FLOAT32) {
    const auto value = read_float(token);
    if ((fits = value.has_value())) store_host(out, *value);
  } else {
    const auto value = read_double(token);
    if ((fits = value.has_value())) store_host(out, *value);
  }
  if (!fits)
    scanner_.fail_token(Status::range, "text.range",
                        "the number is too great for " + std::string(dtype_name(dtype)));
}

void ScalarParser::number(std::uint32_t dtype, unsigned char* out) {
  const std::string name(dtype_name(dtype));
  if (dtype == POLYCODEC_DTYPE_BOOLEAN) {
    const bool yes = scanner_.accept_word("true");
    if (!yes && !scanner_.accept_word("false")) {
      if (scanner_.at_end()) scanner_.unexpected("true or false");
      scanner_.fail(Status::type, "text.type", "expected true or false");
    }
    *out = yes ? 1 : 0;
    return;
  }
  if (is_float(dtype)) return float_number(dtype, out);
  if (is_complex(dtype)) {
    scanner_.expect_form("$complex", "a complex number");
    const std::uint32_t part = part_dtype(dtype);
    Scanner::Members parts(scanner_, '[', ']');
    while (parts.next()) {
      if (parts.count() > 2) scanner_.wrong_count(2, parts.count());
      float_number(part, out + (parts.count() - 1) * dtype_size(part));
    }
    if (parts.count() != 2) scanner_.wrong_count(2, parts.count());
    return scanner_.close_form();
  }
  if (!scanner_.at_number()) {
    if (scanner_.at_end()) scanner_.unexpected("a number");
    scanner_.fail(Status::type, "text.type", "expected an integer of type " + name);
  }
  const std::string_view token = scanner_.number();
  if (!is_integer_token(token))
    scanner_.fail_token(Status::type, "text.type",
                        "expected an integer of type " + name + ", found a float");
  const auto integer = read_integer(token);
  const std::uint32_t size = dtype_size(dtype);
  if (!integer || !(is_signed_integer(dtype) ? integer->fits_signed(size * 8)
                                             : integer->fits_unsigned(size * 8)))
    scanner_.fail_token(Status::range, "text.range", "the number does not fit " + name);
  store_bits(out, integer->bits(), size);
}

polycodec_time ScalarParser::datetime(std::uint32_t unit) {
  scanner_.expect_form("$datetime", "a timestamp");
  if (scanner_.peek() == '[') {
    unsigned char count[8];
    Scanner::Members parts(scanner_, '[', ']');
    if (!parts.next()) scanner_.wrong_count(1, 0);
    number(POLYCODEC_DTYPE_INT64, count);
    if (parts.next()) scanner_.wrong_count(1, 2);
    if (unit != POLYCODEC_UNIT_NONE)
      scanner_.fail(Status::type, "text.type", "only a datetime without unit is a bare count");
    scanner_.close_form();
    std::int64_t value;
    std::memcpy(&value, count, sizeof value);
    return {value, 0, unit};
  }
  const std::string_view text = scanner_.string();
  if (text == "NaT") {
    scanner_.close_form();
    return {not_a_time, 0, unit};
  }
  const auto read = read_time(text);
  if (!read)
    scanner_.fail_token(Status::malformed, "text.time",
                        "not a date and time in ISO 8601 form, UTC, or no such date exists");
  if (unit == POLYCODEC_UNIT_NONE)
    scanner_.fail_token(Status::type, "text.type",
                        "a date needs a type with a unit, such as datetime[unit='s']");
  const auto time = to_time(*read, unit);
  if (!time)
    scanner_.fail_token(Status::range, "text.range",
                        "the time is finer than the unit " + std::string(time_unit_name(unit)) +
                            ", or beyond its 64 bits");
  scanner_.close_form();
  return *time;
}

polycodec_time ScalarParser::any_datetime() {
  const std::size_t start = scanner_.at();
  std::uint32_t unit = POLYCODEC_UNIT_NANOSECOND;
  scanner_.expect('{');
  scanner_.string();
  scanner_.expect(':');
  if (scanner_.peek() == '"') {
    // The form tells the unit.
    if (const auto time = read_time(scanner_.string())) unit = time->unit;
  } else {
    unit = POLYCODEC_UNIT_NONE;
  }
  scanner_.rewind(start);
  return datetime(unit);
}

polycodec_time ScalarParser::timedelta(std::uint32_t unit) {
  scanner_.expect_form("$timedelta", "a duration");
  Scanner::Members parts(scanner_, '[', ']');
  if (!parts.next()) scanner_.wrong_count(2, 0);
  std::int64_t count = not_a_time;
  if (scanner_.peek() == '"') {
    if (scanner_.string() != "NaT")
      scanner_.fail_token(Status::type, "text.type", "expected an integer or \"NaT\"");
  } else {
    unsigned char bytes[8];
    number(POLYCODEC_DTYPE_INT64, bytes);
    std::memcpy(&count, bytes, sizeof count);
  }
  if (!parts.next()) scanner_.wrong_count(2, 1);
  const std::uint32_t found = time_unit_from_name(scanner_.string());
  if (found == POLYCODEC_UNIT_COUNT)
    scanner_.fail_token(Status::type, "text.type", "unknown time unit");
  if (unit != POLYCODEC_UNIT_COUNT && found != unit)
    scanner_.fail_token(Status::type, "text.type",
                        "expected the unit \"" + std::string(time_unit_name(unit)) + "\"");
  if (parts.next()) scanner_.wrong_count(2, 3);
  scanner_.close_form();
  return {count, 0, found};
}

std::string_view ScalarParser::base64() {
  const std::string_view text = scanner_.string();
  decoded_.resize(base64_decoded_bound(text.size()) + 1);
  const Base64Result result = base64_decode(decoded_.data(), decoded_.size(), text);
  if (result.status != Base64Status::ok)
    scanner_.fail_token(Status::malformed, "text.base64",
                        std::string(base64_message(result.status)));
  return {reinterpret_cast<const char*>(decoded_.data()), result.written};
}

std::string_view ScalarParser::text(bool& raw) {
  raw = false;
  if (scanner_.open_form("$string")) {
    raw = true;
    const std::string_view found = base64();
    scanner_.close_form();
    return found;
  }
  if (scanner_.peek() != '"') {
    if (scanner_.at_end()) scanner_.unexpected("a string");
    scanner_.fail(Status::type, "text.type", "expected a string");
  }
  return scanner_.string();
}

std::string_view ScalarParser::bytes() {
  scanner_.expect_form("$bytes", "bytes");
  const std::string_view found = base64();
  scanner_.close_form();
  return found;
}

std::uint64_t ScalarParser::count() {
  unsigned char bytes[8];
  number(POLYCODEC_DTYPE_UINT64, bytes);
  std::uint64_t n = 0;
  std::memcpy(&n, bytes, sizeof n);
  return n;
}

std::int64_t ScalarParser::union_tag(const type::Type& t) {
  unsigned char bytes[8];
  number(POLYCODEC_DTYPE_INT64, bytes);
  std::int64_t tag = 0;
  std::memcpy(&tag, bytes, sizeof tag);
  if (t.is(type::Kind::union_type) &&
      (tag < 0 || static_cast<std::uint64_t>(tag) >= t.items().size()))
    scanner_.fail(Status::range, "text.range",
                  "the union has no alternative " + std::to_string(tag));
  return tag;
}

}  // namespace polycodec::text
