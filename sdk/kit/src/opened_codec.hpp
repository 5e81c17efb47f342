// SPDX-License-Identifier: MIT
// A codec of the plugin under test, opened with its defaults.
#pragma once

#include <polycodec/manifest.hpp>

#include "plugin.hpp"

namespace polycodec::kit {

struct OpenedCodec {
  OpenedCodec(const Settings& settings, const CodecInfo& info)
      : plugin(Plugin::get(settings)), instance(plugin, plugin.codec(info.name)) {}
  Plugin& plugin;
  const Instance instance;
};

}  // namespace polycodec::kit
