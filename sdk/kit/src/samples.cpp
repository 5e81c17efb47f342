// SPDX-License-Identifier: MIT
#include "samples.hpp"

#include <polycodec/kit/corpus.hpp>

#include "case.hpp"

#include <algorithm>
#include <set>

namespace polycodec::kit {

std::vector<CorpusValue> corpus_values() {
  std::vector<CorpusValue> values;
  for (const CorpusEntry& entry : corpus()) values.push_back({std::string(entry.name), Value::build(entry.make)});
  return values;
}

std::vector<Fixture> fixtures_of(const Settings& settings, std::string_view codec) {
  constexpr std::string_view ending = ".expected.json";
  std::vector<Fixture> fixtures;
  for (const auto& root : settings.fixtures) {
    std::error_code ignored;
    const auto own = root / codec;
    const auto folder = std::filesystem::is_directory(own, ignored) ? own : root;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string file = entry.path().string();
      if (!file.ends_with(ending)) continue;
      const std::filesystem::path input = file.substr(0, file.size() - ending.size());
      std::filesystem::path options = input.string() + ".options.json";
      if (!std::filesystem::exists(options)) options.clear();
      fixtures.push_back({input.filename().string(), input, entry.path(), options});
    }
  }
  std::sort(fixtures.begin(), fixtures.end(), [](const Fixture& a, const Fixture& b) { return a.name < b.name; });
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
      encoded.parts.emplace_back(entry.path().lexically_relative(path).generic_string(), read_text(entry.path()));
  std::sort(encoded.parts.begin(), encoded.parts.end());
  return encoded;
}

std::vector<Encoded> samples_of(const Settings& settings, const Instance& instance, std::size_t max_size) {
  std::vector<Encoded> samples;
  if (instance.codec().encode != nullptr) {
    for (const CorpusValue& v : corpus_values()) {
      Encoded encoded;
      encoded.name = v.name;
      note("encoding corpus value " + v.name);
      if (instance.encode(v.value.view(), encoded).ok() && encoded.size() <= max_size)
        samples.push_back(std::move(encoded));
    }
  }
  for (const Fixture& f : fixtures_of(settings, instance.codec().name)) {
    if (!f.options.empty()) continue;  // it may not decode with the defaults
    Encoded encoded = read_input(f.input);
    if (encoded.size() > max_size) continue;
    Value value;
    note("decoding fixture " + f.name);
    if (instance.decode(encoded, value).ok()) samples.push_back(std::move(encoded));
  }
  return samples;
}

std::vector<Encoded> distinct_samples_of(const Settings& settings, const Instance& instance, std::size_t max_size) {
  std::vector<Encoded> samples = samples_of(settings, instance, max_size);
  std::set<std::vector<std::pair<std::string, std::string>>> seen;
  std::erase_if(samples, [&](const Encoded& e) { return !seen.insert(e.parts).second; });
  if (samples.empty())
    skip("there is nothing to decode: the codec encodes no value of the corpus, and there are no fixtures");
  return samples;
}

}  // namespace polycodec::kit
