// SPDX-License-Identifier: MIT
#include "registry/load/catalog.hpp"

#include <base/seeded_hash.hpp>
#include <polycodec/quote.hpp>

#include "core/dispatch/dispatch.hpp"
#include "core/io/posix_file.hpp"
#include "core/text/text.hpp"
#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/json/plugin.hpp"
#include "registry/load/builtin_table.hpp"
#include "registry/load/isolation_rule.hpp"
#include "registry/load/manifest.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/policy.hpp"
#include "registry/load/search_path.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace polycodec {
namespace {

namespace fs = std::filesystem;

/// A name in a directory, whose canonical path this is. A std::filesystem::path would be taken to
/// pieces, which costs more than all else that is done with the names of many plugins.
std::string joined(const std::string& directory, std::string_view name) {
  std::string path;
  path.reserve(directory.size() + 1 + name.size());
  path = directory;
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

/// Collects candidates and their records; Catalog::make freezes what is left.
class CatalogBuilder {
 public:
  explicit CatalogBuilder(Catalog& catalog)
      : catalog_(catalog), trust_(catalog.options.policy.trusted_owners) {}

  void add_builtin(const BuiltinPlugin& builtin, PluginOrigin origin) {
    if (builtin.plugin == nullptr)
      return refuse({}, {}, Stage::entry, "the built-in plugin has no entry object");
    Found found;
    found.builtin = builtin.plugin;
    found.origin = origin;
    if (parse(found, builtin.manifest, "built-in manifest")) take(std::move(found));
  }

  /// The library's own, whose manifest the tests check: each start would pay for it.
  void add_own(const BuiltinPlugin& own) {
    Found found;
    found.builtin = own.plugin;
    found.origin = PluginOrigin::package;
    found.manifest = read_checked_manifest(parse_json(own.manifest), "own manifest");
    take(std::move(found));
  }

  void add_directory(const SearchEntry& entry) {
    DirectoryRecord record{entry.path, entry.origin, DirectoryRecord::State::denied, {}, 0};
    if (search(record, entry.role)) catalog_.directories.push_back(std::move(record));
  }

  void freeze() {
    find_origins();
    warn_of_refusals();
    // Addresses are taken from here on: nothing may be added to the manifests any more.
    catalog_.manifests.reserve(found_.size());
    for (auto& found : found_) catalog_.manifests.push_back(std::move(found.manifest));
    for (std::size_t i = 0; i < found_.size(); ++i) {
      PluginSlot& slot = catalog_.plugins.emplace_back();
      slot.manifest = &catalog_.manifests[i];
      slot.directory = std::move(found_[i].directory);
      slot.manifest_path = std::move(found_[i].path);
      slot.builtin = found_[i].builtin;
      slot.origin = *found_[i].origin;
      if (found_[i].program != nullptr) {
        slot.result = take_program_objects(*found_[i].program, *slot.manifest);
        program_ = slot.result.get();
      } else {
        slot.result = std::move(found_[i].taken);
      }
      if (slot.result != nullptr) slot.state = PluginSlot::State::loaded;
      if (slot.is_program()) note_in_process(slot, found_[i].program != nullptr);
    }
    add_codecs();
    add_names();
    add_functions_and_types();
    if (program_ != nullptr) own_program_objects(*program_);
  }

  void add_program(const ProgramObjects& objects, std::string id = "program") {
    Found found;
    found.manifest = program_manifest(objects);
    found.manifest.id = std::move(id);
    found.program = &objects;
    found.origin = PluginOrigin::program;
    for (auto& codec : found.manifest.codecs) codec.plugin_id.clear();
    drop_taken_codecs(found);
    ids_.emplace(found.manifest.id, found_.size());
    found_.push_back(std::move(found));
  }

  /// All that is used of another catalog, whose refusals stay.
  void add_all_of(const Catalog& base) {
    catalog_.directories = base.directories;
    for (const ProbeRecord& record : base.refused)
      if (record.outcome == Outcome::refused) catalog_.refused.push_back(record);
    for (const PluginSlot& slot : base.plugins) {
      Found found;
      found.manifest = *slot.manifest;
      found.directory = slot.directory;
      found.path = slot.manifest_path;
      found.builtin = slot.builtin;
      found.origin = slot.origin;
      // A program's objects are shared, and released when both catalogs are gone.
      if (slot.is_program()) found.taken = slot.result;
      drop_taken_codecs(found);
      found_.push_back(std::move(found));
    }
  }

 private:
  struct Found {
    Manifest manifest;
    std::string directory, path;
    const polycodec_plugin* builtin = nullptr;
    const ProgramObjects* program = nullptr;
    std::optional<PluginOrigin> origin;         // of a file: when all are found
    std::shared_ptr<const LoadedPlugin> taken;  // objects that another catalog has taken over
  };

  void refuse(const std::string& path, const std::string& id, Stage stage,
              const std::string& reason, Outcome outcome = Outcome::refused) {
    catalog_.refused.push_back({path, id, outcome, stage, reason});
    if (outcome == Outcome::refused && stage != Stage::policy)
      warnings_.push_back((id.empty() ? path : "plugin " + quote(id)) + " rejected (" +
                          std::string(stage_name(stage)) + "): " + reason);
  }

  /// One line, however many there are: every command would print them.
  void warn_of_refusals() const {
    if (warnings_.empty()) return;
    const std::size_t more = warnings_.size() - 1;
    if (more == 0) return catalog_.log(POLYCODEC_LOG_WARNING, warnings_.front());
    catalog_.log(POLYCODEC_LOG_WARNING, warnings_.front() + "; and " + std::to_string(more) +
                                            (more == 1 ? " other" : " others") +
                                            ": `polycodec doctor` lists all");
    for (const std::string& warning : warnings_) catalog_.log(POLYCODEC_LOG_INFO, warning);
  }

  /// Files that are not the package's are those of others, also in its directory.
  void find_origins() {
    bool is_new = false;
    for (Found& found : found_) {
      if (found.origin) continue;
      is_new = true;
      found.origin = PluginOrigin::foreign;
      if (found.directory == package_directory())
        refuse(found.path, found.manifest.id, Stage::path,
               "it is not a plugin of the package, though it lies in the package's directory: "
               "install it in " +
                   site_plugin_directory(),
               Outcome::note);
    }
    if (is_new) warn_of_shadows();
  }

  /// Users do not expect that a codec of another plugin goes before one of the package.
  void warn_of_shadows() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_[i].origin != PluginOrigin::package) continue;
      for (const CodecInfo& codec : found_[i].manifest.codecs) {
        const Found& owner = found_[owners_of(codec.kind).at(codec.name)];
        if (owner.origin == PluginOrigin::foreign)
          warnings_.push_back("the " + std::string(kind_word(codec.kind)) + " " +
                              quote(codec.name) + " is that of plugin " + quote(owner.manifest.id) +
                              " [" + owner.path + "], and not the package's");
      }
    }
  }

  /// Where the package's plugins are, without links.
  const std::string& package_directory() {
    if (!package_directory_) {
      std::error_code error;
      package_directory_ = posix::canonical(default_plugin_directory(), error).native();
    }
    return *package_directory_;
  }

  /// False for a place that is not to be listed: it is searched under another name.
  bool search(DirectoryRecord& record, SearchEntry::Role role) {
    using State = DirectoryRecord::State;
    const bool is_implied = role == SearchEntry::Role::implied;
    if (record.path.empty()) {
      record.reason = record.origin + " is empty: unset it, or set it to an absolute path";
      return true;
    }
    if (!record.path.starts_with('/')) {
      record.reason = "it is not an absolute path; the current directory is never searched";
      return true;
    }
    // Most are not there, and to look at each part of their paths would take longer.
    if (is_implied && ::access(record.path.c_str(), F_OK) != 0 && errno == ENOENT) {
      record.state = State::missing;
      return searched_.insert(fs::path(record.path).lexically_normal()).second;
    }
    std::error_code error;
    const fs::path directory = posix::canonical(record.path, error);
    if (error) {
      const bool missing = error == std::errc::no_such_file_or_directory;
      record.state = missing ? State::missing : State::denied;
      record.reason = missing ? std::string() : error.message();
      return true;
    }
    if (role == SearchEntry::Role::package) package_directory_ = directory.native();
    if (is_implied && directory == package_directory()) return false;
    if (!searched_.insert(directory).second) {
      record.reason = "it is searched already";
      return !is_implied;
    }
    if (record.reason = trust_.directory_problem(directory); !record.reason.empty()) return true;
    std::vector<std::string> names = names_in(directory, record.reason);
    if (!record.reason.empty()) return true;
    std::erase_if(names, [](const std::string& name) {
      return name.size() <= manifest_suffix.size() || !name.ends_with(manifest_suffix);
    });
    record.state = names.empty() ? State::empty : State::used;
    record.manifests = names.size();
    const bool is_package = directory == package_directory();
    for (const auto& name : names)
      if (!is_package || !add_package_plugin(directory.native(), name)) add_file(directory, name);
    return true;
  }

  /// Takes a plugin of the package, whose manifest the library has: the file only says that it is
  /// installed. False for other names.
  bool add_package_plugin(const std::string& directory, const std::string& name) {
    const auto all = package_plugins();
    const auto known = std::ranges::find(
        all, std::string_view(name).substr(0, name.size() - manifest_suffix.size()),
        &PackagePlugin::id);
    if (known == all.end()) return false;
    Found found;
    found.origin = PluginOrigin::package;
    found.path = joined(directory, name);
    found.directory = directory;
    found.manifest = read_checked_manifest(parse_json(known->manifest), found.path);
    take(std::move(found));
    return true;
  }

  void add_file(const fs::path& directory, const std::string& name) {
    Found found;
    std::string problem;
    fs::path opened;
    const FileHandle file = trust_.open(directory, name, opened, problem);
    found.path = opened.native();
    if (!file.is_open()) return refuse(found.path, {}, Stage::path, problem);
    found.directory = directory.native();
    std::string text;
    if (problem = read_text(file.get(), text); !problem.empty())
      return refuse(found.path, {}, Stage::manifest, problem);
    if (!parse(found, text, found.path)) return;
    take(std::move(found), name);
  }

  /// Why the file cannot be read, or empty.
  static std::string read_text(int fd, std::string& text) {
    if (const int error = posix::append_rest(fd, text, max_manifest_bytes); error != 0)
      return std::generic_category().message(error);
    if (text.size() <= max_manifest_bytes) return {};
    return "it is larger than " + std::to_string(max_manifest_bytes) + " bytes";
  }

  bool parse(Found& found, std::string_view text, const std::string& origin) {
    try {
      found.manifest = parse_manifest(text, origin);
      return true;
    } catch (const Error& e) {
      if (e.code() == Status::memory) throw;  // nothing is wrong with the manifest
      refuse(found.path, {}, Stage::manifest, e.message());
      return false;
    }
  }

  void take(Found&& found, std::string_view file_name = {}) {
    Manifest& manifest = found.manifest;
    if (!file_name.empty() &&
        file_name.substr(0, file_name.size() - manifest_suffix.size()) != manifest.id)
      return refuse(found.path, manifest.id, Stage::manifest,
                    "the file of plugin " + quote(manifest.id) + " must be called " +
                        quote(manifest.id + std::string(manifest_suffix)));
    for (auto& codec : manifest.codecs)
      if (found.builtin == nullptr) codec.library = joined(found.directory, manifest.library);
    if (const auto other = ids_.find(manifest.id); other != ids_.end())
      return refuse(found.path, manifest.id, Stage::duplicate,
                    "a plugin of this id was found earlier: " + where(found_[other->second].path));
    if (auto why = refuses_plugin(catalog_.options.policy, manifest.id); !why.empty())
      return refuse(found.path, manifest.id, Stage::policy, why);
    if (manifest.abi != POLYCODEC_ABI_MAJOR)
      return refuse(found.path, manifest.id, Stage::abi,
                    "its manifest says ABI " + std::to_string(manifest.abi) +
                        ", this host loads ABI " + std::to_string(POLYCODEC_ABI_MAJOR) +
                        (manifest.abi < POLYCODEC_ABI_MAJOR
                             ? ": build the plugin again with the SDK of this version"
                             : ": install a newer polycodec, or an older build of the plugin"));
    if (manifest.library.empty() && found.builtin == nullptr)
      return refuse(found.path, manifest.id, Stage::abi,
                    "its manifest names no library for " + std::string(platform_name) +
                        ": install a build of the plugin for this machine");
    drop_taken_codecs(found);
    ids_.emplace(manifest.id, found_.size());
    found_.push_back(std::move(found));
  }

  static std::string where(const std::string& path) { return path.empty() ? "built in" : path; }

  SeededMap<std::string, std::size_t>& owners_of(Kind kind) noexcept {
    return owners_[static_cast<std::size_t>(kind)];
  }

  /// A codec whose name an earlier plugin has is not listed; the rest of its plugin is.
  void drop_taken_codecs(Found& found) {
    for (const auto& codec : found.manifest.codecs) {
      const auto [owner, added] = owners_of(codec.kind).emplace(codec.name, found_.size());
      if (added) continue;
      // Of two in one manifest there are none, but in a program's objects.
      const std::string& id =
          (owner->second < found_.size() ? found_[owner->second] : found).manifest.id;
      const std::string kind(kind_word(codec.kind));
      refuse(found.path, found.manifest.id, Stage::duplicate,
             "its " + kind + " " + quote(codec.name) + " is not used: plugin " + quote(id) +
                 ", found earlier, has a " + kind + " of this name",
             Outcome::note);
    }
  }

  void add_codecs() {
    struct Place {
      const PluginSlot* plugin;
      std::size_t index;
    };
    std::vector<Place> places;
    for (std::size_t plugin = 0; plugin < found_.size(); ++plugin) {
      const std::vector<CodecInfo>& codecs = catalog_.manifests[plugin].codecs;
      for (std::size_t i = 0; i < codecs.size(); ++i)
        if (owners_of(codecs[i].kind).at(codecs[i].name) == plugin)
          places.push_back({&catalog_.plugins[plugin], i});
    }
    const auto info = [](const Place& p) -> const CodecInfo& {
      return p.plugin->manifest->codecs[p.index];
    };
    std::ranges::sort(places, {}, [&](const Place& p) {
      return std::pair<Kind, std::string_view>(info(p).kind, info(p).name);
    });
    catalog_.codecs.reserve(places.size());
    for (const auto& place : places) catalog_.codecs.push_back(info(place));
    const Policy& policy = catalog_.options.policy;
    for (std::size_t i = 0; i < places.size(); ++i) {
      CodecSlot& slot = catalog_.slots.emplace_back();
      slot.info = &catalog_.codecs[i];
      slot.plugin = places[i].plugin;
      slot.index = places[i].index;
      slot.schema = slot.info->options_schema;
      slot.calls = Allowlist(slot.info->calls);
      slot.decode_refusal =
          refuses_codec(policy, slot.info->name, slot.info->plugin_id, Right::decode);
      slot.encode_refusal =
          refuses_codec(policy, slot.info->name, slot.info->plugin_id, Right::encode);
      slot.default_options = default_options_of(slot);
    }
  }

  /// What the registry's options say for a codec: its own, and the rules of compression if it knows
  /// such rules.
  Value default_options_of(const CodecSlot& slot) const {
    const auto defaults = catalog_.options.default_options.find(slot.info->name);
    Value own, rules;
    if (defaults != catalog_.options.default_options.end())
      own = JsonDocument(defaults->second, "default options of " + slot.info->name, Status::option)
                .take_value();
    const std::string& compression = catalog_.options.compression;
    const std::string_view option =
        compression.empty() ? std::string_view() : option_of_role(slot.schema, "compression");
    if (!option.empty()) {
      const JsonDocument document(compression, "compression", Status::option);
      rules = Value::build([&](Builder& out) {
        return out.object({{option, *document.root().raw()}});
      });
      return merge_options(slot.schema, own.view().is_null() ? NodeView() : rules.view(),
                           own.view().is_null() ? rules.view() : own.view());
    }
    return own.view().is_null() ? Value() : merge_options(slot.schema, NodeView(), own.view());
  }

  void add_names() {
    const auto names = [&](Kind kind) -> NameMap& {
      return catalog_.names[static_cast<std::size_t>(kind)];
    };
    for (const auto& slot : catalog_.slots) names(slot.info->kind).emplace(slot.info->name, &slot);
    // Aliases in search order, so that who comes first has them; never in the way of a name.
    for (const auto& plugin : catalog_.plugins) {
      for (const auto& codec : plugin.manifest->codecs) {
        const CodecSlot* slot = catalog_.find(codec.kind, codec.name);
        if (slot->plugin != &plugin) continue;
        for (const auto& alias : codec.aliases) {
          const auto [at, added] = names(codec.kind).emplace(alias, slot);
          if (added) continue;
          const std::string kind(kind_word(codec.kind));
          refuse(plugin.manifest_path, plugin.manifest->id, Stage::duplicate,
                 "the alias " + quote(alias) + " of its " + kind + " " + quote(codec.name) +
                     " is not used: it means " + kind + " " + quote(at->second->info->name),
                 Outcome::note);
        }
      }
    }
  }

  void add_functions_and_types() {
    for (const auto& [name, notation] : catalog_.options.types)
      catalog_.types.push_back({name, notation, "configuration"});
    for (const auto& plugin : catalog_.plugins) {
      for (const auto& name : plugin.manifest->functions) {
        const auto [at, added] = catalog_.functions.emplace(name, &plugin);
        if (!added)
          note_taken(
              plugin,
              "function " + describe_path(std::vector<std::string_view>(name.begin(), name.end())),
              at->second->manifest->id);
      }
      for (const auto& [name, notation] : plugin.manifest->types) {
        // Plugins that share a type, such as the mesh formats, each bring it: any of them may be
        // installed alone.
        const auto at = std::ranges::find(catalog_.types, name, &TypeInfo::name);
        if (at == catalog_.types.end())
          catalog_.types.push_back({name, notation, plugin.manifest->id});
        else if (at->notation != notation)
          note_taken(plugin, "type " + quote(name), at->origin);
      }
    }
    std::ranges::sort(catalog_.types, {}, &TypeInfo::name);
  }

  /// Objects of the program have no process of their own, even where the policy asks for one.
  void note_in_process(const PluginSlot& slot, bool is_new) {
    const std::string& id = slot.manifest->id;
    if (wanted_isolation(catalog_.options.policy, id).mode != IsolationMode::process) return;
    std::string names;
    for (const CodecInfo& codec : slot.manifest->codecs)
      names.append(names.empty() ? " (" : ", ").append(codec.name);
    const std::string note = "what the program itself offers" + names + (names.empty() ? "" : ")") +
                             " runs in-process, though policy.isolation asks for a process; set " +
                             quote(id) + " to 'in-process' in policy.isolation.plugins to confirm";
    refuse({}, id, Stage::policy, note, Outcome::note);
    if (is_new) catalog_.log(POLYCODEC_LOG_WARNING, note);
  }

  void note_taken(const PluginSlot& plugin, const std::string& what, const std::string& owner) {
    refuse(plugin.manifest_path, plugin.manifest->id, Stage::duplicate,
           "its " + what + " is not used: another plugin has it (" + owner + ")", Outcome::note);
  }

  Catalog& catalog_;
  PathTrust trust_;
  std::set<fs::path> searched_;
  std::optional<std::string> package_directory_;
  std::deque<Found> found_;
  SeededMap<std::string, std::size_t> ids_;  // of what take() has put into found_
  const LoadedPlugin* program_ = nullptr;
  std::vector<std::string> warnings_;  // one for each refusal
  // Of each kind: the name of a codec, and the place in found_ of the plugin whose codec is used.
  std::array<SeededMap<std::string, std::size_t>, 3> owners_;
};

}  // namespace

