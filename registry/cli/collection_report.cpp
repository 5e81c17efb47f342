// SPDX-License-Identifier: MIT
#include "collection_report.hpp"

#include <utility>

namespace polycodec::cli {

Json entry_json(const Collection::Entry& entry) {
  Json blobs = Json::list();
  for (const auto& blob : entry.blobs)
    blobs.push_back({{"name", blob.name},
                     {"bytes", blob.bytes ? Json(*blob.bytes) : Json()},
                     {"compression", blob.filter.empty() ? Json() : Json(blob.filter)}});
  return {{"name", entry.name}, {"schema", entry.schema}, {"blobs", std::move(blobs)}};
}

std::string shown_name(const Collection::Entry& entry) {
  return entry.name.empty() ? "(without a name)" : entry.name;
}

std::uint64_t blob_bytes(const Collection::Entry& entry) {
  std::uint64_t bytes = 0;
  for (const auto& blob : entry.blobs) bytes += blob.bytes.value_or(0);
  return bytes;
}

std::optional<std::vector<Collection::Entry>> entries_of(Context& context, const std::string& file,
                                                         const CodecInfo* codec) {
  if (file == "-" || codec == nullptr || !codec->can_list) return std::nullopt;
  return Collection(context.registry(), file, codec->name, context.options.from_options,
                    context.call_options())
      .list();
}

}  // namespace polycodec::cli
