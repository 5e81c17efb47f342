// SPDX-License-Identifier: MIT
// JSON as a tree that keeps what a schema needs and usual documents lose: the order of members and
// the lines.
#pragma once

#include <polycodec/node_view.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::fastbin {

struct JsonMember;

struct JsonNode {
  enum class Kind : std::uint8_t { null, boolean, integer, real, text, list, object };
  Kind kind = Kind::null;
  bool boolean = false;
  bool negative = false;        ///< integer: it is -magnitude
  std::uint64_t magnitude = 0;  ///< integer
  std::uint32_t line = 0;       ///< where it starts; 0 if unknown
  std::string text;
  std::vector<JsonNode> items;
  std::vector<JsonMember> members;  ///< in order; no name twice

  /// The member of this name, or NULL; linear.
  const JsonNode* find(std::string_view name) const noexcept;
  /// "an object", "a list", ..
  const char* kind_text() const noexcept;
};

struct JsonMember {
  std::string name;
  JsonNode value;
};

/// Nesting that is read; schemas need five levels.
inline constexpr std::size_t max_json_depth = 64;

/// Parses JSON text. Throws Error(option, detail "fastbin.schema") whose message starts with
/// `origin:line: ` for text that is not JSON, names that occur twice in an object, and nesting
/// beyond max_json_depth.
JsonNode parse_json_tree(std::string_view text, std::string_view origin);

/// The tree of a document of nulls, booleans, numbers, strings, lists and objects; lines are 0.
/// Throws likewise.
JsonNode json_tree_from_view(NodeView document, std::string_view origin);

}  // namespace polycodec::fastbin
