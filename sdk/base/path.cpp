// SPDX-License-Identifier: MIT
#include <base/path.hpp>
#include <base/quote.hpp>

#include <algorithm>

namespace polycodec {

namespace {

bool is_identifier(std::string_view key) noexcept {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !key.empty() && key.size() <= max_path_key && letter(key[0]) &&
         std::all_of(key.begin(), key.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace

void append_key(std::string& path, std::string_view key) {
  if (is_identifier(key)) {
    path += '.';
    path += key;
    return;
  }
  path += "[\"";
  append_escaped(path, key, '"', Letters::all, max_path_key);
  path += "\"]";
}

void append_index(std::string& path, std::uint64_t index) {
  path += '[' + std::to_string(index) + ']';
}

void append_part(std::string& path, std::string_view part) {
  path.append("<").append(part).append(">");
}

void append_part(std::string& path, std::string_view part, std::uint64_t index) {
  path.append("<").append(part).append(" ").append(std::to_string(index)).append(">");
}

std::string key_step(std::string_view key) {
  std::string step;
  append_key(step, key);
  return step;
}

std::string index_step(std::uint64_t index) {
  std::string step;
  append_index(step, index);
  return step;
}

}  // namespace polycodec
