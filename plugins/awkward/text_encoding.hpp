// SPDX-License-Identifier: MIT
// Texts in other encodings than UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace polycodec::awkward {

enum class Encoding {
  bytes,
  utf8,
  ascii,
  latin1,
  cp1252,
  utf7,
  utf16,
  utf16_le,
  utf16_be,
  utf32,
  utf32_le,
  utf32_be
};

/// The encoding that Python knows under this name: case, '-', '_' and ' ' do not count.
std::optional<Encoding> encoding_of(std::string_view name);

/// Appends `text` as UTF-8; what is not valid becomes U+FFFD, for UTF-8 once for each maximal part
/// of a character.
void append_decoded(std::string& out, std::string_view text, Encoding encoding);

}  // namespace polycodec::awkward
