// SPDX-License-Identifier: MIT
#include "terms.hpp"

#include <base/json_writer.hpp>
#include <polycodec/text.hpp>

namespace polycodec::cli {

std::string versioned(Context& context, const std::string& codec) {
  const CodecInfo* info = context.registry().find(codec);
  if (info == nullptr) return codec;  // "raw"
  return info->name + "@" + info->plugin_version;
}

Terms terms_of(Context& context) {
  const CommonOptions& given = context.options;
  Json options = Json::object();
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) options[name] = text;
  };
  add("from", given.from);
  add("from_options", given.from_options);
  add("from_filters", given.from_filters);
  add("to_options", given.to_options);
  add("to_filters", given.to_filters);
  add("columns", given.columns);
  add("rows", given.rows);
  if (given.lossy) options["lossy"] = true;
  if (given.as_is) options["as_is"] = true;
  for (const auto& [name, text] : context.configuration().registry.default_options)
    options["defaults"][name] = text;
  return {versioned(context, given.to), options.text(json_compact)};
}

}  // namespace polycodec::cli
