// SPDX-License-Identifier: MIT
// Inputs of the author, each with its value.
#pragma once

#include "settings.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::kit {

/// An input with what it should come to.
struct Fixture {
  std::string name;
  std::filesystem::path input;     ///< a file, or a directory for a codec that takes a store
  std::filesystem::path expected;  ///< `<input>.expected.json`
  std::filesystem::path options;   ///< `<input>.options.json`, or empty
};

/// The fixtures of an entry: in the directory that is named after it, or in the fixture directory
/// itself if it has none such.
std::vector<Fixture> fixtures_of(const Settings& settings, std::string_view name);

}  // namespace polycodec::kit
