// SPDX-License-Identifier: MIT
// The codec, its options, and the datatype of a header.
#include "codec.hpp"

#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/tolerant.hpp>

#include "decode.hpp"
#include "encode.hpp"

namespace polycodec::yggdrasil {
namespace {

constexpr unsigned deepest = 64;

// The first type that is sent as a string; of several, as an array may be sent whole or item by
// item.
std::optional<std::string_view> leaf_word(NodeView type) {
  const auto is_leaf = [](NodeView word) {
    if (!word.is_string()) return false;
    const TypeWord known = type_word(word.as_string());
    return known != TypeWord::other && known != TypeWord::own;
  };
  if (is_leaf(type)) return type.as_string();
  if (!type.is_list()) return std::nullopt;
  for (std::uint64_t i = 0; i < type.size(); ++i)
    if (is_leaf(type[i])) return type[i].as_string();
  return std::nullopt;
}

Leaf read_leaf(NodeView schema, std::string_view word) {
  std::vector<polycodec_node> members(schema.entries().begin(), schema.entries().end());
  for (std::size_t i = 0; i < members.size(); i += 2)
    if (NodeView(&members[i]).as_string() == "type") members[i + 1] = Builder::string_view(word);
  auto object = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, schema.size());
  object.as.nodes = members.data();
  Leaf leaf = Leaf::from(NodeView(&object), true);
  leaf.resolve(false);
  return leaf;
}

Datatype read(NodeView schema, unsigned depth);

// Alternatives, such as a number or null: JSON tells apart what the first of each kind stands for.
void take_alternatives(Datatype& type, NodeView schemas, unsigned depth) {
  for (std::uint64_t i = 0; i < schemas.size(); ++i) {
    Datatype other = read(schemas[i], depth + 1);
    if (!type.leaf && other.leaf) {
      type.leaf = std::move(other.leaf);
      type.texts = std::move(other.texts);
    }
    if (type.names.empty()) {
      type.names = std::move(other.names);
      type.properties = std::move(other.properties);
    }
    if (type.items.empty()) {
      type.items = std::move(other.items);
      type.one_item = other.one_item;
    }
  }
}

Datatype read(NodeView schema, unsigned depth) {
  if (depth > deepest) throw Error(Status::option, "option 'datatype' is nested too deep");
  if (!schema.is_object())
    throw Error(Status::option, "option 'datatype': a schema must be an object");
  Datatype type;
  if (const auto word = schema.find("type"); word)
    if (const auto known = leaf_word(*word)) type.leaf = read_leaf(schema, *known);
  for (std::uint64_t i = 0; i < schema.size(); ++i) {
    const std::string_view key = schema.key(i).as_string();
    const NodeView value = schema.value(i);
    if (key == "properties" && value.is_object()) {
      for (std::uint64_t p = 0; p < value.size(); ++p) {
        type.names.emplace_back(value.key(p).as_string());
        type.properties.push_back(read(value.value(p), depth + 1));
      }
    } else if (key == "items" && value.is_object()) {
      type.items.push_back(read(value, depth + 1));
      type.one_item = true;
    } else if (key == "items" && value.is_list()) {
      for (std::uint64_t item = 0; item < value.size(); ++item)
        type.items.push_back(read(value[item], depth + 1));
    } else if ((key == "anyOf" || key == "oneOf") && value.is_list()) {
      take_alternatives(type, value, depth);
    } else if (type.leaf && value.is_string() && !is_leaf_key(key)) {
      type.texts.emplace_back(std::string(key), std::string(value.as_string()));
    }
  }
  return type;
}

}  // namespace

Datatype Datatype::from(NodeView schema) {
  try {
    return read(schema, 0);
  } catch (const Error& e) {
    if (e.code() == Status::option) throw;
    throw Error(Status::option, "option 'datatype': " + e.message()).detail(e.detail());
  }
}

Settings Settings::from(const Options& options) {
  Settings settings;
  settings.tolerant = tolerant_option(options);
  settings.python = options.choice<bool>("style", {{"cpp", false}, {"python", true}});
  settings.dialect = options.choice<Dialect>("dialect", {{"current", Dialect::current},
                                                         {"document", Dialect::document},
                                                         {"legacy-1.8", Dialect::legacy}});
  if (const auto datatype = options.find("datatype")) {
    if (datatype->node() == nullptr)
      throw Error(Status::option, "option 'datatype': a schema must be a plain object");
    settings.datatype = Datatype::from(NodeView(datatype->node()));
  }
  settings.bare_nonfinite = options.choice<bool>(
      "nonfinite", {{"auto", settings.python}, {"scalar", false}, {"bare", true}});
  settings.geometry_as_text = options.choice<bool>("geometry", {{"decode", false}, {"text", true}});
  settings.duplicates = options.choice<Duplicates>(
      "duplicate_keys",
      {{"keep", Duplicates::keep}, {"last", Duplicates::last}, {"refuse", Duplicates::refuse}});
  settings.lenient_utf8 = options.choice<bool>("utf8", {{"strict", false}, {"lenient", true}});
  settings.refuse_foreign = options.choice<bool>("foreign", {{"exact", false}, {"refuse", true}});
  settings.escape_separator = options.choice<bool>(
      "separator", {{"auto", !settings.python}, {"escape", true}, {"keep", false}});
  return settings;
}

Node Yggdrasil::decode(Call& call, const Input& input, Builder& out) const {
  MendNotes notes;
  std::string_view text = input.bytes();
  // Base64 may be text without quotes, and looks like comments.
  const std::size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (settings_.tolerant && first != std::string_view::npos &&
      (text[first] == '{' || text[first] == '['))
    text = mended_json(text, notes, out);
  const polycodec_node* const root = Decoder(settings_, call, out).all(text);
  notes.report(call);
  return *root;
}

void Yggdrasil::encode(const Call& call, NodeView value, Writer& out) const {
  const std::uint64_t size = Encoder::size_of(settings_, call, value);
  if (size != POLYCODEC_SIZE_UNKNOWN) out.expect(size);
  Encoder(settings_, call, out).value(value.raw());
}

std::uint64_t Yggdrasil::encoded_size(const Call& call, NodeView value) const {
  return Encoder::size_of(settings_, call, value);
}

Sniff Yggdrasil::sniff(Call&, const Input& input) {
  std::string_view head = input.bytes();
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {0, "no value"};
  head.remove_prefix(first);
  if (head.starts_with("\"-YGG-")) return {85, "starts with a typed value"};
  if (head.find("\"-YGG-eyJ") != std::string_view::npos) return {75, "holds a typed value"};
  if (head.starts_with('{') || head.starts_with('[')) {
    const std::size_t next = head.find_first_not_of(" \t\r\n", 1);
    if (next == std::string_view::npos ||
        std::string_view("\"[{-0123456789tfnNI]}").find(head[next]) != std::string_view::npos)
      return {20, "may be JSON"};
    return {0, "neither JSON nor a typed value"};
  }
  if (head[0] == '"' || head[0] == '-' || (head[0] >= '0' && head[0] <= '9'))
    return {10, "may be JSON"};
  for (const std::string_view word : {"true", "false", "null", "NaN", "Infinity"})
    if (head == word) return {10, "may be JSON"};
  return {0, "neither JSON nor a typed value"};
}

}  // namespace polycodec::yggdrasil
