// SPDX-License-Identifier: MIT
// The codecs that a program may use, and the calls of them. A program includes polycodec.hpp.
#pragma once

#include <polycodec/detail/clear.hpp>
#include <polycodec/host/value.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
inline namespace host {

/// An opened codec. Counted, for any number of threads at once.
class Codec : public border::Counted<polycodec_opened_codec, polycodec_opened_codec_retain,
                                     polycodec_opened_codec_release> {
 public:
  using Counted::Counted;

  /// The canonical name.
  std::string name() const {
    const Value facts = describe();
    return std::string(facts.find("codec").as_string());
  }
  /// {"codec": NAME, "options": {...}, "filters": [...]}, the last two where there are any.
  Value describe() const {
    return Value::parse(border::text_of(
        [&](polycodec_sink* out) { border::call(polycodec_opened_codec_describe, raw(), out); }));
  }

  /// Decodes all of a source.
  Value decode(const Source& source, const CallOptions& options = default_call) const {
    border::CallScope scope(options);
    return scope.make<Value>(polycodec_opened_codec_decode, raw(), source.raw(), scope.raw());
  }
  /// The same from bytes that the caller keeps unchanged, into a value with one holder, whose
  /// memory is used again: the least work for a call. Where it throws, the value is null.
  void decode_into(Value& value, std::string_view bytes,
                   const CallOptions& options = default_call) const {
    border::CallScope scope(options);
    scope.call(polycodec_opened_codec_decode_into, raw(), to_bytes(bytes), scope.raw(),
               value.raw());
  }
  /// Encodes a value to a sink, which then keeps it.
  void encode(const Value& value, Sink& sink, const CallOptions& options = default_call) const {
    border::CallScope scope(options);
    scope.call(polycodec_opened_codec_encode, raw(), value.raw(), scope.raw(), sink.raw(), nullptr,
               nullptr);
  }
  /// The same to a string.
  std::string encode(const Value& value, const CallOptions& options = default_call) const {
    Sink out = Sink::contiguous();
    encode(value, out, options);
    return std::string(out.bytes());
  }
  /// Encodes a value to named blobs. commit() comes before the value dies.
  void encode(const Value& value, StoreChange& store,
              const CallOptions& options = default_call) const {
    border::CallScope scope(options);
    scope.call(polycodec_opened_codec_encode, raw(), value.raw(), scope.raw(), nullptr, store.raw(),
               nullptr);
  }
  /// The named values of a store, without decoding them: an object of facts about each one.
  /// CallOptions::member decodes one. Throws Status::unsupported for a codec of one value.
  Value list(const Source& source, const CallOptions& options = default_call) const {
    border::CallScope scope(options);
    return scope.make<Value>(polycodec_opened_codec_list, raw(), source.raw(), scope.raw());
  }
};

/// How a codec was chosen.
enum class ChosenBy : std::int32_t {
  name = POLYCODEC_BY_NAME,
  header = POLYCODEC_BY_HEADER,  ///< of a message
  content = POLYCODEC_BY_CONTENT,
  extension = POLYCODEC_BY_EXTENSION,
};
/// The word for it, such as "content".
constexpr std::string_view chosen_by_name(ChosenBy by) noexcept {
  constexpr std::string_view words[] = {"name", "header", "content", "extension"};
  const auto i = static_cast<std::size_t>(by);
  return i < std::size(words) ? words[i] : "unknown";
}

/// A codec that may fit a source; see polycodec_match.
struct Match {
  std::string codec;
  ChosenBy by = ChosenBy::name;
  std::uint32_t score = 0;  ///< 0 to 100
  bool extension = false;   ///< the file name has an extension of the codec
  std::uint64_t body_offset = 0, body_size = 0;
  std::string reason;   ///< in words
  std::string filters;  ///< compression and the like around the body, as "zlib, crc32"
};

/// What Registry::describe() writes; see POLYCODEC_DESCRIBE_CODECS and the others.
enum class About : std::int32_t {
  codecs = POLYCODEC_DESCRIBE_CODECS,
  filters = POLYCODEC_DESCRIBE_FILTERS,
  stores = POLYCODEC_DESCRIBE_STORES,
  types = POLYCODEC_DESCRIBE_TYPES,
  plugins = POLYCODEC_DESCRIBE_PLUGINS,
  records = POLYCODEC_DESCRIBE_RECORDS,  ///< every candidate, and why it was rejected
  directories = POLYCODEC_DESCRIBE_DIRECTORIES,
  functions = POLYCODEC_DESCRIBE_FUNCTIONS,
  settings = POLYCODEC_DESCRIBE_SETTINGS,    ///< with who said each
  diagnosis = POLYCODEC_DESCRIBE_DIAGNOSIS,  ///< loads every plugin
  codec = POLYCODEC_DESCRIBE_CODEC,          ///< the one of a name
  plugin = POLYCODEC_DESCRIBE_PLUGIN,        ///< loads the one of an id: its record
  missing = POLYCODEC_DESCRIBE_MISSING,      ///< why a name is missing
  offer = POLYCODEC_DESCRIBE_OFFER,          ///< for the peer of a name
  config_schema = POLYCODEC_DESCRIBE_CONFIG_SCHEMA,
  manifest_schema = POLYCODEC_DESCRIBE_MANIFEST_SCHEMA,
  manifest = POLYCODEC_DESCRIBE_MANIFEST,  ///< the one in a file, checked
};

/// A layer of configuration: the text of a file (docs/configuration.md), and what messages call it.
struct Layer {
  std::string text, name = {};
};

/// What a content address is equal under (docs/content-address.md).
enum class Address : std::int32_t {
  exact = POLYCODEC_ADDRESS_EXACT,
  logical = POLYCODEC_ADDRESS_LOGICAL,
};

/// Receives one line of a log: a polycodec_log_level, "registry" or "plugin", and the text. From
/// any thread. What it throws is dropped.
using Log = std::function<void(std::int32_t level, std::string_view origin, std::string_view text)>;

/// How a registry is opened. Fields that are left out have their defaults.
struct RegistryOptions {
  std::vector<Layer> layers = {};  ///< keys of later ones hold; see polycodec_registry_options
  /// By default the first layer is the file that POLYCODEC_CONFIG names.
  std::uint32_t flags = POLYCODEC_REGISTRY_DEFAULT_CONFIG;  ///< POLYCODEC_REGISTRY_*
  std::vector<std::string> plugin_paths = {};  ///< directories instead of the default one; absolute
  std::vector<std::string> add_paths = {};     ///< directories before the others; absolute
  Limits limits = {};                          ///< instead of those of the configuration
  std::string allowlist = {};                  ///< functions that data may call, as JSON
  std::string allow_also = {};                 ///< further ones, beside all that are allowed
  std::string isolation = {};                  ///< where plugins run (docs/isolation.md)
  std::uint32_t threads = 0;                   ///< as CallOptions::threads; 0: the caller's alone
  /// Objects of the program, which the registry takes over; see polycodec_objects. Or null.
  const polycodec_objects* objects = nullptr;
  /// Both live as long as the registry and its values. Or null.
  const polycodec_executor* executor = nullptr;
  const Log* log = nullptr;
};

/// The codecs that a program may use. Never changes once it is open. Counted, for any thread.
class Registry : public border::Counted<polycodec_registry, polycodec_registry_retain,
                                        polycodec_registry_release> {
 public:
  using Counted::Counted;

  /// Reads the manifests of all plugins and loads none. A plugin that is rejected leaves a record
  /// (Listing::records) and is not an error.
  static Registry open(const RegistryOptions& from = {}) {
    polycodec_registry_options options{};
    const auto paths = border::all_bytes(from.plugin_paths);
    const auto added = border::all_bytes(from.add_paths);
    options.struct_size = sizeof options;
    options.flags = from.flags;
    std::vector<polycodec_bytes> layers, layer_names;
    for (const Layer& layer : from.layers) {
      layers.push_back(to_bytes(layer.text));
      layer_names.push_back(to_bytes(layer.name));
    }
    options.layers = layers.data();
    options.layer_names = layer_names.data();
    options.n_layers = static_cast<std::uint32_t>(layers.size());
    options.plugin_paths = paths.data();
    options.n_plugin_paths = static_cast<std::uint32_t>(paths.size());
    options.add_paths = added.data();
    options.n_add_paths = static_cast<std::uint32_t>(added.size());
    options.objects = from.objects;
    options.limits = from.limits.raw();
    options.allowlist = to_bytes(from.allowlist);
    options.allow_also = to_bytes(from.allow_also);
    options.executor = from.executor;
    options.isolation = to_bytes(from.isolation);
    options.threads = from.threads;
    if (from.log != nullptr && *from.log) {
      options.log_data = const_cast<Log*>(from.log);
      options.log = [](void* log, std::int32_t level, polycodec_bytes origin,
                       polycodec_bytes text) noexcept {
        try {
          (*static_cast<const Log*>(log))(level, to_string_view(origin), to_string_view(text));
        } catch (...) {  // no one could receive it
        }
      };
    }
    return border::make<Registry>(polycodec_registry_open, &options);
  }
  /// A registry with further objects of the program. It searches nothing.
  Registry with(const polycodec_objects& objects) const {
    auto options = border::empty<polycodec_registry_options>();
    options.base = raw();
    options.objects = &objects;
    return border::make<Registry>(polycodec_registry_open, &options);
  }

  // -- codecs --
  /// Opens a codec: loads its plugin if need be. Throws Status::not_found with all that is known
  /// about why, Status::denied, Status::plugin, Status::option.
  Codec codec(const Format& format) const {
    const polycodec_format raw_format = border::raw_of(format);
    return border::make<Codec>(polycodec_registry_open_codec, raw(), &raw_format);
  }
  Codec codec(std::string_view name, std::string_view options = {},
              std::string_view filters = {}) const {
    return codec(Format{std::string(name), std::string(options), std::string(filters)});
  }
  /// The codec that writes a value to the file `path`: by its extension, and the rules of the
  /// configuration.
  Codec codec_for(std::string_view path, const Value& value, const Format& format = {}) const {
    polycodec_format raw_format = border::raw_of(format);
    raw_format.path = to_bytes(path);
    raw_format.value = value.raw();
    return border::make<Codec>(polycodec_registry_open_codec, raw(), &raw_format);
  }
  /// The codec for a source, by message header, content and extension. Throws Status::ambiguous
  /// with the candidates, Status::not_found, Status::denied. `candidates` (or null) gets all codecs
  /// that may fit, best first, as JSON, also where this throws: see polycodec_registry_choose.
  Match choose(const Source& source, std::string* candidates = nullptr) const {
    polycodec_match match{};
    match.struct_size = sizeof match;
    if (candidates == nullptr) {
      border::call(polycodec_registry_choose, raw(), source.raw(), &match, nullptr);
      return match_of(match);
    }
    const Sink out = Sink::contiguous();
    CallError error;
    const std::int32_t code =
        polycodec_registry_choose(raw(), source.raw(), &match, out.raw(), error.raw());
    candidates->assign(out.bytes());
    if (code != POLYCODEC_OK) border::raise(error, code);
    return match_of(match);
  }
  /// All codecs that may fit, whether or not one is chosen.
  Value candidates(const Source& source) const {
    std::string all;
    try {
      (void)choose(source, &all);
    } catch (const Error&) {
      if (all.empty()) throw;
    }
    return Value::parse(all);
  }

  // -- in one step --
  /// Decodes a source by the codec of `format` or the one that is chosen: also typed JSON,
  /// messages, and what filters wrote. `match` (or null) says how it was chosen.
  Value decode(const Source& source, const CallOptions& options = default_call,
               const Format& format = {}, Match* match = nullptr) const {
    border::CallScope scope(options);
    const border::ChosenFormat chosen(format);
    polycodec_match found;
    polycodec::detail::clear(found);
    found.struct_size = sizeof found;
    Value made;
    scope.call(polycodec_decode, raw(), source.raw(), chosen.raw(), scope.raw(),
               border::Place::of(made), match != nullptr ? &found : nullptr);
    if (match != nullptr) *match = match_of(found);
    return made;
  }
  /// The same of a file.
  Value read(std::string_view path, const CallOptions& options = default_call,
             const Format& format = {}) const {
    return decode(Source::file(path), options, format);
  }
  /// Encodes a value to a file. Without a codec its name and the rules of the configuration choose.
  Result write(const Value& value, std::string_view path, const Format& format = {},
               const CallOptions& options = default_call, const WriteOptions& write = {}) const {
    border::CallScope scope(options);
    const border::ChosenFormat chosen(format);
    const polycodec_write_options raw_write = border::raw_of(write);
    auto result = border::empty<polycodec_result>();
    scope.call(polycodec_encode_file, raw(), value.raw(), to_bytes(path), chosen.raw(), scope.raw(),
               &raw_write, &result);
    return border::result_of(result);
  }
  /// Writes bytes as the whole content of a file, without a codec.
  void write_bytes(std::string_view bytes, std::string_view path,
                   const WriteOptions& write = {}) const {
    polycodec_write_options raw_write = border::raw_of(write);
    raw_write.flags |= POLYCODEC_WRITE_BYTES;
    const Value all = Value::build([&](Builder& out) {
      out.adopt(
          nullptr, [](void*) {}, bytes);  // it stays the caller's
      return Builder::bytes_view(bytes);
    });
    border::call(polycodec_encode_file, raw(), all.raw(), to_bytes(path), nullptr, nullptr,
                 &raw_write, nullptr);
  }
  /// decode() with `from` and write() with `to`, under one budget.
  Result convert(const Source& source, std::string_view path, const Format& from = {},
                 const Format& to = {}, const CallOptions& options = default_call,
                 const WriteOptions& write = {}) const {
    border::CallScope scope(options);
    const border::ChosenFormat chosen_from(from), chosen_to(to);
    auto result = border::empty<polycodec_result>();
    const polycodec_write_options raw_write = border::raw_of(write);
    scope.call(polycodec_convert, raw(), source.raw(), chosen_from.raw(), to_bytes(path),
               chosen_to.raw(), scope.raw(), &raw_write, &result);
    return border::result_of(result);
  }
  /// The content address of a value: 64 hexadecimal digits. `bytes` (or null) gets how many bytes
  /// were hashed. Throws Status::invalid for a partial value and Status::not_found without a
  /// canonical codec.
  std::string address(const Value& value, Address kind = Address::exact,
                      std::uint64_t* bytes = nullptr) const {
    char digest[65] = {};
    border::call(polycodec_value_address, raw(), value.raw(), static_cast<std::int32_t>(kind),
                 static_cast<char*>(digest), bytes);
    return digest;
  }

  // -- what it knows --
  /// What there is, or one thing of a name; see About.
  Value describe(About what, std::string_view name = {}) const {
    return Value::parse(description(what, name));
  }
  /// The same as JSON text. Only the schemas need no registry: this may then be null.
  std::string description(About what, std::string_view name = {}) const {
    return border::text_of([&](polycodec_sink* out) {
      border::call(polycodec_registry_describe, raw(), static_cast<std::int32_t>(what),
                   to_bytes(name), out);
    });
  }
  /// Calls a function as data does that names it, by the parts of its name, joined by dots or as a
  /// JSON list; see
  /// polycodec_registry_call. Null values are left out.
  Value call(std::string_view function, const Value& args = {}, const Value& kwargs = {},
             const CallOptions& options = default_call) const {
    border::CallScope scope(options);
    return scope.make<Value>(polycodec_registry_call, raw(), to_bytes(function), args.raw(),
                             kwargs.raw(), scope.raw());
  }
  /// What bounds a call with the limits `given`, for `input` bytes; UINT64_MAX: the most.
  Limits limits(const Limits& given = {}, std::uint64_t input = UINT64_MAX) const {
    Limits limits;
    border::call(polycodec_registry_limits, raw(), given.raw(), input,
                 static_cast<polycodec_limits*>(&limits));
    return limits;
  }

  // -- peers (docs/negotiation.md) --
  /// An offer of the codecs that this registry decodes, as JSON; `peer`: who offers, or empty.
  std::string offer(std::string_view peer = {}) const { return description(About::offer, peer); }
  /// The codec of an offer for a value; see polycodec_registry_agree.
  Value agree(std::string_view offer, const Value& value) const {
    return Value::parse(border::text_of([&](polycodec_sink* out) {
      border::call(polycodec_registry_agree, raw(), to_bytes(offer), value.raw(), out);
    }));
  }

 private:
  static Match match_of(const polycodec_match& from) {
    return {std::string(to_string_view(from.codec)),
            static_cast<ChosenBy>(from.by),
            from.score,
            from.extension != 0,
            from.body_offset,
            from.body_size,
            from.reason,
            from.filters};
  }
};

// -- what needs a registry --

inline Budget::Budget(const Registry& registry, const Limits& limits, const std::uint8_t* cancel)
    : Budget([&] {
        polycodec_budget* made = nullptr;
        border::call(polycodec_budget_create, registry.raw(), nullptr, limits.raw(), cancel, &made);
        return made;
      }()) {}

inline OpenedStore::OpenedStore(const Registry& registry, const Source& source)
    : OpenedStore(border::make<OpenedStore>(polycodec_store_open, registry.raw(), source.raw())) {}

inline StoreChange StoreChange::create(const Registry& registry, std::string_view path,
                                       std::string_view format, const WriteOptions& options) {
  const polycodec_write_options write = border::raw_of(options);
  return border::make<StoreChange>(polycodec_store_edit, registry.raw(), to_bytes(path),
                                   to_bytes(format), POLYCODEC_STORE_NEW, &write);
}
inline StoreChange StoreChange::edit(const Registry& registry, std::string_view path,
                                     const WriteOptions& options) {
  const polycodec_write_options write = border::raw_of(options);
  return border::make<StoreChange>(polycodec_store_edit, registry.raw(), to_bytes(path),
                                   polycodec_bytes{}, 0u, &write);
}

inline Value Value::parse(std::string_view text, std::string_view type, const Registry* registry) {
  return border::make<Value>(polycodec_value_parse, registry != nullptr ? registry->raw() : nullptr,
                             to_bytes(text), to_bytes(type));
}

inline Type::Type(std::string_view notation, const Registry* registry, std::uint32_t flags)
    : description_(border::make<Value>(polycodec_type_describe,
                                       registry != nullptr ? registry->raw() : nullptr,
                                       to_bytes(notation), flags)) {}

/// All that is wrong with the text of a configuration; see polycodec_config_check.
inline Value check_config(std::string_view text, std::uint32_t flags = 0) {
  std::uint64_t problems = 0;
  return Value::parse(border::text_of([&](polycodec_sink* out) {
    border::call(polycodec_config_check, to_bytes(text), flags, &problems, out);
  }));
}

/// The version of the library that runs, such as "0.3.0"; constant.
inline std::string_view library_version() noexcept {
  return polycodec_library_version();
}
/// Its POLYCODEC_HOST_API_VERSION.
inline std::uint32_t library_api() noexcept {
  return polycodec_library_api();
}
/// Gives the memory of freed values back to the system; see polycodec_library_trim.
inline void trim_library() noexcept {
  polycodec_library_trim();
}

}  // namespace host
}  // namespace polycodec
