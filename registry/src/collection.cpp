// SPDX-License-Identifier: MIT
#include <polycodec/collection.hpp>
#include <polycodec/json.hpp>
#include <polycodec/store.hpp>

#include "in_quotes.hpp"
#include "json_document.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace polycodec {
namespace {

Json parsed(std::string_view options) {
  if (options.empty()) return Json::object();
  Json json = JsonDocument(options, "options", Status::option).root();
  if (!json.is_object()) throw Error(Status::option, "options must be a JSON object");
  return json;
}

const CodecInfo& codec_for(const Registry& registry, const std::filesystem::path& path, std::string_view name) {
  if (!name.empty()) {
    if (const CodecInfo* codec = registry.find(name)) return *codec;
    throw Error(Status::not_found, registry.explain_missing(name));
  }
  if (std::filesystem::exists(path)) return *registry.choose(Source::open(path, registry.options().limits)).codec;
  const auto found = registry.find_by_extension(path.extension().native());
  if (found.size() == 1) return *found.front();
  throw Error(Status::option, "no codec is known for '" + path.native() + "': name one");
}

std::shared_ptr<Store> store_of(const Source& source, const Limits& limits) {
  return source.store() ? source.store() : open_store(source, limits);
}

/// Hands a blob to the sink without copying it.
void copy_blob(BlobSink& sink, std::string_view name, std::string_view content) {
  auto error = make_error();
  polycodec_sink* out = sink.abi();
  if (const auto code = out->begin_blob(out, to_bytes(name), &error)) throw to_error(code, error);
  if (content.empty()) return;
  if (const auto code = out->reference(out, content.data(), content.size(), &error)) throw to_error(code, error);
}

}  // namespace

bool has_option(const CodecInfo& codec, std::string_view option) {
  const Json schema = Json::parse(codec.options_schema, nullptr, false);
  return schema.is_object() && schema.contains("properties") && schema["properties"].contains(std::string(option));
}

std::uint64_t encode_to_container(const Registry& registry, View value, std::string_view codec,
                                  std::string_view options, const std::filesystem::path& path,
                                  const CallOptions& call) {
  const Container container = container_at(path);
  Json json = parsed(options);
  const CodecInfo* info = registry.find(codec);
  if (info != nullptr && has_option(*info, "container") && !json.contains("container"))
    json["container"] = container_name(container);
  const auto sink = make_blob_sink(container, path);
  registry.codec_with_json(codec, json.dump()).encode(value, *sink, call);
  const std::uint64_t size = sink->size();
  sink->finish();
  return size;
}

Collection::Collection(Registry registry, std::filesystem::path path, std::string_view codec, std::string options,
                       CallOptions call)
    : registry_(std::move(registry)),
      path_(std::move(path)),
      options_(std::move(options)),
      call_(std::move(call)),
      codec_(&codec_for(registry_, path_, codec)),
      container_(container_at(path_)) {
  for (const char* option : {"array", "contents", "first_id", "container"})
    if (!has_option(*codec_, option))
      throw Error(Status::unsupported, "this codec does not keep several values in one file").codec(codec_->name);
}

std::optional<Source> Collection::open() const {
  if (!std::filesystem::exists(path_)) return std::nullopt;
  const Limits limits = call_.limits.value_or(registry_.options().limits);
  const Source source = Source::open(path_, limits);
  const auto store = store_of(source, limits);
  if (store == nullptr)
    throw Error(Status::malformed, in_quotes(path_.native()) + " is no folder, ZIP archive or HDF5 file");
  return source.has_bytes() ? Source::with_store(source, store) : source;
}

std::string Collection::with(std::string_view name, std::uint64_t first_id) const {
  Json json = parsed(options_);
  json["array"] = name;
  json["first_id"] = first_id;
  if (!json.contains("container")) json["container"] = container_name(container_);
  return json.dump();
}

const Collection::Entry* Collection::find(const std::vector<Entry>& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Entry::name);
  return found == all.end() ? nullptr : &*found;
}