std::shared_ptr<const Catalog> Catalog::make(const RegistryOptions& given,
                                             const PluginStarter& starter) {
  auto catalog = std::make_shared<Catalog>(given, starter);
  CatalogBuilder builder(*catalog);
  if (!given.objects.empty()) builder.add_program(catalog->options.objects);
  builder.add_own({&json::plugin(), json::manifest()});
  for (const auto& plugin : given.builtins) builder.add_builtin(plugin, PluginOrigin::program);
  if (given.use_builtins)
    for (const auto& plugin : builtin_plugins()) builder.add_builtin(plugin, PluginOrigin::package);
  for (const auto& entry : search_path(given)) builder.add_directory(entry);
  builder.freeze();
  return catalog;
}

std::shared_ptr<const Catalog> Catalog::derive(const Catalog& base, const ProgramObjects& objects) {
  RegistryOptions options = base.options;
  options.objects = objects;
  auto catalog = std::make_shared<Catalog>(options, base.starter);
  CatalogBuilder builder(*catalog);
  const auto programs = std::ranges::count_if(base.plugins, &PluginSlot::is_program);
  if (!objects.empty())
    builder.add_program(catalog->options.objects,
                        programs == 0 ? "program" : "program-" + std::to_string(programs + 1));
  builder.add_all_of(base);
  builder.freeze();
  return catalog;
}

