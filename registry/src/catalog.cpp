// SPDX-License-Identifier: MIT
#include "catalog.hpp"

#include <polycodec/near_names.hpp>

#include "builtin_table.hpp"
#include "in_quotes.hpp"
#include "instance.hpp"
#include "manifest_document.hpp"
#include "path_check.hpp"
#include "schema.hpp"
#include "search_path.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view manifest_suffix = ".polycodec.json";

/// Collects candidates and their records; Catalog::make freezes what is left.
class CatalogBuilder {
 public:
  explicit CatalogBuilder(Catalog& catalog) : catalog_(catalog), trust_(catalog.options.policy.trusted_owners) {}

  void add_builtin(const BuiltinPlugin& builtin) {
    const std::string origin = "built-in manifest";
    if (builtin.plugin == nullptr) return refuse({}, {}, Stage::entry, "the built-in plugin has no entry object");
    Found found;
    found.builtin = builtin.plugin;
    take(std::move(found), builtin.manifest, origin);
  }

  void add_directory(const SearchEntry& entry) {
    DirectoryRecord record{entry.path, entry.origin, DirectoryRecord::State::denied, {}, 0};
    search(record);
    catalog_.directories.push_back(std::move(record));
  }

  void freeze() {
    // Addresses are taken from here on: nothing may be added to the manifests any more.
    catalog_.manifests.reserve(found_.size());
    for (auto& found : found_) catalog_.manifests.push_back(std::move(found.document.manifest));
    for (std::size_t i = 0; i < found_.size(); ++i) {
      PluginSlot& slot = catalog_.plugins.emplace_back();
      slot.manifest = &catalog_.manifests[i];
      slot.entries = std::move(found_[i].document.entries);
      slot.directory = std::move(found_[i].directory);
      slot.manifest_path = std::move(found_[i].path);
      slot.builtin = found_[i].builtin;
    }
    add_codecs();
    add_names();
    add_functions_and_types();
  }

 private:
  struct Found {
    ManifestDocument document;
    fs::path directory;
    fs::path path;
    const polycodec_plugin* builtin = nullptr;
  };

  void refuse(const fs::path& path, const std::string& id, Stage stage, const std::string& reason,
              Outcome outcome = Outcome::refused) {
    catalog_.refused.push_back({path, id, outcome, stage, reason});
    if (outcome == Outcome::refused && stage != Stage::policy)
      catalog_.log(POLYCODEC_LOG_WARNING, (id.empty() ? path.string() : "plugin " + in_quotes(id)) + " refused (" +
                                              std::string(stage_name(stage)) + "): " + reason);
  }

