// SPDX-License-Identifier: MIT
// Instances: JSON inside of a leaf. An argument that is not plain JSON is there as a string of
// its bytes, as they are, and the schema of the instance says what it is.
#include <base/base64.hpp>
#include <base/hex.hpp>
#include <polycodec/path.hpp>

#include "encode.hpp"

#include <optional>
#include <utility>

namespace polycodec::yggdrasil {
namespace {

constexpr std::string_view type_start = "{\"type\":\"";

// A string of JSON with these bytes, whatever they are.
void append_bytes(std::string& to, std::string_view bytes) {
  constexpr std::string_view meanings = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  to += '"';
  for (const char c : bytes) {
    if (const auto place = meanings.find(c); place != std::string_view::npos) {
      to += '\\';
      to += letters[place];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      to += "\\u00";
      to += upper_hex_digits[static_cast<unsigned char>(c) >> 4];
      to += upper_hex_digits[c & 15];
    } else {
      to += c;
    }
  }
  to += '"';
}

std::string from_base64(std::string_view text) {
  std::string bytes(base64_decoded_bound(text.size()), '\0');
  bytes.resize(base64_decode(bytes.data(), bytes.size(), text).written);
  return bytes;
}

// True if the schema is that of a leaf whose bytes may stand alone.
bool is_known(std::string_view schema) {
  if (!schema.starts_with(type_start)) return false;
  schema.remove_prefix(type_start.size());
  const TypeWord word = type_word(schema.substr(0, schema.find('"')));
  return word != TypeWord::other && word != TypeWord::own;
}

// True if what was said of a plain value still holds.
bool still_says(const std::optional<NodeView>& said, std::string_view word) {
  const auto type = said && said->is_object() ? said->find("type") : std::nullopt;
  if (!type || !type->is_string()) return false;
  const std::string_view was = type->as_string();
  return was == word || was == "any" || (was == "number" && word == "integer");
}

std::optional<NodeView> of_item(const std::optional<NodeView>& said, std::uint64_t i) {
  if (!said || !said->is_list()) return said;
  return i < said->size() ? std::optional<NodeView>((*said)[i]) : std::nullopt;
}
std::optional<NodeView> part(const std::optional<NodeView>& said, std::string_view name) {
  return said && said->is_object() ? said->find(name) : std::nullopt;
}

// The schema of member `i`.
std::optional<NodeView> of_member(const std::optional<NodeView>& said, std::string_view name,
                                  std::uint64_t i) {
  if (!said || !said->is_object()) return std::nullopt;
  if (i < said->size() && said->key(i).as_string() == name) return said->value(i);
  return said->find(name);
}

// The size of the string at the front, with its quotes.
std::size_t string_size(std::string_view json) {
  std::size_t at = 1;
  while (json[at] != '"') at += json[at] == '\\' ? 2 : 1;
  return at + 1;
}

// The size of the value at the front.
std::size_t value_size(std::string_view json) {
  std::size_t at = 0;
  std::size_t depth = 0;
  do {
    const char c = json[at];
    if (c == '"') {
      at += string_size(json.substr(at));
      continue;
    }
    depth += c == '[' || c == '{' ? 1 : 0;
    depth -= c == ']' || c == '}' ? 1 : 0;
    ++at;
  } while (depth != 0 || (at < json.size() && json[0] != '[' && json[0] != '{' && json[0] != '"' &&
                          std::string_view(",]}").find(json[at]) == std::string_view::npos));
  return at;
}

// Schemas of what is nested deeper are not worth their size: leaves there say themselves what they
// are.
constexpr unsigned deepest_description = 32;

}  // namespace

// Takes one value from the front of `json`, which this codec wrote: adds it to `text`, with the
// bytes of leaves in place of the leaves, and what it is to `schema`. `said`: what its schema was
// when it was read. True if there is a leaf.
bool Encoder::describe(std::string_view& json, const std::optional<NodeView>& said,
                       std::string& text, std::string& schema, unsigned depth) {
  const auto take = [&](std::size_t count) {
    const std::string_view front = json.substr(0, count);
    json.remove_prefix(count);
    return front;
  };
  const auto plain = [&](std::string_view value, std::string_view word) {
    text += value;
    if (still_says(said, word))
      json_value(schema, *said->raw());
    else
      schema.append(type_start).append(word).append("\"}");
    return false;
  };
  if (json.front() == '[' || json.front() == '{') {
    const bool list = json.front() == '[';
    if (depth > deepest_description) {
      text += take(value_size(json));
      schema += "{}";
      return true;
    }
    std::string parts;
    const bool typed =
        describe_parts(json, part(said, list ? "items" : "properties"), text, parts, depth + 1);
    schema.append(type_start).append(list ? "array\"" : "object\"");
    if (typed) schema.append(list ? ",\"items\":" : ",\"properties\":").append(parts);
    schema += '}';
    return typed;
  }
  const std::string_view value = take(value_size(json));
  switch (value.front()) {
    case '"': {
      const std::string_view chars = value.substr(1, value.size() - 2);
      if (!looks_typed(chars)) return plain(value, "string");
      const std::size_t middle = chars.find(marker, marker.size());
      const std::string own = from_base64(chars.substr(marker.size(), middle - marker.size()));
      const std::string bytes = from_base64(
          chars.substr(middle + marker.size(), chars.size() - middle - 2 * marker.size()));
      if (!is_known(own) || looks_typed(bytes)) {
        // It stays a leaf.
        text += value;
        schema += "{}";
        return true;
      }
      append_bytes(text, bytes);
      schema += own;
      return true;
    }
    case 't':
    case 'f':
      return plain(value, "boolean");
    case 'n':
      return plain(value, "null");
    default:
      return plain(value,
                   value.find_first_of(".eEnN") == std::string_view::npos ? "integer" : "number");
  }
}

// A list or an object, and the schemas of its items or members in the same brackets.
bool Encoder::describe_parts(std::string_view& json, const std::optional<NodeView>& said,
                             std::string& text, std::string& schema, unsigned depth) {
  bool typed = false;
  const bool object = json.front() == '{';
  const char end = object ? '}' : ']';
  const auto both = [&](std::string_view chars) {
    text += chars;
    schema += chars;
    json.remove_prefix(chars.size());
  };
  both(json.substr(0, 1));
  for (std::uint64_t i = 0; json.front() != end; ++i) {
    if (i != 0) both(",");
    if (!object) {
      typed |= describe(json, of_item(said, i), text, schema, depth);
      continue;
    }
    const std::string_view key = json.substr(0, string_size(json) + 1);  // with its colon
    both(key);
    // Names with escapes are not looked up: then the schema is the one that follows from the value.
    typed |= describe(json, of_member(said, key.substr(1, key.size() - 3), i), text, schema, depth);
  }
  both(json.substr(0, 1));
  return typed;
}

// The JSON of an instance, and the members `args` and `kwargs` of its schema, if it needs them.
Encoder::InstanceParts Encoder::instance_parts(NodeView payload,
                                               const std::optional<NodeView>& given) {
  InstanceParts parts;
  std::string& text = parts.text;
  text += '{';
  for (std::uint64_t i = 0; i < payload.size(); ++i) {
    const std::string_view key = payload.key(i).as_string();
    if (i != 0) text += ',';
    json_string(text, key);
    text += ':';
    const std::string written = inner([&](Encoder& encoder) {
      encoder.inside_ = loss_path();
      append_key(encoder.inside_, key);
      encoder.gathering_ = gathering_;
      encoder.loop(payload.value(i).raw(), frames_.size() + 2);
    });
    std::string_view json = written;
    const bool list = key == "args" && json.front() == '[';
    const bool object = key == "kwargs" && json.front() == '{';
    if (!list && !object) {
      text += json;
      continue;
    }
    const auto said = given ? given->find(key) : std::nullopt;
    // A schema for all of them where there was one, otherwise one for each.
    const auto all = said && said->is_object() ? said->find("type") : std::nullopt;
    const bool whole = all && all->is_string();
    bool needed = said.has_value();
    std::string schema;
    needed |=
        whole ? describe(json, said, text, schema, 0) : describe_parts(json, said, text, schema, 0);
    if (needed) (list ? parts.args : parts.kwargs) = std::move(schema);
  }
  text += '}';
  return parts;
}

void Encoder::instance_leaf(NodeView payload, const polycodec_node* attributes) {
  const auto given = attributes == nullptr ? std::nullopt : std::optional<NodeView>(attributes);
  const InstanceParts parts = instance_parts(payload, given);
  // What was said of the arguments is said anew.
  std::vector<polycodec_node> others;
  for (std::uint64_t i = 0; given && i < given->size(); ++i) {
    const std::string_view key = given->key(i).as_string();
    if ((key == "args" && !parts.args.empty()) || (key == "kwargs" && !parts.kwargs.empty()))
      continue;
    others.push_back(*given->key(i).raw());
    others.push_back(*given->value(i).raw());
  }
  auto rest = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, others.size() / 2);
  rest.as.nodes = others.data();
  std::string more;
  if (!parts.args.empty()) more += ",\"args\":" + parts.args;
  if (!parts.kwargs.empty()) more += ",\"kwargs\":" + parts.kwargs;
  open({.type = TypeWord::instance, .more = more}, others.empty() ? nullptr : &rest, {});
  close(parts.text.data(), parts.text.size());
}

}  // namespace polycodec::yggdrasil
