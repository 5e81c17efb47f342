// SPDX-License-Identifier: MIT
#include "number_text.hpp"

#include <charconv>
#include <cstdint>
#include <vector>

namespace polycodec::yggdrasil {
namespace {

// A decimal: 0.digits * 10^point.
struct Decimal {
  bool negative = false;
  std::string digits;  // without zeros at either end; empty: zero
  int point = 0;
};

bool read_decimal(std::string_view token, Decimal& d) {
  const char* p = token.data();
  const char* const end = p + token.size();
  if (p != end && *p == '-') d.negative = true, ++p;
  bool behind = false;
  bool any = false;
  for (; p != end && (*p == '.' || (*p >= '0' && *p <= '9')); ++p) {
    if (*p == '.') {
      if (behind) return false;
      behind = true;
      continue;
    }
    any = true;
    if (d.digits.empty() && *p == '0') {
      d.point -= behind ? 1 : 0;
      continue;
    }
    d.digits += *p;
    d.point += behind ? 0 : 1;
  }
  if (!any) return false;
  if (p != end && (*p | 0x20) == 'e') {
    int exponent = 0;
    const char* const from = p + (end - p > 1 && p[1] == '+' ? 2 : 1);
    const auto read = std::from_chars(from, end, exponent);
    if (read.ec != std::errc() || exponent > 400 || exponent < -400) return false;
    p = read.ptr;
    d.point += exponent;
  }
  while (!d.digits.empty() && d.digits.back() == '0') d.digits.pop_back();
  return p == end;
}

// All digits, without an exponent. `least`: digits after the point, at least.
void put_fixed(std::string& out, const Decimal& d, std::size_t least) {
  if (d.negative) out += '-';
  const auto count = static_cast<int>(d.digits.size());
  if (d.digits.empty() || d.point <= 0) out += '0';
  for (int i = 0; i < d.point && !d.digits.empty(); ++i)
    out += i < count ? d.digits[static_cast<std::size_t>(i)] : '0';
  std::string behind;
  if (!d.digits.empty()) {
    for (int i = d.point; i < 0; ++i) behind += '0';
    for (int i = d.point < 0 ? 0 : d.point; i < count; ++i)
      behind += d.digits[static_cast<std::size_t>(i)];
  }
  while (behind.size() < least) behind += '0';
  if (behind.empty()) return;
  out += '.';
  out += behind;
}

void put_general(std::string& out, const Decimal& d) {
  const int exponent = d.point - 1;
  const bool scientific =
      !d.digits.empty() &&
      (exponent < -4 ||
       (exponent >= 6 && d.point >= static_cast<int>(d.digits.size()) && d.digits.size() <= 6));
  if (!scientific) return put_fixed(out, d, 0);
  if (d.negative) out += '-';
  out += d.digits[0];
  if (d.digits.size() > 1) {
    out += '.';
    out.append(d.digits, 1);
  }
  out += exponent < 0 ? "e-" : "e+";
  const int magnitude = exponent < 0 ? -exponent : exponent;
  if (magnitude < 10) out += '0';
  out += std::to_string(magnitude);
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line =
      text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
  text.remove_prefix(line.size());
  return line;
}

// The next word, and in front of it the spaces, which are written.
std::string_view next_word(std::string_view& line, std::string& out) {
  std::size_t start = 0;
  while (start < line.size() && static_cast<unsigned char>(line[start]) <= ' ') ++start;
  out += line.substr(0, start);
  std::size_t end = start;
  while (end < line.size() && static_cast<unsigned char>(line[end]) > ' ') ++end;
  const std::string_view word = line.substr(start, end - start);
  line.remove_prefix(end);
  return word;
}

struct Property {
  bool list;
  bool real;
};

struct Element {
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

bool is_real(std::string_view type) {
  return type == "float" || type == "double" || type == "float32" || type == "float64";
}

}  // namespace

std::string ply_as_streams_print(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  std::vector<Element> elements;
  std::string_view left = text;
  for (bool header = true; header;) {
    if (left.empty()) return std::string(text);
    std::string_view line = next_line(left);
    out += line;
    std::string blanks;
    const std::string_view keyword = next_word(line, blanks);
    if (keyword == "end_header") {
      header = false;
    } else if (keyword == "element") {
      next_word(line, blanks);
      const std::string_view count = next_word(line, blanks);
      Element element;
      std::from_chars(count.data(), count.data() + count.size(), element.count);
      elements.push_back(element);
    } else if (keyword == "property" && !elements.empty()) {
      const std::string_view type = next_word(line, blanks);
      if (type == "list") next_word(line, blanks);
      elements.back().properties.push_back(
          {type == "list", is_real(type == "list" ? next_word(line, blanks) : type)});
    }
  }
  const auto number = [&](bool real) {
    const std::string_view word = next_word(left, out);
    Decimal d;
    if (real && read_decimal(word, d)) {
      put_general(out, d);
    } else {
      out += word;
    }
    return word;
  };
  for (const Element& element : elements) {
    for (std::uint64_t row = 0; row < element.count && !left.empty() && !element.properties.empty();
         ++row) {
      for (const Property& property : element.properties) {
        std::uint64_t items = 1;
        if (property.list) {
          const std::string_view count = number(false);
          items = 0;
          std::from_chars(count.data(), count.data() + count.size(), items);
        }
        for (std::uint64_t i = 0; i < items && !left.empty(); ++i) number(property.real);
      }
    }
  }
  out += left;
  return out;
}

std::string obj_with_points(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  while (!text.empty()) {
    std::string_view line = next_line(text);
    const std::string_view keyword = next_word(line, out);
    out += keyword;
    if (keyword == "v" || keyword == "vt" || keyword == "vn" || keyword == "vp") {
      while (!line.empty()) {
        const std::string_view word = next_word(line, out);
        Decimal d;
        if (!word.empty() && read_decimal(word, d)) {
          put_fixed(out, d, 1);
        } else {
          out += word;
        }
      }
    }
    out += line;
  }
  return out;
}

}  // namespace polycodec::yggdrasil
