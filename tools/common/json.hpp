// SPDX-License-Identifier: MIT
// JSON in the programs: members keep their order.
#pragma once

#include <polycodec/polycodec.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace polycodec::cli {

using Json = nlohmann::ordered_json;

/// The text of JSON: on one line without spaces, or with `indent` spaces for each level. In strings
/// and keys, U+FFFD replaces bytes that are not UTF-8.
std::string text_of(const Json& json, int indent = -1);

/// Reads JSON of at most 200 levels. Throws Status::malformed with the place in the text.
Json parse_json(std::string_view text);

/// The strings of a list, in one.
std::string joined(const Json& list, const char* separator = ", ");

/// A value as plain JSON, such as what Registry::describe() gives.
Json json_of(const Value& value);

}  // namespace polycodec::cli
