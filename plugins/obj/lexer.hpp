// SPDX-License-Identifier: MIT
// The statements of OBJ, and their words and numbers across continued lines.
#pragma once

#include <base/decimal.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/tolerant.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::obj {

/// What a statement says.
enum class Statement : std::uint8_t {
  unknown,
  vertex,
  texture,
  normal,
  parameter,
  face,
  line,
  point,
  state,  ///< grouping, materials, rendering: kept as text
  surf,   ///< free-form elements ..
  curv,
  curv2,
  trim,     ///< .. and what is between them and `end`: trim, hole and scrv
  special,  ///< sp
  body,     ///< parm
  end,
  connection,  ///< con
};

/// The statement that a keyword starts.
Statement statement_of(std::string_view keyword) noexcept;

constexpr bool is_line_end(char c) noexcept {
  return c == '\n' || c == '\r';
}
constexpr bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

/// Reads a file from front to end. What it returns views the file.
class Lexer {
 public:
  explicit Lexer(std::string_view file, bool float32 = false) noexcept
      : begin_(file.data()), at_(begin_), end_(begin_ + file.size()), float32_(float32) {}

  bool at_end() const noexcept { return at_ == end_; }
  char peek() const noexcept { return *at_; }
  const char* position() const noexcept { return at_; }
  const char* end() const noexcept { return end_; }
  bool float32() const noexcept { return float32_; }
  void move_to(const char* position) noexcept { at_ = position; }
  std::uint64_t offset(const char* position) const noexcept {
    return static_cast<std::uint64_t>(position - begin_);
  }

