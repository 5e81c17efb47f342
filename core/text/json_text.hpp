// SPDX-License-Identifier: MIT
// Strict checking of JSON text, and its members as they were written. Private to core.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Throws unless `text` is one JSON value: Status::malformed with the byte offset for bad syntax,
/// invalid UTF-8 or a name that occurs twice in one object, Status::limit for nesting deeper than
/// `max_depth`. `what` names the text in the message.
void check_json(std::string_view text, std::uint32_t max_depth, std::string_view what);

struct JsonMember {
  std::string name;        ///< without escapes
  std::string_view value;  ///< as written, without space around it
  std::uint64_t offset;    ///< of the value in the text
};

/// The members of an object. `text` must have passed check_json(). Throws Status::malformed if it
/// is not an object.
std::vector<JsonMember> json_members(std::string_view text, std::string_view what);

/// The items of a list as they were written. `text` must be a list that has passed a JSON parser.
std::vector<std::string_view> json_items(std::string_view text);

/// The content of a JSON string that has passed check_json().
std::string json_string(std::string_view text);

}  // namespace polycodec
