// SPDX-License-Identifier: MIT
// Which values yggdrasil writes as the text of a PLY or OBJ file.
#pragma once

#include <polycodec/node_view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace polycodec {

namespace detail {

/// True if these are what the codec ply keeps of a file, and nothing else, which would get lost.
/// The codec refuses values that are not elements.
inline bool says_ply(NodeView attributes) {
  const auto format = attributes.find("format");
  if (!format || !format->is_string() ||
      (format->as_string() != "ascii" && !format->as_string().starts_with("binary_")))
    return false;
  constexpr std::array<std::string_view, 6> known = {"format",   "line_ending", "types",
                                                     "comments", "units",       "title"};
  for (std::uint64_t i = 0; i < attributes.size(); ++i)
    if (std::find(known.begin(), known.end(), attributes.key(i).as_string()) == known.end())
      return false;
  return true;
}

}  // namespace detail

/// The codec whose value this is, "ply" or "obj", or "": what a leaf of that name became when it
/// was decoded, or what these codecs make of files. `value` is annotated if there are `attributes`
/// (or null).
inline std::string_view geometry_codec(NodeView value, const polycodec_node* attributes) {
  if (attributes != nullptr) {
    const NodeView object(attributes);
    if (!object.is_object()) return {};
    const auto type = object.find("type");
    if (type && type->is_string() && (type->as_string() == "ply" || type->as_string() == "obj"))
      return type->as_string() == "ply" ? "ply" : "obj";
    return detail::says_ply(object) ? "ply" : "";
  }
  constexpr std::array<std::string_view, 8> members = {"v", "vt", "vn", "vp",
                                                       "f", "l",  "p",  "statements"};
  if (!value.is_object() || value.size() < members.size()) return {};
  for (std::size_t i = 0; i < members.size(); ++i)
    if (value.key(i).as_string() != members[i]) return {};
  return "obj";
}

}  // namespace polycodec
