// SPDX-License-Identifier: MIT
#include "registry/codec/registry.hpp"

#include <model/type/parse.hpp>
#include <polycodec/quote.hpp>

#include "core/call/budget.hpp"
#include "core/frame/message.hpp"
#include "core/store/zip_store.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "registry/choose/sniff.hpp"
#include "registry/codec/filters.hpp"
#include "registry/codec/narrow.hpp"
#include "registry/codec/unpack.hpp"
#include "registry/document/json_document.hpp"
#include "registry/json/plugin.hpp"
#include "registry/load/catalog.hpp"
#include "registry/load/magic.hpp"
#include "registry/session/instance.hpp"
#include "registry/session/session.hpp"
#include "registry/session/store_format.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace polycodec {
namespace {

Value parse_options(std::string_view text, const CodecSlot& slot) {
  if (text.empty()) return {};
  try {
    return JsonDocument(text, "options", Status::option).take_value();
  } catch (Error& e) {
    e.codec(slot.info->name);
    throw;
  }
}

/// The body as a value of bytes.
void decode_raw(Value& value, const Source& body, const Projection& wanted) {
  value.set_root(nullptr);
  Builder builder(value.prepare(UINT64_MAX));
  value.pin(body.pin(), body.bytes());
  Budget own;
  set_narrowed(value, builder.root(Builder::bytes_view(body.bytes())), wanted, own);
}

}  // namespace

Registry Registry::open(const RegistryOptions& options) {
  for (const auto* paths : {&options.plugin_paths, &options.add_paths}) {
    for (const auto& path : *paths)
      if (!path.starts_with('/'))
        throw Error(Status::option,
                    "the plugin directory " + quote_path(path) + " is not an absolute path");
  }
  return Registry(Session::open(options));
}

Registry Registry::derive(const ProgramObjects& objects) const {
  return Registry(Session::derive(*session_, objects));
}

const RegistryOptions& Registry::options() const noexcept {
  return session_->catalog.options;
}
std::span<const CodecInfo> Registry::codecs() const noexcept {
  return session_->catalog.of_kind(Kind::codec);
}
std::span<const CodecInfo> Registry::filters() const noexcept {
  return session_->catalog.of_kind(Kind::filter);
}
std::span<const CodecInfo> Registry::stores() const noexcept {
  return session_->catalog.of_kind(Kind::store);
}
std::span<const Manifest> Registry::plugins() const noexcept {
  return session_->catalog.manifests;
}
std::span<const DirectoryRecord> Registry::directories() const noexcept {
  return session_->catalog.directories;
}
std::span<const TypeInfo> Registry::types() const noexcept {
  return session_->catalog.types;
}

const CodecInfo* Registry::find(std::string_view name, Kind kind) const noexcept {
  const CodecSlot* slot = session_->catalog.find(kind, name);
  return slot == nullptr ? nullptr : slot->info;
}

std::vector<const CodecInfo*> Registry::find_by_extension(std::string_view name) const {
  std::vector<const CodecInfo*> found;
  std::size_t longest = 1;
  for (const auto& codec : codecs()) {
    const std::size_t length = extension_length(codec, name);
    if (length < longest) continue;
    if (length > longest) found.clear();
    longest = length;
    found.push_back(&codec);
  }
  return found;
}

std::vector<ProbeRecord> Registry::records() const {
  std::vector<ProbeRecord> all = session_->catalog.refused;
  for (const auto& plugin : session_->catalog.plugins)
    if (plugin.builtin != &json::plugin()) all.push_back(session_->catalog.record_of(plugin));
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.path < b.path; });
  return all;
}

ProbeRecord Registry::probe(std::string_view plugin_id) const {
  const PluginSlot* plugin = session_->catalog.find_plugin(plugin_id);
  if (plugin == nullptr) throw Error(Status::not_found, "no plugin has the id " + quote(plugin_id));
  try {
    session_->catalog.load(*plugin);
  } catch (const LoadFailure&) {
    // It is in the record.
  }
  return session_->catalog.record_of(*plugin);
}