  void search(DirectoryRecord& record) {
    using State = DirectoryRecord::State;
    if (!record.path.is_absolute()) {
      record.reason = "it is not an absolute path; the current directory is never searched";
      return;
    }
    std::error_code error;
    const fs::path directory = fs::canonical(record.path, error);
    if (error) {
      const bool missing = error == std::errc::no_such_file_or_directory;
      record.state = missing ? State::missing : State::denied;
      record.reason = missing ? std::string() : error.message();
      return;
    }
    if (!searched_.insert(directory).second) {
      record.reason = "it is searched already";
      return;
    }
    if (record.reason = trust_.directory_problem(directory); !record.reason.empty()) return;
    std::vector<std::string> names;
    for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
      std::string name = at->path().filename().string();
      if (name.size() > manifest_suffix.size() && name.ends_with(manifest_suffix)) names.push_back(std::move(name));
    }
    if (error) {
      record.reason = error.message();
      return;
    }
    std::sort(names.begin(), names.end());
    record.state = names.empty() ? State::empty : State::used;
    record.manifests = names.size();
    for (const auto& name : names) add_file(directory, name);
  }

  void add_file(const fs::path& directory, const std::string& name) {
    Found found;
    std::string problem;
    const FileHandle file = trust_.open(directory, name, found.path, problem);
    if (!file.is_open()) return refuse(found.path, {}, Stage::path, problem);
    found.directory = directory;
    std::string text;
    if (problem = read_text(file.get(), text); !problem.empty())
      return refuse(found.path, {}, Stage::manifest, problem);
    const std::string origin = found.path.string();
    take(std::move(found), text, origin, name);
  }

  /// Why the file cannot be read, or empty.
  static std::string read_text(int fd, std::string& text) {
    char block[16384];
    for (;;) {
      const ssize_t n = ::read(fd, block, sizeof block);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return std::generic_category().message(errno);
      if (n == 0) return {};
      text.append(block, static_cast<std::size_t>(n));
      if (text.size() > max_manifest_bytes)
        return "it is larger than " + std::to_string(max_manifest_bytes) + " bytes";
    }
  }

  void take(Found found, std::string_view text, const std::string& origin, std::string_view file_name = {}) {
    try {
      found.document = read_manifest(text, origin);
    } catch (const Error& e) {
      return refuse(found.path, {}, Stage::manifest, e.message());
    }
    Manifest& manifest = found.document.manifest;
    if (!file_name.empty() && file_name != manifest.id + std::string(manifest_suffix))
      return refuse(found.path, manifest.id, Stage::manifest,
                    "the file of plugin " + in_quotes(manifest.id) + " must be called " +
                        in_quotes(manifest.id + std::string(manifest_suffix)));
    for (auto& codec : manifest.codecs)
      if (found.builtin == nullptr) codec.library = found.directory / manifest.library;
    for (const auto& other : found_) {
      if (other.document.manifest.id == manifest.id)
        return refuse(found.path, manifest.id, Stage::duplicate,
                      "a plugin of this id was found earlier: " + where(other.path));
    }
    if (auto why = catalog_.options.policy.refuses_plugin(manifest.id); !why.empty())
      return refuse(found.path, manifest.id, Stage::policy, why);
    if (manifest.abi_min > POLYCODEC_ABI_MAJOR || manifest.abi_max < POLYCODEC_ABI_MAJOR)
      return refuse(found.path, manifest.id, Stage::abi,
                    "its manifest says ABI " + std::to_string(manifest.abi_min) + " to " +
                        std::to_string(manifest.abi_max) + ", this host speaks ABI " +
                        std::to_string(POLYCODEC_ABI_MAJOR));
    drop_taken_codecs(found);
    found_.push_back(std::move(found));
  }

  static std::string where(const fs::path& path) { return path.empty() ? "built in" : path.string(); }

  /// A codec whose name an earlier plugin has is not listed; the rest of its plugin is.
  void drop_taken_codecs(Found& found) {
    for (const auto& codec : found.document.manifest.codecs) {
      const auto [owner, added] = owners_.emplace(codec.name, found.document.manifest.id);
      if (!added)
        refuse(found.path, found.document.manifest.id, Stage::duplicate,
               "its codec " + in_quotes(codec.name) + " is not used: plugin " + in_quotes(owner->second) +
                   ", found earlier, has a codec of this name",
               Outcome::note);
    }
  }

  void add_codecs() {
    struct Place {
      const PluginSlot* plugin;
      std::size_t index;
    };
    std::vector<Place> places;
    for (const auto& plugin : catalog_.plugins) {
      for (std::size_t i = 0; i < plugin.manifest->codecs.size(); ++i)
        if (owners_.at(plugin.manifest->codecs[i].name) == plugin.manifest->id) places.push_back({&plugin, i});
    }
    const auto info = [](const Place& p) -> const CodecInfo& { return p.plugin->manifest->codecs[p.index]; };
    std::sort(places.begin(), places.end(),
              [&](const Place& a, const Place& b) { return info(a).name < info(b).name; });
    catalog_.codecs.reserve(places.size());
    for (const auto& place : places) catalog_.codecs.push_back(info(place));
    const Policy& policy = catalog_.options.policy;
    for (std::size_t i = 0; i < places.size(); ++i) {
      CodecSlot& slot = catalog_.slots.emplace_back();
      slot.info = &catalog_.codecs[i];
      slot.plugin = places[i].plugin;
      slot.index = places[i].index;
      slot.schema = &slot.plugin->entries[slot.index].at("options");
      slot.calls = Whitelist(slot.info->calls);
      slot.decode_refusal = policy.refuses_codec(slot.info->name, slot.info->plugin_id, Right::decode);
      slot.encode_refusal = policy.refuses_codec(slot.info->name, slot.info->plugin_id, Right::encode);
      const auto defaults = catalog_.options.default_options.find(slot.info->name);
      if (defaults != catalog_.options.default_options.end())
        slot.default_options =
            JsonDocument(defaults->second, "default options of " + slot.info->name, Status::option).root();
      add_compression(slot);
      if (!slot.default_options.is_null()) check_against_schema(*slot.schema, slot.default_options);
    }
  }

  /// The rules of compression are for every codec that knows such rules.
  void add_compression(CodecSlot& slot) const {
    const std::string& rules = catalog_.options.compression;
    const auto properties = slot.schema->find("properties");
    if (rules.empty() || properties == slot.schema->end() || !properties->contains("compression")) return;
    if (slot.default_options.is_null()) slot.default_options = Json::object();
    if (slot.default_options.is_object() && !slot.default_options.contains("compression"))
      slot.default_options["compression"] = JsonDocument(rules, "compression", Status::option).root();
  }

  void add_names() {
    for (const auto& slot : catalog_.slots) catalog_.names.emplace(slot.info->name, &slot);
    // Aliases in search order, so that who comes first has them; never in the way of a name.
    for (const auto& plugin : catalog_.plugins) {
      for (const auto& codec : plugin.manifest->codecs) {
        const CodecSlot* slot = catalog_.find(codec.name);
        if (slot->plugin != &plugin) continue;
        for (const auto& alias : codec.aliases) {
          const auto [at, added] = catalog_.names.emplace(alias, slot);
          if (!added)
            refuse(plugin.manifest_path, plugin.manifest->id, Stage::duplicate,
                   "the alias " + in_quotes(alias) + " of its codec " + in_quotes(codec.name) +
                       " is not used: it means codec " + in_quotes(at->second->info->name),
                   Outcome::note);
        }
      }
    }
  }

  void add_functions_and_types() {
    for (const auto& plugin : catalog_.plugins) {
      for (const auto& name : plugin.manifest->functions) {
        const auto [at, added] = catalog_.functions.emplace(name, &plugin);
        if (!added)
          note_taken(plugin, "function " + describe_path(std::vector<std::string_view>(name.begin(), name.end())),
                     at->second->manifest->id);
      }
      for (const auto& [name, notation] : plugin.manifest->types) {
        // Plugins that share a type, such as the mesh formats, each bring it: any of them may be installed alone.
        const auto [at, added] = catalog_.types.emplace(name, notation);
        if (!added && at->second != notation) note_taken(plugin, "type " + in_quotes(name), "found earlier");
      }
    }
  }

  void note_taken(const PluginSlot& plugin, const std::string& what, const std::string& owner) {
    refuse(plugin.manifest_path, plugin.manifest->id, Stage::duplicate,
           "its " + what + " is not used: another plugin has it (" + owner + ")", Outcome::note);
  }

  Catalog& catalog_;
  PathTrust trust_;
  std::set<fs::path> searched_;
  std::vector<Found> found_;
  std::map<std::string, std::string> owners_;  // codec name -> id of the plugin whose codec is used
};

}  // namespace

