// SPDX-License-Identifier: MIT
#include "pattern.hpp"

#include <base/hex.hpp>

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>

namespace polycodec::schema {
namespace {

/// White space and line terminators; RE2 has those of ASCII alone.
constexpr std::string_view spaces = R"(\t-\r \x{a0}\x{feff}\p{Z})";

/// Long names of general categories. Unicode has fixed them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 32> categories{{
    {"Letter", "L"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Connector_Punctuation", "Pc"},
    {"Dash_Punctuation", "Pd"},
    {"Open_Punctuation", "Ps"},
    {"Close_Punctuation", "Pe"},
    {"Initial_Punctuation", "Pi"},
    {"Final_Punctuation", "Pf"},
    {"Other_Punctuation", "Po"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"},
    {"Other_Symbol", "So"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
}};

class Translation {
 public:
  explicit Translation(std::string_view pattern) : rest_(pattern) {}

  std::string run() {
    while (!rest_.empty()) {
      if (rest_.size() > 1 && rest_[0] == '\\') {
        escape();
        continue;
      }
      if (in_brackets_) {
        in_brackets_ = rest_[0] != ']';
      } else if (rest_[0] == '[') {
        in_brackets_ = true;
      } else if (rest_.starts_with("(?<") && rest_.size() > 3 && rest_[3] != '=' &&
                 rest_[3] != '!') {
        take(3, "(?P<");
        continue;
      }
      copy(1);
    }
    return std::move(made_);
  }

 private:
  void escape() {
    const char letter = rest_[1];
    const std::string_view after = rest_.substr(2);
    if (letter == 's' || (letter == 'S' && !in_brackets_)) {
      take(2, in_brackets_ ? "" : letter == 's' ? "[" : "[^");
      made_ += spaces;
      if (!in_brackets_) made_ += ']';
      return;
    }
    const char control = letter == 'c' && !after.empty() ? static_cast<char>(after[0] | 0x20) : ' ';
    if (control >= 'a' && control <= 'z') {
      take(3, "");
      return code(static_cast<std::uint32_t>(control & 31));
    }
    if (letter == 'u') return unicode(after);
    const std::size_t end = after.find('}');
    if ((letter == 'p' || letter == 'P') && after.starts_with('{') && end != after.npos)
      return property(after.substr(1, end - 1));
    copy(2);
  }

  /// `\u0041`, a pair of surrogates, `\u{1f600}`.
  void unicode(std::string_view after) {
    const std::size_t end = after.find('}');
    if (after.starts_with('{') && end != after.npos) {
      take(2, "\\x");
      return;
    }
    const auto unit = hex_unit(after);
    if (!unit) return copy(2);
    const auto low = *unit >= 0xd800 && *unit < 0xdc00 && after.substr(4).starts_with("\\u")
                         ? hex_unit(after.substr(6))
                         : std::nullopt;
    const bool pair = low && *low >= 0xdc00 && *low < 0xe000;
    take(pair ? 12 : 6, "");
    code(pair ? 0x10000 + ((*unit - 0xd800) << 10) + (*low - 0xdc00) : *unit);
  }

  void property(std::string_view name) {
    const std::size_t size = name.size() + 4;  // `\p{}`
    for (const std::string_view prefix : {"General_Category=", "gc=", "Script=", "sc="})
      if (name.starts_with(prefix)) {
        name.remove_prefix(prefix.size());
        break;
      }
    for (const auto& [word, letters] : categories)
      if (name == word) name = letters;
    made_ += rest_.substr(0, 3);
    made_ += name;
    take(size, "}");
  }

  static std::optional<std::uint32_t> hex_unit(std::string_view digits) {
    if (digits.size() < 4) return std::nullopt;
    std::uint32_t unit = 0;
    for (const char digit : digits.substr(0, 4)) {
      const int value = hex_value(digit);
      if (value < 0) return std::nullopt;
      unit = unit << 4 | static_cast<std::uint32_t>(value);
    }
    return unit;
  }
  void code(std::uint32_t point) {
    char text[16];
    std::snprintf(text, sizeof text, "\\x{%x}", point);
    made_ += text;
  }
  void copy(std::size_t size) { take(size, rest_.substr(0, size)); }
  /// Replaces the next `size` characters by `text`.
  void take(std::size_t size, std::string_view text) {
    made_ += text;
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  std::string made_;
  bool in_brackets_ = false;
};

}  // namespace

std::string to_re2(std::string_view pattern) {
  return Translation(pattern).run();
}

}  // namespace polycodec::schema
