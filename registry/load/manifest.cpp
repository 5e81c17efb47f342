// SPDX-License-Identifier: MIT
#include "registry/load/manifest.hpp"

#include <polycodec/quote.hpp>

#include "core/frame/frame.hpp"
#include "core/text/text.hpp"
#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/load/module.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace polycodec {
namespace {

bool is_lower(char c) noexcept {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
bool is_graphic(char c) noexcept {
  return c > ' ' && c < '\x7f';
}

int hex_digit(char c) noexcept {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Magic read_magic(const JsonDocument& document, NodeView object, const JsonPath& path) {
  Magic magic;
  magic.offset = object.at("offset").as_uint64();
  if (magic.offset > 4095)
    document.fail(path / "offset", "'offset' must be below 4096: no more of an input is looked at");
  const std::string hex = text_at(object, "bytes");
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);
    if (high < 0 || low < 0) break;
    magic.bytes.push_back(static_cast<char>(high * 16 + low));
  }
  if (hex.empty() || hex.size() != 2 * magic.bytes.size())
    document.fail(path / "bytes", "'bytes' must be pairs of hex digits, not " + quote(hex));
  const std::uint64_t score = object.at("score").as_uint64();
  if (score < 1 || score > 100) document.fail(path / "score", "'score' must be 1 to 100");
  magic.score = static_cast<std::uint32_t>(score);
  return magic;
}

std::uint32_t read_parts(const JsonDocument& document, NodeView object, const JsonPath& path,
                         const char* key) {
  if (!object.find(key)) return POLYCODEC_INPUT_BYTES;
  std::uint32_t parts = 0;
  for (const auto& word : texts_at(object, key))
    parts |= word == "bytes"   ? POLYCODEC_INPUT_BYTES
             : word == "file"  ? POLYCODEC_INPUT_FILE
             : word == "store" ? POLYCODEC_INPUT_STORE
                               : POLYCODEC_INPUT_COMPANIONS;
  if ((parts & ~POLYCODEC_INPUT_COMPANIONS) == 0)
    document.fail(path / key, "a codec needs bytes, a file or a store");
  return parts;
}

void read_names(const JsonDocument& document, NodeView object, const JsonPath& path,
                CodecInfo& codec) {
  codec.aliases = texts_at(object, "aliases");
  for (const auto& alias : codec.aliases)
    if (!is_canonical_name(alias))
      document.fail(path / "aliases", quote(alias) + " is not a codec name");
  codec.media_types = texts_at(object, "media_types");
  for (const auto& type : codec.media_types) {
    const auto slash = type.find('/');
    if (slash == 0 || slash == std::string::npos || slash + 1 == type.size() ||
        !std::all_of(type.begin(), type.end(), is_graphic))
      document.fail(path / "media_types", quote(type) + " is not a media type");
  }
  codec.extensions = texts_at(object, "extensions");
  for (const auto& extension : codec.extensions) {
    const bool plain = std::all_of(extension.begin(), extension.end(), [](char c) {
      return is_graphic(c) && c != '/' && !(c >= 'A' && c <= 'Z');
    });
    if (extension.size() < 2 || extension[0] != '.' || !plain)
      document.fail(path / "extensions",
                    quote(extension) + " is not an extension in lower case with its dot");
  }
}

/// A list of lists of strings.
std::vector<std::vector<std::string>> parts_at(NodeView object, std::string_view key) {
  std::vector<std::vector<std::string>> all;
  const NodeView list = list_at(object, key);
  for (std::uint64_t i = 0; i < list.size(); ++i) {
    auto& parts = all.emplace_back();
    for (std::uint64_t j = 0; j < list[i].size(); ++j) parts.emplace_back(list[i][j].as_string());
  }
  return all;
}

CodecInfo read_entry(const JsonDocument& document, NodeView object, const JsonPath& path, Kind kind,
                     bool is_checked) {
  CodecInfo codec;
  codec.kind = kind;
  codec.name = text_at(object, "name");
  if (!is_canonical_name(codec.name))
    document.fail(path / "name", quote(codec.name) + " is not a name of a " +
                                     std::string(kind_word(kind)) + ": ^[a-z][a-z0-9._-]{0,62}$");
  codec.summary = text_at(object, "summary");
  codec.format_version = text_at(object, "format_version");
  read_names(document, object, path, codec);
  const NodeView magics = object.at("magic");
  for (std::uint64_t i = 0; i < magics.size(); ++i)
    codec.magic.push_back(read_magic(document, magics[i], path / "magic" / std::size_t{i}));
  codec.can_sniff = bool_at(object, "sniff", false);
  codec.can_decode = bool_at(object, "decode", false);
  codec.can_encode = bool_at(object, kind == Kind::store ? "create" : "encode", false);
  codec.can_read_stream = bool_at(object, "read_stream", false);
  codec.can_write_stream = bool_at(object, "write_stream", false);
  codec.can_list = bool_at(object, "list", false);
  codec.is_canonical = bool_at(object, "canonical", false);
  codec.can_edit = bool_at(object, "edit", false);
  if (!codec.can_decode && !codec.can_encode) document.fail(path, "it must decode or encode");
  if (codec.can_read_stream && !codec.can_decode)
    document.fail(path / "read_stream", "only a codec that decodes can decode a stream");
  if (codec.can_write_stream && !codec.can_encode)
    document.fail(path / "write_stream", "only a codec that encodes can encode a stream");
  codec.inputs = read_parts(document, object, path, "inputs");
  codec.outputs = read_parts(document, object, path, "outputs");
  codec.options_schema = object.at("options");
  if (!is_checked) check_options_schema(document, codec.options_schema, path / "options");
  const auto type = codec.options_schema.find("type");
  if (!type || !type->is_string() || type->as_string() != "object")
    document.fail(path / "options", "the schema of the options must be of type \"object\"");
  codec.calls = parts_at(object, "calls");
  codec.description = object;
  return codec;
}

constexpr std::array<std::pair<const char*, Kind>, 3> sections = {
    {{"codecs", Kind::codec}, {"filters", Kind::filter}, {"stores", Kind::store}}};

bool is_version(std::string_view text) {
  int numbers = 0;
  while (numbers < 3) {
    const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (digits == 0) return false;
    text.remove_prefix(digits);
    if (++numbers == 3) break;
    if (!text.starts_with('.')) return false;
    text.remove_prefix(1);
  }
  return text.empty() || ((text[0] == '-' || text[0] == '+') && text.size() > 1 &&
                          std::all_of(text.begin(), text.end(), is_graphic));
}

bool is_file_name(std::string_view name) {
  const auto plain = [](char c) {
    return is_lower(c) || is_digit(c) || (c >= 'A' && c <= 'Z') ||
           std::string_view("._+-").find(c) != std::string_view::npos;
  };
  return name.size() > 3 && name.size() < 200 && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), plain);
}

