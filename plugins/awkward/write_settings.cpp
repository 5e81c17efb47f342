// SPDX-License-Identifier: MIT
#include "write_settings.hpp"

namespace polycodec::awkward {

WriteSettings WriteSettings::from(const Options& options) {
  WriteSettings settings;
  const std::string container = options.get("container", "zip");
  const bool hdf5 = container == "hdf5";
  if (hdf5) settings.names = {"/", "", "/schema.json"};
  if (container == "plain") settings.names = {"-", "", ""};
  settings.names.delimiter = options.get("delimiter", settings.names.delimiter);
  settings.names.suffix = options.get("suffix", settings.names.suffix);
  settings.names.schema_suffix = options.get("schema_suffix", settings.names.schema_suffix);
  settings.array = options.get("array", "");
  // A group of an HDF5 file needs a name; an object brings those of its members.
  settings.members = options.get("members", hdf5 && settings.array.empty());
  settings.first_id = static_cast<std::uint64_t>(options.get("first_id", std::int64_t{0}));
  if (const auto compression = options.find("compression")) {
    if (compression->node() == nullptr)
      throw Error(Status::option, "option 'compression' must be made of plain objects and lists");
    settings.compression = CompressionPolicy::from(NodeView(compression->node()));
  }
  return settings;
}

}  // namespace polycodec::awkward
