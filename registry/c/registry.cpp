// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>

#include "core/dispatch/function_table.hpp"
#include "core/io/source.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "registry/c/descriptions.hpp"
#include "registry/c/match.hpp"
#include "registry/c/options.hpp"
#include "registry/c/sink.hpp"
#include "registry/channel/channel.hpp"
#include "registry/codec/unpack.hpp"
#include "registry/config/config_check.hpp"
#include "registry/config/settings.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/load/manifest.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::c {
namespace {

template <class Items, class Write>
Json list_of(const Items& items, const Write& write) {
  Json list = Json::list();
  for (const auto& item : items) list.push_back(write(item));
  return list;
}

Json functions_json(const Registry& registry) {
  const auto& options = registry.options();
  const auto allows = [](const auto& list, FunctionPath path) {
    return list != nullptr && list->allows(path);
  };
  return list_of(registry.functions(), [&](const FunctionInfo& function) {
    const std::vector<std::string_view> parts(function.name.begin(), function.name.end());
    return Json{{"name", Json(function.name)},
                {"plugin", function.plugin_id.empty() ? Json() : Json(function.plugin_id)},
                {"allowed", allows(options.allowlist, parts) || allows(options.allow_also, parts)}};
  });
}

Json match_json(const Match& match) {
  static constexpr const char* words[] = {"name", "header", "content", "extension"};
  Json json{{"codec", match.codec != nullptr ? match.codec->name : std::string(raw_body_name)},
            {"by", words[static_cast<std::size_t>(match.by)]},
            {"score", match.score},
            {"extension", match.extension},
            {"reason", match.reason}};
  if (!match.options.empty()) json["options"] = match.options;
  if (!match.filters.empty()) json["filters"] = match.filters;
  return json;
}

Json manifest_json(const Manifest& manifest) {
  return manifest.document ? Json(manifest.document->view()) : Json();
}

Json manifest_in(const std::string& path) {
  Limits limits;
  limits.max_input_bytes = max_manifest_bytes;
  const Source file = Source::file(path, limits);
  return manifest_json(parse_manifest(file.bytes(), path));
}

/// What a description without a name lists.
Json listing_of(const polycodec_registry& of, std::int32_t what) {
  const Registry& registry = of.registry;
  const auto codec = [&](const CodecInfo& info) { return codec_json(registry, info); };
  switch (what) {
    case POLYCODEC_DESCRIBE_CODECS:
      return list_of(registry.codecs(), codec);
    case POLYCODEC_DESCRIBE_FILTERS:
      return list_of(registry.filters(), codec);
    case POLYCODEC_DESCRIBE_STORES:
      return list_of(registry.stores(), codec);
    case POLYCODEC_DESCRIBE_TYPES:
      return list_of(registry.types(), [](const TypeInfo& type) {
        return Json{{"name", type.name}, {"notation", type.notation}, {"origin", type.origin}};
      });
    case POLYCODEC_DESCRIBE_PLUGINS:
      return list_of(registry.plugins(), manifest_json);
    case POLYCODEC_DESCRIBE_RECORDS:
      return list_of(registry.records(), record_json);
    case POLYCODEC_DESCRIBE_DIRECTORIES:
      return list_of(registry.directories(), directory_json);
    case POLYCODEC_DESCRIBE_FUNCTIONS:
      return functions_json(registry);
    case POLYCODEC_DESCRIBE_SETTINGS:
      return list_of(settings_of(of.config), [](const Setting& setting) {
        return Json{{"key", setting.key}, {"value", setting.value}, {"origin", setting.origin}};
      });
    case POLYCODEC_DESCRIBE_DIAGNOSIS:
      return to_json(diagnose(registry), registry);
    default:
      throw_argument("what", "is not a POLYCODEC_DESCRIBE_*");
  }
}

/// One thing by its name, as JSON text.
std::string named(const Registry& registry, std::int32_t what, std::string_view name) {
  switch (what) {
    case POLYCODEC_DESCRIBE_CODEC:
      for (const Kind kind : {Kind::codec, Kind::filter, Kind::store})
        if (const CodecInfo* const found = registry.find(name, kind))
          return codec_json(registry, *found).text(json_compact);
      throw Error(Status::not_found, registry.explain_missing(name));
    case POLYCODEC_DESCRIBE_PLUGIN:
      return record_json(registry.probe(name)).text(json_compact);
    case POLYCODEC_DESCRIBE_MISSING:
      return Json{{"reason", registry.explain_missing(name)}}.text(json_compact);
    default:
      return to_json(make_offer(registry, std::string(name)));
  }
}

}  // namespace

void check_match(const polycodec_match& match) {
  if (match.struct_size < sizeof match)
    throw_struct_size("polycodec_match", match.struct_size, sizeof match);
}

namespace {

/// The names in a JSON list of filters, as a message may have it, in the order of encoding.
std::string filter_names(const std::string& filters) {
  if (filters.empty()) return {};
  const Value list = parse_json(filters);
  std::string names;
  for (std::uint64_t i = 0; list.view().is_list() && i < list.view().size(); ++i) {
    const NodeView filter = list.view()[i];
    const auto id = filter.is_object() ? filter.find("id") : std::nullopt;
    if (id && id->is_string()) (names += names.empty() ? "" : ", ") += id->as_string();
  }
  return names;
}

}  // namespace