std::string Registry::explain_missing(std::string_view name) const {
  return session_->catalog.explain_missing(name);
}

Codec Registry::codec(std::string_view name, NodeView options, OptionsFrom from) const {
  Codec codec(session_->open_codec(session_->catalog.need(Kind::codec, name), options, from));
  if (!options.is_null()) codec.options_json_ = to_json(options, json_compact);
  return codec;
}

Codec Registry::codec_with_json(std::string_view name, std::string_view options,
                                std::string_view filters, OptionsFrom from) const {
  if (session_->catalog.find(Kind::codec, name) == nullptr &&
      session_->catalog.find(Kind::filter, name) != nullptr)
    throw Error(Status::option,
                quote(name) + " is a filter: it belongs in \"filters\", after a codec");
  const CodecSlot& slot = session_->catalog.need(Kind::codec, name);
  Codec codec(session_->open_codec(slot, parse_options(options, slot).view(), from));
  codec.options_json_ = options;
  codec.filters_ = CodecFilters::open(*session_, filters, *slot.info, from);
  return codec;
}

Codec Registry::codec_from_json(std::string_view json, OptionsFrom from) const {
  const JsonDocument document(json, "codec", Status::option);
  static const Value schema = parse_json(R"({"type": "object", "required": ["codec"],
"additionalProperties": false, "properties": {"codec": {"type": "string"},
"options": {"type": "object"}, "filters": {"type": "array"}}})");
  document.check(schema.view());
  const auto text = [&](const char* key) {
    const auto found = document.root().find(key);
    return found ? to_json(*found, json_compact) : std::string();
  };
  return codec_with_json(document.root().at("codec").as_string(), text("options"), text("filters"),
                         from);
}

std::vector<Match> Registry::sniff(const Source& source) const {
  return sniff_source(*session_, source);
}

Match Registry::choose(const Source& source, const DecodeOptions& options) const {
  Match match = choose_codec(*session_, source, options);
  refuse_doubtful(match, source);
  return match;
}

Match Registry::choose(const Message& message, const DecodeOptions& options) const {
  return choose_codec(session_->catalog, message, options);
}

Unpacked Registry::unpacked(const Source& source, const DecodeOptions& options) const {
  return unpack(*session_, source, options);
}

PlainName Registry::plain_name(std::string_view name) const {
  return polycodec::plain_name(session_->catalog, name);
}

Value Registry::decode(const Source& source, const DecodeOptions& options) const {
  Value value;
  decode_into(value, source, options);
  return value;
}

Value Registry::decode(const Message& message, std::shared_ptr<const void> pin,
                       const DecodeOptions& options) const {
  Value value;
  decode_into(value, Source::shared(message.body, std::move(pin)), choose(message, options),
              options);
  return value;
}

void Registry::decode_into(Value& value, const Source& source, const DecodeOptions& options) const {
  const Match match = choose_codec(*session_, source, options);
  try {
    decode_into(value, source, match, options);
  } catch (const Error& e) {
    throw explain_content(e, match, source);
  }
  refuse_doubtful(match, source);
}

void Registry::decode_into(Value& value, const Source& source, const Match& match,
                           const DecodeOptions& options) const {
  const bool whole = match.body_offset == 0 &&
                     (match.codec != nullptr || match.body_size == source.bytes().size());
  const Source body = whole ? source
                            : source.part(static_cast<std::size_t>(match.body_offset),
                                          static_cast<std::size_t>(match.body_size));
  if (match.codec == nullptr) return decode_raw(value, body, options.projection);
  try {
    Codec codec = codec_with_json(match.codec->name, options.options.is_null() ? match.options : "",
                                  match.filters, OptionsFrom::others);
    if (!options.options.is_null())
      codec.instance_ = session_->open_codec(session_->catalog.slot(*match.codec), options.options,
                                             options.options_from);
    codec.decode_into(value, body, options);
  } catch (Error& e) {
    value.set_root(nullptr);
    if (e.offset() != Error::no_offset && match.filters.empty())
      e.offset(e.offset() + match.body_offset);
    throw;
  }
}

