// SPDX-License-Identifier: MIT
#include <base/json_writer.hpp>
#include <polycodec/channel.hpp>
#include <polycodec/text.hpp>

#include "core/value/host_meter.hpp"
#include "registry/c/match.hpp"
#include "registry/c/options.hpp"
#include "registry/c/sink.hpp"
#include "registry/isolation/report.hpp"

namespace polycodec::c {
namespace {

Json codec_json(const CodecInfo& info) {
  Json object = Json(info.description);
  object["plugin"] =
      Json{{"id", info.plugin_id}, {"version", info.plugin_version}, {"library", info.library}};
  return object;
}

Json record_json(const ProbeRecord& record) {
  return Json{{"path", record.path},
              {"id", record.id},
              {"outcome", outcome_name(record.outcome)},
              {"stage", stage_name(record.stage)},
              {"reason", record.reason},
              {"isolation", isolation_json(record.isolation.get())}};
}

template <class Items, class Write>
Json list_of(const Items& items, const Write& write) {
  Json list = Json::list();
  for (const auto& item : items) list.push_back(write(item));
  return list;
}

Json listing_of(const Registry& registry, std::int32_t listing) {
  switch (listing) {
    case POLYCODEC_LIST_CODECS:
      return list_of(registry.codecs(), codec_json);
    case POLYCODEC_LIST_FILTERS:
      return list_of(registry.filters(), codec_json);
    case POLYCODEC_LIST_STORES:
      return list_of(registry.stores(), codec_json);
    case POLYCODEC_LIST_TYPES:
      return list_of(registry.types(), [](const TypeInfo& type) {
        return Json{{"name", type.name}, {"notation", type.notation}, {"origin", type.origin}};
      });
    case POLYCODEC_LIST_PLUGINS:
      return list_of(registry.plugins(), [](const Manifest& manifest) {
        return manifest.document ? Json(manifest.document->view()) : Json();
      });
    case POLYCODEC_LIST_RECORDS:
      return list_of(registry.records(), record_json);
    case POLYCODEC_LIST_DIRECTORIES:
      return list_of(registry.directories(), [](const DirectoryRecord& directory) {
        return Json{{"path", directory.path},
                    {"origin", directory.origin},
                    {"state", state_name(directory.state)},
                    {"reason", directory.reason},
                    {"manifests", directory.manifests}};
      });
    default:
      throw_argument("listing", "is not a polycodec_listing");
  }
}

std::vector<const CodecInfo*> find_codecs(const Registry& registry, std::int32_t key,
                                          std::string_view text) {
  switch (key) {
    case POLYCODEC_KEY_NAME: {
      const CodecInfo* const found = registry.find(text);
      return found == nullptr ? std::vector<const CodecInfo*>() : std::vector{found};
    }
    case POLYCODEC_KEY_MEDIA_TYPE:
      return registry.find_by_media_type(text);
    case POLYCODEC_KEY_EXTENSION:
      return registry.find_by_extension(text);
    default:
      throw_argument("key", "is not a polycodec_key");
  }
}

}  // namespace

void check_match(const polycodec_match& match) {
  if (match.struct_size < sizeof match)
    throw_struct_size("polycodec_match", match.struct_size, sizeof match);
}

void fill_match(polycodec_match& to, const Match& from) {
  to.by = static_cast<std::int32_t>(from.by);
  to.score = from.score;
  to.extension = from.extension ? 1 : 0;
  to.codec = to_bytes(from.codec != nullptr ? std::string_view(from.codec->name) : raw_body_name);
  to.body_offset = from.body_offset;
  to.body_size = from.body_size;
  detail::copy_text(to.reason, from.reason);
}

}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_registry_open(const polycodec_registry_options* options,
                                polycodec_registry** registry, polycodec_error* error) {
  return c::enter(error, [&] {
    c::place(registry, "registry");
    c::make(registry, c::configuration_of(options));
    (*registry)->config.registry.objects = {};  // they are the catalog's
  });
}

int32_t polycodec_registry_derive(const polycodec_registry* base, const polycodec_objects* objects,
                                  polycodec_registry** registry, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& from = c::need(base, "base");
    c::place(registry, "registry");
    const ProgramObjects given = c::objects_of(objects);
    c::make(registry, from, given);
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

int32_t polycodec_registry_describe(const polycodec_registry* registry, int32_t listing,
                                    polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& of = c::need(registry, "registry").registry;
    c::put(c::sink_of(sink), c::listing_of(of, listing).text(json_compact));
  });
}

int32_t polycodec_registry_probe(const polycodec_registry* registry, polycodec_bytes plugin_id,
                                 polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& of = c::need(registry, "registry").registry;
    Sink& to = c::sink_of(sink);
    c::put(to, c::record_json(of.probe(c::text(plugin_id, "plugin_id"))).text(json_compact));
  });
}

int32_t polycodec_registry_explain(const polycodec_registry* registry, polycodec_bytes name,
                                   polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& of = c::need(registry, "registry").registry;
    c::put(c::sink_of(sink), of.explain_missing(c::text(name, "name")));
  });
}

int32_t polycodec_registry_find(const polycodec_registry* registry, int32_t key,
                                polycodec_bytes text, polycodec_bytes* names, uint64_t capacity,
                                uint64_t* n, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    const auto found = c::find_codecs(in, key, c::text(text, "text"));
    c::items(names, capacity, "names");
    c::place(n, "n") = found.size();
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(capacity, found.size()); ++i)
      names[i] = to_bytes(found[static_cast<std::size_t>(i)]->name);
  });
}

int32_t polycodec_registry_sniff(const polycodec_registry* registry, const polycodec_source* source,
                                 polycodec_match* matches, uint64_t capacity, uint64_t* n,
                                 polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    c::place(n, "n");
    c::items(matches, capacity, "matches");
    if (capacity != 0 && matches->struct_size != sizeof *matches)
      c::throw_struct_size("polycodec_match", matches->struct_size, sizeof *matches);
    const auto found = in.sniff(c::need(source, "source").source);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(capacity, found.size()); ++i) {
      matches[i].struct_size = sizeof *matches;
      c::fill_match(matches[i], found[static_cast<std::size_t>(i)]);
    }
    *n = found.size();
  });
}

int32_t polycodec_registry_choose(const polycodec_registry* registry,
                                  const polycodec_source* source, polycodec_match* match,
                                  polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    c::check_match(c::place(match, "match"));
    c::fill_match(*match, in.choose(c::need(source, "source").source));
  });
}

int32_t polycodec_registry_offer(const polycodec_registry* registry, polycodec_bytes peer,
                                 polycodec_sink* sink, polycodec_error* error) {
  return c::enter(error, [&] {
    const Registry& in = c::need(registry, "registry").registry;
    Sink& to = c::sink_of(sink);
    c::put(to, to_json(make_offer(in, c::string(peer, "peer"))));
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
