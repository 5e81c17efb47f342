// SPDX-License-Identifier: MIT
// A codec of the plugin under test, opened with the options of the run: its defaults, unless --options says
// otherwise.
#pragma once

#include <polycodec/json.hpp>
#include <polycodec/manifest.hpp>
#include <polycodec/value.hpp>

#include "plugin.hpp"
#include "settings.hpp"

#include <string>

namespace polycodec::kit {

/// The options that `settings` give for a codec; null if they give none.
struct RunOptions {
  RunOptions(const Settings& settings, const std::string& codec)
      : all(settings.options.empty() ? Value() : parse_json(read_text(settings.options))) {
    if (all.view().is_object())
      if (const auto found = all.view().find(codec)) view = *found;
  }
  Value all;
  View view;
};

struct OpenedCodec {
  OpenedCodec(const Settings& settings, const CodecInfo& info)
      : plugin(Plugin::get(settings)),
        instance(plugin, plugin.codec(info.name), RunOptions(settings, info.name).view) {}
  Plugin& plugin;
  const Instance instance;
};

}  // namespace polycodec::kit
