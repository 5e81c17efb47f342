// SPDX-License-Identifier: MIT
// Instances: JSON inside of a leaf. An argument that is not plain JSON is there as a string of
// its bytes, as they are, and the schema of the instance says what it is.
#include <base/base64.hpp>
#include <base/hex.hpp>

#include "leaf_writer.hpp"

#include <optional>
#include <utility>
#include <vector>

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

/// Describes the value at the front of JSON that this codec wrote: the bytes of leaves take the
/// place of the leaves.
class Description {
 public:
  Description(const Writing& state, std::string_view json, std::string& text)
      : state_(state), json_(json), text_(text) {}

  /// Takes one value: adds it to the text, and what it is to `schema`. `said`: what its schema was
  /// when it was read. True if there is a leaf.
  bool value(const std::optional<NodeView>& said, std::string& schema, unsigned depth);
  /// A list or an object, and the schemas of its items or members in the same brackets.
  bool parts(const std::optional<NodeView>& said, std::string& schema, unsigned depth);

 private:
  const Writing& state_;
  std::string_view json_;
  std::string& text_;
};

bool Description::value(const std::optional<NodeView>& said, std::string& schema, unsigned depth) {
  const auto take = [&](std::size_t count) {
    const std::string_view front = json_.substr(0, count);
    json_.remove_prefix(count);
    return front;
  };
  const auto plain = [&](std::string_view value, std::string_view word) {
    text_ += value;
    if (still_says(said, word))
      schema += json_of(state_, *said->raw(), state_.frames.size() + 1);
    else
      schema.append(type_start).append(word).append("\"}");
    return false;
  };
  if (json_.front() == '[' || json_.front() == '{') {
    const bool list = json_.front() == '[';
    if (depth > deepest_description) {
      text_ += take(value_size(json_));
      schema += "{}";
      return true;
    }
    std::string inner;
    const bool typed = this->parts(part(said, list ? "items" : "properties"), inner, depth + 1);
    schema.append(type_start).append(list ? "array\"" : "object\"");
    if (typed) schema.append(list ? ",\"items\":" : ",\"properties\":").append(inner);
    schema += '}';
    return typed;
  }
  const std::string_view value = take(value_size(json_));
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
        text_ += value;
        schema += "{}";
        return true;
      }
      append_bytes(text_, bytes);
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

bool Description::parts(const std::optional<NodeView>& said, std::string& schema, unsigned depth) {
  bool typed = false;
  const bool object = json_.front() == '{';
  const char end = object ? '}' : ']';
  const auto both = [&](std::string_view chars) {
    text_ += chars;
    schema += chars;
    json_.remove_prefix(chars.size());
  };
  both(json_.substr(0, 1));
  for (std::uint64_t i = 0; json_.front() != end; ++i) {
    if (i != 0) both(",");
    if (!object) {
      typed |= value(of_item(said, i), schema, depth);
      continue;
    }
    const std::string_view key = json_.substr(0, string_size(json_) + 1);  // with its colon
    both(key);
    // Names with escapes are not looked up: then the schema is the one that follows from the value.
    typed |= value(of_member(said, key.substr(1, key.size() - 3), i), schema, depth);
  }
  both(json_.substr(0, 1));
  return typed;
}

/// An instance as JSON, and the schemas of its arguments, likewise; empty: none are needed.
struct InstanceParts {
  std::string text, args, kwargs;
};

InstanceParts instance_parts(const Writing& state, NodeView payload,
                             const std::optional<NodeView>& given) {
  InstanceParts parts;
  std::string& text = parts.text;
  text += '{';
  for (std::uint64_t i = 0; i < payload.size(); ++i) {
    const std::string_view key = payload.key(i).as_string();
    if (i != 0) text += ',';
    append_string(text, state.settings, state.call, key);
    text += ':';
    const std::string json = json_of(state, *payload.value(i).raw(), state.frames.size() + 2, key);
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
    Description description(state, json, text);
    bool needed = said.has_value();
    std::string schema;
    needed |= whole ? description.value(said, schema, 0) : description.parts(said, schema, 0);
    if (needed) (list ? parts.args : parts.kwargs) = std::move(schema);
  }
  text += '}';
  return parts;
}

}  // namespace

void put_instance(Writing& state, LeafWriter& leaves, NodeView payload,
                  const polycodec_node* attributes) {
  const auto given = attributes == nullptr ? std::nullopt : std::optional<NodeView>(attributes);
  const InstanceParts parts = instance_parts(state, payload, given);
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
  leaves.leaf({.type = TypeWord::instance, .more = more}, others.empty() ? nullptr : &rest,
              parts.text);
}

}  // namespace polycodec::yggdrasil
