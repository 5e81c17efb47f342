// SPDX-License-Identifier: MIT
// Writing a plugin in C++: a class with decode() and encode(), and one macro. See docs/writing-a-plugin.md.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/view.hpp>
#include <polycodec/writer.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// The options of a codec instance: what the host parsed and checked against the codec's schema.
class Options {
 public:
  explicit Options(const polycodec_node* node) noexcept : node_(node) {}

  /// The option, or nothing if it was not given (or given as null).
  std::optional<View> find(std::string_view name) const {
    if (node_ == nullptr) return std::nullopt;
    const auto found = View(node_).find(name);
    return found && !found->is_null() ? found : std::nullopt;
  }
  bool get(std::string_view name, bool fallback) const {
    return read(name, fallback, [](View v) { return v.as_bool(); });
  }
  std::int64_t get(std::string_view name, std::int64_t fallback) const {
    return read(name, fallback, [](View v) { return v.as_int64(); });
  }
  double get(std::string_view name, double fallback) const {
    return read(name, fallback, [](View v) { return v.as_double(); });
  }
  std::string get(std::string_view name, std::string_view fallback) const {
    return read(name, std::string(fallback), [](View v) { return std::string(v.as_string()); });
  }
  std::string get(std::string_view name, const char* fallback) const { return get(name, std::string_view(fallback)); }

 private:
  template <class T, class Read>
  T read(std::string_view name, T fallback, Read convert) const {
    const auto option = find(name);
    if (!option) return fallback;
    try {
      return convert(*option);
    } catch (const Error& e) {
      throw Error(Status::option, "option '" + std::string(name) + "': " + e.message());
    }
  }
  const polycodec_node* node_;
};

/// The host as a plugin sees it. Cheap to copy; [thread-safe].
class Host {
 public:
  Host() = default;
  explicit Host(const polycodec_host* host) noexcept : host_(host) {}
  const polycodec_host* raw() const noexcept { return host_; }
  /// Writes one line to the host's log.
  void log(polycodec_log_level level, std::string_view text) const noexcept {
    host_->log(host_, level, to_bytes(text));
  }
  /// The notation of a registered type; throws Status::not_found.
  std::string_view lookup_type(std::string_view name) const {
    polycodec_bytes notation{};
    auto error = make_error();
    if (const auto code = host_->lookup_type(host_, to_bytes(name), &notation, &error)) throw to_error(code, error);
    return to_string_view(notation);
  }

 private:
  const polycodec_host* host_ = nullptr;
};

/// One call of decode or encode: its limits, and what it may ask of the host.
class Call {
 public:
  Call(const polycodec_host* host, const polycodec_call* call) noexcept : host_(host), call_(call) {}
  const polycodec_call* raw() const noexcept { return call_; }
  Host host() const noexcept { return Host(host_); }
  const polycodec_limits& limits() const noexcept { return *call_->limits; }

  /// Throws Status::cancelled if the host wants the call to end. Ask about once per MiB of work.
  void check_cancelled() const {
    if (call_->cancelled != nullptr && call_->cancelled(call_) != 0)
      throw Error(Status::cancelled, "cancelled by the host");
  }

  /// True if something may be left out that the result cannot hold; each is to be reported.
  bool allows_loss() const noexcept { return POLYCODEC_HAS(call_, lost) && call_->lost != nullptr; }
  /// Tells the host of one loss; only where allows_loss(). See Losses (loss.hpp), which does this.
  void report_loss(std::string_view path, std::string_view what) const noexcept {
    call_->lost(call_, to_bytes(path), to_bytes(what));
  }

  /// Calls a registered function if the whitelist admits it; the result lives in the builder's arena.
  View call_function(std::span<const std::string_view> path, const polycodec_node& args, const polycodec_node* kwargs,
                     Builder& out) const {
    std::vector<polycodec_bytes> parts;
    for (const auto part : path) parts.push_back(to_bytes(part));
    const polycodec_node* result = nullptr;
    auto error = make_error();
    if (const auto code = host_->call_function(host_, call_, parts.data(), parts.size(), &args, kwargs, out.arena(),
                                               &result, &error))
      throw to_error(code, error);
    return View(result);
  }

