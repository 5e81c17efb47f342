// SPDX-License-Identifier: MIT
#include <base/base64.hpp>
#include <base/dtype_names.hpp>
#include <base/nodes.hpp>
#include <base/number_type.hpp>
#include <base/utf8.hpp>
#include <model/type/build.hpp>

#include "core/text/element.hpp"
#include "core/text/parse.hpp"
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

void Parser::special_float(std::uint32_t dtype, unsigned char* out) {
  const std::uint32_t size = dtype_size(dtype);
  const std::string_view word = cursor_.string();
  Uint128 bits = 0;
  if (size == 16) {
    if (!read_hex(word, 32, bits))
      fail_token(Status::type, "text.type", "a float128 is written as 0x and 32 hex digits");
  } else if (word == "nan") {
    bits = nan_bits(size);
  } else if (word == "inf") {
    bits = infinity_bits(size);
  } else if (word == "-inf") {
    bits = infinity_bits(size) | Uint128{1} << (size * 8 - 1);
  } else if (!word.starts_with("nan:") || !read_hex(word.substr(4), size * 2, bits) ||
             !is_nan_bits(bits, size)) {
    fail_token(Status::type, "text.type",
               "expected nan, inf, -inf or nan:0x and the " + std::to_string(size * 2) +
                   " hex digits of a NaN");
  }
  store_bits(out, bits, size);
  close_form();
}

void Parser::float_number(std::uint32_t dtype, unsigned char* out) {
  if (open_form("$float")) return special_float(dtype, out);
  if (!cursor_.at_number()) {
    if (cursor_.at_end()) cursor_.unexpected("a number");
    fail(Status::type, "text.type", "expected a " + std::string(dtype_name(dtype)));
  }
  if (dtype == POLYCODEC_DTYPE_FLOAT128)
    fail(Status::type, "text.type", R"(expected a float128, {"$float": "0x..."})");
  const std::string_view token = cursor_.number();
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
    fail_token(Status::range, "text.range",
               "the number is too great for " + std::string(dtype_name(dtype)));
}

void Parser::number(std::uint32_t dtype, unsigned char* out) {
  const std::string name(dtype_name(dtype));
  if (dtype == POLYCODEC_DTYPE_BOOLEAN) {
    const bool yes = cursor_.accept_word("true");
    if (!yes && !cursor_.accept_word("false")) {
      if (cursor_.at_end()) cursor_.unexpected("true or false");
      fail(Status::type, "text.type", "expected true or false");
    }
    *out = yes ? 1 : 0;
    return;
  }
  if (is_float(dtype)) return float_number(dtype, out);
  if (is_complex(dtype)) {
    expect_form("$complex", "a complex number");
    const std::uint32_t part = part_dtype(dtype);
    Members parts(*this, '[', ']');
    while (parts.next()) {
      if (parts.count() > 2) wrong_count(2, parts.count());
      float_number(part, out + (parts.count() - 1) * dtype_size(part));
    }
    if (parts.count() != 2) wrong_count(2, parts.count());
    return close_form();
  }
  if (!cursor_.at_number()) {
    if (cursor_.at_end()) cursor_.unexpected("a number");
    fail(Status::type, "text.type", "expected an integer of type " + name);
  }
  const std::string_view token = cursor_.number();
  if (!is_integer_token(token))
    fail_token(Status::type, "text.type",
               "expected an integer of type " + name + ", found a float");
  const auto integer = read_integer(token);
  const std::uint32_t size = dtype_size(dtype);
  if (!integer || !(is_signed_integer(dtype) ? integer->fits_signed(size * 8)
                                             : integer->fits_unsigned(size * 8)))
    fail_token(Status::range, "text.range", "the number does not fit " + name);
  store_bits(out, integer->bits(), size);
}

polycodec_node Parser::number_node(std::uint32_t dtype) {
  alignas(16) unsigned char bytes[16] = {};
  number(dtype, bytes);
  return polycodec::number_node(builder_, dtype, bytes);
}

