// SPDX-License-Identifier: MIT
#pragma once

#include <re2/re2.h>

#include <string_view>

namespace polycodec::schema {

/// True if the expression is found anywhere in the text, as JSON Schema has it.
inline bool matches(const re2::RE2& pattern, std::string_view text) {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern);
}

}  // namespace polycodec::schema
