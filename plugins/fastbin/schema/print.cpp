// SPDX-License-Identifier: MIT
#include "print.hpp"

#include <base/json_writer.hpp>

namespace polycodec::fastbin {
namespace {

Json lines(const std::vector<std::string>& texts) {
  return texts.size() == 1 ? Json(texts.front()) : Json(texts);
}

Json enum_json(const Enum& e) {
  Json json = Json::object();
  json["type"] = primitive_name(e.storage);
  if (!e.doc.empty()) json["docstring"] = lines(e.doc);
  if (e.generate_parse) json["generate_parse"] = true;
  Json& members = json["members"] = Json::object();
  for (const EnumMember& m : e.members) {
    Json member = Json::object();
    member["value"] = is_signed(e.storage) ? Json(e.signed_value(m)) : Json(m.bits);
    if (m.texts != std::vector{m.name}) member["map"] = lines(m.texts);
    if (!m.doc.empty()) member["docstring"] = lines(m.doc);
    members[m.name] = std::move(member);
  }
  return json;
}

Json struct_json(const Schema& schema, const Struct& s) {
  Json json = Json::object();
  if (!s.doc.empty()) json["docstring"] = lines(s.doc);
  bool documented = false;
  for (const Field& f : s.fields) documented = documented || !f.doc.empty();
  // Only the list form has a place for what is said about members.
  Json& members = json["members"] = documented ? Json::list() : Json::object();
  for (const Field& f : s.fields) {
    if (!documented) {
      members[f.name] = schema.type_text(f.type);
      continue;
    }
    Json member{{"name", f.name}, {"type", schema.type_text(f.type)}};
    if (!f.doc.empty()) member["docstring"] = lines(f.doc);
    members.push_back(std::move(member));
  }
  return json;
}

}  // namespace

std::string schema_to_json(const Schema& schema) {
  Json json = Json::object();
  if (!schema.name_space.empty()) json["namespace"] = schema.name_space;
  if (!schema.enums.empty())
    for (const Enum& e : schema.enums) json["enums"][e.name] = enum_json(e);
  json["structs"] = Json::object();
  for (const Struct& s : schema.structs) json["structs"][s.name] = struct_json(schema, s);
  return json.text(2) + "\n";
}

std::string canonical_text(const Schema& schema) {
  std::string text = "fastbin 1\n";
  for (const Enum& e : schema.enums) {
    text += "enum " + e.name + ":" + std::string(primitive_name(e.storage));
    for (const EnumMember& m : e.members) text += " " + m.name + "=" + e.value_text(m);
    text += "\n";
  }
  for (const Struct& s : schema.structs) {
    text += "struct " + s.name;
    for (const Field& f : s.fields) {
      std::string type = schema.type_text(f.type);
      std::erase(type, ' ');
      text += " " + f.name + ":" + type;
    }
    text += "\n";
  }
  return text;
}

}  // namespace polycodec::fastbin
