// SPDX-License-Identifier: MIT
#include <polycodec/manifest.hpp>

#include "in_quotes.hpp"
#include "manifest_document.hpp"
#include "schema.hpp"

#include <algorithm>
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

Magic read_magic(const JsonDocument& document, const Json& value, const JsonPath& path) {
  const JsonObject object(document, value, path, {"offset", "bytes", "score"});
  Magic magic;
  magic.offset = object.count("offset");
  if (magic.offset > 4095) object.fail("offset", "'offset' must be below 4096: no more of an input is looked at");
  const std::string hex = object.text("bytes");
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    const int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);
    if (high < 0 || low < 0) break;
    magic.bytes.push_back(static_cast<char>(high * 16 + low));
  }
  if (hex.empty() || hex.size() != 2 * magic.bytes.size())
    object.fail("bytes", "'bytes' must be pairs of hex digits, not " + in_quotes(hex));
  const std::uint64_t score = object.count("score");
  if (score < 1 || score > 100) object.fail("score", "'score' must be 1 to 100");
  magic.score = static_cast<std::uint32_t>(score);
  return magic;
}

void read_inputs(const JsonObject& object, CodecInfo& codec) {
  for (const auto& word : object.texts("input")) {
    if (word == "bytes")
      codec.takes_bytes = true;
    else if (word == "store")
      codec.takes_store = true;
    else if (word == "bytes+store")
      codec.takes_bytes_and_store = true;
    else
      object.fail("input", "'input' may hold \"bytes\", \"store\" and \"bytes+store\", not " + in_quotes(word));
  }
  if (!codec.takes_bytes && !codec.takes_store && !codec.takes_bytes_and_store)
    object.fail("input", "'input' must name at least one of \"bytes\", \"store\" and \"bytes+store\"");
}

void read_names(const JsonObject& object, CodecInfo& codec) {
  codec.aliases = object.texts("aliases");
  for (const auto& alias : codec.aliases)
    if (!is_canonical_name(alias)) object.fail("aliases", in_quotes(alias) + " is not a codec name");
  codec.media_types = object.texts("media_types");
  for (const auto& type : codec.media_types) {
    const auto slash = type.find('/');
    if (slash == 0 || slash == std::string::npos || slash + 1 == type.size() ||
        !std::all_of(type.begin(), type.end(), is_graphic))
      object.fail("media_types", in_quotes(type) + " is not a media type");
  }
  codec.extensions = object.texts("extensions");
  for (const auto& extension : codec.extensions) {
    const bool plain = std::all_of(extension.begin(), extension.end(),
                                   [](char c) { return is_graphic(c) && c != '/' && !(c >= 'A' && c <= 'Z'); });
    if (extension.size() < 2 || extension[0] != '.' || !plain)
      object.fail("extensions", in_quotes(extension) + " is not an extension in lower case with its dot");
  }
}

/// A list of lists of texts.
void read_paths(const JsonObject& object, const char* key, std::vector<std::vector<std::string>>& out,
                const char* wanted) {
  const Json* list = object.find_list(key);
  if (list == nullptr) return;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& name = (*list)[i];
    const bool good = name.is_array() && !name.empty() && std::all_of(name.begin(), name.end(), [](const Json& part) {
                        return part.is_string() && !part.get_ref<const std::string&>().empty();
                      });
    if (!good) object.document().fail(object.at(key, i), wanted);
    out.push_back(name.get<std::vector<std::string>>());
  }
}

CodecInfo read_codec(const JsonDocument& document, const Json& value, const JsonPath& path) {
  const JsonObject object(document, value, path,
                          {"name", "role", "summary", "format_version", "aliases", "media_types", "extensions",
                           "magic", "decode", "encode", "input", "stream", "options", "calls"});
  CodecInfo codec;
  codec.name = object.text("name");
  if (!is_canonical_name(codec.name))
    object.fail("name", in_quotes(codec.name) + " is not a codec name: ^[a-z][a-z0-9._-]{0,62}$");
  if (object.find("role") != nullptr) {
    const std::string role = object.text("role");
    if (role != "value" && role != "bytes")
      object.fail("role", "'role' must be \"value\" or \"bytes\", not " + in_quotes(role));
    codec.role = role == "bytes" ? CodecRole::bytes : CodecRole::value;
  }
  codec.summary = object.text("summary");
  codec.format_version = object.text("format_version");
  for (const char* key : {"aliases", "media_types", "extensions", "magic", "input", "options"}) object.need(key);
  read_names(object, codec);
  const Json& magics = *object.find_list("magic");
  for (std::size_t i = 0; i < magics.size(); ++i)
    codec.magic.push_back(read_magic(document, magics[i], object.at("magic", i)));
  codec.can_decode = object.truth("decode");
  codec.can_encode = object.truth("encode");
  codec.can_stream = object.truth("stream");
  if (!codec.can_decode && !codec.can_encode) object.fail({}, "a codec must decode or encode");
  if (codec.can_stream && !codec.can_decode) object.fail("stream", "only a codec that decodes can decode a stream");
  read_inputs(object, codec);
  const Json& options = object.need("options");
  check_schema(document, options, object.at("options"));
  if (options.value("type", Json()) != "object")
    object.fail("options", "the schema of the options must be of type \"object\"");
  codec.options_schema = options.dump();
  read_paths(object, "calls", codec.calls,
             "what a codec calls must be named by a list of patterns, one for each part");
  codec.description = value.dump();
  return codec;
}

