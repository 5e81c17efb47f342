// SPDX-License-Identifier: MIT
#include "registry/codec/collection.hpp"

#include <base/json_writer.hpp>

#include "core/text/text.hpp"
#include "registry/c/options.hpp"
#include "registry/c/sink.hpp"

struct polycodec_collection : polycodec::c::HandleOf<12> {
  polycodec_collection(const polycodec_registry& registry, std::string path,
                       polycodec::c::Format format, polycodec::CallOptions call)
      : allow_partial(call.allow_partial),
        values(registry.registry, std::move(path), format.codec, std::move(format.options),
               std::move(call), format.from) {}
  bool allow_partial;
  polycodec::Collection values;
};

namespace polycodec::c {
namespace {

Json entry_json(const Collection::Entry& entry) {
  Json blobs = Json::list();
  for (const Collection::Blob& blob : entry.blobs)
    blobs.push_back(Json{{"name", blob.name},
                         {"bytes", blob.bytes ? Json(*blob.bytes) : Json()},
                         {"filter", blob.filter}});
  Json made{{"name", entry.name}, {"schema", entry.schema}};
  made["blobs"] = std::move(blobs);
  return made;
}

NodeView written(const polycodec_collection& to, const polycodec_value& value) {
  if (value.value.is_partial() && !to.allow_partial)
    throw Error(Status::invalid, "the value is partial: allow partial values to write it");
  return value.value.view();
}

}  // namespace
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_collection_open(const polycodec_registry* registry, polycodec_bytes path,
                                  const polycodec_format* format,
                                  const polycodec_call_options* call,
                                  polycodec_collection** collection, polycodec_error* error) {
  return c::enter(error, [&] {
    const auto& in = c::need(registry, "registry");
    c::place(collection, "collection");
    std::string at = c::string(path, "path");
    c::Format wanted = c::format_of(format, "polycodec_format");
    if (at.empty()) c::throw_argument("path", "is empty");
    if (!wanted.filters.empty()) c::throw_argument("format", "has filters");
    c::make(collection, in, std::move(at), std::move(wanted),
            c::call_options(call, in.registry.options().limits));
  });
}

int32_t polycodec_collection_list(const polycodec_collection* collection, polycodec_sink* sink,
                                  polycodec_error* error) {
  return c::enter(error, [&] {
    const Collection& of = c::need(collection, "collection").values;
    Sink& to = c::sink_of(sink);
    Json values = Json::list();
    for (const Collection::Entry& entry : of.list()) values.push_back(c::entry_json(entry));
    Json all{{"codec", of.codec().name}, {"container", of.container()}};
    all["values"] = std::move(values);
    c::put(to, all.text(json_compact));
  });
}

int32_t polycodec_collection_read(const polycodec_collection* collection, polycodec_bytes name,
                                  polycodec_value** value, polycodec_error* error) {
  return c::enter(error, [&] {
    const Collection& from = c::need(collection, "collection").values;
    const std::string_view wanted = c::text(name, "name");
    c::place(value, "value");
    c::make(value, from.read(wanted));
  });
}

int32_t polycodec_collection_put(polycodec_collection* collection, polycodec_bytes name,
                                 const polycodec_value* value, uint32_t flags, polycodec_sink* kept,
                                 polycodec_error* error) {
  return c::enter(error, [&] {
    auto& to = c::need(collection, "collection");
    const std::string_view at = c::text(name, "name");
    c::flags(flags, POLYCODEC_COLLECTION_REPLACE | POLYCODEC_COLLECTION_UNOWNED, "flags");
    Sink* const report = kept == nullptr ? nullptr : &c::sink_of(kept);
    const bool unowned = (flags & POLYCODEC_COLLECTION_UNOWNED) != 0;
    std::vector<std::string> left;
    if (value == nullptr)
      left = to.values.remove(at, unowned);
    else if ((flags & POLYCODEC_COLLECTION_REPLACE) != 0)
      left = to.values.replace(at, c::written(to, c::need(value, "value")), unowned);
    else
      to.values.add(at, c::written(to, c::need(value, "value")));
    if (report == nullptr) return;
    Json names = Json::list();
    for (const std::string& name_of : left) names.push_back(name_of);
    c::put(*report, names.text(json_compact));
  });
}

void polycodec_collection_free(polycodec_collection* collection) {
  c::release(collection);
}
