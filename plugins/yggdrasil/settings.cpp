// SPDX-License-Identifier: MIT
#include "settings.hpp"

namespace polycodec::yggdrasil {

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.python = options.choice<bool>("style", {{"cpp", false}, {"python", true}});
  settings.dialect = options.choice<Dialect>("dialect", {{"current", Dialect::current},
                                                         {"document", Dialect::document},
                                                         {"legacy-1.8", Dialect::legacy}});
  if (const auto datatype = options.find("datatype")) {
    if (datatype->node() == nullptr)
      throw Error(Status::option, "option 'datatype': a schema must be a plain object");
    settings.datatype = Datatype::from(NodeView(datatype->node()));
  }
  settings.bare_nonfinite = options.choice<bool>(
      "nonfinite", {{"auto", settings.python}, {"scalar", false}, {"bare", true}});
  settings.geometry_as_text = options.choice<bool>("geometry", {{"decode", false}, {"text", true}});
  settings.duplicates = options.choice<Duplicates>(
      "duplicate_keys",
      {{"keep", Duplicates::keep}, {"last", Duplicates::last}, {"refuse", Duplicates::refuse}});
  settings.lenient_utf8 = options.choice<bool>("utf8", {{"strict", false}, {"lenient", true}});
  settings.refuse_foreign = options.choice<bool>("foreign", {{"exact", false}, {"refuse", true}});
  settings.escape_separator = options.choice<bool>(
      "separator", {{"auto", !settings.python}, {"escape", true}, {"keep", false}});
  return settings;
}

}  // namespace polycodec::yggdrasil
