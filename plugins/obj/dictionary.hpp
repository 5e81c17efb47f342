// SPDX-License-Identifier: MIT
// OBJ values in the forms that yggdrasil's ObjWavefront class gives and takes: as_dict() has a
// list of records for each kind of statement, as_list() one record for each statement in the order
// of the file.
#pragma once

#include <base/nodes.hpp>
#include <model/loss.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::obj {

/// The members of as_dict(). `losses` hears that faces no longer tell which statements they stand
/// after.
std::vector<Member> to_dictionary(const View& root, Builder& out, Losses& losses);
/// as_list().
polycodec_node to_list(const View& root, Builder& out);

/// The OBJ value that a dictionary of either kind, or a list of statements, describes. Throws Error
/// with the path of what does not fit.
polycodec_node from_dictionary(const View& root, Builder& out);
polycodec_node from_list(const View& root, Builder& out);

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

/// The statements whose rows are columns: points, and then elements.
inline constexpr std::string_view row_codes[] = {"v", "vt", "vn", "vp", "f", "l", "p"};
inline constexpr std::size_t row_kinds = std::size(row_codes);
/// The place of a code among them; row_kinds: not among them.
constexpr std::size_t kind_of(std::string_view code) noexcept {
  return static_cast<std::size_t>(std::ranges::find(row_codes, code) - row_codes);
}
constexpr bool is_points(std::string_view code) noexcept {
  return kind_of(code) < 4;
}

inline std::string text_of(const View& row, const char* name) {
  const auto found = row.find(name);
  if (!found || found->is_null()) return {};
  std::string scratch;
  return std::string(found->kind() == POLYCODEC_KIND_BINARY ? found->as_bytes()
                                                            : found->as_string(scratch));
}

/// The properties of a statement that is kept as text, such as {"rat": false, "type": "bspline"} of
/// `cstype bspline`. Indices count from 0 (relative ones stay negative). Text that does not have
/// the form of its statement, and that of statements which nobody knows, is one property `value`.
/// The names are literals.
std::vector<Member> properties_of(std::string_view code, std::string_view text, Builder& out);

/// The text of a statement with these properties. Throws Error(type, `obj.bad_statement`) with
/// `path` if one is missing or is not what it should be, or if the statement has no such property.
std::string text_of_properties(std::string_view code, const View& properties,
                               const std::string& path);

}  // namespace polycodec::obj
