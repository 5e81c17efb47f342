// SPDX-License-Identifier: MIT
#include "schema.hpp"

#include <polycodec/near_names.hpp>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace polycodec {
namespace {

const std::vector<std::string>& type_words() {
  static const std::vector<std::string> words = {"null", "boolean", "integer", "number", "string", "array", "object"};
  return words;
}

bool is_type(const Json& value, std::string_view type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  return value.is_object();
}

/// The types that a schema admits; none: all.
std::vector<std::string> types_of(const Json& schema) {
  const auto at = schema.find("type");
  if (at == schema.end()) return {};
  if (at->is_string()) return {at->get<std::string>()};
  return at->get<std::vector<std::string>>();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

[[noreturn]] void refuse(const JsonPath& path, const std::string& what) {
  const std::string name = path.empty() ? "the options" : "option '" + path_text(path) + "'";
  throw Error(Status::option, name + " " + what);
}

JsonPath below(JsonPath path, std::string part) {
  path.push_back(std::move(part));
  return path;
}

/// A bound of the schema as text if the value breaks it.
void check_number(const Json& schema, const Json& value, const JsonPath& path) {
  if (const auto least = schema.find("minimum"); least != schema.end() && value < *least)
    refuse(path, "must be at least " + least->dump() + ", not " + value.dump());
  if (const auto most = schema.find("maximum"); most != schema.end() && value > *most)
    refuse(path, "must be at most " + most->dump() + ", not " + value.dump());
}

void check_size(const Json& schema, std::size_t size, const JsonPath& path, const char* least, const char* most,
                const char* unit) {
  if (const auto at = schema.find(least); at != schema.end() && size < at->get<std::uint64_t>())
    refuse(path, "must have at least " + at->dump() + unit);
  if (const auto at = schema.find(most); at != schema.end() && size > at->get<std::uint64_t>())
    refuse(path, "must have at most " + at->dump() + unit);
}

void check_object(const Json& schema, const Json& value, const JsonPath& path) {
  static const Json none = Json::object();
  const auto found = schema.find("properties");
  const Json& properties = found == schema.end() ? none : *found;
  for (const auto& [key, member] : value.items()) {
    if (const auto at = properties.find(key); at != properties.end()) {
      check_against_schema(*at, member, below(path, key));
    } else if (!schema.value("additionalProperties", true)) {
      std::vector<std::string> names;
      for (const auto& [name, unused] : properties.items()) names.push_back(name);
      const std::string known = names.empty() ? "; there are no options" : "; known are " + joined(names);
      refuse(below(path, key), "is unknown" + did_you_mean(key, names) + known);
    }
  }
  if (const auto required = schema.find("required"); required != schema.end()) {
    for (const auto& key : *required)
      if (!value.contains(key.get<std::string>())) refuse(below(path, key.get<std::string>()), "is missing");
  }
}

void check_size_keyword(const JsonObject& object, const char* key) {
  object.find_count(key);
}

void check_types_keyword(const JsonObject& object) {
  const Json* type = object.find("type");
  if (type == nullptr) return;
  std::vector<std::string> words;
  if (type->is_string())
    words.push_back(type->get<std::string>());
  else
    words = object.texts("type");
  for (const auto& word : words) {
    if (std::find(type_words().begin(), type_words().end(), word) == type_words().end())
      object.fail("type", "unknown type '" + word + "'" + did_you_mean(word, type_words()));
  }
  if (words.empty()) object.fail("type", "'type' must name at least one type");
}

}  // namespace

void check_schema(const JsonDocument& document, const Json& schema, const JsonPath& path) {
  const JsonObject object(
      document, schema, path,
      {"type", "enum", "minimum", "maximum", "minLength", "maxLength", "items", "minItems", "maxItems", "properties",
       "required", "additionalProperties", "default", "title", "description", "host_only"});
  check_types_keyword(object);
  for (const char* key : {"minLength", "maxLength", "minItems", "maxItems"}) check_size_keyword(object, key);
  for (const char* key : {"minimum", "maximum"}) {
    if (const Json* bound = object.find(key); bound != nullptr && !bound->is_number())
      object.fail(key, "'" + path_text(object.at(key)) + "' must be a number");
  }
  object.find_text("title");
  object.find_text("description");
  object.find_truth("additionalProperties");
  object.find_truth("host_only");
  object.texts("required");
  object.find_list("enum");
  if (const Json* items = object.find("items")) check_schema(document, *items, object.at("items"));
  if (const Json* properties = object.find_map("properties")) {
    for (const auto& [key, member] : properties->items()) {
      JsonPath at = object.at("properties");
      at.push_back(key);
      check_schema(document, member, at);
    }
  }
  if (const Json* value = object.find("default")) {
    try {
      check_against_schema(schema, *value);
    } catch (const Error& e) {
      object.fail("default", "the default does not fit its schema: " + e.message());
    }
  }
}

void check_against_schema(const Json& schema, const Json& value, const JsonPath& path) {
  const auto types = types_of(schema);
  const bool fits = types.empty() ||
                    std::any_of(types.begin(), types.end(), [&](const auto& type) { return is_type(value, type); });
  if (!fits) refuse(path, "must be of type " + joined(types) + ", not " + json_kind(value));
  if (const auto choices = schema.find("enum"); choices != schema.end()) {
    if (std::find(choices->begin(), choices->end(), value) == choices->end()) {
      std::vector<std::string> words;
      for (const auto& choice : *choices) words.push_back(choice.dump());
      refuse(path, "must be " + joined(words) + ", not " + value.dump());
    }
  }
  if (value.is_number()) check_number(schema, value, path);
  if (value.is_string())
    check_size(schema, value.get_ref<const std::string&>().size(), path, "minLength", "maxLength", " bytes");
  if (value.is_array()) {
    check_size(schema, value.size(), path, "minItems", "maxItems", " items");
    if (const auto items = schema.find("items"); items != schema.end()) {
      for (std::size_t i = 0; i < value.size(); ++i)
        check_against_schema(*items, value[i], below(path, std::to_string(i)));
    }
  }
  if (value.is_object()) check_object(schema, value, path);
}

namespace {

/// The names in `properties` of a schema that are marked as host_only.
std::vector<std::string> host_only_names(const Json& schema) {
  std::vector<std::string> names;
  const auto properties = schema.find("properties");
  if (properties == schema.end()) return names;
  for (const auto& [name, member] : properties->items())
    if (member.value("host_only", false)) names.push_back(name);
  return names;
}

}  // namespace

void refuse_host_only(const Json& schema, const Json& options) {
  for (const auto& name : host_only_names(schema))
    if (options.is_object() && options.contains(name))
      throw Error(Status::denied, "option '" + name + "' is for the host alone: messages and plugins cannot give it");
}

void refuse_host_only_in_text(const Json& schema, std::string_view options) {
  if (options.empty() || host_only_names(schema).empty()) return;
  refuse_host_only(schema, JsonDocument(options, "options", Status::option).root());
}

std::string without_host_only(const Json& schema, std::string_view options) {
  const auto names = host_only_names(schema);
  if (options.empty() || names.empty()) return std::string(options);
  Json json = JsonDocument(options, "options", Status::option).take_root();
  for (const auto& name : names) json.erase(name);
  return json.empty() ? std::string() : json.dump();
}

Json json_from_view(View view, const JsonPath& path) {
  if (path.size() > 64) refuse(path, "is nested deeper than 64 levels");
  switch (view.kind()) {
    case POLYCODEC_NULL:
      return nullptr;
    case POLYCODEC_BOOLEAN:
      return view.as_bool();
    case POLYCODEC_SIGNED:
      // The library tells integers of both signs apart; one that is not negative counts as unsigned when it is
      // parsed.
      return view.as_int64() < 0 ? Json(view.as_int64()) : Json(view.as_uint64());
    case POLYCODEC_UNSIGNED:
      return view.as_uint64();
    case POLYCODEC_REAL:
      return view.as_double();
    case POLYCODEC_STRING:
      return std::string(view.as_string());
    case POLYCODEC_LIST:
    case POLYCODEC_TUPLE: {
      Json list = Json::array();
      for (std::uint64_t i = 0; i < view.size(); ++i)
        list.push_back(json_from_view(view[i], below(path, std::to_string(i))));
      return list;
    }
    case POLYCODEC_OBJECT: {
      Json object = Json::object();
      auto& members = static_cast<Json::object_t::Container&>(object.get_ref<Json::object_t&>());
      std::unordered_set<std::string> names;
      for (std::uint64_t i = 0; i < view.size(); ++i) {
        std::string key(view.key(i).as_string());
        if (!names.insert(key).second) refuse(below(path, key), "is given twice");
        Json member = json_from_view(view.value(i), below(path, key));
        members.emplace_back(std::move(key), std::move(member));
      }
      return object;
    }
    default:
      refuse(path, "is of kind " + std::string(View::kind_name(view.node()->kind)) + ", which no option can be");
  }
}

}  // namespace polycodec
