// SPDX-License-Identifier: MIT
// Who wrote which file of a directory store: a hidden file in it, with lines `owner TAB name`.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace polycodec {

inline constexpr std::string_view owners_file = ".polycodec-owners";

/// The owner of each blob that has one, by the blob's name.
using Owners = std::map<std::string, std::string, std::less<>>;

inline std::string to_text(const Owners& owners) {
  std::string text;
  // An owner that would break a line is none.
  const auto breaks = [](char c) { return c == '\n' || c == '\t'; };
  for (const auto& [name, owner] : owners)
    if (std::ranges::none_of(owner, breaks)) text.append(owner).append("\t" + name + "\n");
  return text;
}

inline Owners owners_in(std::string_view text) {
  Owners owners;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t tab = line.find('\t');
    if (tab != std::string_view::npos) owners.emplace(line.substr(tab + 1), line.substr(0, tab));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return owners;
}

}  // namespace polycodec
