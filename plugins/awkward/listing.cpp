// SPDX-License-Identifier: MIT
#include "listing.hpp"

namespace polycodec::awkward {
namespace {

constexpr std::string_view group_suffix = "/schema.json";
constexpr std::string_view file_suffix = ".json";

}  // namespace

bool looks_like_schema(std::string_view text) noexcept {
  const auto skip_blanks = [&] {
    while (!text.empty() &&
           (text[0] == ' ' || text[0] == '\t' || text[0] == '\r' || text[0] == '\n'))
      text.remove_prefix(1);
  };
  skip_blanks();
  if (!text.starts_with('{')) return false;
  text.remove_prefix(1);
  skip_blanks();
  return text.starts_with("\"awkward0\"") || text.starts_with("\"awkward\"");
}

std::vector<ArrayName> list_arrays(const Store& store, const std::optional<std::string>& suffix,
                                   bool nested) {
  std::vector<ArrayName> arrays;
  const auto add = [&](std::string_view blob, std::string_view ending) {
    arrays.push_back({std::string(blob.substr(0, blob.size() - ending.size())), blob});
  };
  const std::uint64_t count = store.size();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view blob = store[i].name;
    if (suffix) {
      if (blob.ends_with(*suffix)) add(blob, *suffix);
    } else if (blob.ends_with(group_suffix)) {
      if (nested || blob.find('/') == blob.size() - group_suffix.size()) add(blob, group_suffix);
    } else if (blob.ends_with(file_suffix)) {
      add(blob, file_suffix);
    }
  }
  if (!arrays.empty() || suffix) return arrays;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view blob = store[i].name;
    std::string_view content;
    try {
      content = store.read(i);
    } catch (const Error&) {
      continue;  // it says so when it is asked for
    }
    if (looks_like_schema(content)) add(blob, {});
  }
  return arrays;
}

}  // namespace polycodec::awkward
