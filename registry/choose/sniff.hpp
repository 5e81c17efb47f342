// SPDX-License-Identifier: MIT
// Which codec do these bytes belong to?
#pragma once

#include <polycodec/registry.hpp>

#include "registry/load/catalog.hpp"

#include <vector>

namespace polycodec {

/// See Registry::sniff.
std::vector<Match> sniff_source(const Catalog& catalog, const Source& source);

/// See Registry::choose.
Match choose_codec(const Catalog& catalog, const Source& source, const DecodeOptions& options);
Match choose_codec(const Catalog& catalog, const Message& message, const DecodeOptions& options);

/// The score of the best magic number of the manifest that fits the bytes, or 0; `offset` (or
/// null): its place.
std::uint32_t magic_score_of(const CodecInfo& info, std::string_view bytes,
                             std::uint64_t* offset = nullptr) noexcept;

/// For a source that is this message.
Match choose_codec(const Catalog& catalog, const Source& source, const Message& message,
                   const DecodeOptions& options);

/// An error in options that a message header gives: it is the input that is wrong.
Error header_options_error(const Error& error);

/// `text` with ASCII letters in lower case.
std::string lower_case(std::string_view text);

}  // namespace polycodec
