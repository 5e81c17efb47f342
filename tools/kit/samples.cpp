// SPDX-License-Identifier: MIT
#include "samples.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

namespace polycodec::kit {

Encoded read_input(const std::filesystem::path& path) {
  Encoded encoded;
  encoded.name = path.filename().string();
  encoded.is_fixture = true;
  encoded.is_store = std::filesystem::is_directory(path);
  if (!encoded.is_store) {
    encoded.parts.emplace_back(std::string(), read_text(path));
    return encoded;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file())
      encoded.parts.emplace_back(entry.path().lexically_relative(path).generic_string(),
                                 read_text(entry.path()));
  std::sort(encoded.parts.begin(), encoded.parts.end());
  return encoded;
}

namespace {

/// Calls use(input, value) for each fixture that is read.
template <class Use>
void for_each_fixture(const Subject& subject, Use use) {
  if (!subject.entry().can_read) return;
  for (const Fixture& fixture : subject.entry().fixtures) {
    Encoded input = read_input(fixture.input);
    note("reading " + input.name);
    Reading value;
    if (subject.read(input, value).ok()) use(input, value);
  }
}

}  // namespace

std::vector<Sample> fixture_values(const Subject& subject) {
  std::vector<Sample> values;
  if (subject.entry().kind == Kind::function) return values;  // a fixture is what it takes
  for_each_fixture(subject, [&](const Encoded& input, Reading& read) {
    const auto kept = std::make_shared<Reading>(std::move(read));
    values.push_back({"the value of " + input.name, kept->root, kept->regions, kept});
  });
  return values;
}

std::vector<Sample> values_of(const Subject& subject) {
  std::vector<Sample> values;
  if (subject.entry().has_corpus) values = subject.values();
  for (Sample& value : fixture_values(subject)) values.push_back(std::move(value));
  return values;
}

std::vector<Encoded> samples_of(const Subject& subject) {
  std::vector<Encoded> samples;
  std::set<Parts> seen;
  const auto add = [&](Encoded& encoded) {
    if (seen.insert(encoded.parts).second) samples.push_back(std::move(encoded));
  };
  const bool function = subject.entry().kind == Kind::function;
  if (subject.entry().can_write && !function) {
    for (const Sample& value : values_of(subject)) {
      Encoded encoded;
      note("writing " + value.name);
      if (subject.write(value, encoded).ok()) add(encoded);
    }
  }
  for_each_fixture(subject, [&](Encoded& input, const Reading&) { add(input); });
  if (function)
    for (const char* argument : {"", "1", "some text, some text"}) {
      Encoded bytes{"an argument", false, {{std::string(), argument}}};
      Reading result;
      if (subject.read(bytes, result).ok()) add(bytes);
    }
  if (samples.empty())
    skip(function ? "the function takes no bytes"
                  : "there is nothing to read: nothing is written, and no fixture is read");
  return samples;
}

std::vector<Encoded> samples_to_damage(const Subject& subject) {
  constexpr std::size_t most = 64;
  std::vector<Encoded> samples = samples_of(subject);
  const std::size_t step = (samples.size() + most - 1) / most;
  std::size_t i = 0;
  std::erase_if(samples,
                [&](const Encoded& sample) { return i++ % step != 0 && !sample.is_fixture; });
  return samples;
}

std::vector<Encoded> samples_or_none(const Subject& subject, std::span<const Sample> values) {
  if (!subject.entry().can_read) return {};
  try {
    return samples_of(subject);
  } catch (const Skip&) {
    if (values.empty()) throw;
    return {};
  }
}

std::size_t tries_for(std::size_t size, std::size_t most) {
  constexpr std::size_t small = 4096, bytes = std::size_t{16} << 20, least = 32;
  const std::size_t tries = size <= small ? most : std::min(most / 8, bytes / size);
  return std::min(most, std::max(least, tries));
}

std::vector<std::size_t> offsets_in(std::size_t size, std::size_t most) {
  std::vector<std::size_t> offsets;
  const std::size_t tries = tries_for(size, most);
  if (size <= tries) {
    for (std::size_t at = 0; at < size; ++at) offsets.push_back(at);
    return offsets;
  }
  // A quarter of them for each end, the others over what is between. A step of an odd number of
  // bytes meets every place of blocks and words.
  const std::size_t ends = tries / 4;
  for (std::size_t at = 0; at < ends; ++at) offsets.push_back(at);
  const std::size_t step = ((size - 2 * ends) / (tries - 2 * ends) + 1) | 1;
  for (std::size_t at = ends; at < size - ends; at += step) offsets.push_back(at);
  for (std::size_t at = size - ends; at < size; ++at) offsets.push_back(at);
  return offsets;
}

}  // namespace polycodec::kit
