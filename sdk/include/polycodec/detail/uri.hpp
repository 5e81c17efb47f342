// SPDX-License-Identifier: MIT
// URIs that name files or hold data, as documents have them.
#pragma once

#include <polycodec/detail/hex.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace polycodec::detail {

/// True if the scheme is `data` (RFC 2397), in letters of either case. Thread-safe.
inline bool is_data_uri(std::string_view uri) noexcept {
  constexpr std::string_view scheme = "data:";
  if (uri.size() < scheme.size()) return false;
  for (std::size_t i = 0; i < scheme.size(); ++i)
    if ((i < 4 ? uri[i] | 0x20 : uri[i]) != scheme[i]) return false;
  return true;
}

/// The base64 in a URI of the scheme `data`; nothing if its data has another form. Thread-safe.
inline std::optional<std::string_view> base64_of_data_uri(std::string_view uri) noexcept {
  constexpr std::string_view mark = ";base64,";
  const auto at = uri.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return uri.substr(at + mark.size());
}

/// The name of a file that a URI is: `%20` is a space. Thread-safe.
inline std::string name_of_uri(std::string_view uri) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string name;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
      name += static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2]));
      i += 2;
    } else {
      name += uri[i];
    }
  }
  return name;
}

/// The URI of a file of this name, from which name_of_uri() gives it back. Thread-safe.
inline std::string uri_of_name(std::string_view name) {
  constexpr std::string_view plain = "-._~!$&'()*+,;=@/";
  std::string uri;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || plain.find(c) != std::string_view::npos;
    if (is_plain)
      uri += c;
    else
      uri.append({'%', upper_hex_digits[byte / 16], upper_hex_digits[byte % 16]});
  }
  return uri;
}

}  // namespace polycodec::detail
