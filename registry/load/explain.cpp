// SPDX-License-Identifier: MIT
// The answer to "why is there no such codec?".
#include <polycodec/quote.hpp>

#include "registry/load/catalog.hpp"

#include <algorithm>
#include <string>

namespace polycodec {
namespace {

std::string line_of(const ProbeRecord& record) {
  const std::string what = record.id.empty() ? record.path : record.id;
  const std::string where =
      record.id.empty() || record.path.empty() ? "" : " [" + record.path + "]";
  return "\n    " + what + where + ": refused (" + std::string(stage_name(record.stage)) +
         "): " + record.reason;
}

}  // namespace

std::string Catalog::explain_missing(std::string_view name, Kind kind) const {
  std::vector<std::string> known;
  for (const auto& [word, slot] : names[static_cast<std::size_t>(kind)]) known.push_back(word);
  std::sort(known.begin(), known.end());
  const std::string what(kind_word(kind));
  std::string text = "no " + what + " is called " + quote(name) + did_you_mean(name, known);
  if (const PluginSlot* plugin = find_plugin(name)) {
    text += "\n  a plugin has this id; its codecs are:";
    for (const auto& codec : plugin->manifest->codecs) text += " " + codec.name;
  }
  if (known.empty()) {
    text += "\n  no " + what + " is installed";
  } else {
    text += "\n  installed:";
    for (const auto& codec : of_kind(kind)) text += " " + codec.name;
  }
  return text + explain_places();
}

const CodecSlot& Catalog::need(Kind kind, std::string_view name) const {
  if (const CodecSlot* slot = find(kind, name)) return *slot;
  throw Error(Status::not_found, explain_missing(name, kind));
}

bool Catalog::has_refusals() const {
  const auto is_refused = [](const ProbeRecord& r) { return r.outcome == Outcome::refused; };
  return std::any_of(refused.begin(), refused.end(), is_refused) ||
         std::any_of(plugins.begin(), plugins.end(),
                     [&](const auto& p) { return is_refused(record_of(p)); }) ||
         std::any_of(directories.begin(), directories.end(),
                     [](const auto& d) { return d.state == DirectoryRecord::State::denied; });
}

std::string Catalog::explain_places() const {
  std::string text = "\n  directories searched:";
  if (directories.empty()) text += " none";
  for (const auto& d : directories) {
    text += "\n    " + d.path + " (" + d.origin + "): " + std::string(state_name(d.state));
    if (!d.reason.empty()) text += ", " + d.reason;
    if (d.manifests != 0)
      text += ", " + std::to_string(d.manifests) + (d.manifests == 1 ? " manifest" : " manifests");
  }
  std::string lines;
  for (const auto& record : refused)
    if (record.outcome == Outcome::refused) lines += line_of(record);
  for (const auto& plugin : plugins) {
    const ProbeRecord record = record_of(plugin);
    if (record.outcome == Outcome::refused) lines += line_of(record);
  }
  if (!lines.empty()) text += "\n  plugins found and refused:" + lines;
  text += "\n  what to do: ";
  if (!lines.empty())
    text += "if the codec is in one of the refused plugins, remove the reason; otherwise ";
  text +=
      "install the plugin (its library and its .polycodec.json) in a directory that is searched, "
      "or add its directory with POLYCODEC_PLUGIN_PATH, --plugin-path or the configuration; "
      "`polycodec doctor` shows everything that was found";
  return text;
}

}  // namespace polycodec
