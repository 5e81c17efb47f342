// SPDX-License-Identifier: MIT
// What a codec is tested with: values of the corpus that it encodes, and the inputs of fixtures.
#pragma once

#include <polycodec/value.hpp>

#include "plugin.hpp"
#include "settings.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace polycodec::kit {

/// A value of the corpus, built.
struct CorpusValue {
  std::string name;
  Value value;
};
std::vector<CorpusValue> corpus_values();

/// An input with what it should come to.
struct Fixture {
  std::string name;
  std::filesystem::path input;     ///< a file, or a folder for a codec that takes a store
  std::filesystem::path expected;  ///< `<input>.expected.json`
  std::filesystem::path options;   ///< `<input>.options.json`, or empty
};

/// The fixtures of a codec: in the folder that is named after the codec, or in the fixture folder itself if it has
/// none such.
std::vector<Fixture> fixtures_of(const Settings& settings, std::string_view codec);

/// Reads a file, or a folder as named blobs.
Encoded read_input(const std::filesystem::path& path);

/// Encoded values to try decoding with: what the codec makes of the corpus, and fixtures that it decodes. None is
/// larger than `max_size` bytes.
std::vector<Encoded> samples_of(const Settings& settings, const Instance& instance, std::size_t max_size);

/// The same with samples of the same bytes only once, and a `skip` if there is none.
std::vector<Encoded> distinct_samples_of(const Settings& settings, const Instance& instance, std::size_t max_size);

}  // namespace polycodec::kit
