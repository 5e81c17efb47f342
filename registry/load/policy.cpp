// SPDX-License-Identifier: MIT
#include "registry/load/policy.hpp"

#include <base/pattern.hpp>
#include <polycodec/quote.hpp>

#include "core/dispatch/function_table.hpp"
#include "registry/json/plugin.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace polycodec {

std::size_t pattern_weight(std::string_view pattern) noexcept {
  if (pattern.find_first_of("*?[") == std::string_view::npos) return SIZE_MAX;
  std::size_t weight = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '[')
      i = std::min(pattern.find(']', i), pattern.size());
    else if (pattern[i] != '*' && pattern[i] != '?')
      ++weight;
  }
  return weight;
}

namespace {

/// The entry that says most about a name so far.
struct Best {
  std::optional<std::size_t> weight;
  bool deny = false;
  std::string_view pattern;

  void consider(std::string_view candidate, std::string_view name, bool denies) {
    if (!match_pattern(candidate, name)) return;
    const std::size_t w = pattern_weight(candidate);
    if (weight && (*weight > w || (*weight == w && deny))) return;
    weight = w;
    deny = denies;
    pattern = candidate;
  }
};

Best match_plugin(const Policy& policy, std::string_view id) {
  Best best;
  for (const auto& p : policy.allow_plugins) best.consider(p, id, false);
  for (const auto& p : policy.deny_plugins) best.consider(p, id, true);
  return best;
}

}  // namespace

std::string refuses_plugin(const Policy& policy, std::string_view id) {
  if (id == json::plugin_id) return {};
  const Best best = match_plugin(policy, id);
  if (best.weight) {
    if (!best.deny) return {};
    return "the policy denies plugin " + quote(id) + " (entry " + quote(best.pattern) +
           " of deny_plugins)";
  }
  if (policy.mode == Policy::Mode::open) return {};
  // Whoever lists codecs alone means the plugins that bring them: those are checked codec by codec.
  if (policy.allow_plugins.empty() && !policy.allow_codecs.empty()) return {};
  return "the policy lists what is allowed, and plugin " + quote(id) + " is not in allow_plugins";
}

std::string refuses_codec(const Policy& policy, std::string_view name, std::string_view plugin_id,
                          Right right) {
  const auto covers = [right](const Policy::CodecRule& rule) {
    return right == Right::decode ? rule.decode : rule.encode;
  };
  const std::string what = right == Right::decode ? "decoding" : "encoding";
  Best best;
  for (const auto& rule : policy.allow_codecs)
    if (covers(rule)) best.consider(rule.pattern, name, false);
  for (const auto& rule : policy.deny_codecs)
    if (covers(rule)) best.consider(rule.pattern, name, true);
  if (best.weight) {
    if (!best.deny) return {};
    return "the policy denies " + what + " with codec " + quote(name) + " (entry " +
           quote(best.pattern) + " of deny_codecs)";
  }
  if (policy.mode == Policy::Mode::open || plugin_id == json::plugin_id) return {};
  const Best plugin = match_plugin(policy, plugin_id);
  if (plugin.weight && !plugin.deny) return {};
  return "the policy lists what is allowed, and " + what + " with codec " + quote(name) +
         " is not in allow_codecs";
}

bool needs_digest(const Policy& policy, std::string_view id) {
  return policy.require_pins || policy.pins.contains(std::string(id));
}

std::string refuses_digest(const Policy& policy, std::string_view id, std::string_view sha256) {
  const auto at = policy.pins.find(std::string(id));
  if (at == policy.pins.end()) {
    if (!policy.require_pins) return {};
    return "the policy requires a pinned SHA-256 digest and has none for plugin " + quote(id) +
           "; the library's is " + std::string(sha256);
  }
  for (std::string digest : at->second) {
    std::transform(digest.begin(), digest.end(), digest.begin(), [](char c) {
      return c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (digest == sha256) return {};
  }
  return "the library's SHA-256 digest " + std::string(sha256) +
         " is not one that the policy pins for plugin " + quote(id);
}

}  // namespace polycodec
