// SPDX-License-Identifier: MIT
// Where an error is, in terms of the value: `$.a[3]`.
#pragma once

#include <string>
#include <string_view>

namespace polycodec::yggdrasil {

/// Appends the step to a member: `.name` or `["odd name"]`.
inline void append_member(std::string& path, std::string_view name) {
  bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (const char c : name)
    plain = plain && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
  if (plain && name.size() <= 80) {
    path += '.';
    path += name;
    return;
  }
  path += "[\"";
  for (const char c : name.substr(0, 80)) {
    if (c == '"' || c == '\\') path += '\\';
    path += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
  path += "\"]";
}

}  // namespace polycodec::yggdrasil
