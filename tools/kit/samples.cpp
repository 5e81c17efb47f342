// SPDX-License-Identifier: MIT
#include "samples.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

namespace polycodec::kit {

std::vector<Fixture> fixtures_of(const Settings& settings, std::string_view name) {
  constexpr std::string_view ending = ".expected.json";
  std::vector<Fixture> fixtures;
  for (const auto& root : settings.fixtures) {
    std::error_code ignored;
    const auto own = root / name;
    const auto directory = std::filesystem::is_directory(own, ignored) ? own : root;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      const std::string file = entry.path().string();
      if (!file.ends_with(ending)) continue;
      const std::filesystem::path input = file.substr(0, file.size() - ending.size());
      std::filesystem::path options = input.string() + ".options.json";
      if (!std::filesystem::exists(options)) options.clear();
      fixtures.push_back({input.filename().string(), input, entry.path(), options});
    }
  }
  std::sort(fixtures.begin(), fixtures.end(),
            [](const Fixture& a, const Fixture& b) { return a.name < b.name; });
  return fixtures;
}

Encoded read_input(const std::filesystem::path& path) {
  Encoded encoded;
  encoded.name = path.filename().string();
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

std::vector<Encoded> samples_of(const Subject& subject, const Settings& settings,
                                std::size_t max_size) {
  std::vector<Encoded> samples;
  std::set<Parts> seen;
  const auto add = [&](Encoded& encoded) {
    if (encoded.size() <= max_size && seen.insert(encoded.parts).second)
      samples.push_back(std::move(encoded));
  };
  if (subject.entry().can_write) {
    for (const Sample& value : subject.values()) {
      Encoded encoded;
      note("writing " + value.name);
      if (subject.write(value, encoded).ok()) add(encoded);
    }
  }
  const auto try_to_read = [&](Encoded encoded) {
    Reading value;
    note("reading " + encoded.name);
    if (encoded.size() <= max_size && subject.read(encoded, value).ok()) add(encoded);
  };
  for (const Fixture& f : fixtures_of(settings, subject.entry().name))
    if (f.options.empty()) try_to_read(read_input(f.input));  // others may need their options
  if (subject.entry().kind == Kind::function)
    for (const char* argument : {"", "1", "some text, some text"})
      try_to_read({"an argument", false, {{std::string(), argument}}});
  if (samples.empty()) skip("there is nothing to read: nothing is written, and no fixture is read");
  return samples;
}

}  // namespace polycodec::kit
