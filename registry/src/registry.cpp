// SPDX-License-Identifier: MIT
#include <polycodec/message.hpp>
#include <polycodec/pipeline.hpp>
#include <polycodec/registry.hpp>

#include "catalog.hpp"
#include "instance.hpp"
#include "sniff.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace polycodec {
namespace {

/// Makes an instance keep its catalog alive.
std::shared_ptr<const CodecInstance> pinned(const std::shared_ptr<const Catalog>& catalog,
                                            std::shared_ptr<const CodecInstance> instance) {
  const CodecInstance* const address = instance.get();
  // The catalog owns its default instances, and handles to them then own nothing.
  if (instance.use_count() == 0) return {catalog, address};
  struct Both {
    std::shared_ptr<const Catalog> catalog;
    std::shared_ptr<const CodecInstance> instance;  // goes first
  };
  return {std::make_shared<Both>(Both{catalog, std::move(instance)}), address};
}

Json parse_options(std::string_view text, const CodecSlot& slot) {
  try {
    return text.empty() ? Json() : JsonDocument(text, "options", Status::option).root();
  } catch (Error& e) {
    e.codec(slot.info->name);
    throw;
  }
}

/// The body as a value of bytes.
void decode_raw(Value& value, const Source& source, const Choice& choice, const Limits& limits) {
  const auto body =
      source.bytes().substr(static_cast<std::size_t>(choice.body_offset), static_cast<std::size_t>(choice.body_size));
  value.set_root(nullptr);
  Builder builder(value.prepare(limits.max_memory_bytes));
  value.pin(source.pin());
  value.set_root(builder.root(Builder::bytes_view(std::as_bytes(std::span(body)))));
}

}  // namespace

Registry Registry::open(const RegistryOptions& options) {
  for (const auto* paths : {&options.plugin_paths, &options.add_paths}) {
    for (const auto& path : *paths)
      if (!path.is_absolute())
        throw Error(Status::option, "the plugin directory '" + path.string() + "' is not an absolute path");
  }
  return Registry(Catalog::make(options));
}

const RegistryOptions& Registry::options() const noexcept {
  return catalog_->options;
}
std::span<const CodecInfo> Registry::codecs() const noexcept {
  return catalog_->codecs;
}
std::span<const Manifest> Registry::plugins() const noexcept {
  return catalog_->manifests;
}
std::span<const DirectoryRecord> Registry::directories() const noexcept {
  return catalog_->directories;
}

const CodecInfo* Registry::find(std::string_view name) const noexcept {
  const CodecSlot* slot = catalog_->find(name);
  return slot == nullptr ? nullptr : slot->info;
}

std::vector<const CodecInfo*> Registry::find_by_media_type(std::string_view media_type) const {
  const std::string wanted = lower_case(media_type.substr(0, media_type.find(';')));
  std::vector<const CodecInfo*> found;
  for (const auto& codec : codecs()) {
    const auto& types = codec.media_types;
    if (std::any_of(types.begin(), types.end(), [&](const auto& type) { return lower_case(type) == wanted; }))
      found.push_back(&codec);
  }
  return found;
}

std::vector<const CodecInfo*> Registry::find_by_extension(std::string_view extension) const {
  const std::string wanted = lower_case(extension);
  std::vector<const CodecInfo*> found;
  for (const auto& codec : codecs())
    if (std::find(codec.extensions.begin(), codec.extensions.end(), wanted) != codec.extensions.end())
      found.push_back(&codec);
  return found;
}

std::vector<ProbeRecord> Registry::records() const {
  std::vector<ProbeRecord> all = catalog_->refused;
  for (const auto& plugin : catalog_->plugins) all.push_back(catalog_->record_of(plugin));
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return all;
}

ProbeRecord Registry::probe(std::string_view plugin_id) const {
  const PluginSlot* plugin = catalog_->find_plugin(plugin_id);
  if (plugin == nullptr) throw Error(Status::not_found, "no plugin has the id '" + std::string(plugin_id) + "'");
  try {
    catalog_->load(*plugin);
  } catch (const LoadFailure&) {
    // It is in the record.
  }
  return catalog_->record_of(*plugin);
}

std::string Registry::explain_missing(std::string_view name) const {
  return catalog_->explain_missing(name);
}

Codec Registry::codec(std::string_view name, View options) const {
  return Codec(pinned(catalog_, catalog_->open_codec(name, options)));
}

