// SPDX-License-Identifier: MIT
#include "unit_expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace polycodec::schema {
namespace {

constexpr std::size_t max_text = 512;
constexpr int max_brackets = 32;
constexpr std::int32_t max_power = 1000;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
// Letters of names: ASCII letters, `_`, `%`, and every byte of a character beyond ASCII.
bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '%' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::optional<Power> reduced(std::int64_t numerator, std::int64_t denominator) noexcept {
  if (denominator == 0) return std::nullopt;
  if (denominator < 0) numerator = -numerator, denominator = -denominator;
  const std::int64_t divisor = std::gcd(numerator, denominator);
  if (divisor != 0) numerator /= divisor, denominator /= divisor;
  if (std::abs(numerator) > max_power || denominator > max_power) return std::nullopt;
  return Power{static_cast<std::int32_t>(numerator), static_cast<std::int32_t>(denominator)};
}
std::optional<Power> product(Power a, Power b) noexcept {
  return reduced(std::int64_t{a.numerator} * b.numerator,
                 std::int64_t{a.denominator} * b.denominator);
}
std::optional<Power> sum(Power a, Power b) noexcept {
  return reduced(
      std::int64_t{a.numerator} * b.denominator + std::int64_t{b.numerator} * a.denominator,
      std::int64_t{a.denominator} * b.denominator);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::optional<UnitExpression> parse() {
    auto whole = expression(0);
    skip_blanks();
    if (!whole || !text_.empty() || !std::isfinite(whole->number) || whole->number == 0)
      return std::nullopt;
    return whole;
  }

 private:
  using Result = std::optional<UnitExpression>;

  void skip_blanks() noexcept {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\t')) text_.remove_prefix(1);
  }
  bool take(std::string_view token) noexcept {
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  bool take_power_sign() noexcept { return take("**") || take("^"); }

  Result expression(int brackets) {
    Result all = raised(brackets);
    while (all) {
      skip_blanks();
      bool divide = false;
      if (text_.empty() || text_[0] == ')') break;
      // `**` is never here: a power belongs to what is before it.
      if (!take("*") && take("/")) divide = true;
      const Result next = raised(brackets);
      if (!next || !multiply(*all, *next, divide)) return std::nullopt;
    }
    return all;
  }

  static bool multiply(UnitExpression& all, const UnitExpression& by, bool divide) {
    all.number = divide ? all.number / by.number : all.number * by.number;
    for (const UnitFactor& factor : by.factors) {
      const auto power = product(factor.power, Power{divide ? -1 : 1, 1});
      if (!power || !add(all, factor.unit, *power)) return false;
    }
    return true;
  }

  static bool add(UnitExpression& all, const NamedUnit& unit, Power power) {
    const auto at = std::find_if(all.factors.begin(), all.factors.end(), [&](const UnitFactor& f) {
      return f.unit.unit == unit.unit && f.unit.prefix == unit.prefix;
    });
    if (at == all.factors.end()) {
      if (power.numerator != 0) all.factors.push_back({unit, power});
      return true;
    }
    const auto total = sum(at->power, power);
    if (!total) return false;
    at->power = *total;
    if (total->numerator == 0) all.factors.erase(at);
    return true;
  }

  Result raised(int brackets) {
    Result base = atom(brackets);
    if (!base) return base;
    skip_blanks();
    if (!take_power_sign()) return base;
    skip_blanks();
    const auto power = exponent(0);
    if (!power) return std::nullopt;
    return to_power(*base, *power);
  }

  static Result to_power(const UnitExpression& base, Power power) {
    UnitExpression made;
    made.number = base.number == 1
                      ? 1
                      : std::pow(base.number, double(power.numerator) / double(power.denominator));
    for (const UnitFactor& factor : base.factors) {
      const auto total = product(factor.power, power);
      if (!total || !add(made, factor.unit, *total)) return std::nullopt;
    }
    return made;
  }

  // 2, -2, 0.5, (1/2), (-2)
  std::optional<Power> exponent(int brackets) {
    if (take("(")) {
      if (brackets == max_brackets) return std::nullopt;
      skip_blanks();
      auto inner = exponent(brackets + 1);
      skip_blanks();
      if (inner && take("/")) {
        skip_blanks();
        const auto divisor = exponent(brackets + 1);
        skip_blanks();
        if (!divisor) return std::nullopt;
        inner = product(*inner, Power{divisor->denominator, divisor->numerator});
      }
      if (!inner || !take(")")) return std::nullopt;
      return inner;
    }
    const bool negative = take("-");
    if (!negative) take("+");
    std::int64_t digits = 0;
    std::int64_t scale = 1;
    bool any = false;
    for (bool point = false; !text_.empty(); text_.remove_prefix(1)) {
      if (text_[0] == '.' && !point) {
        point = true;
        continue;
      }
      if (!is_digit(text_[0])) break;
      any = true;
      if (digits > 100000000 || scale > 100000000) return std::nullopt;
      digits = digits * 10 + (text_[0] - '0');
      if (point) scale *= 10;
    }
    if (!any) return std::nullopt;
    return reduced(negative ? -digits : digits, scale);
  }

  Result atom(int brackets) {
    skip_blanks();
    if (text_.empty()) return std::nullopt;
    if (take("(")) {
      if (brackets == max_brackets) return std::nullopt;
      Result inner = expression(brackets + 1);
      skip_blanks();
      if (!inner || !take(")")) return std::nullopt;
      return inner;
    }
    return is_letter(text_[0]) ? name() : number();
  }

  Result name() {
    std::size_t size = 0;
    while (size < text_.size() && is_letter(text_[size])) ++size;
    const auto unit = find_unit(text_.substr(0, size));
    if (!unit) return std::nullopt;
    text_.remove_prefix(size);
    Power power;
    // A number right after a name is its power: m2, s-2.
    const bool sign =
        text_.size() > 1 && (text_[0] == '-' || text_[0] == '+') && is_digit(text_[1]);
    if (sign || (!text_.empty() && is_digit(text_[0]))) {
      const auto written = exponent(0);
      if (!written) return std::nullopt;
      power = *written;
    }
    UnitExpression made;
    if (power.numerator != 0) made.factors.push_back({*unit, power});
    return made;
  }

  Result number() {
    std::size_t size = 0;
    while (size < text_.size() && (is_digit(text_[size]) || text_[size] == '.')) ++size;
    if (size == 0) return std::nullopt;
    if (size + 1 < text_.size() && (text_[size] == 'e' || text_[size] == 'E')) {
      std::size_t end = size + 1;
      if (text_[end] == '-' || text_[end] == '+') ++end;
      if (end < text_.size() && is_digit(text_[end])) {
        while (end < text_.size() && is_digit(text_[end])) ++end;
        size = end;
      }
    }
    UnitExpression made;
    const auto parsed = std::from_chars(text_.data(), text_.data() + size, made.number);
    if (parsed.ec != std::errc() || parsed.ptr != text_.data() + size) return std::nullopt;
    text_.remove_prefix(size);
    return made;
  }

  std::string_view text_;
};

std::string number_text(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string power_text(Power power) {
  if (power.denominator == 1) return std::to_string(power.numerator);
  const std::string fraction =
      std::to_string(power.numerator) + "/" + std::to_string(power.denominator);
  // A decimal where it is exact and short, as Python writes fractional powers.
  for (std::int32_t scale = 10; scale <= 1000; scale *= 10)
    if (scale % power.denominator == 0)
      return number_text(double(power.numerator) / double(power.denominator));
  return "(" + fraction + ")";
}

}  // namespace

std::optional<UnitExpression> parse_units(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty() || text == "n/a") return UnitExpression{};
  if (text.size() > max_text) return std::nullopt;
  return Parser(text).parse();
}

std::optional<Power> UnitExpression::angle() const noexcept {
  std::optional<Power> total = Power{0, 1};
  for (const UnitFactor& factor : factors) {
    const auto part = product(factor.power, Power{factor.unit.unit->angle, 1});
    total = part && total ? sum(*total, *part) : std::nullopt;
  }
  return total;
}

std::string UnitExpression::canonical() const {
  std::string text;
  const bool several = factors.size() + (number != 1 ? 1 : 0) > 1;
  if (number != 1 || (factors.empty() && !is_none())) text = number_text(number);
  for (const UnitFactor& factor : factors) {
    if (!text.empty()) text += '*';
    const bool plain = factor.power == Power{};
    if (!plain && several) text += '(';
    if (factor.unit.prefix != nullptr) text += factor.unit.prefix->symbol;
    text += factor.unit.unit->symbol;
    if (!plain) text += "**" + power_text(factor.power);
    if (!plain && several) text += ')';
  }
  return text;
}

}  // namespace polycodec::schema
