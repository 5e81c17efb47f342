// SPDX-License-Identifier: MIT
// URIs that hold their data (RFC 2397).
#pragma once

#include <optional>
#include <string_view>

namespace polycodec {

/// True if the scheme is `data`, in letters of either case. Thread-safe.
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

}  // namespace polycodec
