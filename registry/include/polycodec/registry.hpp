// SPDX-License-Identifier: MIT
// Finding, judging, loading and choosing codecs. See docs/registry-and-trust.md.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/call_options.hpp>
#include <polycodec/codec_handle.hpp>
#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/log.hpp>
#include <polycodec/manifest.hpp>
#include <polycodec/policy.hpp>
#include <polycodec/probe.hpp>
#include <polycodec/result.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

class FunctionTable;
struct Message;
struct Catalog;

/// A plugin that is linked into the host. Both pointers must stay valid for the rest of the process.
struct BuiltinPlugin {
  const polycodec_plugin* plugin = nullptr;
  std::string_view manifest;  ///< the text of its manifest
};

/// How a registry is to be built.
struct RegistryOptions {
  /// Directories to search instead of the default one; absolute. Empty: the default.
  std::vector<std::filesystem::path> plugin_paths;
  /// Directories to search before the others; absolute.
  std::vector<std::filesystem::path> add_paths;
  /// Obey POLYCODEC_PLUGIN_PATH (replaces plugin_paths and the default) and POLYCODEC_ADD_PLUGIN_PATH (adds in
  /// front). They are lists of absolute paths separated by ':', and ignored in privileged (set-user-id) processes.
  bool use_environment = true;
  /// Plugins that the host brings; they come before all others. Those built into the registry follow them.
  std::vector<BuiltinPlugin> builtins;
  bool use_builtins = true;  ///< use the plugins that were built into the registry library
  Policy policy;
  Limits limits;
  /// Functions that data may call by name; null: none.
  std::shared_ptr<const Whitelist> whitelist;
  /// Functions of the host, found before those of plugins; null: none.
  std::shared_ptr<const FunctionTable> functions;
  /// Options of codecs that hold where a caller says nothing else: canonical codec name -> JSON object as text.
  std::map<std::string, std::string> default_options;
  /// Rules of compression as JSON text, or empty: the option `compression` of each codec that has one, where neither
  /// a caller nor default_options sets it. A configuration file's `compression` comes here.
  std::string compression;
  LogHook log;  ///< empty: silence
};

/// A codec that may fit some bytes.
struct SniffCandidate {
  const CodecInfo* codec = nullptr;
  std::uint32_t score = 0;  ///< 0..100; see polycodec_sniff
  std::string reason;
  bool extension = false;  ///< the file name has one of the codec's extensions
};

/// How a codec was chosen.
enum class ChosenBy : std::uint8_t { name, header, content, extension };

/// The codec for an input, and what of the input it is to decode.
struct Choice {
  /// Null for a message whose body is a value of bytes as it stands (raw bodies and control messages, see
  /// body_format()).
  const CodecInfo* codec = nullptr;
  ChosenBy by = ChosenBy::name;
  std::string reason;             ///< for people
  std::string options;            ///< options that the message header names, as JSON; or empty
  std::string then;               ///< byte codecs behind it that the message header names, as JSON; or empty
  std::uint64_t body_offset = 0;  ///< where the body begins: after a message header
  std::uint64_t body_size = 0;    ///< bytes of the body; 0 for a store
};

/// The codecs that a program may use: a catalog that is built once and never changes. A cheap handle; copies share
/// the catalog. All members may be called from several threads at once; looking up takes no lock, and a plugin is
/// loaded once, when one of its codecs is first opened. Plugins are never unloaded.
class POLYCODEC_API Registry {
 public:
  /// Searches the directories, reads the manifests and freezes the catalog. Loads no plugin. What is refused leaves a
  /// record and is no error. Throws Status::option for options that make no sense (a relative path, default options
  /// that are not a JSON object).
  static Registry open(const RegistryOptions& options = {});

  const RegistryOptions& options() const noexcept;

  // -- what there is --

  /// All codecs, in order of name. Valid as long as a copy of the registry lives.
  std::span<const CodecInfo> codecs() const noexcept;
  /// The codec with this name or alias, or null.
  const CodecInfo* find(std::string_view name) const noexcept;
  /// The codecs for a media type, or for a file name extension (with the dot; case does not matter), by name.
  std::vector<const CodecInfo*> find_by_media_type(std::string_view media_type) const;
  std::vector<const CodecInfo*> find_by_extension(std::string_view extension) const;
  /// The manifests in the catalog, in search order.
  std::span<const Manifest> plugins() const noexcept;
  /// Every candidate that was seen and what became of it so far, in order of path, built-in plugins first.
  std::vector<ProbeRecord> records() const;
  /// Every directory of the search path.
  std::span<const DirectoryRecord> directories() const noexcept;
  /// Loads a plugin and makes all checks, as opening one of its codecs would; the record says what came of it.
  /// Throws Status::not_found if no manifest has this id.
  ProbeRecord probe(std::string_view plugin_id) const;

