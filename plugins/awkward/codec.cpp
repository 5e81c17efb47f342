// SPDX-License-Identifier: MIT
#include "codec.hpp"

namespace polycodec::awkward {

ReadSettings ReadSettings::from(const Options& options) {
  ReadSettings settings;
  if (const auto array = options.find("array")) settings.array = std::string(array->as_string());
  if (const auto columns = options.find("columns")) {
    auto& names = settings.columns.emplace();
    for (const View name : *columns) names.emplace_back(name.as_string());
  }
  if (const auto rows = options.find("rows"))
    settings.rows = {rows->child(0).as_int64(), rows->child(1).as_int64()};
  if (const auto suffix = options.find("schema_suffix"))
    settings.schema_suffix = std::string(suffix->as_string());
  settings.contents = options.get("contents", false);
  settings.check = options.get("check", true);
  return settings;
}

}  // namespace polycodec::awkward