std::span<const CodecInfo> Catalog::of_kind(Kind kind) const noexcept {
  return {std::ranges::lower_bound(codecs, kind, {}, &CodecInfo::kind),
          std::ranges::upper_bound(codecs, kind, {}, &CodecInfo::kind)};
}

const PluginSlot* Catalog::find_plugin(std::string_view id) const noexcept {
  const auto at = std::find_if(plugins.begin(), plugins.end(),
                               [id](const auto& p) { return p.manifest->id == id; });
  return at == plugins.end() ? nullptr : &*at;
}

std::string_view Catalog::constants_around(const void* data, std::uint64_t size) const noexcept {
  std::string_view found;
  for (const PluginSlot& plugin : plugins)
    if (plugin.state.load(std::memory_order_acquire) == PluginSlot::State::loaded)
      if (found = plugin.result->hold->region_of(data, size); !found.empty()) break;
  return found;
}

const FunctionTable* Catalog::functions_for(FunctionPath path) const {
  if (options.functions && options.functions->find(path) != nullptr) return options.functions.get();
  const auto at = functions.find(std::vector<std::string>(path.begin(), path.end()));
  if (at == functions.end()) return nullptr;
  try {
    return &load(*at->second).functions;
  } catch (const LoadFailure& failure) {
    throw Error(Status::plugin, "the function " + describe_path(path) + " is in plugin " +
                                    quote(at->second->manifest->id) + ", which was rejected (" +
                                    std::string(stage_name(failure.stage)) +
                                    "): " + failure.reason);
  }
}

std::optional<std::string_view> Catalog::find_type(std::string_view name) const noexcept {
  const auto at = std::ranges::find(types, name, &TypeInfo::name);
  return at == types.end() ? std::nullopt : std::optional<std::string_view>(at->notation);
}

std::string_view Catalog::type_notation(std::string_view name) const {
  if (const auto notation = find_type(name)) return *notation;
  std::vector<std::string> known;
  for (const auto& type : types) known.push_back(type.name);
  throw Error(Status::not_found,
              "no type is registered as " + quote(name) + did_you_mean(name, known));
}

void Catalog::log(polycodec_log_level level, const std::string& text) const noexcept {
  if (!options.log) return;
  auto error = make_error();
  guard(&error, [&] { options.log(level, "registry", text); });
}

}  // namespace polycodec
