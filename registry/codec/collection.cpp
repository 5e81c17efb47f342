// SPDX-License-Identifier: MIT
#include "registry/codec/collection.hpp"

#include <polycodec/quote.hpp>

#include "core/io/source.hpp"
#include "core/store/open.hpp"
#include "core/value/host_meter.hpp"
#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <utility>

namespace polycodec {
namespace {

/// The options in `text` (an object, or empty), with the container where the codec asks for it and
/// they do not say.
Value options_with(const CodecInfo& codec, std::string_view text, const std::string& container) {
  static const polycodec_node any = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, 0);
  const JsonDocument given(text.empty() ? "{}" : text, "options", Status::option);
  if (!given.root().is_object()) throw Error(Status::option, "options must be a JSON object");
  const std::string_view chooses = option_of_role(codec.options_schema, "container");
  std::vector<Member> more;
  if (!chooses.empty() && !given.root().find(chooses))
    more.push_back({chooses, Builder::string_view(container)});
  const Value own = Value::build([&](Builder& out) { return out.object(more); });
  return merge_options(NodeView(&any), given.root(), own.view());
}

const CodecInfo& codec_for(const Registry& registry, const std::string& path,
                           std::string_view name) {
  if (!name.empty()) {
    if (const CodecInfo* codec = registry.find(name)) return *codec;
    throw Error(Status::not_found, registry.explain_missing(name));
  }
  if (std::filesystem::exists(path))
    return *registry.choose(open_source(path, registry.options().limits)).codec;
  const auto found = registry.find_by_extension(std::filesystem::path(path).extension().native());
  if (found.size() == 1) return *found.front();
  throw Error(Status::option, "no codec is known for " + quote_path(path) + ": name one");
}

/// Whole seconds until a time of CLOCK_MONOTONIC in nanoseconds.
std::uint32_t seconds_until(std::uint64_t deadline) {
  const auto now = static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  const std::uint64_t rest = deadline < now ? 0 : (deadline - now) / 1'000'000'000;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(rest, UINT32_MAX));
}

CallOptions with_member(CallOptions call, std::string_view name) {
  call.member = name;
  return call;
}

}  // namespace

std::uint64_t encode_to_container(const Registry& registry, NodeView value, std::string_view codec,
                                  std::string_view options, const std::string& path,
                                  const CallOptions& call, const WriteOptions& write,
                                  OptionsFrom from) {
  const std::string container = registry.store_format_at(path);
  const CodecInfo* info = registry.find(codec);
  if (info == nullptr) throw Error(Status::not_found, registry.explain_missing(codec));
  const Value all = options_with(*info, options, container);
  const auto sink = registry.create_store(container, path, write);
  registry.codec(codec, all.view(), from).encode(value, *sink, call);
  const std::uint64_t size = sink->size();
  sink->finish();
  return size;
}

struct Collection::State {
  State(Registry with, std::string at, std::string_view name, std::string options,
        CallOptions given, OptionsFrom from)
      : registry(std::move(with)),
        path(std::move(at)),
        call(std::move(given)),
        codec(codec_for(registry, path, name)),
        container(registry.store_format_at(path)) {
    if (!codec.can_list)
      throw Error(Status::unsupported, "this codec does not keep several values in one file")
          .codec(codec.name);
    opened = registry.codec(codec.name, options_with(codec, options, container).view(), from);
  }
  std::optional<Source> open() const;
  std::vector<Entry> list_of(const Source& source) const;
  std::vector<std::string> change(std::string_view name, const NodeView* value, bool there,
                                  bool unowned) const;

  Registry registry;
  std::string path;
  CallOptions call;
  const CodecInfo& codec;
  std::string container;
  std::optional<Codec> opened;
};

Collection::Collection(Registry registry, std::string path, std::string_view codec,
                       std::string options, CallOptions call, OptionsFrom from)
    : state_(std::make_shared<const State>(std::move(registry), std::move(path), codec,
                                           std::move(options), std::move(call), from)) {}

const CodecInfo& Collection::codec() const noexcept {
  return state_->codec;
}

const std::string& Collection::container() const noexcept {
  return state_->container;
}

std::optional<Source> Collection::State::open() const {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const Limits limits = call.limits.value_or(registry.options().limits);
  const Source source = open_source(path, limits);
  const auto store = registry.open_store(source);
  if (store == nullptr)
    throw Error(
        Status::malformed,
        quote(path) + " is not a directory, ZIP archive or file of an installed store format");
  return source.has_bytes() ? Source::with_store(source, store) : source;
}

