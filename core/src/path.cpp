// SPDX-License-Identifier: MIT
#include <polycodec/path.hpp>
#include <polycodec/utf8.hpp>

#include <algorithm>

namespace polycodec {
namespace {

bool is_identifier(std::string_view key) noexcept {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !key.empty() && key.size() <= max_path_key && letter(key[0]) &&
         std::all_of(key.begin(), key.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

void append_hex(std::string& text, std::string_view prefix, unsigned byte, bool four_digits) {
  constexpr std::string_view digits = "0123456789abcdef";
  text.append(prefix).append(four_digits ? "00" : "");
  text += digits[byte >> 4];
  text += digits[byte & 15];
}

std::size_t character_size(unsigned char lead) noexcept {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

}  // namespace

void append_key(std::string& path, std::string_view key) {
  if (is_identifier(key)) {
    path += '.';
    path += key;
    return;
  }
  path += "[\"";
  const std::size_t whole = key.size();
  for (std::size_t used = 0; !key.empty() && used < max_path_key;) {
    const auto lead = static_cast<unsigned char>(key[0]);
    const std::size_t size = std::min(character_size(lead), key.size());
    if (lead == '"' || lead == '\\') {
      path += '\\';
      path += key[0];
    } else if (lead < 0x20 || lead == 0x7f) {
      append_hex(path, "\\u", lead, true);
    } else if (is_utf8(key.substr(0, size))) {
      path += key.substr(0, size);
    } else {
      append_hex(path, "\\x", lead, false);
      key.remove_prefix(1), ++used;
      continue;
    }
    key.remove_prefix(size), used += size;
  }
  if (whole > max_path_key && !key.empty()) path += "...";
  path += "\"]";
}

}  // namespace polycodec
