// SPDX-License-Identifier: MIT
// The values that a file holds by name, for `store list` and `inspect`.
#pragma once

#include <polycodec/collection.hpp>

#include "commands.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::cli {

/// A value of a collection, as JSON: {"name", "schema", "blobs": [{"name", "bytes",
/// "compression"}]}.
inline Json entry_json(const Collection::Entry& entry) {
  Json blobs = Json::list();
  for (const auto& blob : entry.blobs)
    blobs.push_back({{"name", blob.name},
                     {"bytes", blob.bytes ? Json(*blob.bytes) : Json()},
                     {"compression", blob.filter.empty() ? Json() : Json(blob.filter)}});
  return {{"name", entry.name}, {"schema", entry.schema}, {"blobs", std::move(blobs)}};
}

/// The name for users, who see nothing of an empty one.
inline std::string shown_name(const Collection::Entry& entry) {
  return entry.name.empty() ? "(without a name)" : entry.name;
}

/// Bytes of all blobs of a value that are there.
inline std::uint64_t blob_bytes(const Collection::Entry& entry) {
  std::uint64_t bytes = 0;
  for (const auto& blob : entry.blobs) bytes += blob.bytes.value_or(0);
  return bytes;
}

/// The values of `file`, in its order; nothing if the codec keeps only one in a file, or the file
/// is standard input. Throws what the codec and the stores throw.
inline std::optional<std::vector<Collection::Entry>> entries_of(Context& context,
                                                                const std::string& file,
                                                                const CodecInfo* codec) {
  if (file == "-" || codec == nullptr || !codec->can_list) return std::nullopt;
  return Collection(context.registry(), file, codec->name, context.options.from_options,
                    context.call_options())
      .list();
}

}  // namespace polycodec::cli
