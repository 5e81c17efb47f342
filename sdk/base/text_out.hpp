// SPDX-License-Identifier: MIT
// Where text goes: a string or a writer, through one window of memory.
#pragma once

#include <base/base64.hpp>
#include <base/json_number.hpp>
#include <polycodec/utf.hpp>
#include <polycodec/writer.hpp>

#include <cstring>
#include <string>
#include <string_view>

namespace polycodec::text {

/// Output of text. What was put counts after finish(); an object that dies without it (an
/// exception) finishes too.
class TextOut {
 public:
  explicit TextOut(std::string& text) noexcept : string_(&text), base_(text.size()) {}
  explicit TextOut(Writer& writer) noexcept : writer_(&writer) {}
  ~TextOut() { finish(); }
  TextOut(const TextOut&) = delete;
  TextOut& operator=(const TextOut&) = delete;

  /// Room for at least `size` characters, at most 64 KiB, from the returned pointer on; take() what
  /// was filled.
  char* room(std::size_t size) {
    if (static_cast<std::size_t>(end_ - at_) < size) [[unlikely]]
      grow(size);
    return at_;
  }
  void take(char* end) noexcept { at_ = end; }

  void put(char c) {
    *room(1) = c;
    ++at_;
  }
  [[gnu::always_inline]] void put(std::string_view text) {  // mostly of a constant
    while (text.size() > chunk) {
      append(text.substr(0, chunk));
      text.remove_prefix(chunk);
    }
    append(text);
  }
  /// Lets `write`, which writes at most max_number_size characters and returns the end, write.
  template <class Write>
  void put_with(Write write) {
    at_ = write(room(max_number_size));
  }

  /// A JSON string of valid UTF-8: control characters are escaped, all others stand for themselves.
  void put_quoted(std::string_view text);
  /// A JSON string without the quotes.
  void put_escaped(std::string_view text);
  /// A JSON string that holds bytes as base64.
  void put_base64(const void* data, std::size_t size);
  /// A new line, indented by so many spaces.
  void put_line(std::size_t blanks) {
    put('\n');
    line_ = position();
    for (; blanks > 0; --blanks) put(' ');
  }

  /// Characters so far.
  std::uint64_t position() const noexcept {
    return before_ + static_cast<std::uint64_t>(at_ - start_);
  }
  /// Characters on the current line.
  std::uint64_t column() const noexcept { return position() - line_; }

  void finish() noexcept {
    if (writer_ != nullptr)
      writer_->commit(static_cast<std::uint64_t>(at_ - start_));
    else
      string_->resize(base_ + static_cast<std::size_t>(at_ - start_));
    before_ += static_cast<std::uint64_t>(at_ - start_);
    if (string_ != nullptr) base_ = string_->size();
    start_ = at_ = end_ = nullptr;
  }

 private:
  static constexpr std::size_t chunk = 65536;

  void append(std::string_view text) {
    char* p = room(text.size());
    if (!text.empty()) std::memcpy(p, text.data(), text.size());
    at_ = p + text.size();
  }
  void grow(std::size_t size);

  std::string* string_ = nullptr;
  Writer* writer_ = nullptr;
  char* start_ = nullptr;  // the window, which follows base_ characters of the string
  char* at_ = nullptr;
  char* end_ = nullptr;
  std::size_t base_ = 0;
  std::uint64_t before_ = 0;  // characters put before the window
  std::uint64_t line_ = 0;
};

}  // namespace polycodec::text
