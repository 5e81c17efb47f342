// SPDX-License-Identifier: MIT
// Tokens of the type notation. Used by parse.hpp only.
#pragma once

#include <base/hex.hpp>
#include <model/type/text.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/error.hpp>
#include <polycodec/utf.hpp>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::type::detail {

/// A place in type text, and what can be read there. Every failure is an Error with the offset of
/// the byte to blame.
class Scanner {
 public:
  explicit Scanner(std::string_view text) noexcept : text_(text) {}

  std::size_t at() const noexcept { return at_; }
  /// Goes back to where at() was before.
  void rewind(std::size_t at) noexcept { at_ = at; }

  /// Throws Error(malformed) with this detail word, about the byte at `offset`.
  [[noreturn]] static void fail(std::size_t offset, std::string_view word, std::string message) {
    throw Error(Status::malformed, std::move(message), offset).detail(word);
  }
  [[noreturn]] void expected(std::string_view what) const {
    fail(at_, "type.syntax", "expected " + std::string(what) + ", found " + found());
  }

  /// Passes white space and comments.
  void skip() noexcept {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        const auto line = text_.find('\n', at_);
        at_ = line == text_.npos ? text_.size() : line + 1;
      } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool at_end() const noexcept { return at_ == text_.size(); }
  /// The byte here; NUL at the end (a NUL in the text fits no rule either).
  char peek() const noexcept { return at_end() ? '\0' : text_[at_]; }
  bool looking_at(std::string_view token) const noexcept {
    return text_.substr(at_).starts_with(token);
  }
  /// Passes white space, then `token` if it is there.
  bool accept(std::string_view token) noexcept {
    skip();
    if (!looking_at(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) expected("'" + std::string(token) + "'");
  }

  /// A name, which views the text; empty if there is none here.
  std::string_view name() noexcept {
    const std::size_t start = at_;
    if (!at_end() && is_name_start(text_[at_]))
      while (at_ < text_.size() && (is_name_start(text_[at_]) || is_digit(text_[at_]))) ++at_;
    return text_.substr(start, at_ - start);
  }

  /// A number without sign, at most 2^63-1, after white space.
  std::uint64_t number() {
    skip();
    if (!is_digit(peek())) expected("a number");
    const std::size_t start = at_;
    while (is_digit(peek())) ++at_;
    const std::string_view digits = text_.substr(start, at_ - start);
    if (digits.size() > 1 && digits.front() == '0')
      fail(start, "type.syntax", "a number must not start with 0");
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc())
      fail(start, "type.range",
           "the number " + shorten(digits) + " is greater than 9223372036854775807");
    return static_cast<std::uint64_t>(value);
  }

  /// A number of an annotation: as in JSON; an integer if it has neither fraction nor exponent.
  AnnotationValue signed_number() {
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    const std::size_t first = at_;
    digits();
    if (text_[first] == '0' && at_ - first > 1)
      fail(first, "type.syntax", "a number must not start with 0");
    bool whole = true;
    if (peek() == '.') {
      whole = false;
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      ++at_;
      if (peek() == '-' || peek() == '+') ++at_;
      digits();
    }
    const std::string_view token = text_.substr(start, at_ - start);
    std::int64_t integer = 0;
    double real = 0;
    const auto result = whole ? std::from_chars(token.data(), token.data() + token.size(), integer)
                              : std::from_chars(token.data(), token.data() + token.size(), real);
    if (result.ec != std::errc())
      fail(start, "type.range",
           "the number " + shorten(token) + " does not fit " +
               (whole ? "64 bits with a sign" : "a float64"));
    return whole ? AnnotationValue(integer) : AnnotationValue(real);
  }

  bool at_quote() const noexcept { return peek() == '\'' || peek() == '"'; }
  /// A quoted text, unescaped, after white space; `what` names it in the error.
  std::string quoted(std::string_view what) {
    skip();
    if (!at_quote()) expected(what);
    const std::size_t start = at_;
    const char quote = text_[at_++];
    std::string out;
    for (;;) {
      if (at_end()) fail(start, "type.syntax", "the quoted text has no end");
      const char c = text_[at_];
      if (c == quote) break;
      if (c == '\\') {
        const std::size_t escaped = at_;
        if (!append_utf8(out, escape()))
          fail(escaped, "type.syntax", "the escape does not name a character");
      } else {
        const std::size_t first = at_;
        if (!next_code_point(text_, at_))
          fail(at_, "type.syntax", "the quoted text is not valid UTF-8");
        out += text_.substr(first, at_ - first);
      }
    }
    ++at_;
    return out;
  }

  /// What is here, for a message.
  std::string found() const {
    if (at_end()) return "the end of the text";
    const char c = text_[at_];
    if (is_name_start(c) || is_digit(c)) {
      std::size_t end = at_;
      while (end < text_.size() && (is_name_start(text_[end]) || is_digit(text_[end]))) ++end;
      return "'" + shorten(text_.substr(at_, end - at_)) + "'";
    }
    if (c > ' ' && c < 0x7f) return std::string("'") + c + "'";
    return "byte 0x" + to_hex({&c, 1});
  }

  static std::string shorten(std::string_view text) {
    std::string out(text.substr(0, text.size() <= 40 ? 40 : 37));
    if (text.size() > 40) out += "...";
    return out;
  }

 private:
  void digits() {
    if (!is_digit(peek())) expected("a digit");
    while (is_digit(peek())) ++at_;
  }

  std::uint32_t escape() {
    const std::size_t start = at_++;
    const char c = peek();
    constexpr std::string_view letters = "\"'\\/bfnrt", meant = "\"'\\/\b\f\n\r\t";
    if (!at_end()) ++at_;
    if (const auto i = letters.find(c); i != letters.npos)
      return static_cast<unsigned char>(meant[i]);
    if (c != 'u' && c != 'U')
      fail(start, "type.syntax", "there is no such escape; a backslash is written \\\\");
    std::uint32_t code = 0;
    for (int left = c == 'u' ? 4 : 8; left > 0; --left) {
      const char digit = peek();
      const char lower = static_cast<char>(digit | 0x20);
      if (is_digit(digit))
        code = code << 4 | static_cast<std::uint32_t>(digit - '0');
      else if (lower >= 'a' && lower <= 'f')
        code = code << 4 | static_cast<std::uint32_t>(lower - 'a' + 10);
      else
        fail(start, "type.syntax", c == 'u' ? "\\u needs 4 hex digits" : "\\U needs 8 hex digits");
      ++at_;
    }
    return code;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace polycodec::type::detail
