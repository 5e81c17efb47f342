// SPDX-License-Identifier: MIT
// Instances: JSON inside of a leaf. An argument that is no plain JSON stands there as a string of its bytes, as they
// are, and the schema of the instance says what it is.
#include <polycodec/base64.hpp>
#include <polycodec/path.hpp>

#include "encode.hpp"

#include <optional>
#include <utility>

namespace polycodec::yggdrasil {
namespace {

constexpr std::string_view type_start = "{\"type\":\"";

// A string of JSON with these bytes, whatever they are.
void append_bytes(std::string& to, std::string_view bytes) {
  constexpr char hex[] = "0123456789ABCDEF";
  constexpr std::string_view meanings = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";
  to += '"';
  for (const char c : bytes) {
    if (const auto place = meanings.find(c); place != std::string_view::npos) {
      to += '\\';
      to += letters[place];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      to += "\\u00";
      to += hex[static_cast<unsigned char>(c) >> 4];
      to += hex[c & 15];
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

bool says_plain(View schema) {
  const auto type = schema.is_object() ? schema.find("type") : std::nullopt;
  return type && type->is_string() && type_word(type->as_string()) == TypeWord::other;
}

std::optional<View> of_item(const std::optional<View>& said, std::uint64_t i) {
  if (!said) return std::nullopt;
  if (said->is_list()) return i < said->size() ? std::optional<View>((*said)[i]) : std::nullopt;
  const auto items = said->is_object() ? said->find("items") : std::nullopt;
  return items && items->is_list() ? of_item(items, i) : items;
}

}  // namespace

// Takes one value from the front of `json`, which this codec wrote: adds it to `text`, with the bytes of leaves in
// place of the leaves, and what it is to `schema`. `said`: what its schema was when it was read. True if there is a
// leaf.
bool Encoder::describe(std::string_view& json, const std::optional<View>& said, std::string& text,
                       std::string& schema) {
  const auto take = [&](std::size_t count) {
    const std::string_view part = json.substr(0, count);
    json.remove_prefix(count);
    return part;
  };
  const auto plain = [&](std::string_view part, std::string_view word) {
    text += part;
    if (said && says_plain(*said)) return json_value(schema, *said->raw());
    schema.append(type_start).append(word).append("\"}");
  };
  const auto string_size = [&] {
    std::size_t at = 1;
    while (json[at] != '"') at += json[at] == '\\' ? 2 : 1;
    return at + 1;
  };
  switch (json.front()) {
    case '"': {
      const std::string_view part = take(string_size());
      const std::string_view chars = part.substr(1, part.size() - 2);
      if (!looks_typed(chars)) return plain(part, "string"), false;
      const std::size_t middle = chars.find(marker, marker.size());
      std::string own = from_base64(chars.substr(marker.size(), middle - marker.size()));
      std::string bytes =
          from_base64(chars.substr(middle + marker.size(), chars.size() - middle - 2 * marker.size()));
      if (!is_known(own) || looks_typed(bytes)) {
        // It stays a leaf.
        text += part;
        schema += "{}";
        return true;
      }
      append_bytes(text, bytes);
      schema += own;
      return true;
    }
    case '[': {
      bool typed = false;
      text += take(1);
      schema.append(type_start).append("array\",\"items\":[");
      for (std::uint64_t i = 0; json.front() != ']'; ++i) {
        if (json.front() == ',') {
          text += take(1);
          schema += ',';
        }
        typed |= describe(json, of_item(said, i), text, schema);
      }
      text += take(1);
      schema += "]}";
      return typed;
    }
    case '{': {
      bool typed = false;
      text += take(1);
      schema.append(type_start).append("object\",\"properties\":");
      typed =
          describe_members(json, said && said->is_object() ? said->find("properties") : std::nullopt, text, schema);
      schema += '}';
      return typed;
    }
    case 't':
    case 'f':
      return plain(take(json.front() == 't' ? 4 : 5), "boolean"), false;
    case 'n':
      return plain(take(4), "null"), false;
    default: {
      const std::size_t end = json.find_first_of(",]}");
      const std::string_view part = take(end == std::string_view::npos ? json.size() : end);
      return plain(part, part.find_first_of(".eEnN") == std::string_view::npos ? "integer" : "number"), false;
    }
  }
}

// The members of an object, behind its brace; their schemas by name.
bool Encoder::describe_members(std::string_view& json, const std::optional<View>& said, std::string& text,
                               std::string& schema) {
  bool typed = false;
  schema += '{';
  while (json.front() != '}') {
    if (json.front() == ',') {
      text += ',';
      schema += ',';
      json.remove_prefix(1);
    }
    std::size_t at = 1;
    while (json[at] != '"') at += json[at] == '\\' ? 2 : 1;
    const std::string_view key = json.substr(0, at + 2);  // with its colon
    text += key;
    schema += key;
    json.remove_prefix(key.size());
    // Names with escapes are not looked up: then the schema is the one that follows from the value.
    const std::string_view name = key.substr(1, at - 1);
    typed |= describe(json, said && said->is_object() ? said->find(name) : std::nullopt, text, schema);
  }
  text += '}';
  schema += '}';
  json.remove_prefix(1);
  return typed;
}

// The JSON of an instance, and the members `args` and `kwargs` of its schema, if it needs them.
Encoder::InstanceParts Encoder::instance_parts(View payload, const std::optional<View>& given) {
  InstanceParts parts;
  std::string& text = parts.text;
  text += '{';
  for (std::uint64_t i = 0; i < payload.size(); ++i) {
    const std::string_view key = payload.key(i).as_string();
    if (i != 0) text += ',';
    json_string(text, key);
    text += ':';
    MemorySink sink(call_.limits().max_output_bytes);
    Writer writer(sink.abi());
    Encoder encoder(settings_, call_, writer);
    encoder.inside_ = loss_path();
    append_key(encoder.inside_, key);
    encoder.gathering_ = gathering_;
    encoder.loop(payload.value(i).raw(), frames_.size() + 2);
    writer.flush();
    std::string_view json = sink.text();
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
    if (whole || list) {
      needed |= describe(json, said, text, schema);
      // {"type":"array","items":[..]}
      if (!whole) schema = schema.substr(schema.find('['), schema.size() - schema.find('[') - 1);
    } else {
      text += '{';
      json.remove_prefix(1);
      needed |= describe_members(json, said, text, schema);
    }
    if (needed) (list ? parts.args : parts.kwargs) = std::move(schema);
  }
  text += '}';
  return parts;
}

void Encoder::instance_leaf(View payload, const polycodec_node* attributes) {
  const auto given = attributes == nullptr ? std::nullopt : std::optional<View>(attributes);
  const InstanceParts parts = instance_parts(payload, given);
  // What was said of the arguments is said anew.
  std::vector<polycodec_node> others;
  for (std::uint64_t i = 0; given && i < given->size(); ++i) {
    const std::string_view key = given->key(i).as_string();
    if ((key == "args" && !parts.args.empty()) || (key == "kwargs" && !parts.kwargs.empty())) continue;
    others.push_back(*given->key(i).raw());
    others.push_back(*given->value(i).raw());
  }
  auto rest = polycodec_node_make(POLYCODEC_OBJECT, 0, others.size() / 2);
  rest.as.nodes = others.data();
  std::string more;
  if (!parts.args.empty()) more += ",\"args\":" + parts.args;
  if (!parts.kwargs.empty()) more += ",\"kwargs\":" + parts.kwargs;
  open({.type = TypeWord::instance, .more = more}, others.empty() ? nullptr : &rest, {});
  Base64Out data(call_, out_, false);
  data.put(parts.text.data(), parts.text.size());
  data.finish();
  close();
}

}  // namespace polycodec::yggdrasil
