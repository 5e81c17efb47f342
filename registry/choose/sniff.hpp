// SPDX-License-Identifier: MIT
// Which codec do these bytes belong to?
#pragma once

#include <polycodec/registry.hpp>

#include "registry/load/catalog.hpp"

#include <cstddef>
#include <string>
#include <string_view>
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

/// True if the file name has this extension (lower case, with the dot) and is more than that.
bool has_extension(std::string_view extension, std::string_view name);

/// The length of the longest extension of the codec that `text` ends with, in any case, or 0.
std::size_t extension_length(const CodecInfo& info, std::string_view text);

/// `text` with ASCII letters in lower case.
std::string lower_case(std::string_view text);

}  // namespace polycodec
