// SPDX-License-Identifier: MIT
// Values and schemas of tests, written as text.
#pragma once

#include <polycodec/error.hpp>

#include "core/schema/schema.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <string>
#include <string_view>

namespace polycodec::schema {

/// A value in text notation: its type, and its JSON.
inline Value value_of(std::string_view type, std::string_view json) {
  return parse_text(R"({"type":")" + std::string(type) + R"(","value":)" + std::string(json) + "}");
}

/// The JSON of a value in text notation with its type: `int32 5`.
inline std::string text_of(NodeView value) {
  return to_text(value);
}

/// What normalize() made, as text notation, or the error as `code detail path`.
inline std::string normalized(std::string_view schema, Value value,
                              const NormalizeOptions& options = {}) {
  try {
    const Value made = normalize(Schema::parse(schema), std::move(value), options);
    return to_text(made.view());
  } catch (const Error& error) {
    return std::string(status_name(error.code())) + " " + error.detail() + " " + error.path();
  }
}

/// The keywords and paths of all problems: `maximum $.x, type $.y`.
inline std::string problems(std::string_view schema, const Value& value) {
  std::string text;
  for (const Problem& problem : validate(Schema::parse(schema), value.view()))
    text += (text.empty() ? "" : ", ") + problem.keyword + " " + problem.path;
  return text;
}

}  // namespace polycodec::schema
