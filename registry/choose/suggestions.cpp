// SPDX-License-Identifier: MIT
#include "registry/choose/suggestions.hpp"

#include <base/quote.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace polycodec {
namespace {

// Longer names are cut: the distance costs the product of the lengths, and `wanted` may come from a
// message.
constexpr std::size_t max_compared = 128;

std::string lower(std::string_view text) {
  std::string result(text.substr(0, max_compared));
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::vector<std::string> suggestions(std::string_view wanted,
                                     std::span<const std::string> candidates, std::size_t most) {
  const std::string asked = lower(wanted);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto& candidate : candidates) {
    const std::string name = lower(candidate);
    const bool prefix = std::min(asked.size(), name.size()) >= 2 &&
                        (name.starts_with(asked) || asked.starts_with(name));
    const std::size_t distance = edit_distance(asked, name);
    if (distance <= std::max<std::size_t>(1, asked.size() / 3))
      ranked.emplace_back(distance, candidate);
    else if (prefix)
      ranked.emplace_back(max_compared + distance, candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.erase(std::unique(ranked.begin(), ranked.end()), ranked.end());
  if (ranked.size() > most) ranked.resize(most);
  std::vector<std::string> names;
  names.reserve(ranked.size());
  for (auto& [distance, name] : ranked) names.push_back(std::move(name));
  return names;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates) {
  const auto names = suggestions(wanted, candidates);
  if (names.empty()) return {};
  std::string text = " (did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + (quote(names[i]));
  return text + "?)";
}

}  // namespace polycodec
