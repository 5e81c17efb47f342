// SPDX-License-Identifier: MIT
// `polycodec list`, `info` and `doctor`: what there is, and why something is not.
#include <base/quote.hpp>
#include <polycodec/config.hpp>
#include <polycodec/text.hpp>

#include "commands.hpp"
#include "registry/choose/descriptions.hpp"
#include "registry/isolation/report.hpp"
#include "registry/load/external_command.hpp"
#include "registry/load/policy.hpp"
#include "tools/common/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace polycodec::cli {
namespace {

std::string joined(const std::vector<std::string>& items, const char* separator = ", ") {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : separator) + item;
  return text;
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

const char* directions(const CodecInfo& c) {
  return c.can_decode && c.can_encode ? "read, write" : c.can_decode ? "read" : "write";
}

/// The abilities of a codec that the policy denies: "read" and "write".
std::vector<std::string> denied_to(const Policy& policy, const CodecInfo& c) {
  std::vector<std::string> denied;
  const auto check = [&](bool can, Right right, const char* word) {
    if (can && !refuses_codec(policy, c.name, c.plugin_id, right).empty())
      denied.emplace_back(word);
  };
  check(c.can_decode, Right::decode, "read");
  check(c.can_encode, Right::encode, "write");
  return denied;
}

int run_list(Context& context) {
  const Registry& registry = context.registry();
  const Policy& policy = registry.options().policy;
  if (context.options.json) {
    const auto list_of = [&policy](std::span<const CodecInfo> all) {
      Json list = Json::list();
      for (const CodecInfo& c : all) {
        Json object = codec_json(c);
        object["denied"] = Json::list();
        for (const std::string& word : denied_to(policy, c)) object["denied"].push_back(word);
        list.push_back(std::move(object));
      }
      return list;
    };
    context.print_json(Json{{"codecs", list_of(registry.codecs())},
                            {"filters", list_of(registry.filters())},
                            {"stores", list_of(registry.stores())}});
    return exit_done;
  }
  std::size_t name_width = 0;
  std::string text;
  for (const auto all : {registry.codecs(), registry.filters(), registry.stores()})
    for (const CodecInfo& c : all) name_width = std::max(name_width, c.name.size());
  for (const auto all : {registry.codecs(), registry.filters(), registry.stores()})
    for (const CodecInfo& c : all) {
      text += styled(Style::name, padded(c.name, name_width)) + "  " + padded(directions(c), 11) +
              "  " + (c.kind == Kind::codec ? "" : std::string(kind_word(c.kind)) + ": ") +
              c.summary;
      if (!c.extensions.empty()) text += styled(Style::dim, "  " + joined(c.extensions, " "));
      if (const auto denied = denied_to(policy, c); !denied.empty())
        text += styled(Style::bad, "  denied by the policy: " + joined(denied));
      text += '\n';
    }
  context.print(text);
  if (registry.plugins().size() == 1)
    context.note("No plugins were found. `polycodec doctor` tells where they were looked for.");
  const auto records = registry.records();
  const auto refused = std::count_if(records.begin(), records.end(),
                                     [](const auto& r) { return r.outcome == Outcome::refused; });
  if (refused != 0)
    context.note(std::to_string(refused) + (refused == 1 ? " plugin was" : " plugins were") +
                 " refused: `polycodec doctor` tells why.");
  return exit_done;
}

int run_types(Context& context) {
  Json all = Json::list();
  std::string text;
  for (const TypeInfo& type : context.registry().types()) {
    all.push_back(Json{{"name", type.name}, {"notation", type.notation}, {"origin", type.origin}});
    text += styled(Style::name, type.name) + "  " + type.notation +
            styled(Style::dim, "  " + type.origin) + "\n";
  }
  context.print_result(Json{{"types", all}}, text.empty() ? "No types are registered.\n" : text);
  return exit_done;
}

std::string options_text(NodeView schema) {
  const auto properties = schema.find("properties");
  if (!properties || properties->size() == 0) return "  none\n";
  std::string text;
  for (std::uint64_t i = 0; i < properties->size(); ++i) {
    const NodeView property = properties->value(i);
    const auto json = [&](const char* key, const char* before) {
      const auto member = property.find(key);
      return member ? before + to_json(*member, json_compact) : std::string();
    };
    text += "  " + styled(Style::bold, properties->key(i).as_string());
    const auto type = property.find("type");
    if (type && type->is_string())
      text += " (" + std::string(type->as_string()) + ")";
    else if (type)
      text += json("type", " (") + ")";
    text += json("default", ", default ") + json("enum", ", one of ") + '\n';
    if (const auto description = property.find("description"))
      text += "      " + std::string(description->as_string()) + "\n";
  }
  return text;
}

int run_info(Context& context, const std::string& name) {
  const Registry& registry = context.registry();
  const CodecInfo* codec = nullptr;
  for (const Kind kind : {Kind::codec, Kind::filter, Kind::store})
    if (codec == nullptr) codec = registry.find(name, kind);
  if (codec == nullptr) {
    std::error_code absent;
    if (std::filesystem::exists(name, absent))
      throw Error(Status::option,
                  quote_path(name) +
                      ": it is a file, and info shows codecs; use `polycodec inspect " + name +
                      "`");
    throw Error(Status::not_found, registry.explain_missing(name));
  }
  const ProbeRecord record = registry.probe(codec->plugin_id);
  if (context.options.json) {
    Json object = codec_json(*codec);
    object["record"] = record_json(record);
    context.print_json(object);
    return record.outcome == Outcome::refused ? exit_no_codec : exit_done;
  }
  const auto line = [](const char* label, const std::string& text) {
    return text.empty() ? std::string() : styled(Style::dim, padded(label, 13)) + text + "\n";
  };
  std::string text = styled(Style::bold, codec->name) + ": " + codec->summary + "\n\n";
  text += line("aliases", joined(codec->aliases));
  text += line("format", codec->format_version.empty() ? "" : "version " + codec->format_version);
  text += line("can", std::string(directions(*codec)) + (codec->can_read_stream ? ", stream" : ""));
  std::vector<std::string> inputs;
  if (codec->takes(POLYCODEC_INPUT_BYTES | POLYCODEC_INPUT_FILE)) inputs.emplace_back("bytes");
  if (codec->takes(POLYCODEC_INPUT_STORE)) inputs.emplace_back("a store of blobs");
  if (codec->takes(POLYCODEC_INPUT_COMPANIONS))
    inputs.emplace_back("a file with the directory beside it");
  text += line("takes", joined(inputs));
  text += line("extensions", joined(codec->extensions, " "));
  text += line("media types", joined(codec->media_types));
  text += line("plugin", codec->plugin_id + " " + codec->plugin_version);
  text += line("library", codec->library.empty() ? "built in" : codec->library);
  text += line("state", std::string(outcome_name(record.outcome)) +
                            (record.reason.empty() ? "" : ": " + record.reason));
  text += "\nOptions (--from-options, --to-options)\n" + options_text(codec->options_schema);
  context.print(text);
  return record.outcome == Outcome::refused ? exit_no_codec : exit_done;
}

int run_doctor(Context& context) {
  context.isolate_foreign_plugins();
  const Registry& registry = context.registry();
  const Diagnosis found =
      diagnose(registry, find_commands(context.configuration().registry, own_directory()));
  const int status = found.ok ? exit_done : exit_no_codec;
  if (context.options.json) {
    Json object = to_json(found, registry);
    object["configuration"] = context.configuration().path;
    context.print_json(object);
    return status;
  }
  std::string text =
      "polycodec " POLYCODEC_VERSION ", plugin ABI " + std::to_string(POLYCODEC_ABI_MAJOR) + "\n";
  text +=
      "configuration: " +
      (context.configuration().path.empty() ? std::string("none") : context.configuration().path) +
      "\n";
  for (const char* v : search_variables())
    if (const char* value = std::getenv(v)) text += std::string(v) + "=" + value + "\n";
  text += "\n" + styled(Style::bold, "Directories searched") + "\n";
  for (const auto& d : registry.directories()) {
    const bool bad = d.state == DirectoryRecord::State::denied;
    text += "  " + d.path + " (" + d.origin +
            "): " + styled(bad ? Style::bad : Style::plain, state_name(d.state));
    if (d.manifests != 0)
      text += ", " + std::to_string(d.manifests) + (d.manifests == 1 ? " manifest" : " manifests");
    if (!d.reason.empty()) text += ", " + d.reason;
    text += '\n';
  }
  text += "\n" + styled(Style::bold, "Plugins and commands") + "\n";
  for (const auto& r : found.records) {
    const Style style = r.outcome == Outcome::refused ? Style::bad
                        : r.outcome == Outcome::note  ? Style::warning
                                                      : Style::good;
    text += "  " + styled(style, padded(std::string(outcome_name(r.outcome)), 8)) + " " +
            (r.id.empty() ? "?" : r.id) + "  " +
            styled(Style::dim, r.path.empty() ? "built in" : r.path) + "\n";
    if (r.outcome == Outcome::refused || r.outcome == Outcome::note)
      text += "           at stage " + std::string(stage_name(r.stage)) + ": " + r.reason + "\n";
    if (r.isolation != nullptr) text += "           " + describe(*r.isolation) + "\n";
  }
  if (found.records.empty()) text += "  none\n";
  if (!found.trust.empty())
    text +=
        "\nIf you trust all users who own rejected files, add this line to the configuration:\n  " +
        found.trust + "\n";
  context.print(text);
  return status;
}

}  // namespace

void describe_list(Command& command, Context& context) {
  command.help = "List codecs, filters and stores without loading them";
  command.example = "polycodec list";
  context.add_common_options(command);
  auto types = std::make_shared<bool>(false);
  command.add("--types", types.get(), "List the named types instead");
  command.run = [&context, types] { return *types ? run_types(context) : run_list(context); };
}

void describe_info(Command& command, Context& context) {
  command.help = "Show a codec's formats and options";
  command.example = "polycodec info NAME";
  auto name = std::make_shared<std::string>();
  command.add("NAME", name.get(), "Name or alias of a codec, filter or store").required();
  context.add_common_options(command);
  command.run = [&context, name] { return run_info(context, *name); };
}

void describe_doctor(Command& command, Context& context) {
  command.help = "Load every plugin, and report the rejected ones";
  command.example = "polycodec doctor";
  context.add_common_options(command);
  command.run = [&context] { return run_doctor(context); };
}

}  // namespace polycodec::cli