/// A word such as linux_amd64.
bool is_platform(std::string_view word) {
  const auto plain = [](std::string_view part) {
    return !part.empty() &&
           std::ranges::all_of(part, [](char c) { return is_lower(c) || is_digit(c); });
  };
  const auto middle = word.find('_');
  return middle != word.npos && plain(word.substr(0, middle)) && plain(word.substr(middle + 1));
}

/// The library for this machine; empty without one.
std::string read_library(const JsonDocument& document) {
  const auto checked = [&](const JsonPath& path, NodeView name) {
    if (!is_file_name(name.as_string()) ||
        (!name.as_string().ends_with(".so") && !is_module(name.as_string())))
      document.fail(path,
                    quote(name.as_string()) +
                        " is not a file name that ends with .so or .wasm, without a directory");
    return std::string(name.as_string());
  };
  const NodeView library = document.root().at("library");
  if (library.is_string()) return checked({"library"}, library);
  std::string own;
  for (std::uint64_t i = 0; i < library.size(); ++i) {
    const std::string platform(library.key(i).as_string());
    const JsonPath path = JsonPath{"library"} / platform;
    if (!is_platform(platform))
      document.fail(path, quote(platform) +
                              " is not a platform: SYSTEM_MACHINE, such as linux_amd64 or "
                              "linux_arm64");
    std::string name = checked(path, library.value(i));
    if (platform == platform_name) own = std::move(name);
  }
  return own;
}