void read_functions(const JsonObject& object, Manifest& manifest) {
  read_paths(object, "functions", manifest.functions, "a function's name must be a list of texts");
}

void read_types(const JsonObject& object, Manifest& manifest) {
  const Json* types = object.find_map("types");
  if (types == nullptr) return;
  for (const auto& [name, notation] : types->items()) {
    if (!notation.is_string()) {
      JsonPath path = object.at("types");
      path.push_back(name);
      object.document().fail(path, "the type " + in_quotes(name) + " must be a text in datashape notation");
    }
    manifest.types.emplace_back(name, notation.get<std::string>());
  }
}

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
  return text.empty() ||
         ((text[0] == '-' || text[0] == '+') && text.size() > 1 && std::all_of(text.begin(), text.end(), is_graphic));
}

bool is_library_name(std::string_view name) {
  const auto plain = [](char c) {
    return is_lower(c) || is_digit(c) || (c >= 'A' && c <= 'Z') ||
           std::string_view("._+-").find(c) != std::string_view::npos;
  };
  return name.size() > 3 && name.size() < 200 && name.ends_with(".so") && name[0] != '.' && name[0] != '-' &&
         std::all_of(name.begin(), name.end(), plain);
}

void read_abi(const JsonObject& object, Manifest& manifest) {
  const JsonObject abi(object.document(), object.need("abi"), object.at("abi"), {"min", "max"});
  const std::uint64_t least = abi.count("min"), most = abi.count("max");
  if (least < 1 || least > most || most > UINT32_MAX) abi.fail({}, "'abi' must be 1 <= min <= max");
  manifest.abi_min = static_cast<std::uint32_t>(least);
  manifest.abi_max = static_cast<std::uint32_t>(most);
}

void check_codec_names(const JsonObject& object, const Manifest& manifest) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < manifest.codecs.size(); ++i) {
    const auto take = [&](const std::string& name) {
      if (!names.insert(name).second)
        object.document().fail(object.at("codecs", i), "the codec name " + in_quotes(name) + " is used twice");
    };
    take(manifest.codecs[i].name);
    for (const auto& alias : manifest.codecs[i].aliases) take(alias);
  }
}

}  // namespace

bool is_canonical_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= 63 && is_lower(name[0]) && std::all_of(name.begin(), name.end(), [](char c) {
    return is_lower(c) || is_digit(c) || c == '.' || c == '_' || c == '-';
  });
}

ManifestDocument read_manifest(std::string_view text, std::string_view origin) {
  JsonDocument document(text, std::string(origin), Status::plugin);
  const JsonObject object(
      document, document.root(), {},
      {"manifest", "id", "version", "library", "abi", "summary", "license", "codecs", "functions", "types"});
  if (const auto revision = object.count("manifest"); revision != 1)
    object.fail("manifest", "the manifest is of revision " + std::to_string(revision) + "; this version knows 1");
  ManifestDocument result;
  Manifest& manifest = result.manifest;
  manifest.id = object.text("id");
  if (!is_canonical_name(manifest.id))
    object.fail("id", in_quotes(manifest.id) + " is not a plugin id: ^[a-z][a-z0-9._-]{0,62}$");
  manifest.version = object.text("version");
  if (!is_version(manifest.version))
    object.fail("version", in_quotes(manifest.version) + " is not major.minor.patch");
  manifest.library = object.text("library");
  if (!is_library_name(manifest.library))
    object.fail("library", in_quotes(manifest.library) + " is not a file name that ends with .so, without a folder");
  manifest.summary = object.text("summary");
  manifest.license = object.text("license");
  read_abi(object, manifest);
  object.need("codecs");
  const Json& codecs = *object.find_list("codecs");
  for (std::size_t i = 0; i < codecs.size(); ++i) {
    manifest.codecs.push_back(read_codec(document, codecs[i], object.at("codecs", i)));
    manifest.codecs.back().plugin_id = manifest.id;
    manifest.codecs.back().plugin_version = manifest.version;
  }
  check_codec_names(object, manifest);
  read_functions(object, manifest);
  read_types(object, manifest);
  Json entries = std::move(document.take_root()["codecs"]);
  result.entries = std::move(entries.get_ref<Json::array_t&>());
  return result;
}

Manifest parse_manifest(std::string_view text, std::string_view origin) {
  return read_manifest(text, origin).manifest;
}

}  // namespace polycodec