std::shared_ptr<const Catalog> Catalog::make(const RegistryOptions& given) {
  auto catalog = std::make_shared<Catalog>();
  catalog->options = given;
  catalog->host.set(catalog.get(), given.log);
  CatalogBuilder builder(*catalog);
  for (const auto& plugin : given.builtins) builder.add_builtin(plugin);
  if (given.use_builtins)
    for (const auto& plugin : builtin_plugins()) builder.add_builtin(plugin);
  for (const auto& entry : search_path(given)) builder.add_directory(entry);
  builder.freeze();
  return catalog;
}

const PluginSlot* Catalog::find_plugin(std::string_view id) const noexcept {
  const auto at = std::find_if(plugins.begin(), plugins.end(), [id](const auto& p) { return p.manifest->id == id; });
  return at == plugins.end() ? nullptr : &*at;
}

const FunctionTable* Catalog::functions_for(FunctionPath path) const {
  if (options.functions && options.functions->find(path) != nullptr) return options.functions.get();
  const auto at = functions.find(std::vector<std::string>(path.begin(), path.end()));
  if (at == functions.end()) return nullptr;
  try {
    return &load(*at->second).functions;
  } catch (const LoadFailure& failure) {
    throw Error(Status::plugin, "the function " + describe_path(path) + " is in plugin '" + at->second->manifest->id +
                                    "', which was refused (" + std::string(stage_name(failure.stage)) +
                                    "): " + failure.reason);
  }
}

std::string_view Catalog::type_notation(std::string_view name) const {
  const auto at = types.find(name);
  if (at != types.end()) return at->second;
  std::vector<std::string> known;
  for (const auto& [type, notation] : types) known.push_back(type);
  throw Error(Status::not_found, "no type is registered as " + in_quotes(name) + did_you_mean(name, known));
}

void Catalog::log(polycodec_log_level level, const std::string& text) const noexcept {
  if (!options.log) return;
  guard(nullptr, [&] { options.log(level, "registry", text); });
}

}  // namespace polycodec
