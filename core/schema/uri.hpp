// SPDX-License-Identifier: MIT
// Addresses of schemas as names: they are put together and compared, and nothing is ever opened.
#pragma once

#include <string>
#include <string_view>

namespace polycodec::schema {

/// `reference` as it is meant in a document with the address `base` (RFC 3986, section 5.2).
std::string resolve_uri(std::string_view base, std::string_view reference);

/// An address and what follows its `#`, without it.
struct SplitUri {
  std::string_view document, fragment;
};
SplitUri split_uri(std::string_view uri) noexcept;

}  // namespace polycodec::schema
