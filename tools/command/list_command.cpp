// SPDX-License-Identifier: MIT
// `polycodec list`, `info` and `doctor`: what there is, and why something is not.
#include <polycodec/quote.hpp>

#include "commands.hpp"
#include "common/terminal.hpp"
#include "sha256.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <string>

namespace polycodec::cli {
namespace {

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

/// A member that is text; empty where there is none.
std::string text_at(const Json& object, const char* key) {
  return object.value(key, std::string());
}

/// A member that is a list; an empty one where there is none.
Json list_at(const Json& object, const char* key) {
  return object.value(key, Json::array());
}

bool has(const Json& object, const char* key) {
  return object.value(key, false);
}

/// What a codec, filter or store can do.
std::string directions(const Json& about) {
  const bool reads = has(about, "decode"), writes = has(about, "encode") || has(about, "create");
  return reads && writes ? "read, write" : reads ? "read" : "write";
}

/// Where a plugin runs, and why; empty if it does not.
std::string place_text(const Json& record) {
  if (record["runs"].is_null()) return {};
  return std::string("runs ") +
         (record["runs"] == "process" ? "in a process of its own" : "in-process") + ": " +
         text_at(record, "why");
}

/// The plugins, each with its place.
std::string places_text(const Json& records) {
  std::string text = "\n" + styled(Style::bold, "Plugins") + "\n";
  for (const Json& record : records)
    if (const std::string place = place_text(record); !place.empty())
      text += "  " + styled(Style::name, text_at(record, "id")) + "  " + place + "\n";
  return text;
}

/// The listings that a user asks for, in the order of the output.
struct Listing {
  const char* kinds;  ///< also the name of the option
  About about;
  const char* help;
};
constexpr Listing listings[] = {
    {"codecs", About::codecs, "List the codecs alone, or with those of the other options"},
    {"filters", About::filters, "List the filters"},
    {"stores", About::stores, "List the stores of named blobs"},
    {"functions", About::functions, "List the functions that data may call, if they are allowed"},
    {"types", About::types, "List the named types"}};
constexpr std::size_t usual_listings = 3;  // codecs, filters and stores

using Chosen = std::array<bool, std::size(listings)>;

std::string component_text(const Json& about, const std::string& kinds, std::size_t name_width) {
  std::string text = styled(Style::name, padded(text_at(about, "name"), name_width)) + "  " +
                     padded(directions(about), 11) + "  " +
                     (kinds == "codecs" ? "" : kinds.substr(0, kinds.size() - 1) + ": ") +
                     text_at(about, "summary");
  if (const Json extensions = list_at(about, "extensions"); !extensions.empty())
    text += styled(Style::dim, "  " + joined(extensions, " "));
  if (const Json denied = list_at(about, "denied"); !denied.empty())
    text += styled(Style::bad, "  denied by the policy: " + joined(denied));
  return text + '\n';
}

std::string function_text(const Json& about) {
  return styled(Style::name, joined(about["name"], ".")) + "  " +
         (has(about, "allowed") ? styled(Style::good, "allowed") : "not allowed") +
         (about["plugin"].is_null() ? "" : styled(Style::dim, "  " + text_at(about, "plugin"))) +
         '\n';
}

std::string type_text(const Json& about) {
  return styled(Style::name, text_at(about, "name")) + "  " + text_at(about, "notation") +
         styled(Style::dim, "  " + text_at(about, "origin")) + '\n';
}

std::string listing_text(const Json& all) {
  std::size_t name_width = 0;
  for (const char* const kinds : {"codecs", "filters", "stores"})
    for (const Json& about : list_at(all, kinds))
      name_width = std::max(name_width, text_at(about, "name").size());
  std::string text;
  for (const auto& [kinds, list] : all.items()) {
    if (list.empty() && all.size() == 1) text += "No " + kinds + " were found.\n";
    for (const Json& about : list)
      text += kinds == "functions" ? function_text(about)
              : kinds == "types"   ? type_text(about)
                                   : component_text(about, kinds, name_width);
  }
  return text;
}

int run_list(const Run& run, const Chosen& chosen) {
  const Registry& registry = run.registry();
  const bool usual = std::ranges::none_of(chosen, std::identity());
  Json all = Json::object();
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (usual ? i < usual_listings : chosen[i])
      all[listings[i].kinds] = parse_json(registry.description(listings[i].about));
  const Json records = parse_json(registry.description(About::records));
  if (run.out.is_json()) {
    if (run.options.verbose) all["plugins"] = records;
    run.out.print_json(all);
    return exit_done;
  }
  std::string text = listing_text(all);
  if (run.options.verbose) text += places_text(records);
  run.out.print(text);
  const auto refused = std::ranges::count_if(
      records, [](const Json& record) { return record["outcome"] == "refused"; });
  if (records.size() - static_cast<std::size_t>(refused) == 1)
    run.out.note("No plugins were found. `polycodec doctor` tells where they were looked for.");
  if (refused != 0)
    run.out.note(std::to_string(refused) + (refused == 1 ? " plugin was" : " plugins were") +
                 " rejected: `polycodec doctor` says why.");
  return exit_done;
}

std::string options_text(const Json& about) {
  const Json properties =
      about.value("options", Json::object()).value("properties", Json::object());
  if (properties.empty()) return "  none\n";
  std::string text;
  for (const auto& [name, property] : properties.items()) {
    const auto json = [&, &of = property](const char* key, const char* before) {
      return of.contains(key) ? before + text_of(of[key]) : std::string();
    };
    text += "  " + styled(Style::bold, name);
    if (property.contains("type"))
      text += " (" + (property["type"].is_string() ? text_at(property, "type") : json("type", "")) +
              ")";
    text += json("default", ", default ") + json("enum", ", one of ") + '\n';
    if (property.contains("description"))
      text += "      " + text_at(property, "description") + "\n";
  }
  return text;
}

/// What is known of a codec, filter or store. Throws Status::not_found.
Json codec_called(const Run& run, const std::string& name) try {
  return parse_json(run.registry().description(About::codec, name));
} catch (const Error& error) {
  std::error_code absent;
  if (error.code() != Status::not_found || !std::filesystem::exists(name, absent)) throw;
  throw Error(Status::option, quote_path(name) +
                                  ": it is a file, and info shows codecs; use `polycodec inspect " +
                                  name + "`");
}

std::string inputs_text(const Json& about) {
  const Json inputs = about.value("inputs", Json::array({"bytes"}));
  const auto takes = [&](const char* word) {
    return std::ranges::find(inputs, Json(word)) != inputs.end();
  };
  Json words = Json::array();
  if (takes("bytes") || takes("file")) words.push_back("bytes");
  if (takes("store")) words.push_back("a store of blobs");
  if (takes("companions")) words.push_back("a file with the directory beside it");
  return joined(words);
}

int run_info(const Run& run, const std::string& name) {
  Json about = codec_called(run, name);
  const Json record =
      parse_json(run.registry().description(About::plugin, text_at(about["plugin"], "id")));
  const int status = record["outcome"] == "refused" ? exit_no_codec : exit_done;
  if (run.out.is_json()) {
    about["record"] = record;
    run.out.print_json(about);
    return status;
  }
  const auto line = [](const char* label, const std::string& text) {
    return text.empty() ? std::string() : styled(Style::dim, padded(label, 13)) + text + "\n";
  };
  const std::string version = text_at(about, "format_version"), reason = text_at(record, "reason"),
                    library = text_at(about["plugin"], "library");
  std::string text =
      styled(Style::bold, text_at(about, "name")) + ": " + text_at(about, "summary") + "\n\n";
  text += line("aliases", joined(list_at(about, "aliases")));
  text += line("format", version.empty() ? "" : "version " + version);
  text += line("can", directions(about) + (has(about, "read_stream") ? ", stream" : ""));
  text += line("takes", inputs_text(about));
  text += line("extensions", joined(list_at(about, "extensions"), " "));
  text += line("media types", joined(list_at(about, "media_types")));
  text +=
      line("plugin", text_at(about["plugin"], "id") + " " + text_at(about["plugin"], "version"));
  text += line("library", library.empty() ? "built in" : library);
  text += line("state", text_at(record, "outcome") + (reason.empty() ? "" : ": " + reason));
  text += "\nOptions (--from-options, --to-options)\n" + options_text(about);
  run.out.print(text);
  return status;
}

/// One line about the process of a plugin: the layers that hold, those that the kernel refused, the
/// counters.
std::string isolation_text(const Json& isolation) {
  std::string held, refused;
  for (const auto& [layer, error] : isolation["layers"].items()) {
    std::string& list = error.is_null() ? held : refused;
    list += (list.empty() ? "" : ", ") + layer;
    if (!error.is_null()) list += " (" + error.get<std::string>() + ")";
  }
  return "isolated by " + (held.empty() ? "a process alone" : held) +
         (refused.empty() ? "" : "; the kernel does not allow " + refused) +
         "; workers: " + isolation["starts"].dump() + " started, " + isolation["deaths"].dump() +
         " died, " + isolation["kills"].dump() + " ended";
}

std::string directory_text(const Json& directory) {
  const std::string state = text_at(directory, "state"), reason = text_at(directory, "reason");
  const auto manifests = directory["manifests"].get<std::uint64_t>();
  return "  " + text_at(directory, "path") + " (" + text_at(directory, "origin") +
         "): " + styled(state == "denied" ? Style::bad : Style::plain, state) +
         (manifests == 0
              ? ""
              : ", " + std::to_string(manifests) + (manifests == 1 ? " manifest" : " manifests")) +
         (reason.empty() ? "" : ", " + reason) + "\n";
}

std::string record_text(const Json& record) {
  const std::string outcome = text_at(record, "outcome"), id = text_at(record, "id"),
                    path = text_at(record, "path");
  const bool refused = outcome == "refused", note = outcome == "note";
  std::string text = "  " +
                     styled(refused ? Style::bad
                            : note  ? Style::warning
                                    : Style::good,
                            padded(outcome, 8)) +
                     " " + (id.empty() ? "?" : id) + "  " +
                     styled(Style::dim, path.empty() ? "built in" : path) + "\n";
  if (refused || note)
    text +=
        "           at stage " + text_at(record, "stage") + ": " + text_at(record, "reason") + "\n";
  if (const std::string place = place_text(record); !place.empty() && !refused)
    text += "           " + place + "\n";
  if (const Json& isolation = record["isolation"]; !isolation.is_null())
    text += "           " + isolation_text(isolation) + "\n";
  return text;
}

/// The places of plugins are those of all other commands: this one isolates more.
void set_places(const Run& run, Json& records) {
  const Json usual = parse_json(run.registry().description(About::records));
  for (Json& record : records)
    for (const Json& other : usual)
      if (!record["runs"].is_null() && record["id"] == other["id"] &&
          record["path"] == other["path"] && !other["runs"].is_null()) {
        record["runs"] = other["runs"];
        record["why"] = other["why"];
      }
}

std::string digest_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  Sha256 digest;
  std::array<char, 65536> bytes;
  while (in.read(bytes.data(), bytes.size()), in.gcount() > 0)
    digest.update({bytes.data(), static_cast<std::size_t>(in.gcount())});
  return in.bad() || !in.eof() ? std::string() : digest.finish();
}

/// Compares the files of the package with the digests that were written when they were installed,
/// and adds what is wrong to `wrong`. Returns how many files there are. Throws Status::not_found
/// where there are no digests.
std::size_t verify_files(const std::filesystem::path& directory, const Json& records, Json& wrong) {
  namespace fs = std::filesystem;
  const auto add = [&](const fs::path& file, const char* why) {
    wrong.push_back({{"path", file.string()}, {"reason", why}});
  };
  std::set<fs::path> known;
  std::error_code none;
  for (const fs::directory_entry& list :
       fs::directory_iterator(directory / "polycodec" / "digests", none)) {
    std::ifstream in(list.path());
    for (std::string line; std::getline(in, line);) {
      constexpr std::size_t digits = 64, name_at = digits + 2;  // as sha256sum writes it
      if (line.size() <= name_at) continue;
      const fs::path file = directory / line.substr(name_at);
      known.insert(file);
      const std::string digest = digest_of(file);
      if (digest.empty())
        add(file, "it cannot be read");
      else if (line.compare(0, digits, digest) != 0)
        add(file, "it is not the file that was installed");
    }
  }
  if (known.empty())
    throw Error(Status::not_found,
                "there are no digests in " +
                    quote_path((directory / "polycodec/digests").string()) +
                    ": only an installed package has them, and neither a build directory nor a "
                    "Python wheel, whose digests pip keeps");
  for (const Json& record : records)
    if (const fs::path file = text_at(record, "path");
        !file.empty() && record["why"] == "a plugin of the package" && !known.contains(file))
      add(file, "it has no digest, though its id is that of a plugin of the package");
  return known.size();
}

std::string verified_text(std::size_t files, const Json& wrong) {
  std::string text = "\n" + styled(Style::bold, "Files of the package") + "\n";
  for (const Json& one : wrong)
    text += "  " + styled(Style::bad, text_at(one, "path")) + ": " + text_at(one, "reason") + "\n";
  return text + "  " + std::to_string(files) + " compared with their digests, " +
         std::to_string(wrong.size()) + " wrong\n";
}

int run_doctor(const Run& run, bool verify) {
  Json found = parse_json(
      open_registry(run.options, POLYCODEC_REGISTRY_ISOLATE_FOREIGN).description(About::diagnosis));
  set_places(run, found["records"]);
  std::string verified;
  if (verify) {
    Json wrong = Json::array();
    const std::size_t files = verify_files(
        std::filesystem::path(text_at(found, "library")).parent_path(), found["records"], wrong);
    verified = verified_text(files, wrong);
    if (!wrong.empty()) found["ok"] = false;
    found["verified"] = {{"files", files}, {"wrong", wrong}};
  }
  const std::string file = configuration_file(run.options);
  const int status = has(found, "ok") ? exit_done : exit_no_codec;
  if (run.out.is_json()) {
    Json object = found;
    object["configuration"] = file;
    run.out.print_json(object);
    return status;
  }
  std::string text = "polycodec " + text_at(found, "version") + ", plugin ABI " +
                     found["abi"].dump() + "\nconfiguration: " + (file.empty() ? "none" : file) +
                     "\n";
  for (const auto& [variable, value] : found["environment"].items())
    if (!value.is_null()) text += variable + "=" + value.get<std::string>() + "\n";
  text += "\n" + styled(Style::bold, "Directories searched") + "\n";
  for (const Json& directory : found["directories"]) text += directory_text(directory);
  text += "\n" + styled(Style::bold, "Plugins") + "\n";
  for (const Json& record : found["records"]) text += record_text(record);
  if (found["records"].empty()) text += "  none\n";
  if (const Json& line = found["configuration_line"]; !line.is_null())
    text +=
        "\nIf you trust all users who own rejected files, add this line to the configuration:\n  " +
        line.get<std::string>() + "\n";
  run.out.print(text + verified);
  return status;
}

}  // namespace