  /// Decodes `bytes` with another codec; the value lives in the builder's arena and may view `bytes`.
  View decode_with(std::string_view codec, const polycodec_node* options, std::string_view bytes,
                   Builder& out) const {
    const polycodec_node* result = nullptr;
    auto error = make_error();
    if (const auto code =
            host_->decode_with(host_, call_, to_bytes(codec), options, to_bytes(bytes), out.arena(), &result, &error))
      throw to_error(code, error);
    return View(result);
  }

  /// Encodes `value` with another codec to the writer's sink.
  void encode_with(std::string_view codec, const polycodec_node* options, View value, Writer& out) const {
    out.flush();
    auto error = make_error();
    const auto code = host_->encode_with(host_, call_, to_bytes(codec), options, value.raw(), out.sink(), &error);
    out.resume();
    if (code != POLYCODEC_OK) throw to_error(code, error);
  }

 private:
  const polycodec_host* host_;
  const polycodec_call* call_;
};

/// What a decoder reads: bytes, a store of named blobs, or both.
class Input {
 public:
  explicit Input(const polycodec_input* input) noexcept : input_(input) {}
  const polycodec_input& raw() const noexcept { return *input_; }
  bool has_bytes() const noexcept { return input_->has_bytes != 0; }
  std::string_view bytes() const noexcept { return to_string_view(input_->bytes); }
  /// A file name for messages, or empty.
  std::string_view name() const noexcept { return to_string_view(input_->name); }
  bool has_store() const noexcept { return input_->store != nullptr; }
  std::uint64_t blob_count() const noexcept { return has_store() ? input_->store->count : 0; }
  std::string_view blob_name(std::uint64_t i) const {
    polycodec_bytes name{};
    std::uint64_t size = 0;
    auto error = make_error();
    if (const auto code = input_->store->entry(input_->store->context, i, &name, &size, &error))
      throw to_error(code, error);
    return to_string_view(name);
  }
  /// The content of a blob; throws Status::not_found if there is none of that name.
  std::string_view blob(std::string_view name) const {
    if (!has_store()) throw Error(Status::not_found, "no blob '" + std::string(name) + "': the input is not a store");
    polycodec_bytes content{};
    auto error = make_error();
    if (const auto code = input_->store->read(input_->store->context, to_bytes(name), &content, &error))
      throw to_error(code, error);
    return to_string_view(content);
  }

 private:
  const polycodec_input* input_;
};

/// A guess at a format; see polycodec_sniff for what the scores mean.
struct Sniff {
  std::uint32_t score = 0;
  std::string reason;
};

/// What stream_next() of a C++ codec returns: a message, or how many bytes it takes to find one.
struct StreamStep {
  const polycodec_node* root = nullptr;  ///< nullptr: the bytes end too early
  std::uint64_t consumed = 0;            ///< bytes that the message took
  std::uint64_t wanted = 0;              ///< without a message: bytes from the start that are needed at least
};

namespace detail {

template <class C>
concept Decodes = requires(const C& c, const Call& call, const Input& in, Builder& out) {
  { c.decode(call, in, out) } -> std::same_as<const polycodec_node*>;
};
template <class C>
concept Encodes = requires(const C& c, const Call& call, View v, Writer& out) {
  c.encode(call, v, out);
};
template <class C>
concept Sniffs = requires(std::string_view head, std::uint64_t total) {
  { C::sniff(head, total) } -> std::same_as<Sniff>;
};
template <class C>
concept SniffsStore = requires(const Input& in) {
  { C::sniff_store(in) } -> std::same_as<Sniff>;
};
template <class C>
concept KnowsSize = requires(const C& c, const Call& call, View v) {
  { c.encoded_size(call, v) } -> std::same_as<std::uint64_t>;
};
template <class C>
concept Streams = requires(const C& c, const Call& call, std::string_view bytes, bool final, Builder& out) {
  { c.stream_next(call, bytes, final, out) } -> std::same_as<StreamStep>;
};

/// The C functions of one codec class.
template <class C>
struct CodecThunks {
  struct Instance {
    const polycodec_host* host;
    C codec;
  };

