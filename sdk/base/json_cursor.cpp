// SPDX-License-Identifier: MIT

#include <base/hex.hpp>
#include <base/json_cursor.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include <algorithm>

namespace polycodec {

namespace {

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

/// What to do about a byte that JSON does not have there, where other notations do; or nothing.
std::string advice_on(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (rest[0] == '\'') return "; strings and names are in double quotes";
  if (rest[0] == '/' || rest[0] == '#') return "; JSON has no comments, remove this one";
  if (rest.starts_with("NaN") || rest.starts_with("Inf") || rest.starts_with("-Inf"))
    return "; JSON has only finite numbers, and null";
  if (rest.starts_with("True") || rest.starts_with("False") || rest.starts_with("None"))
    return "; the words of JSON are true, false and null";
  const auto before = text.substr(0, at).find_last_not_of(" \t\r\n");
  const bool after_comma = before != text.npos && text[before] == ',';
  if (after_comma && (rest[0] == '}' || rest[0] == ']')) return "; remove the comma before it";
  const bool is_letter = (rest[0] >= 'a' && rest[0] <= 'z') || (rest[0] >= 'A' && rest[0] <= 'Z');
  return is_letter ? "; strings and names are in double quotes" : "";
}

}  // namespace

void JsonCursor::fail(Status status, std::string_view word, std::string message,
                      std::size_t offset) const {
  throw text_error(status, std::move(message), text_, offset).detail(word);
}

void JsonCursor::unexpected(const std::string& what) {
  skip();
  unexpected_here(what);
}

void JsonCursor::unexpected_here(const std::string& what) const {
  if (at_ >= text_.size())
    fail(Status::truncated, word_, "the text ends where " + what + " was expected", at_);
  fail(Status::malformed, word_,
       "expected " + what + ", found " + quote_byte(text_[at_]) + advice_on(text_, at_), at_);
}

void JsonCursor::digits() {
  if (!is_digit(byte())) {
    if (at_ >= text_.size()) fail(Status::truncated, word_, "the text ends within a number", at_);
    fail(Status::malformed, word_, "a digit is missing in the number", at_);
  }
  while (is_digit(byte())) ++at_;
}

void JsonCursor::expect_word(std::string_view word) {
  const std::string whole = "'" + std::string(word) + "'";
  for (; !word.empty(); word.remove_prefix(1)) {
    if (byte() != word[0]) unexpected_here(whole);
    ++at_;
  }
}

std::string_view JsonCursor::number() {
  if (!at_number()) unexpected("a number");
  const std::size_t start = token_at_ = at_;
  if (byte() == '-') ++at_;
  const std::size_t first = at_;
  digits();
  if (text_[first] == '0' && at_ - first > 1)
    fail(Status::malformed, word_, "a number must not start with 0", first);
  if (byte() == '.') {
    ++at_;
    digits();
  }
  if (byte() == 'e' || byte() == 'E') {
    ++at_;
    if (byte() == '+' || byte() == '-') ++at_;
    digits();
  }
  return text_.substr(start, at_ - start);
}

std::uint32_t JsonCursor::hex4() {
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const int digit = hex_value(byte());
    if (at_ >= text_.size()) fail(Status::truncated, word_, "the text ends within a string", at_);
    if (digit < 0) fail(Status::malformed, word_, "\\u needs four hex digits", at_);
    code = code << 4 | static_cast<std::uint32_t>(digit);
  }
  return code;
}

void JsonCursor::escape() {
  const std::size_t start = at_++;
  if (at_ >= text_.size()) fail(Status::truncated, word_, "the text ends within a string", at_);
  const char c = byte();
  ++at_;
  constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
  if (const auto i = letters.find(c); i != letters.npos) {
    scratch_ += meant[i];
    return;
  }
  if (c != 'u') fail(Status::malformed, word_, "there is no such escape in JSON", start);
  std::uint32_t code = hex4();
  if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
    at_ += 2;
    const std::uint32_t low = hex4();
    code =
        low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : 0xd800;
  }
  if (!append_utf8(scratch_, code))
    fail(Status::malformed, word_, "the escape is half of a surrogate pair", start);
}

std::string_view JsonCursor::string() {
  if (peek() != '"') unexpected("a string");
  token_at_ = at_;
  const std::size_t start = ++at_;
  scratch_.clear();
  std::size_t plain = start;
  for (;; ++at_) {
    if (at_ >= text_.size())
      fail(Status::truncated, word_, "the text ends within a string", start - 1);
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '"') break;
    if (c < 0x20)
      fail(Status::malformed, word_, "a control character in a string must be escaped", at_);
    if (c != '\\') continue;
    scratch_ += text_.substr(plain, at_ - plain);
    escape();
    plain = at_--;
  }
  const std::string_view rest = text_.substr(plain, at_++ - plain);
  if (plain == start) return rest;
  scratch_ += rest;
  return scratch_;
}

std::string_view JsonCursor::form() noexcept {
  const std::size_t start = at_;
  std::string_view name;
  if (accept('{') && accept('"') && byte() == '$') {
    const auto end = text_.find('"', at_);
    if (end != text_.npos && (end == at_ + 1 || text_[at_ + 1] != '$'))
      name = text_.substr(at_, end - at_);
  }
  at_ = start;
  return name;
}

void JsonCursor::skip_value() {
  std::uint64_t open = 0;
  do {
    const char c = peek();
    if (at_ >= text_.size()) unexpected("a value");
    if (c == '"') {
      string();
    } else {
      if (c == '[' || c == '{') ++open;
      if (c == ']' || c == '}') {
        if (open == 0) unexpected("a value");
        --open;
      }
      ++at_;
      if (open == 0 && c != ']' && c != '}')
        while (at_ < text_.size() &&
               std::string_view(",]} \t\r\n").find(text_[at_]) == std::string_view::npos)
          ++at_;
    }
  } while (open != 0);
}

}  // namespace polycodec