std::shared_ptr<BlobStore> Registry::open_store(const Source& source) const {
  return source.store() ? source.store() : open_store_of(*session_, source);
}

std::string Registry::store_format_at(const std::string& path) const {
  return polycodec::store_format_at(session_->catalog, path);
}

std::unique_ptr<BlobSink> Registry::create_store(std::string_view format, const std::string& path,
                                                 const WriteOptions& options,
                                                 std::uint64_t max_bytes) const {
  return create_store_of(*session_, format, path, options, max_bytes);
}

std::unique_ptr<BlobSink> Registry::edit_store(const std::string& path, const WriteOptions& options,
                                               std::uint64_t max_bytes) const {
  return edit_store_of(*session_, path, options, max_bytes);
}

std::function<std::optional<std::string_view>(std::string_view)> Registry::type_names() const {
  return [session = session_](std::string_view name) { return session->catalog.find_type(name); };
}

type::Type Registry::parse_type(std::string_view text) const {
  return parse_type(text, {});
}

type::Type Registry::parse_type(std::string_view text, const type::ParseOptions& given) const {
  const type::TypeNames names = type_names();
  type::ParseOptions options = given;
  options.named = &names;
  return type::parse(text, options);
}

std::vector<FunctionInfo> Registry::functions() const {
  std::vector<FunctionInfo> all;
  if (session_->catalog.options.functions)
    for (const polycodec_function* function : session_->catalog.options.functions->functions()) {
      FunctionInfo& info = all.emplace_back();
      for (std::uint32_t i = 0; i < function->n_path; ++i)
        info.name.emplace_back(function->path[i]);
    }
  for (const auto& [name, plugin] : session_->catalog.functions) {
    all.push_back({name, plugin->is_program() ? std::string() : plugin->manifest->id});
  }
  return all;
}

std::vector<std::string> Registry::function_called(std::string_view text) const {
  std::vector<std::string> found{std::string(text)};
  if (text.find('.') == text.npos) return found;
  bool any = false;
  for (FunctionInfo& function : functions()) {
    std::string joined;
    for (const std::string& part : function.name) joined += (joined.empty() ? "" : ".") + part;
    if (joined != text) continue;
    if (any && function.name != found)
      throw Error(Status::ambiguous, "several functions are called " + quote(text) +
                                         ": give the parts of the name as a JSON list");
    any = true;
    found = std::move(function.name);
  }
  return found;
}

Value Registry::call(std::span<const std::string_view> path, std::shared_ptr<const Value> args,
                     std::shared_ptr<const Value> kwargs, const CallOptions& options) const {
  const CallTerms terms(*session_, options);
  Value made;
  polycodec_arena* const arena = made.prepare(UINT64_MAX, &terms.budget);
  const Settling settling(made.arena());
  made.pin(session_);
  CallContext context(terms, arena);
  std::vector<polycodec_bytes> parts;
  for (const std::string_view part : path) parts.push_back(to_bytes(part));
  const auto root_of = [&](const std::shared_ptr<const Value>& value) -> const polycodec_node* {
    if (value == nullptr) return nullptr;
    earn(terms.budget, *value);
    made.keep(value);
    return value->root();
  };
  const polycodec_node *const with = root_of(args), *const named = root_of(kwargs);
  const polycodec_node* result = nullptr;
  const polycodec_host* const host = context.abi()->host;
  invoke(host->call_function, host, context.abi(), parts.data(), std::uint64_t{parts.size()}, with,
         named, &result);
  context.settle();
  made.set_root(result);
  return made;
}

}  // namespace polycodec
