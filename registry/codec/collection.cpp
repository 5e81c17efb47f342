// SPDX-License-Identifier: MIT
#include <base/quote.hpp>
#include <polycodec/collection.hpp>
#include <polycodec/store.hpp>

#include "registry/config/json_document.hpp"
#include "registry/config/schema.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace polycodec {
namespace {

/// The codec's option of this role; empty if it has none.
std::string_view option(const CodecInfo& codec, std::string_view role) {
  return option_of_role(codec.options_schema, role);
}

/// The options in `text` (an object, or empty) with `more` over them, and with the container where
/// the codec asks for it and neither has one.
Value options_with(const CodecInfo& codec, std::string_view text, std::vector<Member> more,
                   const std::string& container = {}) {
  static const polycodec_node any = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, 0);
  const JsonDocument given(text.empty() ? "{}" : text, "options", Status::option);
  if (!given.root().is_object()) throw Error(Status::option, "options must be a JSON object");
  const std::string_view chooses = option(codec, "container");
  if (!container.empty() && !chooses.empty() && !given.root().find(chooses))
    more.push_back({chooses, Builder::string_view(container)});
  const Value own = Value::build([&](Builder& out) { return out.object(more); });
  return merge_options(NodeView(&any), given.root(), own.view());
}

const CodecInfo& codec_for(const Registry& registry, const std::filesystem::path& path,
                           std::string_view name) {
  if (!name.empty()) {
    if (const CodecInfo* codec = registry.find(name)) return *codec;
    throw Error(Status::not_found, registry.explain_missing(name));
  }
  if (std::filesystem::exists(path))
    return *registry.choose(Source::open(path, registry.options().limits)).codec;
  const auto found = registry.find_by_extension(path.extension().native());
  if (found.size() == 1) return *found.front();
  throw Error(Status::option, "no codec is known for " + quote_path(path.native()) + ": name one");
}

/// Hands a blob to the sink without copying it.
void copy_blob(BlobSink& sink, std::string_view name, std::string_view content) {
  polycodec_sink* const out = sink.begin_blob(name).abi();
  invoke(out->reference, out, static_cast<const void*>(content.data()),
         std::uint64_t{content.size()});
}

}  // namespace

bool keeps_collections(const CodecInfo& codec) {
  return !option(codec, "collection.name").empty() &&
         !option(codec, "collection.contents").empty() &&
         !option(codec, "collection.first_id").empty() && !option(codec, "container").empty();
}

std::uint64_t encode_to_container(const Registry& registry, NodeView value, std::string_view codec,
                                  std::string_view options, const std::filesystem::path& path,
                                  const CallOptions& call) {
  const std::string container = registry.store_format_at(path);
  const CodecInfo* info = registry.find(codec);
  if (info == nullptr) throw Error(Status::not_found, registry.explain_missing(codec));
  const Value all = options_with(*info, options, {}, container);
  const auto sink = registry.create_store(container, path);
  registry.codec(codec, all.view()).encode(value, *sink, {}, call);
  const std::uint64_t size = sink->size();
  sink->finish();
  return size;
}

Collection::Collection(Registry registry, std::filesystem::path path, std::string_view codec,
                       std::string options, CallOptions call)
    : registry_(std::move(registry)),
      path_(std::move(path)),
      options_(std::move(options)),
      call_(std::move(call)),
      codec_(&codec_for(registry_, path_, codec)),
      container_(registry_.store_format_at(path_)) {
  if (!keeps_collections(*codec_))
    throw Error(Status::unsupported, "this codec does not keep several values in one file")
        .codec(codec_->name);
}

std::optional<Source> Collection::open() const {
  if (!std::filesystem::exists(path_)) return std::nullopt;
  const Limits limits = call_.limits.value_or(registry_.options().limits);
  const Source source = Source::open(path_, limits);
  const auto store = registry_.open_store(source);
  if (store == nullptr)
    throw Error(Status::malformed,
                quote(path_.native()) +
                    " is no directory, ZIP archive or file of an installed store format");
  return source.has_bytes() ? Source::with_store(source, store) : source;
}

Value Collection::with(std::string_view name, std::uint64_t first_id) const {
  return options_with(
      *codec_, options_,
      {{option(*codec_, "collection.name"), Builder::string_view(name)},
       {option(*codec_, "collection.first_id"), Builder::unsigned_integer(first_id)}},
      container_);
}

const Collection::Entry* Collection::find(const std::vector<Entry>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Entry::name);
  return found == all.end() ? nullptr : &*found;
}

