// SPDX-License-Identifier: MIT
// The notation for places in a value: `$` is the root, `.name` and `["any key"]` a member, `[3]` an item, and
// `<payload>` a part that has no name of its own in the data (the payload of an extension, the content of a list).
#pragma once

#include <polycodec/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// Keys longer than this many bytes are cut in paths: a hostile key must not make a hostile message.
inline constexpr std::size_t max_path_key = 80;

namespace detail {

inline bool is_path_identifier(std::string_view key) noexcept {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !key.empty() && key.size() <= max_path_key && letter(key[0]) &&
         std::all_of(key.begin(), key.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

inline void append_hex(std::string& text, std::string_view prefix, unsigned byte, bool four_digits) {
  constexpr std::string_view digits = "0123456789abcdef";
  text.append(prefix).append(four_digits ? "00" : "");
  text += digits[byte >> 4];
  text += digits[byte & 15];
}

inline std::size_t character_size(unsigned char lead) noexcept {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

}  // namespace detail

/// The path of the root.
inline constexpr std::string_view path_root = "$";

/// Appends the member `key`: `.key` if it is an ASCII identifier, otherwise `["key"]` with JSON's escapes; bytes that
/// are not UTF-8 are written as `\xNN`.
inline void append_key(std::string& path, std::string_view key) {
  if (detail::is_path_identifier(key)) {
    path += '.';
    path += key;
    return;
  }
  path += "[\"";
  const std::size_t whole = key.size();
  for (std::size_t used = 0; !key.empty() && used < max_path_key;) {
    const auto lead = static_cast<unsigned char>(key[0]);
    const std::size_t size = std::min(detail::character_size(lead), key.size());
    if (lead == '"' || lead == '\\') {
      path += '\\';
      path += key[0];
    } else if (lead < 0x20 || lead == 0x7f) {
      detail::append_hex(path, "\\u", lead, true);
    } else if (is_utf8(key.substr(0, size))) {
      path += key.substr(0, size);
    } else {
      detail::append_hex(path, "\\x", lead, false);
      key.remove_prefix(1), ++used;
      continue;
    }
    key.remove_prefix(size), used += size;
  }
  if (whole > max_path_key && !key.empty()) path += "...";
  path += "\"]";
}

/// Appends item `index`: `[index]`.
inline void append_index(std::string& path, std::uint64_t index) {
  path += '[';
  path += std::to_string(index);
  path += ']';
}

/// Appends an unnamed part: `<part>`, or `<part index>`.
inline void append_part(std::string& path, std::string_view part) {
  path.append("<").append(part).append(">");
}
inline void append_part(std::string& path, std::string_view part, std::uint64_t index) {
  path.append("<").append(part).append(" ").append(std::to_string(index)).append(">");
}

}  // namespace polycodec
