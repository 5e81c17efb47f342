// SPDX-License-Identifier: MIT
// The answer to "why is there no such codec?".
#include <polycodec/quote.hpp>

#include "core/io/posix_file.hpp"
#include "registry/load/catalog.hpp"
#include "registry/load/magic.hpp"
#include "registry/load/manifest.hpp"
#include "registry/load/path_check.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace polycodec {
namespace {

std::string line_of(const ProbeRecord& record) {
  const std::string what = record.id.empty() ? record.path : record.id;
  const std::string where =
      record.id.empty() || record.path.empty() ? "" : " [" + record.path + "]";
  return "\n    " + what + where + ": rejected (" + std::string(stage_name(record.stage)) +
         "): " + record.reason;
}

/// The manifest in a file that nobody trusts, which is read to say what it is for; nothing for
/// other files.
std::optional<Manifest> read_manifest_of_others(const std::string& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  std::string text;
  if (posix::append_rest(file.get(), text, max_manifest_bytes) != 0 ||
      text.size() > max_manifest_bytes)
    return {};
  try {
    return parse_manifest(text, path);
  } catch (const Error& e) {
    if (e.code() == Status::memory) throw;
    return {};
  }
}

bool reads(const Manifest& manifest, std::string_view file) {
  return std::ranges::any_of(manifest.codecs, [&](const CodecInfo& codec) {
    return codec.kind == Kind::codec && codec.can_decode && extension_length(codec, file) != 0;
  });
}

/// The manifests in a directory that may not be used, as far as it can be read.
std::vector<std::string> manifests_in(const std::string& directory) {
  constexpr std::size_t most = 64;
  std::vector<std::string> paths;
  std::string unreadable;
  for (const std::string& name : names_in(directory, unreadable))
    if (name.ends_with(manifest_suffix) && paths.size() < most)
      paths.push_back(directory + "/" + name);
  return paths;
}

}  // namespace

std::string Catalog::refused_owner(std::string_view file) const {
  for (const CodecSlot& slot : slots)
    if (slot.info->kind == Kind::codec && !slot.decode_refusal.empty() &&
        extension_length(*slot.info, file) != 0)
      return "codec " + quote(slot.info->name) +
             ", which reads files of this name, is rejected: " + slot.decode_refusal;
  const auto say = [](const std::string& id, const std::string& path, Stage stage,
                      const std::string& reason) {
    return "plugin " + quote(id) + ", which reads files of this name, is rejected (" +
           std::string(stage_name(stage)) + "): " + reason +
           (path.empty() ? "" : " [" + path + "]");
  };
  for (const PluginSlot& plugin : plugins)
    if (const ProbeRecord record = record_of(plugin);
        record.outcome == Outcome::refused && reads(*plugin.manifest, file))
      return say(record.id, record.path, record.stage, record.reason);
  for (const ProbeRecord& record : refused)
    if (record.outcome == Outcome::refused)
      if (const auto manifest = read_manifest_of_others(record.path);
          manifest && reads(*manifest, file))
        return say(manifest->id, record.path, record.stage, record.reason);
  for (const DirectoryRecord& directory : directories)
    if (directory.state == DirectoryRecord::State::denied)
      for (const std::string& path : manifests_in(directory.path))
        if (const auto manifest = read_manifest_of_others(path); manifest && reads(*manifest, file))
          return say(manifest->id, path, Stage::path, directory.reason);
  return {};
}

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
  std::string lines;
  for (const auto& record : refused)
    if (record.outcome == Outcome::refused) lines += line_of(record);
  for (const auto& plugin : plugins) {
    const ProbeRecord record = record_of(plugin);
    if (record.outcome == Outcome::refused) lines += line_of(record);
  }
  // The advice comes before the lists, which may be cut.
  std::string text = "\n  what to do: ";
  if (!lines.empty())
    text += "if the codec is in one of the rejected plugins, remove the reason; otherwise ";
  text +=
      "install the plugin (its library and its .polycodec.json) in a directory that is searched, "
      "or add its directory with POLYCODEC_PLUGIN_PATH, --plugin-path or the configuration; "
      "`polycodec doctor` shows everything that was found";
  if (!lines.empty()) text += "\n  plugins found and rejected:" + lines;
  text += "\n  directories searched:";
  if (directories.empty()) text += " none";
  for (const auto& d : directories) {
    text += "\n    " + d.path + " (" + d.origin + "): " + std::string(state_name(d.state));
    if (!d.reason.empty()) text += ", " + d.reason;
    if (d.manifests != 0)
      text += ", " + std::to_string(d.manifests) + (d.manifests == 1 ? " manifest" : " manifests");
  }
  return text;
}

}  // namespace polycodec