std::vector<Collection::Entry> Collection::list() const {
  std::vector<Entry> all;
  const auto source = open();
  if (!source) return all;
  Json json = parsed(options_);
  json["contents"] = true;
  const Value value = registry_.codec_with_json(codec_->name, json.dump()).decode(*source, call_);
  const View contents = value.view();
  for (std::uint64_t i = 0; i < contents.size(); ++i) {
    const View entry = contents.value(i);
    Entry& made = all.emplace_back();
    made.name = contents.key(i).as_string();
    made.schema = entry.at("schema").as_string();
    made.first_id = entry.at("first_id").as_uint64();
    const View blobs = entry.at("blobs");
    for (std::uint64_t b = 0; b < blobs.size(); ++b) {
      const View bytes = blobs[b].at("bytes");
      const View compression = blobs[b].at("compression");
      made.blobs.push_back({std::string(blobs[b].at("name").as_string()),
                            bytes.is_null() ? std::nullopt : std::optional(bytes.as_uint64()),
                            compression.is_null() ? std::string() : std::string(compression.as_string())});
    }
  }
  return all;
}

Value Collection::read(std::string_view name) const {
  const auto source = open();
  if (!source) throw Error(Status::not_found, "there is no " + in_quotes(path_.native())).codec(codec_->name);
  Json json = parsed(options_);
  json["array"] = name;
  return registry_.codec_with_json(codec_->name, json.dump()).decode(*source, call_);
}

void Collection::add(std::string_view name, View value) {
  const auto all = list();
  if (find(all, name) != nullptr)
    throw Error(Status::invalid, in_quotes(path_.native()) + " has a value called " + in_quotes(std::string(name)))
        .detail("collection.exists")
        .codec(codec_->name);
  container_ == Container::folder ? change_folder(nullptr, name, &value, 0) : rewrite(nullptr, name, &value);
}

void Collection::replace(std::string_view name, View value) {
  const auto all = list();
  const Entry* old = find(all, name);
  if (old == nullptr)
    throw Error(Status::not_found, "no value is called " + in_quotes(std::string(name)))
        .detail("collection.no_such")
        .codec(codec_->name);
  container_ == Container::folder ? change_folder(old, name, &value, old->first_id) : rewrite(old, name, &value);
}

void Collection::remove(std::string_view name) {
  const auto all = list();
  const Entry* old = find(all, name);
  if (old == nullptr)
    throw Error(Status::not_found, "no value is called " + in_quotes(std::string(name)))
        .detail("collection.no_such")
        .codec(codec_->name);
  container_ == Container::folder ? change_folder(old, name, nullptr, 0) : rewrite(old, name, nullptr);
}

void Collection::rewrite(const Entry* without, std::string_view name, const View* value) {
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
  const auto sink = make_blob_sink(container_, path_, options);
  if (source) {
    for (const Store::Entry& entry : source->store()->entries())
      if (!dropped.contains(entry.name)) copy_blob(*sink, entry.name, source->store()->read(entry.name));
  }
  if (value != nullptr) registry_.codec_with_json(codec_->name, with(name, 0)).encode(*value, *sink, call_);
  sink->finish();
}

void Collection::change_folder(const Entry* without, std::string_view name, const View* value,
                               std::uint64_t first_id) {
  std::set<std::string, std::less<>> shared;
  for (const Entry& entry : without != nullptr ? list() : std::vector<Entry>()) {
    if (entry.name == without->name) continue;
    for (const Blob& blob : entry.blobs) shared.insert(blob.name);
  }
  std::error_code failure;
  if (value != nullptr) {
    WriteOptions options;
    options.sync = true;
    // Only the schema of what is replaced may be there already: the numbers of blobs begin after those of the old.
    options.overwrite = without != nullptr;
    const auto sink = make_blob_sink(Container::folder, path_, options);
    registry_.codec_with_json(codec_->name, with(name, first_id)).encode(*value, *sink, call_);
    sink->finish();
  } else if (!std::filesystem::remove(path_ / without->schema, failure) || failure) {
    throw Error(Status::io,
                "cannot remove " + in_quotes((path_ / without->schema).native()) + ": " + failure.message());
  }
  if (without == nullptr) return;
  // From here on nothing refers to them.
  for (const Blob& blob : without->blobs)
    if (!shared.contains(blob.name) && blob.bytes) std::filesystem::remove(path_ / blob.name, failure);
}

}  // namespace polycodec
