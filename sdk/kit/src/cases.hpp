// SPDX-License-Identifier: MIT
// All cases of the kit, by what they look at.
#pragma once

#include <polycodec/manifest.hpp>

#include "case.hpp"
#include "settings.hpp"

#include <vector>

namespace polycodec::kit {

/// The plugin as a whole: manifest, library, entry object, interfaces, loading through the registry.
std::vector<Case> plugin_cases(const Settings& settings);

/// One codec, by group.
void add_option_cases(std::vector<Case>& cases, const Settings& settings, const CodecInfo& codec);
void add_fixture_cases(std::vector<Case>& cases, const Settings& settings, const CodecInfo& codec);
void add_encode_cases(std::vector<Case>& cases, const Settings& settings, const CodecInfo& codec);
void add_hostile_cases(std::vector<Case>& cases, const Settings& settings, const CodecInfo& codec);
void add_limit_cases(std::vector<Case>& cases, const Settings& settings, const CodecInfo& codec);
void add_memory_cases(std::vector<Case>& cases, const Settings& settings, const CodecInfo& codec);
void add_other_cases(std::vector<Case>& cases, const Settings& settings, const CodecInfo& codec);

}  // namespace polycodec::kit
