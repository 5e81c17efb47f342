// SPDX-License-Identifier: MIT
// Names in dictionaries and lists, and those that OBJ has for the same.
#pragma once

#include <base/utf8.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include <string>
#include <string_view>

namespace polycodec::obj {

struct Name {
  std::string_view code, name;
};
inline constexpr Name long_names[] = {{"v", "vertex"}, {"f", "face"}, {"l", "edge"}};
inline constexpr Name corner_names[] = {
    {"v", "vertex_index"}, {"vt", "texture_index"}, {"vn", "normal_index"}};
// What schemas of old called them.
inline constexpr Name other_names[] = {
    {"vn", "normals"}, {"vt", "texcoords"}, {"vp", "params"}, {"p", "points"}, {"l", "lines"}};
inline constexpr std::string_view old_texture_index = "texcoord_index";

inline std::string_view long_name(std::string_view code) {
  for (const Name& n : long_names)
    if (n.code == code) return n.name;
  return code;
}
inline std::string_view code_of(std::string_view name) {
  for (const Name& n : long_names)
    if (n.name == name) return n.code;
  for (const Name& n : other_names)
    if (n.name == name) return n.code;
  return name;
}

inline bool is_points(std::string_view code) {
  return code == "v" || code == "vt" || code == "vn" || code == "vp";
}
inline bool is_elements(std::string_view code) {
  return code == "f" || code == "l" || code == "p";
}

inline std::string text_of(const View& row, const char* name) {
  const auto found = row.find(name);
  if (!found || found->is_null()) return {};
  std::string scratch;
  return std::string(found->kind() == POLYCODEC_KIND_BINARY ? found->as_bytes()
                                                            : found->as_string(scratch));
}

inline polycodec_node text_node(Builder& out, std::string_view text) {
  polycodec_node node = out.string_copy(text);
  if (!is_utf8(text)) node.dtype = POLYCODEC_STRING_LENIENT;
  return node;
}

}  // namespace polycodec::obj
