// SPDX-License-Identifier: MIT
// Which codec do these bytes belong to?
#pragma once

#include <polycodec/registry.hpp>

#include "catalog.hpp"

#include <vector>

namespace polycodec {

/// See Registry::sniff.
std::vector<SniffCandidate> sniff_source(const Catalog& catalog, const Source& source);

/// See Registry::choose.
Choice choose_codec(const Catalog& catalog, const Source& source, const DecodeOptions& options);
Choice choose_codec(const Catalog& catalog, const Message& message, const DecodeOptions& options);

/// `text` with ASCII letters in lower case.
std::string lower_case(std::string_view text);

}  // namespace polycodec
