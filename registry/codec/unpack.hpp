// SPDX-License-Identifier: MIT
// Compressed inputs and outputs: filters that are found by content, or by the end of a file name.
#pragma once

#include <polycodec/error.hpp>

#include "core/io/source.hpp"
#include "registry/call/call.hpp"
#include "registry/choose/match.hpp"
#include "registry/load/catalog.hpp"
#include "registry/session/session.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace polycodec {

/// The most layers of compression around an input or output.
inline constexpr std::size_t max_layers = 2;

/// An input without its compression.
struct Unpacked {
  Source source;             ///< what is inside, or the input itself if it is not compressed
  std::string filters = {};  ///< that were undone, in the order of encoding, as a JSON list
  std::string advice = {};   ///< what an error about the source is to say

  /// The error of reading the source, with the advice if it is about the bytes.
  Error explain(const Error& error) const;
};

/// Undoes the filters with a magic number that the bytes begin with, on the budget of the options.
/// A codec with a magic number as good goes first. Bytes for a codec that the caller names are
/// unpacked only if the name of the source has the extension of the filter, too. Throws what the
/// filter throws, and Status::unsupported for more than max_layers.
Unpacked unpack(const Session& session, const Source& source, const DecodeOptions& options);

/// Throws Status::unsupported if the bytes and the name of a source say compression: a stream of
/// values is read as it comes.
void refuse_compressed(const Session& session, const Source& source);

/// The name of a file without the extensions of filters: `x.ply` of `x.ply.gz`.
struct PlainName {
  std::string name;
  std::string filters = {};  ///< that the extensions say, in the order of encoding, as a JSON list
};
/// Throws Status::unsupported for more than max_layers.
PlainName plain_name(const Catalog& catalog, std::string_view name);

/// True if a JSON list, or empty text, names a filter.
bool has_filters(const std::string& list);

/// Two JSON lists of filters, one after the other; either may be empty text.
std::string join_filters(const std::string& first, const std::string& second);

/// What the filter makes of the bytes of `from`, which earned for them: a source of this name.
Source undo_filter(const CallTerms& terms, const std::shared_ptr<const FilterInstance>& filter,
                   const Source& from, std::string name);

}  // namespace polycodec
