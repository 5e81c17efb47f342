// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace polycodec {

/// The name of a type or kind with its article: "an int32", "a uint8", "an object".
inline std::string with_article(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeio").find(noun[0]) != noun.npos;
  return std::string(vowel ? "an " : "a ").append(noun);
}

}  // namespace polycodec
