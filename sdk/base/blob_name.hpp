// SPDX-License-Identifier: MIT
// Which names blobs of a store may have.
#pragma once

#include <polycodec/utf.hpp>

#include <algorithm>
#include <string_view>

namespace polycodec {

/// Why `name` may not name a blob, or NULL if it may. A name is relative, of parts joined by '/':
/// no part is empty, "." or "..". It has no backslash, no control character and no drive letter,
/// and is UTF-8 of at most 4096 bytes. Safe to call from any thread.
inline const char* blob_name_fault(std::string_view name) noexcept {
  if (name.empty()) return "it is empty";
  if (name.size() > 4096) return "it is longer than 4096 bytes";
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "it has a control character";
    if (c == '\\') return "it has a backslash";
  }
  if (!is_utf8(name)) return "it is not UTF-8";
  if (name.front() == '/') return "it is absolute";
  const char first = static_cast<char>(name[0] | 0x20);
  if (name.size() >= 2 && name[1] == ':' && first >= 'a' && first <= 'z')
    return "it has a drive letter";
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    const std::string_view part = name.substr(at, end - at);
    if (part.empty()) return "a part of it is empty";
    if (part == "." || part == "..") return "a part of it is '.' or '..'";
    at = end + 1;
  }
  return nullptr;
}

}  // namespace polycodec
