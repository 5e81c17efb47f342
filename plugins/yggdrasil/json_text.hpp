// SPDX-License-Identifier: MIT
// The parts of JSON that are not the usual case: long numbers, escapes, strings that are not ASCII.
#pragma once

#include "decoding.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::yggdrasil {

/// A text that is (part of) the input, or was decoded from base64 in it.
struct Origin {
  std::uint64_t start = 0;  ///< offset of the first byte, or of its base64
  bool base64 = false;
  bool exact = true;  ///< false: only `start` is known

  /// The offset in the input of byte `at` of the text.
  std::uint64_t offset(std::uint64_t at) const noexcept {
    if (!exact) return start;
    return start + (base64 ? at / 3 * 4 + at % 3 : at);
  }
};

/// How a text of JSON is read.
struct Mode {
  bool typed = true;     ///< strings may be typed leaves
  bool lenient = false;  ///< strings need not be UTF-8
};

/// True if the text from `p` on begins with `word`.
inline bool is_word(const char* p, const char* end, std::string_view word) noexcept {
  return static_cast<std::size_t>(end - p) >= word.size() &&
         std::memcmp(p, word.data(), word.size()) == 0;
}

/// A text of JSON, and its tokens as nodes. Functions that read one return what follows it.
struct JsonText {
  /// A number at `p` whose point or exponent is at `q`.
  const char* real(const char* p, const char* q, polycodec_node* node) const;
  /// Any number at `p`, or what Python writes for those that JSON has not.
  const char* number(const char* p, polycodec_node* node) const;
  /// A string with escapes from `start` on: copied. Returns where its closing quote is.
  const char* escaped_string(const char* start, polycodec_node* node) const;
  /// Checks that the characters from `start` on, which become `node`, are UTF-8.
  void check_utf8(std::string_view chars, polycodec_node* node) const;

  std::uint64_t offset(const char* at) const noexcept {
    return origin.offset(static_cast<std::uint64_t>(at - begin));
  }
  [[noreturn, gnu::cold]] void fail(Status status, const char* detail, std::string message,
                                    const char* at) const {
    state.fail(status, detail, std::move(message), offset(at));
  }

  Decoding& state;
  const char* begin;
  const char* end;
  Origin origin;
  Mode mode;
};

}  // namespace polycodec::yggdrasil
