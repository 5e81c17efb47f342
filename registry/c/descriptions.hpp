// SPDX-License-Identifier: MIT
// What there is and why something is not, as JSON.
#pragma once

#include <base/json_writer.hpp>

#include "core/value/differences.hpp"
#include "registry/codec/registry.hpp"
#include "registry/config/config_check.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// The entry of the manifest, the plugin, and in "denied" what the policy of `registry` denies of
/// "read" and "write".
Json codec_json(const Registry& registry, const CodecInfo& info);
Json record_json(const ProbeRecord& record);

/// What is wrong with plugins and their directories.
struct Diagnosis {
  std::vector<ProbeRecord> records;
  /// The line of configuration that trusts the owners of all that was rejected for its owner;
  /// empty if there is nothing of that kind.
  std::string trust;
  bool ok = true;  ///< no plugin and no directory was refused
};

/// Loads every plugin. `more`: records of other things that are found with plugins.
Diagnosis diagnose(const Registry& registry, std::vector<ProbeRecord> more = {});

/// Environment variables that say where plugins and the configuration are.
std::vector<const char*> search_variables();

/// {"version", "abi", "environment", "directories", "records", "configuration_line", "ok"}.
Json to_json(const Diagnosis& found, const Registry& registry);

Json directory_json(const DirectoryRecord& directory);

/// [{"line", "key", "message", "severity"}].
Json to_json(const std::vector<ConfigProblem>& problems);

/// Such as "members".
std::string_view difference_word(DifferenceKind kind);
/// Groups of differences; `has_kinds`: all differences were looked for.
Json groups_json(const Differences& all, bool has_kinds);

}  // namespace polycodec
