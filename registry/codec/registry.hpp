// SPDX-License-Identifier: MIT
// Finding, checking, loading and choosing codecs. See docs/plugin-search.md.
#pragma once

#include <polycodec/abi.h>

#include "core/call/limits.hpp"
#include "core/io/sink.hpp"
#include "core/value/value.hpp"
#include "registry/choose/match.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/load/plugins.hpp"
#include "registry/load/registry_options.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

class Session;
struct Message;
struct PlainName;
struct Unpacked;
namespace type {
class Type;
struct ParseOptions;
}  // namespace type

/// For Registry::read.
struct ReadOptions : DecodeOptions {
  std::string destination;  ///< codec or extension that the value goes to, for the role `type`
  /// Filters after `codec`, which then must be named, as a JSON list. Messages name theirs.
  std::string filters;
  /// Makes the value of a message fit the datatype that its header declares.
  bool fit = true;
  /// Lets a codec that asks for it look at the files beside a file.
  bool companions = true;
  /// A codec that has the option `tolerant` gets it as true, unless `options` say otherwise. Errors
  /// of others say that they have none, as does the log.
  bool tolerant = false;
};

/// A source that was read.
struct Read {
  Value value = {};
  const CodecInfo* codec = nullptr;  ///< null for raw bodies
  ChosenBy by = ChosenBy::name;
  std::uint32_t score = 100;  ///< as Match::score
  std::string reason;         ///< human-readable; may be empty
  std::string options;        ///< of the codec as the message header has them, as JSON; or empty
  std::string filters;        ///< after the codec, as a JSON list; or empty

  /// The codec's name, or the one that stands for it.
  std::string_view codec_name() const noexcept {
    return codec != nullptr ? std::string_view(codec->name) : raw_body_name;
  }
};

/// What a content address is of: docs/content-address.md says which values have one address.
enum class Address : std::uint8_t { exact, logical };

/// The codecs that a program may use: a catalog that is built once and never changes. A cheap
/// handle; copies share the catalog. All members are thread-safe; looking up takes no lock. A
/// plugin is loaded once, when one of its codecs is first opened, and never unloaded.
class Registry {
 public:
  /// Searches the directories, reads the manifests and freezes the catalog. Loads no plugin. What
  /// is refused leaves a record and is not an error. Throws Status::option for senseless options.
  static Registry open(const RegistryOptions& options = {});
  /// A registry with the catalog of this one and further objects, which come before all others. It
  /// searches nothing. Takes the objects over as open() does, and throws as that.
  Registry derive(const ProgramObjects& objects) const;

  const RegistryOptions& options() const noexcept;

  // -- what there is --

  /// All codecs, filters and store formats, each in order of name. Valid as long as a copy of the
  /// registry lives.
  std::span<const CodecInfo> codecs() const noexcept;
  std::span<const CodecInfo> filters() const noexcept;
  std::span<const CodecInfo> stores() const noexcept;
  /// The object of this kind with this name or alias, or null.
  const CodecInfo* find(std::string_view name, Kind kind = Kind::codec) const noexcept;
  /// The codecs for the longest extension that a file name or extension ends with (with the dot;
  /// case does not matter), by name.
  std::vector<const CodecInfo*> find_by_extension(std::string_view name) const;
  /// The manifests in the catalog, in search order.
  std::span<const Manifest> plugins() const noexcept;
  /// What became of every candidate so far, by path, built-in plugins first. The library's own
  /// plugin is not among them.
  std::vector<ProbeRecord> records() const;
  /// Every directory of the search path.
  std::span<const DirectoryRecord> directories() const noexcept;
  /// Loads a plugin and makes all checks, as opening one of its codecs would; the record says what
  /// came of it. Throws Status::not_found if no manifest has this id.
  ProbeRecord probe(std::string_view plugin_id) const;

  /// Why there is no codec or plugin called `name` that may be used, in lines of text: similar
  /// names, directories searched, candidates refused and why, what to do.
  std::string explain_missing(std::string_view name) const;

  // -- opening a codec by name --

  /// Loads the codec's plugin if need be and opens it with `options` (an OBJECT, or null for the
  /// defaults), which are checked against the codec's schema first. Throws Status::not_found (with
  /// explain_missing() as message), Status::denied (by the policy, or see OptionsFrom),
  /// Status::plugin if the plugin was refused (stage and reason), Status::option.
  Codec codec(std::string_view name, NodeView options = {},
              OptionsFrom from = OptionsFrom::host) const;
  /// The same with options as JSON text (empty: the defaults) and at most max_filters filters as a
  /// JSON list `[{"id": NAME, OPTION: VALUE, ..}, ..]` in the order of encoding (empty: none).
  Codec codec_with_json(std::string_view name, std::string_view options,
                        std::string_view filters = {}, OptionsFrom from = OptionsFrom::host) const;
  /// The same from one text, `{"codec": NAME, "options": {...}, "filters": [...]}`; "options" and
  /// "filters" may be absent. Throws Status::option with the line and key for anything else.
  Codec codec_from_json(std::string_view json, OptionsFrom from = OptionsFrom::host) const;

  // -- choosing a codec by content --

