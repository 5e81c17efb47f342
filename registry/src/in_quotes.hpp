// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace polycodec {

/// 'text', for messages.
inline std::string in_quotes(std::string_view text) {
  return "'" + std::string(text) + "'";
}

}  // namespace polycodec
