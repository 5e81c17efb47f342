// SPDX-License-Identifier: MIT
// A manifest together with the JSON that it came from.
#pragma once

#include <polycodec/manifest.hpp>

#include "json_document.hpp"

#include <string_view>
#include <vector>

namespace polycodec {

struct ManifestDocument {
  Manifest manifest;
  std::vector<Json> entries;  ///< the "codecs" entries, in the order of manifest.codecs
};

/// See parse_manifest.
ManifestDocument read_manifest(std::string_view text, std::string_view origin);

}  // namespace polycodec