void describe_list(Command& command, CommonOptions& options) {
  command.help = "List codecs, filters, stores, functions and types";
  command.example = "polycodec list";
  add_common_options(command, options);
  auto chosen = std::make_shared<Chosen>();
  for (std::size_t i = 0; i < chosen->size(); ++i)
    command.add(std::string("--") + listings[i].kinds, &(*chosen)[i], listings[i].help);
  command.run = [chosen](const Run& run) { return run_list(run, *chosen); };
}

void describe_info(Command& command, CommonOptions& options) {
  command.help = "Show a codec's formats and options";
  command.example = "polycodec info NAME";
  auto name = std::make_shared<std::string>();
  command.add("NAME", name.get(), "Name or alias of a codec, filter or store").required();
  add_common_options(command, options);
  command.run = [name](const Run& run) { return run_info(run, *name); };
}

void describe_doctor(Command& command, CommonOptions& options) {
  command.help = "Load every plugin, and report the rejected ones";
  command.example = "polycodec doctor";
  auto verify = std::make_shared<bool>(false);
  command.add("--verify", verify.get(),
              "Compare the package's files with the digests of their installation");
  add_common_options(command, options);
  command.run = [verify](const Run& run) { return run_doctor(run, *verify); };
}

}  // namespace polycodec::cli