  /// Why there is no codec (or plugin, or none that may be used) called `name`, in several lines of text: what was
  /// wanted, near names, directories searched, candidates refused and why, what to do.
  std::string explain_missing(std::string_view name) const;

  // -- opening a codec by name --

  /// Loads the codec's plugin if need be and opens it with `options` (an OBJECT, or null for the defaults), which are
  /// checked against the codec's schema first. Throws Status::not_found (with explain_missing() as message),
  /// Status::denied, Status::plugin if the plugin was refused (stage and reason), Status::option.
  Codec codec(std::string_view name, View options = {}) const;
  /// The same with options as JSON text; empty: the defaults.
  Codec codec_with_json(std::string_view name, std::string_view options) const;
  /// The non-throwing form of codec().
  Result<Codec> try_codec(std::string_view name, View options = {}) const;

  // -- choosing a codec by content --

  /// All codecs that may fit, best first: by score, then by file name extension, then by name. Only codecs that may
  /// decode are asked. Loads plugins.
  std::vector<SniffCandidate> sniff(const Source& source) const;

  /// Chooses the codec for `source`: the one that options.codec names; else the one that a message header names; else
  /// the one whose score is highest and at least 50 (a tie is broken by the file name's extension if it fits just one
  /// of the tied); else, among those that do not rule the bytes out, the only one that has the extension.
  /// An explicit name or header never falls back to anything else.
  /// Throws Status::ambiguous with the list of candidates, Status::not_found, Status::denied.
  /// Bytes that begin with YGG_MSG_HEAD are a message: only its body is decoded, and a header that names no codec
  /// chooses as body_format() says, never by content. Throws as parse_message() for a bad message.
  Choice choose(const Source& source, const DecodeOptions& options = {}) const;
  /// The same for a message that was read already; `body_offset` then counts from the start of its body.
  Choice choose(const Message& message, const DecodeOptions& options = {}) const;

  // -- doing it in one step --

  /// choose(), codec() and decode(). Options in a message header are used only where `options.options` is null.
  Value decode(const Source& source, const DecodeOptions& options = {}) const;
  void decode_into(Value& value, const Source& source, const DecodeOptions& options = {}) const;
  Result<Value> try_decode(const Source& source, const DecodeOptions& options = {}) const;
  /// Decodes with what choose() found for this source (for a message: a source of its body), without looking again.
  void decode_into(Value& value, const Source& source, const Choice& choice, const DecodeOptions& options) const;
  /// choose() and decode_into() for a message that was read already. The value views the body, and `pin` keeps that
  /// alive; without it the caller does.
  Value decode(const Message& message, std::shared_ptr<const void> pin, const DecodeOptions& options = {}) const;
  /// codec() and encode().
  void encode(View value, std::string_view codec, View codec_options, Sink& sink,
              const CallOptions& options = {}) const;
  std::string encode_to_string(View value, std::string_view codec, View codec_options = {},
                               const CallOptions& options = {}) const;
  Result<void> try_encode(View value, std::string_view codec, View codec_options, Sink& sink,
                          const CallOptions& options = {}) const;

  // -- functions and types that plugins register --

  /// The notation of a registered type; loads no plugin. Throws Status::not_found with near names.
  std::string_view type_notation(std::string_view name) const;
  /// True if a function of exactly this name is registered by the host or by a plugin of the catalog.
  bool has_function(std::span<const std::string_view> path) const noexcept;

 private:
  explicit Registry(std::shared_ptr<const Catalog> catalog) noexcept : catalog_(std::move(catalog)) {}
  std::shared_ptr<const Catalog> catalog_;
};

/// The directory that is searched by default: `polycodec/plugins/abi1` beside the registry library.
POLYCODEC_API std::filesystem::path default_plugin_directory();

/// The word for a way of choosing, such as "header".
POLYCODEC_API std::string_view chosen_by_name(ChosenBy by) noexcept;

}  // namespace polycodec
