// SPDX-License-Identifier: MIT
#include "json_number.hpp"

#include <base/real_text.hpp>
#include <polycodec/detail/half.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

namespace polycodec::text {

namespace {

/// Lays out what to_chars wrote in scientific form.
char* lay_out(char* out, const char* begin, const char* end) noexcept {
  if (*begin == '-') *out++ = *begin++;
  const char* e =
      static_cast<const char*>(std::memchr(begin, 'e', static_cast<std::size_t>(end - begin)));
  std::array<char, 24> digits{};
  std::size_t count = 0;
  for (const char* p = begin; p != e; ++p)
    if (*p != '.') digits[count++] = *p;
  int exponent = 0;
  std::from_chars(e + (e[1] == '+' ? 2 : 1), end, exponent);
  const auto copy = [&out, &digits](std::size_t from, std::size_t to) {
    for (; from < to; ++from) *out++ = digits[from];
  };
  const auto zeros = [&out](int n) {
    for (; n > 0; --n) *out++ = '0';
  };
  if (exponent < -4 || exponent >= 16) {
    copy(0, 1);
    if (count > 1) *out++ = '.';
    copy(1, count);
    const auto rest = static_cast<std::size_t>(end - e);
    std::memcpy(out, e, rest);
    return out + rest;
  }
  if (exponent < 0) {
    *out++ = '0';
    *out++ = '.';
    zeros(-exponent - 1);
    copy(0, count);
    return out;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  copy(0, whole < count ? whole : count);
  if (whole > count) zeros(static_cast<int>(whole - count));
  *out++ = '.';
  if (whole < count)
    copy(whole, count);
  else
    *out++ = '0';
  return out;
}

/// Whole numbers are the common case, and need no search for the shortest digits.
template <class Float>
char* write_whole(char* out, Float value) noexcept {
  constexpr Float exact = sizeof(Float) == 8 ? Float(9007199254740992.0) : Float(16777216.0);
  if (!(value > -exact && value < exact)) return nullptr;
  const auto whole = static_cast<std::int64_t>(value);
  if (static_cast<Float>(whole) != value || (whole == 0 && std::signbit(value))) return nullptr;
  out = write_signed(out, whole);
  *out++ = '.';
  *out++ = '0';
  return out;
}

/// True if the number is at least 1 (it need not be exact about numbers near 1).
bool is_great(std::string_view token) noexcept {
  if (token.front() == '-') token.remove_prefix(1);
  const auto e = token.find_first_of("eE");
  const std::string_view digits = token.substr(0, e);
  const auto point = digits.find('.') == digits.npos ? digits.size() : digits.find('.');
  const auto first = digits.find_first_not_of("0.");
  if (first == digits.npos) return false;
  // The power of ten of the first digit that is not 0.
  const auto power = first < point ? static_cast<std::int64_t>(point - first) - 1
                                   : -static_cast<std::int64_t>(first - point);
  if (e == token.npos) return power >= 0;
  std::string_view exponent = token.substr(e + 1);
  const bool negative = exponent.front() == '-';
  if (negative || exponent.front() == '+') exponent.remove_prefix(1);
  std::int64_t ten = 0;
  // An exponent beyond 64 bits outweighs all digits that fit memory.
  if (std::from_chars(exponent.data(), exponent.data() + exponent.size(), ten).ec != std::errc())
    return !negative;
  return power >= (negative ? ten : -ten);
}

template <class Float>
std::optional<Float> read_binary(std::string_view token) noexcept {
  Float value = 0;
  const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    if (is_great(token)) return std::nullopt;
    return token.front() == '-' ? Float(-0.0) : Float(0.0);
  }
  if (result.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

char* write_signed(char* out, std::int64_t value) noexcept {
  return std::to_chars(out, out + max_number_size, value).ptr;
}
char* write_unsigned(char* out, std::uint64_t value) noexcept {
  return std::to_chars(out, out + max_number_size, value).ptr;
}

char* write_unsigned128(char* out, Uint128 value) noexcept {
  constexpr std::uint64_t part = 10000000000000000000u;  // 10^19
  if (value <= UINT64_MAX) return write_unsigned(out, static_cast<std::uint64_t>(value));
  out = write_unsigned128(out, value / part);
  auto low = static_cast<std::uint64_t>(value % part);
  for (int i = 18; i >= 0; --i, low /= 10) out[i] = static_cast<char>('0' + low % 10);
  return out + 19;
}

char* write_signed128(char* out, Int128 value) noexcept {
  if (value >= 0) return write_unsigned128(out, static_cast<Uint128>(value));
  *out++ = '-';
  return write_unsigned128(out, Uint128{0} - static_cast<Uint128>(value));
}

char* write_double(char* out, double value) noexcept {
  static_assert(max_number_size >= max_real_size);
  return print_real(out, value, true);
}
char* write_float(char* out, float value) noexcept {
  if (char* end = write_whole(out, value)) return end;
  char scientific[40];
  return lay_out(out, scientific,
                 std::to_chars(scientific, scientific + sizeof scientific, value,
                               std::chars_format::scientific)
                     .ptr);
}

char* write_half(char* out, std::uint16_t bits) noexcept {
  const auto value = static_cast<double>(half_to_float(bits));
  if (std::fabs(value) <= 2048.0)
    if (char* end = write_whole(out, value)) return end;
  char scientific[40];
  char* end = scientific;
  // Five digits tell all halves apart; the first rounding that reads back is the shortest.
  for (int precision = 0; precision <= 4; ++precision) {
    end = std::to_chars(scientific, scientific + sizeof scientific, value,
                        std::chars_format::scientific, precision)
              .ptr;
    double back = 0;
    std::from_chars(scientific, end, back);
    if (double_to_half(back) == bits) break;
  }
  return lay_out(out, scientific, end);
}

std::optional<Integer> read_integer(std::string_view token) noexcept {
  Integer integer;
  if (token.front() == '-') {
    integer.negative = true;
    token.remove_prefix(1);
  }
  for (const char c : token) {
    const auto digit = static_cast<unsigned>(c - '0');
    Uint128 next = 0;
    if (__builtin_mul_overflow(integer.magnitude, Uint128{10}, &next) ||
        __builtin_add_overflow(next, Uint128{digit}, &integer.magnitude))
      return std::nullopt;
  }
  if (integer.magnitude == 0) integer.negative = false;
  return integer;
}

std::optional<double> read_double(std::string_view token) noexcept {
  return read_binary<double>(token);
}
std::optional<float> read_float(std::string_view token) noexcept {
  return read_binary<float>(token);
}
std::optional<std::uint16_t> read_half(std::string_view token) noexcept {
  const auto value = read_double(token);
  if (!value) return std::nullopt;
  const std::uint16_t bits = double_to_half(*value);
  if ((bits & 0x7fffu) == 0x7c00u) return std::nullopt;
  return bits;
}

polycodec_node number_node(Builder& builder, std::string_view token) {
  if (!is_integer_token(token)) {
    if (const auto value = read_double(token)) return Builder::real(*value);
    throw Error(Status::range, "the number is too great for float64").detail("json.number");
  }
  const auto integer = read_integer(token);
  if (integer && integer->fits_signed(64))
    return Builder::integer(static_cast<std::int64_t>(integer->bits()));
  if (integer && integer->fits_unsigned(64))
    return Builder::unsigned_integer(static_cast<std::uint64_t>(integer->magnitude));
  if (!integer || !(integer->fits_signed(128) || integer->fits_unsigned(128)))
    throw Error(Status::range, "the integer does not fit 128 bits").detail("json.number");
  const Uint128 bits = integer->bits();
  return builder.wide(integer->fits_signed(128) ? POLYCODEC_DTYPE_INT128 : POLYCODEC_DTYPE_UINT128,
                      &bits);
}

}  // namespace polycodec::text
