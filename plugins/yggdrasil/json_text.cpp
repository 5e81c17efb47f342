// SPDX-License-Identifier: MIT
#include "json_text.hpp"

#include <base/decimal.hpp>
#include <base/hex.hpp>
#include <base/json_number.hpp>
#include <polycodec/utf.hpp>

#include "scan.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace polycodec::yggdrasil {
namespace {

// Four hex digits, or more than they can be.
std::uint32_t hex4(const char* p) noexcept {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const int digit = hex_value(p[i]);
    if (digit < 0) return UINT32_MAX;
    value = value << 4 | static_cast<std::uint32_t>(digit);
  }
  return value;
}

polycodec_node long_integer(Decoding& state, std::string_view digits) {
  if (const auto integer = text::read_integer(digits); integer) {
    const text::Uint128 bits = integer->bits();
    if (integer->fits_signed(128)) return state.out.wide(POLYCODEC_DTYPE_INT128, &bits);
    if (!integer->negative) return state.out.wide(POLYCODEC_DTYPE_UINT128, &bits);
  }
  state.take_nodes(1, Error::no_offset);
  return state.out.extension("yggdrasil.integer", Builder::string_view(digits));
}

}  // namespace

const char* JsonText::real(const char* const p, const char* q, polycodec_node* node) const {
  if (*q == '.' && (++q == end || !detail::is_digit(*q))) [[unlikely]]
    fail(q == end ? Status::truncated : Status::malformed,
         q == end ? "json.truncated" : "json.syntax", "a number without digits after its point", q);
  double value = 0;
  const DecimalEnd whole = parse_decimal(p, end, value);
  if (std::isinf(value)) [[unlikely]]
    fail(Status::range, "json.number", "a number beyond the range of float64", p);
  if (whole.end != end && (*whole.end | 0x20) == 'e') [[unlikely]]
    fail(whole.end + 1 == end ? Status::truncated : Status::malformed,
         whole.end + 1 == end ? "json.truncated" : "json.syntax", "an exponent without digits",
         whole.end);
  *node = Builder::real(value);
  return whole.end;
}

const char* JsonText::number(const char* const p, polycodec_node* node) const {
  const bool negative = *p == '-';
  const char* const digits = p + (negative ? 1 : 0);
  if (digits == end) fail(Status::truncated, "json.truncated", "a number without digits", p);
  if (!detail::is_digit(*digits)) {
    // Not JSON, but what Python writes.
    using Limits = std::numeric_limits<double>;
    if (is_word(digits, end, "Infinity")) {
      *node = Builder::real(negative ? -Limits::infinity() : Limits::infinity());
      return digits + 8;
    }
    if (!negative && is_word(p, end, "NaN")) {
      *node = Builder::real(Limits::quiet_NaN());
      return p + 3;
    }
    fail(Status::malformed, "json.syntax", "expected a value", p);
  }
  if (*digits == '0' && digits + 1 != end && detail::is_digit(digits[1]))
    fail(Status::malformed, "json.syntax", "a number with leading zeros", p);
  std::int64_t integer = 0;
  const DecimalEnd read = parse_decimal(p, end, integer);
  const char behind = read.end == end ? '\0' : *read.end;
  if (behind == '.' || behind == 'e' || behind == 'E') return real(p, read.end, node);
  if (read.status == DecimalStatus::ok) {
    *node = Builder::integer(integer);
    return read.end;
  }
  std::uint64_t large = 0;
  if (!negative && parse_decimal(p, end, large).status == DecimalStatus::ok) {
    *node = Builder::unsigned_integer(large);
    return read.end;
  }
  *node = long_integer(state, {p, static_cast<std::size_t>(read.end - p)});
  return read.end;
}

void JsonText::check_utf8(std::string_view chars, polycodec_node* node) const {
  const std::size_t bad = validate_utf8(chars);
  if (bad == utf8_npos) [[likely]]
    return;
  if (!mode.lenient)
    fail(Status::malformed, "json.utf8", "a text that is not UTF-8", chars.data() + bad);
  node->dtype = POLYCODEC_STRING_LENIENT;
}

const char* JsonText::escaped_string(const char* const start, polycodec_node* node) const {
  unsigned upper = 0;
  const char* quote = start;
  for (;;) {
    quote = string_stop(quote, end, upper);
    if (quote == end)
      fail(Status::truncated, "json.truncated", "a string has no closing quote", end);
    if (*quote == '"') break;
    if (*quote != '\\')
      fail(Status::malformed, "json.syntax", "a control character in a string must be escaped",
           quote);
    if (end - quote < 2)
      fail(Status::truncated, "json.truncated", "a string has no closing quote", end);
    quote += 2;
  }
  // Every escape is longer than what it stands for.
  const auto bound = static_cast<std::size_t>(quote - start);
  char* const text = state.out.allocate<char>(bound);
  char* to = text;
  bool lone = false;
  for (const char* p = start; p != quote;) {
    const auto* const next =
        static_cast<const char*>(std::memchr(p, '\\', static_cast<std::size_t>(quote - p)));
    const char* const stop = next == nullptr ? quote : next;
    std::memcpy(to, p, static_cast<std::size_t>(stop - p));
    to += stop - p;
    p = stop;
    if (p == quote) break;
    const char* const escape = p;
    // Only where another program writes the file: the last character has become a backslash.
    if (quote - p < 2) fail(Status::malformed, "json.syntax", "an escape has no letter", escape);
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const char letter = escape[1];
    p += 2;
    if (const auto place = letters.find(letter); place != std::string_view::npos) {
      *to++ = meanings[place];
      continue;
    }
    if (letter != 'u' || quote - p < 4 || hex4(p) > 0xffff)
      fail(Status::malformed, "json.syntax", "an unknown escape", escape);
    char32_t c = hex4(p);
    p += 4;
    if (c >= 0xd800 && c < 0xdc00 && quote - p >= 6 && p[0] == '\\' && p[1] == 'u') {
      const std::uint32_t low = hex4(p + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        p += 6;
      }
    }
    if (const std::uint32_t size = encode_one(c, to); size != 0) {
      to += size;
      continue;
    }
    if (!mode.lenient)
      fail(Status::malformed, "json.utf8", "half of a surrogate pair is not a character", escape);
    // Kept as it would be in UTF-8 if it were a character.
    lone = true;
    *to++ = static_cast<char>(0xe0 | c >> 12);
    *to++ = static_cast<char>(0x80 | (c >> 6 & 0x3f));
    *to++ = static_cast<char>(0x80 | (c & 0x3f));
  }
  const std::string_view chars(text, static_cast<std::size_t>(to - text));
  *node = Builder::string_view(chars);
  if (upper != 0) check_utf8({start, bound}, node);
  if (lone) node->dtype = POLYCODEC_STRING_LENIENT;
  return quote;
}

}  // namespace polycodec::yggdrasil