polycodec_time Parser::datetime(std::uint32_t unit) {
  expect_form("$datetime", "a timestamp");
  if (cursor_.peek() == '[') {
    unsigned char count[8];
    Members parts(*this, '[', ']');
    if (!parts.next()) wrong_count(1, 0);
    number(POLYCODEC_DTYPE_INT64, count);
    if (parts.next()) wrong_count(1, 2);
    if (unit != POLYCODEC_UNIT_NONE)
      fail(Status::type, "text.type", "only a datetime without unit is a bare count");
    close_form();
    std::int64_t value;
    std::memcpy(&value, count, sizeof value);
    return {value, 0, unit};
  }
  const std::string_view text = cursor_.string();
  if (text == "NaT") {
    close_form();
    return {not_a_time, 0, unit};
  }
  const auto read = read_time(text);
  if (!read)
    fail_token(Status::malformed, "text.time",
               "not a date and time in ISO 8601 form, UTC, or no such date exists");
  if (unit == POLYCODEC_UNIT_NONE)
    fail_token(Status::type, "text.type",
               "a date needs a type with a unit, such as datetime[unit='s']");
  const auto time = to_time(*read, unit);
  if (!time)
    fail_token(Status::range, "text.range",
               "the time is finer than the unit " + std::string(time_unit_name(unit)) +
                   ", or beyond its 64 bits");
  close_form();
  return *time;
}

polycodec_node Parser::any_datetime() {
  const std::size_t start = cursor_.at();
  std::uint32_t unit = POLYCODEC_UNIT_NANOSECOND;
  cursor_.expect('{');
  cursor_.string();
  cursor_.expect(':');
  if (cursor_.peek() == '"') {
    // The form tells the unit.
    if (const auto time = read_time(cursor_.string())) unit = time->unit;
  } else {
    unit = POLYCODEC_UNIT_NONE;
  }
  cursor_.rewind(start);
  const polycodec_time time = datetime(unit);
  return builder_.timestamp(time.count, time.nanoseconds, time.unit);
}

std::int64_t Parser::timedelta(std::uint32_t unit) {
  expect_form("$timedelta", "a duration");
  Members parts(*this, '[', ']');
  if (!parts.next()) wrong_count(2, 0);
  std::int64_t count = not_a_time;
  if (cursor_.peek() == '"') {
    if (cursor_.string() != "NaT")
      fail_token(Status::type, "text.type", "expected an integer or \"NaT\"");
  } else {
    unsigned char bytes[8];
    number(POLYCODEC_DTYPE_INT64, bytes);
    std::memcpy(&count, bytes, sizeof count);
  }
  if (!parts.next()) wrong_count(2, 1);
  const std::uint32_t found = time_unit_from_name(cursor_.string());
  if (found == POLYCODEC_UNIT_COUNT) fail_token(Status::type, "text.type", "unknown time unit");
  if (unit != POLYCODEC_UNIT_COUNT && found != unit)
    fail_token(Status::type, "text.type",
               "expected the unit \"" + std::string(time_unit_name(unit)) + "\"");
  any_unit_ = found;
  if (parts.next()) wrong_count(2, 3);
  close_form();
  return count;
}

std::string_view Parser::base64() {
  const std::string_view text = cursor_.string();
  decoded_.resize(base64_decoded_bound(text.size()) + 1);
  const Base64Result result = base64_decode(decoded_.data(), decoded_.size(), text);
  if (result.status != Base64Status::ok)
    fail_token(Status::malformed, "text.base64", std::string(base64_message(result.status)));
  return {reinterpret_cast<const char*>(decoded_.data()), result.written};
}

std::string_view Parser::text(bool& raw) {
  raw = false;
  if (open_form("$string")) {
    raw = true;
    const std::string_view found = base64();
    close_form();
    return found;
  }
  if (cursor_.peek() != '"') {
    if (cursor_.at_end()) cursor_.unexpected("a string");
    fail(Status::type, "text.type", "expected a string");
  }
  return cursor_.string();
}

std::string_view Parser::bytes() {
  expect_form("$bytes", "bytes");
  const std::string_view found = base64();
  close_form();
  return found;
}

polycodec_node Parser::text_node() {
  bool raw = false;
  const std::string_view found = text(raw);
  polycodec_node n = builder_.string_copy(found);
  if (raw && !is_utf8(found)) n.dtype = POLYCODEC_STRING_LENIENT;
  return n;
}

polycodec_node Parser::element_node(const type::Type& t) {
  const ElementReader reader(t);
  std::vector<std::byte> bytes;
  reader.append(*this, bytes);
  return Builder::array(reader.array(builder_, bytes, {}));
}

}  // namespace polycodec::text
