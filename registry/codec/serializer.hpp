// SPDX-License-Identifier: MIT
// The codecs whose bodies yggdrasil programs know by the same names.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace polycodec {

inline constexpr std::array<std::string_view, 6> own_types = {"class",  "function", "instance",
                                                              "schema", "ply",      "obj"};

/// Whether `word` is a type that yggdrasil has beside those of JSON and its scalars. Bodies of
/// codecs of such a name have that type.
inline bool is_own_type(std::string_view word) {
  return std::ranges::find(own_types, word) != own_types.end();
}

/// Of these, the codecs whose values yggdrasil writes as text of their own.
inline constexpr std::array<std::string_view, 2> geometry_types = {"ply", "obj"};
/// How a body begins that is one value with a type of its own.
inline constexpr std::string_view leaf_start = "\"-YGG-";

inline constexpr std::string_view text_head = "ply\nformat ascii";
inline constexpr std::size_t serializer_head_size = text_head.size();

/// Whether yggdrasil programs read bodies of this codec that start with `head` (its first
/// serializer_head_size bytes): OBJ, and PLY that is text.
inline bool has_serializer(std::string_view codec, std::string_view head) {
  return codec == "obj" || (codec == "ply" && head == text_head);
}

}  // namespace polycodec