void fill_match(polycodec_match& to, const Match& from) {
  to.by = static_cast<std::int32_t>(from.by);
  to.score = from.score;
  to.extension = from.extension ? 1 : 0;
  to.codec = to_bytes(from.codec != nullptr ? std::string_view(from.codec->name) : raw_body_name);
  to.body_offset = from.body_offset;
  to.body_size = from.body_size;
  detail::copy_text(to.reason, from.reason);
  detail::copy_text(to.filters, filter_names(from.filters));
}

}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_registry_open(const polycodec_registry_options* options,
                                polycodec_registry** registry, polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(registry, "registry");
    const auto o = c::read_struct(options, "polycodec_registry_options");
    if (o.base != nullptr) {
      const auto& base = c::need(o.base, "polycodec_registry_options.base");
      auto rest = o;
      rest.struct_size = 0;
      rest.base = nullptr;
      rest.objects = nullptr;
      const polycodec_registry_options nothing{};
      if (std::memcmp(&rest, &nothing, sizeof rest) != 0)
        throw Error(Status::option,
                    "a registry with a base has its configuration: leave all but "
                    "'base' and 'objects' 0");
      return c::make(registry, base, c::objects_of(o.objects));
    }
    c::make(registry, c::configuration_of(o));
    (*registry)->config.registry.objects = {};  // they are the catalog's
  });
}

polycodec_registry* polycodec_registry_retain(polycodec_registry* registry) {
  return c::retain(registry);
}
void polycodec_registry_release(polycodec_registry* registry) {
  c::release(registry);
}

int32_t polycodec_registry_limits(const polycodec_registry* registry, const polycodec_limits* given,
                                  uint64_t input, polycodec_limits* limits,
                                  polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& of = c::need(registry, "registry").registry;
    if (c::place(limits, "limits").struct_size < sizeof *limits)
      c::throw_struct_size("polycodec_limits", limits->struct_size, sizeof *limits);
    std::uint64_t deadline = 0;
    const Limits most = c::limits_of(given, of.options().limits, &deadline);
    *limits = {sizeof *limits,
               most.max_depth,
               most.max_input_bytes,
               most.max_header_bytes,
               most.max_nodes,
               most.max_elements,
               most.work_for(input),
               most.memory_for(input),
               most.output_for(input),
               most.max_stack_bytes,
               deadline};
  });
}

int32_t polycodec_registry_describe(const polycodec_registry* registry, int32_t what,
                                    polycodec_bytes name, polycodec_sink* sink,
                                    polycodec_error* error) {
  return c::enter(error, [&] {
    const std::string_view wanted = c::text(name, "name");
    Sink& to = c::sink_of(sink);
    if (what == POLYCODEC_DESCRIBE_CONFIG_SCHEMA) return c::put(to, config_schema());
    if (what == POLYCODEC_DESCRIBE_MANIFEST_SCHEMA) return c::put(to, manifest_schema());
    if (what == POLYCODEC_DESCRIBE_MANIFEST)
      return c::put(to, c::manifest_in(std::string(wanted)).text(json_compact));
    const auto& of = c::need(registry, "registry");
    if (what >= POLYCODEC_DESCRIBE_CODEC && what <= POLYCODEC_DESCRIBE_OFFER)
      return c::put(to, c::named(of.registry, what, wanted));
    if (!wanted.empty()) c::throw_argument("name", "must be empty for a list");
    c::put(to, c::listing_of(of, what).text(json_compact));
  });
}

int32_t polycodec_config_check(polycodec_bytes text, uint32_t flags, uint64_t* problems,
                               polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] {
    const std::string_view config = c::text(text, "text");
    const bool with_codecs = c::flags(flags, POLYCODEC_CHECK_NO_CODECS, "flags") == 0;
    c::place(problems, "problems");
    Sink* const to = sink == nullptr ? nullptr : &c::sink_of(sink);
    const auto found = check_config(config, with_codecs);
    if (to != nullptr) c::put(*to, to_json(found).text(json_compact));
    *problems = static_cast<std::uint64_t>(std::ranges::count_if(
        found, [](const ConfigProblem& problem) { return !problem.warning; }));
  });
}

int32_t polycodec_registry_choose(const polycodec_registry* registry,
                                  const polycodec_source* source, polycodec_match* match,
                                  polycodec_sink* candidates, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    const Source& from = c::need(source, "source").source;
    c::check_match(c::place(match, "match"));
    const Unpacked unpacked = in.unpacked(from);
    if (candidates != nullptr) {
      Sink& to = c::sink_of(candidates);
      c::put(to, c::list_of(in.sniff(unpacked.source), c::match_json).text(json_compact));
    }
    try {
      Match chosen = in.choose(unpacked.source);
      chosen.filters = join_filters(chosen.filters, unpacked.filters);
      c::fill_match(*match, chosen);
    } catch (const Error& e) {
      throw unpacked.explain(e);
    }
  });
}

int32_t polycodec_registry_agree(const polycodec_registry* registry, polycodec_bytes offer,
                                 const polycodec_value* value, polycodec_sink* sink,
                                 polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& in = c::need(registry, "registry");
    const auto& what = c::need(value, "value");
    Sink& to = c::sink_of(sink);
    ValueBudget walk(what.value);
    CallOptions options;
    options.budget = {std::shared_ptr<void>(), &walk.budget()};
    const Agreement agreement = agree(in.registry, &in.config, parse_offer(c::text(offer, "offer")),
                                      what.value.view(), options);
    Json object{{"codec", agreement.codec.empty() ? Json() : Json(agreement.codec)},
                {"version", agreement.version},
                {"options",
                 agreement.options.empty() ? Json() : Json(parse_json(agreement.options).view())},
                {"reason", agreement.reason}};
    object["verdicts"] = Json::list();
    for (const Verdict& verdict : agreement.verdicts)
      object["verdicts"].push_back(
          {{"codec", verdict.codec}, {"fits", verdict.fits}, {"reason", verdict.reason}});
    c::put(to, object.text(json_compact));
  });
}
