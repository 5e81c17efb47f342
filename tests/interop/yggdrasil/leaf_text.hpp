// SPDX-License-Identifier: MIT
#pragma once

#include <base/base64.hpp>

#include <string>
#include <string_view>

namespace polycodec::test {

/// The base64 form of a typed leaf, with its quotes.
inline std::string leaf_text(std::string_view schema, std::string_view data) {
  const auto base64 = [](std::string_view bytes) {
    std::string text(base64_encoded_size(bytes.size()), '\0');
    base64_encode(text.data(), bytes.data(), bytes.size());
    return text;
  };
  return "\"-YGG-" + base64(schema) + "-YGG-" + base64(data) + "-YGG-\"";
}

}  // namespace polycodec::test
