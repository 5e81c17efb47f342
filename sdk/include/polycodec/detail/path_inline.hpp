// SPDX-License-Identifier: MIT
// The functions of polycodec/path.hpp.
#pragma once

#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>

namespace polycodec {

namespace detail {

inline bool is_identifier(std::string_view key) noexcept {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !key.empty() && key.size() <= max_path_key && letter(key[0]) &&
         std::all_of(key.begin(), key.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

}  // namespace detail

inline void append_key(std::string& path, std::string_view key) {
  if (detail::is_identifier(key)) {
    path += '.';
    path += key;
    return;
  }
  path += "[\"";
  append_escaped(path, key, '"', Letters::all, max_path_key);
  path += "\"]";
}

inline void append_index(std::string& path, std::uint64_t index) {
  path += '[' + std::to_string(index) + ']';
}

inline std::string_view part_word(Part part) noexcept {
  constexpr std::string_view words[] = {"key",    "value", "payload", "target", "attributes",
                                        "member", "field", "content", "chunk"};
  return words[static_cast<std::size_t>(part)];
}

inline void append_part(std::string& path, Part part) {
  path.append("<").append(part_word(part)).append(">");
}

inline void append_part(std::string& path, Part part, std::uint64_t index) {
  path.append("<").append(part_word(part)).append(" ").append(std::to_string(index)).append(">");
}

inline std::string key_step(std::string_view key) {
  std::string step;
  append_key(step, key);
  return step;
}

inline std::string index_step(std::uint64_t index) {
  std::string step;
  append_index(step, index);
  return step;
}

namespace detail {

[[gnu::noinline, gnu::cold]] inline void put_step(Error& error, std::string step) {
  std::string_view rest = error.path();
  if (rest.size() > max_grown_path) return;
  if (rest.starts_with(path_root)) rest.remove_prefix(path_root.size());
  error.path(std::string(path_root).append(step).append(rest));
}

}  // namespace detail

}  // namespace polycodec
