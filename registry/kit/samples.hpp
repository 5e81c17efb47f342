// SPDX-License-Identifier: MIT
// What a subject is tested with: what it writes, and the inputs of fixtures.
#pragma once

#include "settings.hpp"
#include "subject.hpp"

#include <filesystem>
#include <string>
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

/// Reads a file, or a directory as named blobs.
Encoded read_input(const std::filesystem::path& path);

/// Inputs to try reading with, each once: what the subject writes, and fixtures that it reads. None
/// is larger than `max_size` bytes. Throws Skip if there is none: the case "reads" fails then.
std::vector<Encoded> samples_of(const Subject& subject, const Settings& settings,
                                std::size_t max_size);

}  // namespace polycodec::kit
