// SPDX-License-Identifier: MIT
// The functions of polycodec/quote.hpp.
#pragma once

#include <polycodec/detail/hex.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

namespace polycodec {
namespace detail {

// Characters that a terminal obeys or does not show: controls, marks of direction, joiners, tags.
inline bool is_hidden(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
         (c >= 0x200b && c < 0x2010) || (c >= 0x2028 && c < 0x202f) ||
         (c >= 0x2060 && c < 0x2070) || c == 0xfeff || (c >= 0xfff0 && c < 0xfffc) ||
         (c >= 0xe0000 && c < 0xe1000);
}

inline void append_escapes(std::string& out, char32_t code) {
  const auto append_unit = [&out](char32_t unit) { append_hex(out += "\\u", unit, 4); };
  if (code >= 0x10000) {
    append_unit(0xd800 + ((code - 0x10000) >> 10));
    append_unit(0xdc00 + ((code - 0x10000) & 0x3ff));
  } else {
    append_unit(code);
  }
}

// Longer names are cut: the distance costs the product of the lengths, and `wanted` may come from a
// message.
inline constexpr std::size_t max_compared = 128;

inline std::string lower_name(std::string_view text) {
  std::string result(text.substr(0, max_compared));
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace detail

inline void append_escaped(std::string& out, std::string_view text, char mark, Letters letters,
                           std::size_t max_bytes) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t at = 0;
  while (at < text.size() && at < max_bytes) {
    char32_t code = 0;
    const std::size_t length = decode_one(bytes + at, text.size() - at, code);
    if (length == 0) {
      append_hex(out += "\\x", bytes[at++], 2);
      continue;
    }
    if (detail::is_hidden(code) || (letters == Letters::ascii && code >= 0x80)) {
      detail::append_escapes(out, code);
    } else {
      if (code == static_cast<unsigned char>(mark) || code == '\\') out += '\\';
      out += text.substr(at, length);
    }
    at += length;
  }
  if (at < text.size()) out += "...";
}

inline std::string quote(std::string_view text, std::size_t max_bytes) {
  std::string out = "'";
  append_escaped(out, text, '\'', Letters::ascii, max_bytes);
  return out += '\'';
}

inline std::string quote_path(std::string_view path) {
  std::string out = "'";
  append_escaped(out, path, '\'', Letters::all, path.size());
  return out += '\'';
}

inline std::string printable(std::string_view text, bool has_lines) {
  std::string out;
  out.reserve(text.size());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    char32_t code = 0;
    const std::size_t length = decode_one(bytes + at, text.size() - at, code);
    if (length == 0)
      append_hex(out += "\\x", bytes[at], 2);
    else if (detail::is_hidden(code) && code != '\t' && (code != '\n' || !has_lines))
      detail::append_escapes(out, code);
    else
      out += text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

inline std::string quote_byte(char byte) {
  if (byte >= 0x20 && byte < 0x7f) return {'\'', byte, '\''};
  std::string out = "byte 0x";
  append_hex(out, static_cast<unsigned char>(byte), 2);
  return out;
}

inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

inline std::vector<std::string> suggestions(std::string_view wanted,
                                            std::span<const std::string> candidates,
                                            std::size_t most) {
  const std::string asked = detail::lower_name(wanted);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto& candidate : candidates) {
    const std::string name = detail::lower_name(candidate);
    const bool prefix = std::min(asked.size(), name.size()) >= 2 &&
                        (name.starts_with(asked) || asked.starts_with(name));
    const std::size_t distance = edit_distance(asked, name);
    if (distance <= std::max<std::size_t>(1, asked.size() / 3))
      ranked.emplace_back(distance, candidate);
    else if (prefix)
      ranked.emplace_back(detail::max_compared + distance, candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
  if (ranked.size() > most) ranked.resize(most);
  std::vector<std::string> names;
  names.reserve(ranked.size());
  for (auto& [distance, name] : ranked) names.push_back(std::move(name));
  return names;
}

inline std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates) {
  const auto names = suggestions(wanted, candidates);
  if (names.empty()) return {};
  std::string text = " (did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + (quote(names[i]));
  return text + "?)";
}

}  // namespace polycodec
