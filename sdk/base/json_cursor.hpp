// SPDX-License-Identifier: MIT
// A place in JSON text, and the tokens that are there.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/line_column.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// Reads the tokens of RFC 8259 one by one. The text is valid UTF-8 (the caller has checked it).
/// Every failure is an Error with the byte offset, and line and column in the message. `word` is
/// the detail word of syntax errors.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view text, std::string_view word = "json.syntax") noexcept
      : text_(text), word_(word) {}

  std::size_t at() const noexcept { return at_; }
  /// Where the last number or string began.
  std::size_t token_at() const noexcept { return token_at_; }
  void rewind(std::size_t at) noexcept { at_ = at; }
  std::string_view text() const noexcept { return text_; }
  bool at_end() noexcept {
    skip();
    return at_ == text_.size();
  }

  /// The character of the next token; NUL at the end.
  char peek() noexcept {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) noexcept {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) unexpected(std::string("'") + c + "'");
  }
  /// Passes `word` (null, true, false) if it is here.
  bool accept_word(std::string_view word) noexcept {
    skip();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool at_number() noexcept {
    const char c = peek();
    return c == '-' || (c >= '0' && c <= '9');
  }
  /// Passes `word` (null, true, false); throws where the text differs from it.
  void expect_word(std::string_view word);
  /// A number, as it is in the text.
  std::string_view number();
  /// A string without quotes and escapes; valid until the next call.
  std::string_view string();
  /// The key after which the opened object here continues as a form of the notation (`$` and a
  /// name), without passing anything; empty if none is here.
  std::string_view form() noexcept;
  /// Passes a value without looking closely: what is skipped here is read by somebody else.
  void skip_value();

  [[noreturn]] void unexpected(const std::string& what);
  [[noreturn]] void fail(Status status, std::string_view word, std::string message,
                         std::size_t offset) const;

 private:
  void skip() noexcept {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  char byte() const noexcept { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[noreturn]] void unexpected_here(const std::string& what) const;
  void digits();
  void escape();
  std::uint32_t hex4();

  std::string_view text_, word_;
  std::size_t at_ = 0;
  std::size_t token_at_ = 0;
  std::string scratch_;
};

}  // namespace polycodec