std::vector<Collection::Entry> Collection::list() const {
  std::vector<Entry> all;
  const auto source = open();
  if (!source) return all;
  const Value options = options_with(
      *codec_, options_, {{option(*codec_, "collection.contents"), Builder::boolean(true)}});
  const Value value = registry_.codec(codec_->name, options.view()).decode(*source, call_);
  const NodeView contents = value.view();
  for (std::uint64_t i = 0; i < contents.size(); ++i) {
    const NodeView entry = contents.value(i);
    Entry& made = all.emplace_back();
    made.name = contents.key(i).as_string();
    made.schema = entry.at("schema").as_string();
    made.first_id = entry.at("first_id").as_uint64();
    const NodeView blobs = entry.at("blobs");
    for (std::uint64_t b = 0; b < blobs.size(); ++b) {
      const NodeView bytes = blobs[b].at("bytes");
      const NodeView compression = blobs[b].at("compression");
      made.blobs.push_back(
          {std::string(blobs[b].at("name").as_string()),
           bytes.is_null() ? std::nullopt : std::optional(bytes.as_uint64()),
           compression.is_null() ? std::string() : std::string(compression.as_string())});
    }
  }
  return all;
}

Value Collection::read(std::string_view name) const {
  const auto source = open();
  if (!source)
    throw Error(Status::not_found, "there is no " + quote(path_.native())).codec(codec_->name);
  const Value options = options_with(
      *codec_, options_, {{option(*codec_, "collection.name"), Builder::string_view(name)}});
  return registry_.codec(codec_->name, options.view()).decode(*source, call_);
}

void Collection::add(std::string_view name, NodeView value) {
  const auto all = list();
  if (find(all, name) != nullptr)
    throw Error(Status::invalid,
                quote(path_.native()) + " has a value called " + quote(std::string(name)))
        .detail("collection.exists")
        .codec(codec_->name);
  container_ == "directory" ? change_directory(nullptr, name, &value, 0)
                            : rewrite(nullptr, name, &value);
}

void Collection::replace(std::string_view name, NodeView value) {
  const auto all = list();
  const Entry* old = find(all, name);
  if (old == nullptr)
    throw Error(Status::not_found, "no value is called " + quote(std::string(name)))
        .detail("collection.no_such")
        .codec(codec_->name);
  container_ == "directory" ? change_directory(old, name, &value, old->first_id)
                            : rewrite(old, name, &value);
}

void Collection::remove(std::string_view name) {
  const auto all = list();
  const Entry* old = find(all, name);
  if (old == nullptr)
    throw Error(Status::not_found, "no value is called " + quote(std::string(name)))
        .detail("collection.no_such")
        .codec(codec_->name);
  container_ == "directory" ? change_directory(old, name, nullptr, 0) : rewrite(old, name, nullptr);
}

void Collection::rewrite(const Entry* without, std::string_view name, const NodeView* value) {
  std::set<std::string, std::less<>> dropped;
  if (without != nullptr) {
    dropped.insert(without->schema);
    for (const Blob& blob : without->blobs) dropped.insert(blob.name);
    // What another value reads as well stays.
    for (const Entry& entry : list()) {
      if (entry.name == without->name) continue;
      for (const Blob& blob : entry.blobs) dropped.erase(blob.name);
    }
  }
  const auto source = open();
  WriteOptions options;
  options.sync = true;
  const auto sink = registry_.create_store(container_, path_, options);
  if (source) {
    for (const BlobStore::Entry& entry : source->store()->entries())
      if (!dropped.contains(entry.name))
        copy_blob(*sink, entry.name, source->store()->read(entry.name));
  }
  if (value != nullptr)
    registry_.codec(codec_->name, with(name, 0).view()).encode(*value, *sink, {}, call_);
  sink->finish();
}

void Collection::change_directory(const Entry* without, std::string_view name,
                                  const NodeView* value, std::uint64_t first_id) {
  std::set<std::string, std::less<>> shared;
  for (const Entry& entry : without != nullptr ? list() : std::vector<Entry>()) {
    if (entry.name == without->name) continue;
    for (const Blob& blob : entry.blobs) shared.insert(blob.name);
  }
  std::error_code failure;
  if (value != nullptr) {
    WriteOptions options;
    options.sync = true;
    // Only the schema of what is replaced may be there already: the numbers of blobs begin after
    // those of the old.
    options.overwrite = without != nullptr;
    const auto sink = registry_.create_store("directory", path_, options);
    registry_.codec(codec_->name, with(name, first_id).view()).encode(*value, *sink, {}, call_);
    sink->finish();
  } else if (!std::filesystem::remove(path_ / without->schema, failure) || failure) {
    throw Error(Status::io, "cannot remove " + quote((path_ / without->schema).native()) + ": " +
                                failure.message());
  }
  if (without == nullptr) return;
  // From here on nothing refers to them.
  for (const Blob& blob : without->blobs)
    if (!shared.contains(blob.name) && blob.bytes)
      std::filesystem::remove(path_ / blob.name, failure);
}

}  // namespace polycodec
