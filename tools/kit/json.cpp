// SPDX-License-Identifier: MIT
#include "json.hpp"

#include <polycodec/quote.hpp>

#include "case.hpp"

#include <fstream>
#include <iterator>

namespace polycodec::kit {

namespace {

/// The member of this name and type; null if there is none.
const Json& member_of(const Json& object, const char* name, Json::value_t type) {
  static const Json nothing;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->type() == type ? *found : nothing;
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(in)), {});
  if (!in.is_open() || in.bad()) fail("cannot read " + quote_path(path.string()));
  return content;
}

Json parsed(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json() : json;
}

Json read_json(const std::filesystem::path& path) {
  try {
    return Json::parse(read_text(path));
  } catch (const Json::parse_error& e) {
    const std::string_view what = e.what();  // behind the library's own name for it
    fail(quote_path(path.string()) +
         " is not JSON: " + std::string(what.substr(what.find("] ") + 2)));
  }
}

std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string text_at(const Json& object, const char* name) {
  const Json& found = member_of(object, name, Json::value_t::string);
  return found.is_null() ? std::string() : found.get<std::string>();
}
bool flag_at(const Json& object, const char* name) {
  const Json& found = member_of(object, name, Json::value_t::boolean);
  return !found.is_null() && found.get<bool>();
}
const Json& list_at(const Json& object, const char* name) {
  return member_of(object, name, Json::value_t::array);
}
const Json& object_at(const Json& object, const char* name) {
  return member_of(object, name, Json::value_t::object);
}

Node node_of(Builder& out, const Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return Builder::boolean(json.get<bool>());
    case Json::value_t::number_integer:
      return Builder::integer(json.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      if (const auto number = json.get<std::uint64_t>(); number > INT64_MAX)
        return Builder::unsigned_integer(number);
      return Builder::integer(json.get<std::int64_t>());
    case Json::value_t::number_float:
      return Builder::real(json.get<double>());
    case Json::value_t::string:
      return out.string_copy(json.get_ref<const std::string&>());
    case Json::value_t::array: {
      ListBuilder list = out.list();
      for (const Json& item : json) list.push(node_of(out, item));
      return list;
    }
    case Json::value_t::object: {
      ObjectBuilder object = out.object();
      for (const auto& [name, value] : json.items()) object.push(name, node_of(out, value));
      return object;
    }
    default:
      return Builder::null();
  }
}

}  // namespace polycodec::kit
