// SPDX-License-Identifier: MIT
#include "registry/c/descriptions.hpp"

#include "core/io/process.hpp"
#include "registry/load/isolation_report.hpp"
#include "registry/load/isolation_rule.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/policy.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

namespace polycodec {
namespace {

std::string line_of_trust(const Registry& registry, const std::vector<ProbeRecord>& records) {
  const Policy& policy = registry.options().policy;
  std::set<std::uint32_t> owners;
  const auto add = [&](const std::filesystem::path& path) {
    const auto found = untrusted_owners(policy, path);
    owners.insert(found.begin(), found.end());
  };
  for (const DirectoryRecord& d : registry.directories())
    if (d.state == DirectoryRecord::State::denied && d.path.starts_with('/')) add(d.path);
  for (const ProbeRecord& r : records) {
    if (r.outcome != Outcome::refused || r.stage != Stage::path) continue;
    add(r.path);
    for (const Manifest& plugin : registry.plugins())
      if (plugin.id == r.id) add(std::filesystem::path(r.path).replace_filename(plugin.library));
  }
  if (owners.empty()) return {};
  owners.insert(policy.trusted_owners.begin(), policy.trusted_owners.end());
  std::string list;
  for (const std::uint32_t owner : owners)
    list += (list.empty() ? "" : ", ") + std::to_string(owner);
  return "\"policy\": {\"trusted_owners\": [" + list + "]}";
}

}  // namespace

Json codec_json(const Registry& registry, const CodecInfo& info) {
  Json object = Json(info.description);
  object["plugin"] =
      Json{{"id", info.plugin_id}, {"version", info.plugin_version}, {"library", info.library}};
  Json denied = Json::list();
  const auto check = [&](bool can, Right right, const char* word) {
    if (can && !refuses_codec(registry.options().policy, info.name, info.plugin_id, right).empty())
      denied.push_back(word);
  };
  check(info.can_decode, Right::decode, "read");
  check(info.can_encode, Right::encode, "write");
  object["denied"] = std::move(denied);
  return object;
}

Json record_json(const ProbeRecord& record) {
  return Json{
      {"path", record.path},
      {"id", record.id},
      {"outcome", outcome_name(record.outcome)},
      {"stage", stage_name(record.stage)},
      {"reason", record.reason},
      {"isolation", isolation_json(record.isolation.get())},
      {"runs",
       record.runs == IsolationMode::automatic ? Json() : Json(isolation_mode_name(record.runs))},
      {"why", record.why_there.empty() ? Json() : Json(record.why_there)}};
}

Json directory_json(const DirectoryRecord& directory) {
  return Json{{"path", directory.path},
              {"origin", directory.origin},
              {"state", state_name(directory.state)},
              {"reason", directory.reason},
              {"manifests", directory.manifests}};
}

Diagnosis diagnose(const Registry& registry, std::vector<ProbeRecord> more) {
  for (const Manifest& plugin : registry.plugins()) static_cast<void>(registry.probe(plugin.id));
  Diagnosis found;
  found.records = registry.records();
  for (ProbeRecord& record : more) found.records.push_back(std::move(record));
  found.trust = line_of_trust(registry, found.records);
  const auto directories = registry.directories();
  found.ok = std::ranges::none_of(found.records,
                                  [](const auto& r) { return r.outcome == Outcome::refused; }) &&
             std::ranges::none_of(directories, [](const auto& d) {
               return d.state == DirectoryRecord::State::denied;
             });
  return found;
}

std::vector<const char*> search_variables() {
  return {"POLYCODEC_PLUGIN_PATH",
          "POLYCODEC_PLUGIN_SYSTEM_PATH",
          "POLYCODEC_CONFIG",
          "VIRTUAL_ENV",
          "CONDA_PREFIX",
          "XDG_DATA_HOME",
          "HOME"};
}

Json to_json(const Diagnosis& found, const Registry& registry) {
  Json object{{"version", POLYCODEC_VERSION},
              {"abi", POLYCODEC_ABI_MAJOR},
              {"library", library_file().string()}};
  for (const char* variable : search_variables()) {
    const char* const value = std::getenv(variable);
    object["environment"][variable] = value == nullptr ? Json() : Json(value);
  }
  object["directories"] = Json::list();
  for (const auto& d : registry.directories()) object["directories"].push_back(directory_json(d));
  object["records"] = Json::list();
  for (const auto& r : found.records) object["records"].push_back(record_json(r));
  object["configuration_line"] = found.trust.empty() ? Json() : Json(found.trust);
  object["ok"] = found.ok;
  return object;
}

Json to_json(const std::vector<ConfigProblem>& problems) {
  Json list = Json::list();
  for (const ConfigProblem& p : problems)
    list.push_back({{"line", p.line},
                    {"key", p.key},
                    {"message", p.message},
                    {"severity", p.warning ? "warning" : "error"}});
  return list;
}

std::string_view difference_word(DifferenceKind kind) {
  static constexpr std::string_view words[] = {"value", "type", "length", "members", "attributes"};
  return words[static_cast<std::size_t>(kind)];
}

Json groups_json(const Differences& all, bool has_kinds) {
  Json list = Json::list();
  for (const DifferenceGroup& group : all.groups) {
    Json first = Json::list();
    for (const Difference& one : group.first)
      first.push_back({{"path", one.path}, {"reason", one.reason}});
    Json object{{"pattern", group.pattern}};
    if (has_kinds) object["kind"] = difference_word(group.kind);
    object["count"] = group.count;
    object["first"] = std::move(first);
    if (group.deviation > 0 && std::isfinite(group.deviation))
      object["deviation"] = group.deviation;
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace polycodec
