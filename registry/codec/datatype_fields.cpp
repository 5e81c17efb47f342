// SPDX-License-Identifier: MIT
#include "registry/codec/datatype_fields.hpp"

#include <base/json_writer.hpp>
#include <model/geometry.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/view.hpp>

#include "core/frame/message.hpp"
#include "core/text/text.hpp"
#include "registry/codec/serializer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace polycodec {

namespace {

constexpr std::array<std::pair<Dialect, std::string_view>, 3> dialects{{
    {Dialect::current, "current"},
    {Dialect::document, "document"},
    {Dialect::legacy, "legacy-1.8"},
}};

/// The text of the attribute `name`, or nothing.
std::string_view attribute(const View& item, std::string_view name) {
  const polycodec_node* attributes = item.metadata();
  if (attributes == nullptr || attributes->kind != POLYCODEC_KIND_OBJECT) return {};
  const auto found = NodeView(attributes).find(name);
  return found && found->is_string() ? found->as_string() : std::string_view();
}

/// JSON without spaces between its tokens: headers have none.
std::string compact(const std::string& json) {
  std::string made;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"') quoted = !quoted;
    if (quoted || json[i] != ' ') made += json[i];
    if (quoted && json[i] == '\\') made += json[++i];
  }
  return made;
}

bool is_leaf_array(NodeView value) {
  return value.is_array() && value.as_array().layout == POLYCODEC_LAYOUT_NDARRAY;
}

}  // namespace

std::string_view dialect_name(Dialect dialect) noexcept {
  for (const auto& [value, name] : dialects)
    if (value == dialect) return name;
  return "unknown";
}

std::optional<Dialect> find_dialect(std::string_view name) noexcept {
  for (const auto& [value, word] : dialects)
    if (word == name) return value;
  return std::nullopt;
}

std::string type_word(NodeView value) {
  const View item(value);
  if (const auto word = attribute(item, "type"); !word.empty()) return std::string(word);
  const bool has_units = !attribute(item, "units").empty();
  switch (value.kind()) {
    case POLYCODEC_KIND_NULL:
      return "null";
    case POLYCODEC_KIND_BOOLEAN:
      return "boolean";
    case POLYCODEC_KIND_SIGNED:
      return value.dtype() == POLYCODEC_DTYPE_INT64 && !has_units ? "integer" : "scalar";
    case POLYCODEC_KIND_UNSIGNED:
      return value.dtype() == POLYCODEC_DTYPE_UINT64 && !has_units && value.as_uint64() > INT64_MAX
                 ? "integer"
                 : "scalar";
    case POLYCODEC_KIND_FLOAT:
      return value.dtype() == POLYCODEC_DTYPE_FLOAT64 && !has_units ? "number" : "scalar";
    case POLYCODEC_KIND_STRING:
      return attribute(item, "encoding").empty() && !has_units ? "string" : "scalar";
    case POLYCODEC_KIND_BINARY:
    case POLYCODEC_KIND_WIDE:
      return "scalar";
    case POLYCODEC_KIND_ARRAY:
      return is_leaf_array(value) ? "ndarray" : "array";
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      return "array";
    case POLYCODEC_KIND_OBJECT:
      return "object";
    case POLYCODEC_KIND_EXTENSION: {
      constexpr std::string_view prefix = "yggdrasil.";
      const std::string_view name = to_string_view(value.as_extension().name);
      if (name.starts_with(prefix) && is_own_type(name.substr(prefix.size())))
        return std::string(name.substr(prefix.size()));
      return "any";
    }
    default:
      return "any";
  }
}

std::string geometry_type(NodeView value) {
  const View item(value);
  // An item of an array has no node, and is not a mesh.
  if (item.node() == nullptr) return {};
  return std::string(geometry_codec(NodeView(item.node()), item.metadata()));
}

std::optional<schema::Schema> declared_datatype(const Header& header, const Limits& limits,
                                                const schema::TypeNames& names) {
  const std::string json = header.legacy ? std::string() : header_datatype(header);
  if (json.empty()) return std::nullopt;
  try {
    return schema::Schema::parse(json, limits, schema::Precision::bytes, names);
  } catch (const Error& e) {
    const std::string inner = e.path().starts_with('$') ? e.path().substr(1) : e.path();
    throw Error(e.code(), "the message header: the datatype: " + e.message())
        .detail(e.detail())
        .path("$.serializer.datatype" + inner);
  }
}

void add_datatype(Header& header, const schema::Schema& datatype, Dialect dialect) {
  const auto add = [&](std::string name, std::string json) {
    if (header.find(name) != nullptr)
      throw Error(Status::invalid, "the message header has a field " + quote(name) + " already");
    header.fields.push_back({std::move(name), std::move(json)});
  };
  schema::PrintOptions print;
  if (dialect == Dialect::current)
    return add("serializer", JsonObjectText()
                                 .add("seritype", R"("default")")
                                 .add("datatype", datatype.to_json(print))
                                 .end());
  print.precision = schema::Precision::bits;
  const std::string json = datatype.to_json(print);
  if (dialect == Dialect::legacy) return add("datatype", json);
  const Value document = parse_json(json);
  const NodeView members = document.view();
  for (std::uint64_t i = 0; i < members.size(); ++i) {
    const std::string_view key = members.key(i).as_string();
    if (key == "type" && members.value(i).is_string())
      header.type = members.value(i).as_string();
    else
      add(std::string(key), compact(to_json(members.value(i))));
  }
}

}  // namespace polycodec
