// SPDX-License-Identifier: MIT
// The values that a file holds by name, for `store list` and `inspect`.
#pragma once

#include "commands.hpp"

#include <optional>
#include <string>
#include <utility>

namespace polycodec::cli {

/// The values of a collection, in its order: [{"name", "schema", "blobs": [{"name", "bytes",
/// "compression"}]}].
inline Json entries_of(const Collection& collection) {
  Json entries = json_of(collection.list())["values"];
  for (Json& entry : entries)
    for (Json& blob : entry["blobs"]) {
      Json filter = std::move(blob["filter"]);
      blob.erase("filter");
      blob["compression"] = filter.get_ref<const std::string&>().empty() ? Json() : filter;
    }
  return entries;
}

/// Those of `file`; nothing if the codec keeps only one in a file, or the file is standard input.
/// Throws what the codec and the stores throw.
inline std::optional<Json> entries_of(const Run& run, const std::string& file,
                                      const std::string& codec) {
  if (file == "-" || codec == "raw") return std::nullopt;
  if (!parse_json(run.registry().description(About::codec, codec)).value("list", false))
    return std::nullopt;
  std::vector<Loss> losses;
  return entries_of(
      Collection(run.registry(), file, {codec, run.options.from_options}, run.call(losses)));
}

/// The name of a value for users, who see nothing of an empty one.
inline std::string shown_name(const Json& entry) {
  const std::string& name = entry["name"].get_ref<const std::string&>();
  return name.empty() ? "(without a name)" : name;
}

/// Bytes of all blobs of a value that are there.
inline std::uint64_t blob_bytes(const Json& entry) {
  std::uint64_t bytes = 0;
  for (const Json& blob : entry["blobs"])
    if (!blob["bytes"].is_null()) bytes += blob["bytes"].get<std::uint64_t>();
  return bytes;
}

}  // namespace polycodec::cli
