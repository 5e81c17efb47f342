// SPDX-License-Identifier: MIT
#include "terms.hpp"

namespace polycodec::cli {

std::string versioned(const Run& run, const std::string& codec) try {
  const Value about = run.registry().describe(About::codec, codec);
  return std::string(about.find("name").as_string()) + "@" +
         std::string(about.find("plugin.version").as_string());
} catch (const Error& error) {
  if (error.code() != Status::not_found) throw;
  return codec;  // "raw"
}

Terms terms_of(const Run& run) {
  const CommonOptions& given = run.options;
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
  add("select", given.select);
  if (given.lossy) options["lossy"] = true;
  if (given.lossless) options["lossless"] = true;
  if (given.tolerant) options["tolerant"] = true;
  if (given.as_is) options["as_is"] = true;
  for (const Json& setting : parse_json(run.registry().description(About::settings)))
    if (setting["key"] == "defaults.options")
      for (const auto& [codec, defaults] : setting["value"].items())
        options["defaults"][codec] = text_of(defaults);
  return {versioned(run, given.to), text_of(options)};
}

}  // namespace polycodec::cli
