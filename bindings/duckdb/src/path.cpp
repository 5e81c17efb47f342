// SPDX-License-Identifier: MIT
#include "path.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace polycodec_sql {

std::string member_path(std::string_view path, std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::string result(path);
  if (!name.empty() && std::all_of(name.begin(), name.end(), plain))
    return result.append(".").append(name);
  result += "[\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned char>(c));
      result += escape.data();
    } else {
      result += c;
    }
  }
  return result + "\"]";
}

std::string without_items(std::string_view path) {
  std::string result;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t end = i + 1;
    const bool bracket = path[i] == '[';
    const bool quoted = bracket && end < path.size() && path[end] == '"';
    if (quoted) {
      ++end;
      while (end < path.size() && path[end] != '"') end += path[end] == '\\' ? 2 : 1;
    }
    if (bracket) end = std::min(path.find(']', std::min(end, path.size())), path.size() - 1) + 1;
    if (!bracket || quoted) result += path.substr(i, end - i);
    i = end;
  }
  return result;
}

}  // namespace polycodec_sql