std::vector<Collection::Entry> Collection::list() const {
  const auto source = state_->open();
  return source ? state_->list_of(*source) : std::vector<Entry>();
}

std::vector<Collection::Entry> Collection::State::list_of(const Source& source) const {
  std::vector<Entry> all;
  const Value value = opened->list(source, call);
  const NodeView contents = value.view();
  HostMeter meter(contents, call.limits.value_or(registry.options().limits), call.budget);
  for (std::uint64_t i = 0; i < contents.size(); ++i) {
    meter.tick(64 + 64 * contents.value(i).at("blobs").size());
    Entry& made = all.emplace_back();
    made.name = contents.key(i).as_string();
    const NodeView blobs = contents.value(i).at("blobs");
    made.schema = blobs[0].at("name").as_string();
    for (std::uint64_t b = 1; b < blobs.size(); ++b) {
      Blob& blob = made.blobs.emplace_back();
      blob.name = blobs[b].at("name").as_string();
      if (const auto bytes = blobs[b].find("bytes")) blob.bytes = bytes->as_uint64();
      if (const auto filter = blobs[b].find("filter")) blob.filter = filter->as_string();
    }
  }
  return all;
}

Value Collection::read(std::string_view name) const {
  const auto source = state_->open();
  if (!source)
    throw Error(Status::not_found, "there is no " + quote(state_->path)).codec(codec().name);
  return state_->opened->decode(*source, with_member(state_->call, name));
}

void Collection::add(std::string_view name, NodeView value) {
  state_->change(name, &value, false, false);
}

std::vector<std::string> Collection::replace(std::string_view name, NodeView value, bool unowned) {
  return state_->change(name, &value, true, unowned);
}

std::vector<std::string> Collection::remove(std::string_view name, bool unowned) {
  return state_->change(name, nullptr, true, unowned);
}

std::vector<std::string> Collection::State::change(std::string_view name, const NodeView* value,
                                                   bool there, bool unowned) const {
  WriteOptions options;
  options.sync = true;
  options.overwrite = false;  // of nothing but the file as a whole
  options.lock_seconds = std::min(options.lock_seconds, seconds_until(call.deadline));
  if (there && !std::filesystem::exists(path))
    throw Error(Status::not_found, "there is no " + quote(path)).codec(codec.name);
  const auto sink = registry.edit_store(path, options);
  const auto all =
      sink->base() != nullptr ? list_of(Source::store(sink->base())) : std::vector<Entry>();
  const auto found = std::ranges::find(all, name, &Entry::name);
  const Entry* const old = found == all.end() ? nullptr : &*found;
  if (old == nullptr && there)
    throw Error(Status::not_found, "no value is called " + quote(name))
        .detail("collection.no_such")
        .codec(codec.name);
  if (old != nullptr && !there)
    throw Error(Status::invalid, quote(path) + " has a value called " + quote(name))
        .detail("collection.exists")
        .codec(codec.name);
  std::set<std::string_view> shared;  // what another value reads as well stays
  for (const Entry& entry : all)
    for (const Blob& blob : entry.blobs)
      if (&entry != old) shared.insert(blob.name);
  std::vector<std::string> kept;
  if (old != nullptr) {
    const auto owner_of = [&](std::string_view blob) {
      const BlobStore::Entry* const entry = sink->base()->find(blob);
      return entry == nullptr ? std::string_view() : std::string_view(entry->owner);
    };
    sink->remove(old->schema, owner_of(old->schema));
    // A schema may name whatever it likes: only the store's record says what the value wrote.
    for (const BlobStore::Entry& entry : sink->base()->entries())
      if (!name.empty() && entry.owner == name && entry.name != old->schema &&
          !shared.contains(entry.name))
        sink->remove(entry.name, name);
    for (const Blob& blob : old->blobs) {
      if (!blob.bytes || shared.contains(blob.name) || !owner_of(blob.name).empty()) continue;
      if (unowned)
        sink->remove(blob.name);
      else
        kept.push_back(blob.name);
    }
  }
  if (value != nullptr) opened->encode(*value, *sink, with_member(call, name));
  sink->finish();
  return kept;
}

}  // namespace polycodec