  /// Skips spaces and continued newlines.
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
    if (at_ != end_ && *at_ == '\\') [[unlikely]]
      skip_continuations();
  }
  /// True where the statement ends: at a comment, a newline or the end of the file. Blanks have
  /// been skipped.
  bool at_statement_end() const noexcept { return at_ == end_ || is_line_end(*at_) || *at_ == '#'; }
  /// True if a word ends before `p`: a comment starts only where a word could start.
  bool is_word_end(const char* p) const noexcept {
    return p == end_ || is_blank(*p) || is_line_end(*p) ||
           (*p == '\\' && continuation(p) != nullptr);
  }
  /// The same for an index, which also ends before a comment that nothing is glued to: `3# text`.
  bool is_index_end(const char* p) const noexcept {
    return is_word_end(p) || (*p == '#' && is_word_end(p + 1));
  }

  /// The word here, which ends at a space, a newline or a continuation.
  std::string_view word() noexcept {
    const char* const start = at_;
    while (at_ != end_ && !is_blank(*at_) && !is_line_end(*at_) &&
           (*at_ != '\\' || continuation(at_) == nullptr))
      ++at_;
    return {start, static_cast<std::size_t>(at_ - start)};
  }

  /// The number here, which is a word of its own.
  double number() {
    double value = 0;
    const char* const at = at_;
    const DecimalEnd read = decimal(at, value);
    if (read.status != DecimalStatus::ok || !is_word_end(read.end)) [[unlikely]]
      return unusual_number();
    at_ = read.end;
    return value;
  }

  /// Calls read(number) with a number of the type that numbers are to be, so that it is rounded
  /// once, and then has it in `value`.
  template <class Read>
  auto as_number(double& value, const Read& read) const {
    if (!float32_) return read(value);
    float single = 0;
    const auto result = read(single);
    value = static_cast<double>(single);
    return result;
  }

  /// The rest of the line, as it is.
  std::string_view rest_of_line() noexcept {
    const char* const start = at_;
    while (at_ != end_ && !is_line_end(*at_)) ++at_;
    return {start, static_cast<std::size_t>(at_ - start)};
  }

  /// Appends the words up to the end of the statement, with the spaces between them, to `text` (a
  /// Growing<char>): the statement ends at a '#' after a space; a '#' within a word is part of it,
  /// as file names may have it.
  template <class Text>
  void rest_of_statement(Text& text) {
    const std::uint64_t start = text.size();
    bool behind_blank = true;
    for (;;) {
      const char* const from = at_;
      while (at_ != end_ && !is_line_end(*at_) && *at_ != '\\' && !(*at_ == '#' && behind_blank))
        behind_blank = is_blank(*at_++);
      text.append(from, static_cast<std::uint64_t>(at_ - from));
      if (at_ == end_ || *at_ != '\\') break;
      if (next_line(at_) == nullptr) {
        text.push(*at_++);
        behind_blank = false;
        continue;
      }
      skip_continuations();
      behind_blank = true;
      if (text.size() != start) text.push(' ');
    }
    std::uint64_t size = text.size();
    while (size != start && is_blank(text[size - 1])) --size;
    text.shrink(size);
  }

  /// Skips the newline here, if there is one.
  void skip_line_end() noexcept {
    if (at_ == end_) return;
    at_ += at_[0] == '\r' && end_ - at_ > 1 && at_[1] == '\n' ? 2 : 1;
  }

  /// The line that `position` is in, from 1. Positions that come in order are counted once.
  std::uint64_t line(const char* position) const noexcept {
    if (position < counted_) {
      counted_ = begin_;
      line_ = 1;
    }
    for (; counted_ < position; ++counted_)
      line_ +=
          *counted_ == '\n' || (*counted_ == '\r' && (counted_ + 1 == end_ || counted_[1] != '\n'))
              ? 1
              : 0;
    return line_;
  }

  /// A backslash at the end of the file continues nothing, instead of being an error.
  void allow_dangling(bool allow) noexcept { dangling_ = allow; }
  /// A backslash also continues a line where spaces are between it and the newline, but for text.
  void allow_blanks() noexcept { blanks_ = true; }
  /// Where that happened first since it was asked last; or NULL.
  const char* take_blank() noexcept { return std::exchange(blank_at_, nullptr); }

  [[noreturn]] void fail(Status status, const char* detail, const std::string& message,
                         const char* position) const {
    throw Error(status, "line " + std::to_string(line(position)) + ": " + message, offset(position))
        .detail(detail);
  }

  /// Throws for the word at `position`, which is not `what`.
  [[noreturn, gnu::noinline]] void fail_word(const char* detail, const std::string& what,
                                             const char* position) const {
    const char* after = position;
    if (after != end_ && *after == '\\')
      for (++after; after != end_ && is_blank(*after);) ++after;
    const bool is_split = after - position > 1 && (after == end_ || is_line_end(*after));
    fail(Status::malformed, detail,
         is_split ? "a space follows the backslash, so that it does not continue the line"
                  : quoted(position) + " is not " + what,
         position);
  }

  /// The word at `position`, for messages.
  std::string quoted(const char* position) const {
    const char* end = position;
    while (end != end_ && !is_blank(*end) && !is_line_end(*end)) ++end;
    return quote({position, static_cast<std::size_t>(end - position)});
  }

 private:
  // What is not digits, such as `-1.#IND00`.
  [[gnu::noinline]] double unusual_number() {
    const char* const at = at_;
    const std::string_view text = word();
    double value = 0;
    if (!as_number(value, [&](auto& to) { return number_word(text, to); })) {
      at_ = at;
      fail_word("obj.bad_number", "a number", at);
    }
    return value;
  }

  DecimalEnd decimal(const char* at, double& value) const noexcept {
    return as_number(value, [&](auto& to) { return parse_decimal(at, end_, to); });
  }

  /// Behind the newline that the backslash at `p` continues; NULL if it is a backslash like
  /// others.
  const char* continuation(const char* p) const noexcept {
    if (blanks_) [[unlikely]] {
      const char* at = p + 1;
      while (at != end_ && is_blank(*at)) ++at;
      if (at == end_ || is_line_end(*at)) p = at - 1;
    }
    return next_line(p);
  }
  /// The same where no space may be between.
  const char* next_line(const char* p) const noexcept {
    ++p;
    if (p == end_) return p;
    if (*p == '\n') return p + 1;
    if (*p != '\r') return nullptr;
    return end_ - p > 1 && p[1] == '\n' ? p + 2 : p + 1;
  }

  [[gnu::noinline]] void skip_continuations() {
    while (at_ != end_ && (is_blank(*at_) || *at_ == '\\')) {
      if (is_blank(*at_)) {
        ++at_;
        continue;
      }
      const char* const next = continuation(at_);
      if (next == nullptr) return;
      if (blank_at_ == nullptr && next_line(at_) == nullptr) blank_at_ = at_;
      if (next == end_ && !dangling_)
        fail(Status::truncated, "obj.dangling_continuation",
             "the file ends after a backslash that continues the line", at_);
      at_ = next;
    }
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  bool float32_;
  bool dangling_ = false;
  bool blanks_ = false;
  const char* blank_at_ = nullptr;
  mutable const char* counted_ = begin_;
  mutable std::uint64_t line_ = 1;
};

}  // namespace polycodec::obj
