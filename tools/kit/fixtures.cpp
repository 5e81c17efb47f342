// SPDX-License-Identifier: MIT
#include "fixtures.hpp"

#include <algorithm>

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

}  // namespace polycodec::kit