  static std::int32_t POLYCODEC_ABI sniff(polycodec_bytes head, std::uint64_t total, polycodec_sniff* out,
                                          polycodec_error* error) requires Sniffs<C> {
    return guard(error, [&] {
      const Sniff s = C::sniff(to_string_view(head), total);
      out->score = s.score;
      copy_text(out->reason, s.reason);
    });
  }
  static std::int32_t POLYCODEC_ABI sniff_store(const polycodec_store* store, polycodec_sniff* out,
                                                polycodec_error* error) requires SniffsStore<C> {
    return guard(error, [&] {
      const polycodec_input input{sizeof input, 0, {}, store, {}};
      const Sniff s = C::sniff_store(Input(&input));
      out->score = s.score;
      copy_text(out->reason, s.reason);
    });
  }
  static std::int32_t POLYCODEC_ABI open(const polycodec_host* host, const polycodec_node* options, void** instance,
                                         polycodec_error* error) {
    return guard(error, [&] { *instance = new Instance{host, C(Host(host), Options(options))}; });
  }
  static void POLYCODEC_ABI close(void* instance) { delete static_cast<Instance*>(instance); }
  static std::int32_t POLYCODEC_ABI decode(void* instance, const polycodec_call* call, const polycodec_input* input,
                                           polycodec_arena* arena, const polycodec_node** root,
                                           polycodec_error* error) requires Decodes<C> {
    return guard(error, [&] {
      const auto* self = static_cast<const Instance*>(instance);
      Builder out(arena);
      *root = self->codec.decode(Call(self->host, call), Input(input), out);
    });
  }
  static std::int32_t POLYCODEC_ABI encode(void* instance, const polycodec_call* call, const polycodec_node* root,
                                           polycodec_sink* sink, polycodec_error* error) requires Encodes<C> {
    return guard(error, [&] {
      const auto* self = static_cast<const Instance*>(instance);
      Writer out(sink);
      self->codec.encode(Call(self->host, call), View(root), out);
      out.flush();
    });
  }
  static std::int32_t POLYCODEC_ABI encoded_size(void* instance, const polycodec_call* call,
                                                 const polycodec_node* root, std::uint64_t* size,
                                                 polycodec_error* error) requires KnowsSize<C> {
    return guard(error, [&] {
      const auto* self = static_cast<const Instance*>(instance);
      *size = self->codec.encoded_size(Call(self->host, call), View(root));
    });
  }
  static std::int32_t POLYCODEC_ABI stream_next(void* instance, const polycodec_call* call, polycodec_bytes bytes,
                                                std::int32_t final, polycodec_arena* arena,
                                                const polycodec_node** root, std::uint64_t* consumed,
                                                std::uint64_t* wanted, polycodec_error* error) requires Streams<C> {
    return guard(error, [&] {
      const auto* self = static_cast<const Instance*>(instance);
      Builder out(arena);
      const StreamStep step = self->codec.stream_next(Call(self->host, call), to_string_view(bytes), final != 0, out);
      *root = step.root;
      *consumed = step.consumed;
      *wanted = step.wanted;
    });
  }
};

}  // namespace detail