/// The plugin's own libraries for this machine.
std::vector<std::string> read_libraries(const JsonDocument& document) {
  const auto given = document.root().find("libraries");
  if (!given) return {};
  std::vector<std::string> own;
  const auto read = [&](const JsonPath& path, NodeView names, bool is_own) {
    for (std::uint64_t i = 0; i < names.size(); ++i) {
      const std::string_view name = names[i].as_string();
      if (!is_file_name(name) || name.find(".so") == name.npos)
        document.fail(path / std::size_t{i},
                      quote(name) + " is not the file name of a library, without a directory");
      if (is_own) own.emplace_back(name);
    }
  };
  const JsonPath path{"libraries"};
  if (given->is_list()) {
    read(path, *given, true);
    return own;
  }
  for (std::uint64_t i = 0; i < given->size(); ++i) {
    const std::string platform(given->key(i).as_string());
    if (!is_platform(platform))
      document.fail(path / platform, quote(platform) + " is not a platform, such as linux_amd64");
    read(path / platform, given->value(i), platform == platform_name);
  }
  return own;
}

/// Names and aliases are unique among the objects of a kind.
void check_names(const JsonDocument& document, const Manifest& manifest) {
  std::set<std::pair<Kind, std::string_view>> names;
  for (const CodecInfo& codec : manifest.codecs) {
    const auto take = [&](const std::string& name) {
      if (!names.insert({codec.kind, name}).second)
        document.fail({},
                      "two " + std::string(kind_word(codec.kind)) + "s are called " + quote(name));
    };
    take(codec.name);
    for (const auto& alias : codec.aliases) take(alias);
  }
}

/// Reads a document that fits the schema of manifests. `is_checked`: its options do, too, and its
/// names are unique.
Manifest read_manifest(JsonDocument document, bool is_checked) {
  const NodeView root = document.root();
  Manifest manifest;
  manifest.id = text_at(root, "id");
  if (!is_canonical_name(manifest.id))
    document.fail({"id"}, quote(manifest.id) + " is not a plugin id: ^[a-z][a-z0-9._-]{0,62}$");
  manifest.version = text_at(root, "version");
  if (!is_version(manifest.version))
    document.fail({"version"}, quote(manifest.version) + " is not major.minor.patch");
  manifest.library = read_library(document);
  manifest.libraries = read_libraries(document);
  manifest.summary = text_at(root, "summary");
  manifest.isolate = bool_at(root, "isolate", false);
  manifest.abi = static_cast<std::uint32_t>(root.at("abi").as_uint64());
  for (const auto& [section, kind] : sections) {
    const NodeView entries = list_at(root, section);
    for (std::uint64_t i = 0; i < entries.size(); ++i) {
      CodecInfo& codec = manifest.codecs.emplace_back(
          read_entry(document, entries[i], JsonPath{section} / std::size_t{i}, kind, is_checked));
      codec.plugin_id = manifest.id;
      codec.plugin_version = manifest.version;
    }
  }
  if (!is_checked) check_names(document, manifest);
  manifest.functions = parts_at(root, "functions");
  const NodeView types = object_at(root, "types");
  for (std::uint64_t i = 0; i < types.size(); ++i)
    manifest.types.emplace_back(types.key(i).as_string(), types.value(i).as_string());
  manifest.document = std::make_shared<const Value>(document.take_value());
  return manifest;
}

}  // namespace

bool is_canonical_name(std::string_view name) noexcept {
  return is_codec_name(name);
}

Manifest parse_manifest(std::string_view text, std::string_view origin) {
  JsonDocument document(text, std::string(origin), Status::plugin);
  // A later revision has other keys.
  const auto revision =
      document.root().is_object() ? document.root().find("manifest") : std::nullopt;
  if (revision && revision->is_integer() &&
      !(revision->kind() == POLYCODEC_KIND_SIGNED && revision->as_int64() == 2))
    document.fail({"manifest"},
                  "the manifest is of revision " + to_json(*revision) + "; this version knows 2");
  document.check(manifest_schema_view());
  return read_manifest(std::move(document), false);
}

Manifest read_checked_manifest(Value document, std::string_view origin) {
  return read_manifest(JsonDocument(std::move(document), std::string(origin), Status::plugin),
                       true);
}

std::string_view kind_word(Kind kind) noexcept {
  return kind == Kind::codec ? "codec" : kind == Kind::filter ? "filter" : "store";
}

}  // namespace polycodec