  /// All codecs that may fit, best first: by score, then by file name extension, then by name. Only
  /// codecs that may decode are asked. Loads plugins.
  std::vector<Match> sniff(const Source& source) const;

  /// Chooses the codec for `source`: the one that options.codec names; else the one that a message
  /// header names; else the one with a magic number of its own; else the one that has the extension
  /// and scores at least 50; else the best of the others, those of other packages last; else the
  /// only one with the extension that scores at least 10. Bytes that begin with YGG_MSG_HEAD are a
  /// message: its header decides, as body_format() says. Throws Status::ambiguous with the
  /// candidates, Status::not_found, Status::denied, Status::plugin where a plugin with the
  /// extension was refused, Status::malformed where its codec does not take the bytes, and as
  /// parse_message().
  Match choose(const Source& source, const DecodeOptions& options = {}) const;
  /// The same for a message that was read already; `body_offset` then counts from the start of its
  /// body.
  Match choose(const Message& message, const DecodeOptions& options = {}) const;

  // -- compression --

  /// The source without its compression: see unpack(). [thread-safe]
  Unpacked unpacked(const Source& source, const DecodeOptions& options = {}) const;
  /// The name of an output without the extensions that say compression: see plain_name().
  PlainName plain_name(std::string_view name) const;

  // -- doing it in one step --

  /// choose(), codec() and decode(). Options in a message header are used only where
  /// `options.options` is null.
  Value decode(const Source& source, const DecodeOptions& options = {}) const;
  void decode_into(Value& value, const Source& source, const DecodeOptions& options = {}) const;
  /// Decodes with what choose() found for this source (for a message: a source of its body),
  /// without looking again.
  void decode_into(Value& value, const Source& source, const Match& match,
                   const DecodeOptions& options) const;
  /// The same for a message that was read already. `pin` (or the caller) keeps its body alive.
  Value decode(const Message& message, std::shared_ptr<const void> pin,
               const DecodeOptions& options = {}) const;
  /// Reads a source in full, as the command does: compression, filters, the files beside it,
  /// options by its name, the datatype of a message. Throws as decode(), unpack() and
  /// schema::normalize(). [thread-safe]
  Read read(const Source& source, const ReadOptions& options = {}) const;

  /// The content address of a valid value as 64 hex digits, with every loss that an address
  /// allows; `hashed` (or null) gets the number of bytes that it is of. The exact one needs the
  /// catalog's canonical codec (Status::not_found), and throws what that throws. [thread-safe]
  std::string address(NodeView value, Address kind = Address::exact,
                      const CallOptions& options = {}, std::uint64_t* hashed = nullptr) const;

  // -- stores --

  /// The blobs inside of an archive: a directory or ZIP archive, or a file of a format that a
  /// plugin knows; the source's own store if it has one. Null for any other. Throws what
  /// opening it throws.
  std::shared_ptr<BlobStore> open_store(const Source& source) const;
  /// What is at `path`: "directory", "zip" or the name of a store format. If nothing is, what its
  /// name says: the format with this extension, a directory for a name that ends with '/' or has no
  /// extension, otherwise "zip".
  std::string store_format_at(const std::string& path) const;
  /// Writes such a store to `path`; see BlobSink. Throws Status::not_found, Status::unsupported.
  std::unique_ptr<BlobSink> create_store(std::string_view format, const std::string& path,
                                         const WriteOptions& options = {},
                                         std::uint64_t max_bytes = UINT64_MAX) const;
  /// Changes the store at `path`, or makes it if nothing is there: what is not removed stays. The
  /// store is locked against other calls of this function, in any process, until the sink is gone.
  /// Errors as for open_store() and create_store().
  std::unique_ptr<BlobSink> edit_store(const std::string& path, const WriteOptions& options = {},
                                       std::uint64_t max_bytes = UINT64_MAX) const;

  // -- functions and types --

  /// The registered types, in order of name; loads no plugin.
  std::span<const TypeInfo> types() const noexcept;
  /// The notation of a registered type as a function, which keeps the catalog: for schemas. It
  /// gives nothing for a name that is not registered.
  std::function<std::optional<std::string_view>(std::string_view)> type_names() const;
  /// The type that `text` says; the registered types may be named in it. Throws as type::parse().
  type::Type parse_type(std::string_view text) const;
  type::Type parse_type(std::string_view text, const type::ParseOptions& options) const;
  /// The functions that there are; loads no plugin.
  std::vector<FunctionInfo> functions() const;
  /// The parts of the name of a function that `text` joins by dots; or `text` alone.
  /// Throws Status::ambiguous if the dots are those of several functions.
  std::vector<std::string> function_called(std::string_view text) const;
  /// Calls a function as data does that names it: if the allowlist of the options or of the
  /// registry allows it. `args` is a list and `kwargs` an object, or null; the result keeps them.
  /// Throws Status::denied, Status::not_found, Status::range (a wrong number of arguments), and
  /// what the function reports.
  Value call(std::span<const std::string_view> path, std::shared_ptr<const Value> args,
             std::shared_ptr<const Value> kwargs, const CallOptions& options = {}) const;

 private:
  explicit Registry(std::shared_ptr<const Session> session) noexcept
      : session_(std::move(session)) {}
  std::shared_ptr<const Session> session_;
};

}  // namespace polycodec