Codec Registry::codec_with_json(std::string_view name, std::string_view options) const {
  const CodecSlot& slot = catalog_->need(name);
  return Codec(pinned(catalog_, catalog_->open_slot(slot, parse_options(options, slot))));
}

Result<Codec> Registry::try_codec(std::string_view name, View options) const {
  return attempt([&] { return codec(name, options); });
}

std::vector<SniffCandidate> Registry::sniff(const Source& source) const {
  return sniff_source(*catalog_, source);
}

Choice Registry::choose(const Source& source, const DecodeOptions& options) const {
  return choose_codec(*catalog_, source, options);
}

Choice Registry::choose(const Message& message, const DecodeOptions& options) const {
  return choose_codec(*catalog_, message, options);
}

Value Registry::decode(const Source& source, const DecodeOptions& options) const {
  Value value;
  decode_into(value, source, options);
  return value;
}

Value Registry::decode(const Message& message, std::shared_ptr<const void> pin, const DecodeOptions& options) const {
  Value value;
  decode_into(value, Source::shared(message.body, std::move(pin)), choose(message, options), options);
  return value;
}

void Registry::decode_into(Value& value, const Source& source, const DecodeOptions& options) const {
  decode_into(value, source, choose_codec(*catalog_, source, options), options);
}

void Registry::decode_into(Value& value, const Source& source, const Choice& choice,
                           const DecodeOptions& options) const {
  if (choice.codec == nullptr)
    return decode_raw(value, source, choice, options.limits ? *options.limits : catalog_->options.limits);
  if (!choice.then.empty()) {
    const Pipeline pipeline = Pipeline::make(*this, choice.codec->name, choice.options, choice.then);
    const auto body = source.bytes().substr(static_cast<std::size_t>(choice.body_offset),
                                            static_cast<std::size_t>(choice.body_size));
    const Source inner = pipeline.unwrap(Source::shared(body, source.pin(), std::string(source.name())), options);
    const Codec codec =
        options.options.is_null() ? pipeline.codec() : this->codec(choice.codec->name, options.options);
    return codec.decode_into(value, inner, options);
  }
  const CodecSlot& slot = catalog_->slot(*choice.codec);
  const auto instance = options.options.is_null() ? catalog_->open_slot(slot, parse_options(choice.options, slot))
                                                  : catalog_->open_codec(choice.codec->name, options.options);
  const CallContext context(*catalog_, options);
  try {
    polycodec_input input = source.input();
    if (choice.body_offset != 0) {
      const auto begin = static_cast<std::size_t>(choice.body_offset);
      input.bytes = to_bytes(source.bytes().substr(begin, static_cast<std::size_t>(choice.body_size)));
      input.store = nullptr;
    }
    polycodec_arena* arena = value.prepare(context.limits.max_memory_bytes);
    value.pin(source.pin());
    value.set_root(instance->decode(context, input, arena));
  } catch (Error& e) {
    value.set_root(nullptr);
    if (e.offset() != Error::no_offset) e.offset(e.offset() + choice.body_offset);
    throw;
  } catch (...) {
    value.set_root(nullptr);
    throw;
  }
}

Result<Value> Registry::try_decode(const Source& source, const DecodeOptions& options) const {
  return attempt([&] { return decode(source, options); });
}

void Registry::encode(View value, std::string_view codec_name, View codec_options, Sink& sink,
                      const CallOptions& options) const {
  codec(codec_name, codec_options).encode(value, sink, options);
}

std::string Registry::encode_to_string(View value, std::string_view codec_name, View codec_options,
                                       const CallOptions& options) const {
  return codec(codec_name, codec_options).encode_to_string(value, options);
}

Result<void> Registry::try_encode(View value, std::string_view codec_name, View codec_options, Sink& sink,
                                  const CallOptions& options) const {
  return attempt([&] { encode(value, codec_name, codec_options, sink, options); });
}

std::string_view Registry::type_notation(std::string_view name) const {
  return catalog_->type_notation(name);
}

bool Registry::has_function(std::span<const std::string_view> path) const noexcept {
  if (catalog_->options.functions && catalog_->options.functions->find(path) != nullptr) return true;
  return catalog_->functions.contains(std::vector<std::string>(path.begin(), path.end()));
}

std::string_view chosen_by_name(ChosenBy by) noexcept {
  switch (by) {
    case ChosenBy::name:
      return "name";
    case ChosenBy::header:
      return "header";
    case ChosenBy::content:
      return "content";
    case ChosenBy::extension:
      return "extension";
  }
  return "unknown";
}

}  // namespace polycodec
