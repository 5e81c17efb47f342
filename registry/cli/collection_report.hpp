// SPDX-License-Identifier: MIT
// The values that a file holds by name, for `store list` and `inspect`.
#pragma once

#include <polycodec/collection.hpp>

#include "commands.hpp"

#include <optional>
#include <string>
#include <vector>

namespace polycodec::cli {

/// A value of a collection, as JSON: {"name", "schema", "blobs": [{"name", "bytes",
/// "compression"}]}.
Json entry_json(const Collection::Entry& entry);

/// The name for people, who see nothing of an empty one.
std::string shown_name(const Collection::Entry& entry);

/// Bytes of all blobs of a value that are there.
std::uint64_t blob_bytes(const Collection::Entry& entry);

/// The values of `file`, in its order; nothing if the codec keeps only one in a file, or the file
/// is standard input. Throws what the codec and the stores throw.
std::optional<std::vector<Collection::Entry>> entries_of(Context& context, const std::string& file,
                                                         const CodecInfo* codec);

}  // namespace polycodec::cli