/// The C codec object of a C++ codec class. The class has
///  - `static constexpr const char* name` and `static constexpr const char* description` (the JSON of the manifest's
///    entry; polycodec_add_plugin generates it as POLYCODEC_MANIFEST_CODEC_<n>_DESCRIPTION);
///  - a constructor from (Host, const Options&);
///  - `const polycodec_node* decode(const Call&, const Input&, Builder&) const` and/or
///    `void encode(const Call&, View, Writer&) const`;
///  - if it likes: `static Sniff sniff(std::string_view head, std::uint64_t total)`, `static Sniff
///    sniff_store(const Input&)`, `encoded_size`, `stream_next`,
///  and
///    `static constexpr std::uint32_t takes` (POLYCODEC_TAKES_*; bytes if absent).
/// The const member functions are called from several threads at once.
template <class C>
constexpr polycodec_codec make_codec() noexcept {
  using Thunks = detail::CodecThunks<C>;
  polycodec_codec codec{};
  codec.struct_size = sizeof codec;
  codec.name = C::name;
  codec.description = C::description;
  codec.capabilities = POLYCODEC_TAKES_BYTES;
  if constexpr (requires { C::takes; }) codec.capabilities = C::takes;
  codec.open = &Thunks::open;
  codec.close = &Thunks::close;
  static_assert(detail::Decodes<C> || detail::Encodes<C>,
                "a codec class needs decode() or encode() of the documented form");
  if constexpr (detail::Sniffs<C>) codec.sniff = &Thunks::sniff;
  if constexpr (detail::SniffsStore<C>) codec.sniff_store = &Thunks::sniff_store;
  if constexpr (detail::Decodes<C>) {
    codec.capabilities |= POLYCODEC_CAN_DECODE;
    codec.decode = &Thunks::decode;
  }
  if constexpr (detail::Encodes<C>) {
    codec.capabilities |= POLYCODEC_CAN_ENCODE;
    codec.encode = &Thunks::encode;
  }
  if constexpr (detail::KnowsSize<C>) codec.encoded_size = &Thunks::encoded_size;
  if constexpr (detail::Streams<C>) {
    codec.capabilities |= POLYCODEC_CAN_STREAM;
    codec.stream_next = &Thunks::stream_next;
  }
  return codec;
}

namespace detail {

template <class... C>
struct CodecTable {
  static constexpr polycodec_codec codecs[] = {make_codec<C>()...};
  template <std::size_t... I>
  struct Pointers {
    static constexpr const polycodec_codec* all[] = {&codecs[I]...};
  };
  template <std::size_t... I>
  static constexpr polycodec_codecs list(std::index_sequence<I...>) noexcept {
    return {sizeof(polycodec_codecs), sizeof...(C), Pointers<I...>::all};
  }
  static constexpr polycodec_codecs interface = list(std::index_sequence_for<C...>{});

  static const void* POLYCODEC_ABI get_interface(const char* id) {
    return std::string_view(id) == POLYCODEC_CODECS_INTERFACE ? &interface : nullptr;
  }
};

}  // namespace detail

/// The get_interface function of a plugin that offers just these codec classes.
template <class... C>
inline constexpr auto codecs_interface = &detail::CodecTable<C...>::get_interface;

}  // namespace polycodec

/// Defines the exported object of a plugin. `get_interface` is codecs_interface<C...>, or your own function when the
/// plugin offers more than codecs. The symbol depends on how the plugin is built: exported in a shared library, and
/// named after the plugin when polycodec_add_plugin(... BUILTIN) links it into the host.
#if defined(POLYCODEC_BUILTIN_SYMBOL)
#define POLYCODEC_PLUGIN_SYMBOL POLYCODEC_BUILTIN_SYMBOL
#else
#define POLYCODEC_PLUGIN_SYMBOL polycodec_plugin_v1
#endif
#define POLYCODEC_DEFINE_PLUGIN(plugin_id, plugin_version, get_interface_function) \
  extern "C" {                                                                     \
  POLYCODEC_EXPORT extern const polycodec_plugin POLYCODEC_PLUGIN_SYMBOL;          \
  const polycodec_plugin POLYCODEC_PLUGIN_SYMBOL = {sizeof(polycodec_plugin),      \
                                                    POLYCODEC_ABI_MAJOR,           \
                                                    POLYCODEC_ABI_MAJOR,           \
                                                    0,                             \
                                                    plugin_id,                     \
                                                    plugin_version,                \
                                                    nullptr,                       \
                                                    nullptr,                       \
                                                    get_interface_function};       \
  }
