// SPDX-License-Identifier: MIT
// JSON: manifests, options, and what fixtures expect.
#pragma once

#include <polycodec/builder.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace polycodec::kit {

/// Members stay in their order.
using Json = nlohmann::ordered_json;

/// The content of a file. Throws Failure.
std::string read_text(const std::filesystem::path& path);

/// The JSON of a text; null if it is not JSON.
Json parsed(std::string_view text);

/// The JSON in a file. Throws Failure that says where it is not JSON.
Json read_json(const std::filesystem::path& path);

/// With so many spaces for each level, or on one line.
std::string text_of(const Json& json, int indent = -1);

/// A member of an object that is a string, a boolean or a list; what is not there is empty or
/// false.
std::string text_at(const Json& object, const char* name);
bool flag_at(const Json& object, const char* name);
const Json& list_at(const Json& object, const char* name);
/// The same of an object.
const Json& object_at(const Json& object, const char* name);

/// The nodes of a value, all in the arena of `out`.
Node node_of(Builder& out, const Json& json);

}  // namespace polycodec::kit
