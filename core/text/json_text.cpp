// SPDX-License-Identifier: MIT
#include "core/text/json_text.hpp"

#include <base/json_reader.hpp>
#include <polycodec/error.hpp>

namespace polycodec {

void check_json(std::string_view text, std::uint32_t max_depth, std::string_view what) {
  try {
    for (JsonReader reader(text, max_depth); reader.next() != JsonEvent::end;) {
    }
  } catch (const Error& e) {
    if (e.detail() == "json.syntax")
      throw Error(Status::malformed, std::string(what) + " is not JSON: " + e.message(),
                  e.offset());
    throw Error(e.code(), std::string(what) + ": " + e.message());
  }
}

std::vector<JsonMember> json_members(std::string_view text, std::string_view what) {
  std::vector<JsonMember> members;
  JsonReader reader(text, UINT64_MAX, JsonReader::Keys::any);
  if (reader.next() != JsonEvent::begin_object)
    throw Error(Status::malformed, std::string(what) + " is not a JSON object", 0);
  while (reader.next() == JsonEvent::key) {
    JsonMember& member = members.emplace_back(JsonMember{std::string(reader.text()), {}, 0});
    reader.next();
    member.offset = reader.begin();
    while (reader.depth() > 1) reader.next();
    member.value = text.substr(member.offset, reader.position() - member.offset);
  }
  return members;
}

std::vector<std::string_view> json_items(std::string_view text) {
  std::vector<std::string_view> items;
  JsonReader reader(text, UINT64_MAX, JsonReader::Keys::any);
  reader.next();
  while (reader.next() != JsonEvent::end_list) {
    const std::uint64_t begin = reader.begin();
    while (reader.depth() > 1) reader.next();
    items.push_back(text.substr(begin, reader.position() - begin));
  }
  return items;
}

std::string json_string(std::string_view text) {
  JsonReader reader(text, 1);
  reader.next();
  return std::string(reader.text());
}

}  // namespace polycodec
