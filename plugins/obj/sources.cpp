// SPDX-License-Identifier: MIT
#include "sources.hpp"

#include <base/decimal.hpp>
#include <model/mesh/rows.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::obj {
namespace {

constexpr std::string_view members[] = {"v", "vt", "vn",         "vp",       "f",
                                        "l", "p",  "statements", "materials"};

NumberColumn column_of(mesh::Rows& rows, const char* name, bool required, int needs = -1) {
  return {mesh::Numbers(*rows.numbers(name, required)), needs};
}

// The rows of a member; NULL if there are none. `known` are the names of all columns that OBJ has
// for them.
std::optional<mesh::Rows> rows_of(const View& root, const char* name,
                                  std::initializer_list<std::string_view> known, Builder& out,
                                  Losses& losses) {
  const auto found = root.find(name);
  if (!found || found->is_null()) return std::nullopt;
  const std::string path = std::string("$.") + name;
  mesh::Rows rows(*found, path, out, "obj");
  if (rows.size() == 0) return std::nullopt;
  for (const std::string& column : rows.names())
    if (std::find(known.begin(), known.end(), column) == known.end())
      losses.add(path + key_step(column), "a column that OBJ has no place for");
  return rows;
}

const polycodec_array* zeros(std::uint64_t n, Builder& out) {
  const auto* zero = out.store(0.0);
  return out.strided(bytes_of(std::span(zero, 1)), zero, n, 0, POLYCODEC_DTYPE_FLOAT64, 8);
}

PointSource vertex_columns(const View& root, bool weight_last, Builder& out, Losses& losses) {
  PointSource source;
  auto rows = rows_of(root, "v", {"x", "y", "z", "w", "red", "green", "blue"}, out, losses);
  if (!rows) return source;
  source.rows = rows->size();
  for (const char* name : {"x", "y", "z"}) source.columns.push_back(column_of(*rows, name, true));
  const auto weight = [&] {
    if (rows->has("w")) source.columns.push_back(column_of(*rows, "w", false));
  };
  if (!weight_last) weight();
  if (rows->has("red") || rows->has("green") || rows->has("blue")) {
    // All three or none: each needs the next.
    const auto first = static_cast<int>(source.columns.size());
    for (const int next : {1, 2, 0}) {
      constexpr const char* names[] = {"blue", "red", "green"};
      if (!rows->has(names[next]))
        rows->fail(Status::type, "missing_number", "a color has three parts", "$.v");
      source.columns.push_back(column_of(*rows, names[next], false, first + next));
    }
  }
  if (weight_last) weight();
  return source;
}

// vt or vp.
PointSource curve_columns(const View& root, const char* name, Builder& out, Losses& losses) {
  PointSource source;
  auto rows = rows_of(root, name, {"u", "v", "w"}, out, losses);
  if (!rows) return source;
  source.rows = rows->size();
  source.columns.push_back(column_of(*rows, "u", true));
  if (rows->has("v")) {
    source.columns.push_back(column_of(*rows, "v", false));
  } else if (rows->has("w")) {
    // Where a number is left out, the next one cannot be there.
    source.columns.push_back({mesh::Numbers(*zeros(source.rows, out)), -1});
  }
  if (rows->has("w")) source.columns.push_back(column_of(*rows, "w", false, 1));
  return source;
}

PointSource normal_columns(const View& root, Builder& out, Losses& losses) {
  PointSource source;
  auto rows = rows_of(root, "vn", {"i", "j", "k"}, out, losses);
  if (!rows) return source;
  source.rows = rows->size();
  for (const char* name : {"i", "j", "k"}) source.columns.push_back(column_of(*rows, name, true));
  return source;
}

// Lists of indices, unless they say in every row that there are none.
bool index_lists(mesh::Rows& rows, const char* name, mesh::Lists& lists) {
  const polycodec_array* column = rows.lists(name, false);
  if (column == nullptr) return false;
  lists = mesh::Lists(*column);
  for (std::uint64_t i = 0; i < lists.size(); ++i)
    for (std::uint64_t k = 0; k < lists.row(i).count; ++k)
      if (lists.integer(lists.row(i), k) != -1) return true;
  return false;
}

// `textures` and `normals`: corners of this statement may have them.
ElementSource element_columns(const View& root, const char* name, bool textures, bool normals,
                              Builder& out, Losses& losses) {
  ElementSource source;
  auto rows = rows_of(root, name, {"v", "vt", "vn"}, out, losses);
  if (!rows) return source;
  source.rows = rows->size();
  source.vertices = mesh::Lists(*rows->lists("v", true));
  source.has_textures = index_lists(*rows, "vt", source.textures);
  source.has_normals = index_lists(*rows, "vn", source.normals);
  const auto leave_out = [&](bool& has, const char* column) {
    if (has)
      losses.add(std::string("$.") + name + "." + column,
                 "indices that this statement cannot have");
    has = false;
  };
  if (!textures) leave_out(source.has_textures, "vt");
  if (!normals) leave_out(source.has_normals, "vn");
  return source;
}

// Materials that are read again with the libraries that the statements name are not a loss.
void check_materials(const View& root, Losses& losses) {
  const auto materials = root.find("materials");
  if (!materials || materials->size() == 0) return;
  std::string named;
  std::string scratch;
  if (const auto statements = root.find("statements")) {
    for (std::uint64_t i = 0; i < statements->size(); ++i) {
      const auto code = statements->child(i).find("code");
      const auto text = statements->child(i).find("text");
      if (!code || code->kind() != POLYCODEC_KIND_STRING || code->as_string(scratch) != "mtllib")
        continue;
      if (text && text->kind() == POLYCODEC_KIND_STRING)
        named.append(text->as_string(scratch)).append(" ");
    }
  }
  for (std::uint64_t i = 0; i < materials->size(); ++i) {
    const auto library = materials->child(i).find("library");
    if (library && library->kind() == POLYCODEC_KIND_STRING &&
        named.find(std::string(library->as_string(scratch)) + " ") != std::string::npos)
      continue;
    return losses.add("$.materials", "materials, which are in libraries of their own");
  }
}

}  // namespace

Sources Sources::from(const View& value, bool weight_last, Builder& out, Losses& losses) {
  for (std::uint64_t i = 0; i < value.size(); ++i) {
    const std::string_view name = value.name(i);
    if (std::find(std::begin(members), std::end(members), name) == std::end(members))
      throw Error(Status::unsupported, "OBJ has no place for this member")
          .detail("obj.bad_member")
          .path("$." + std::string(name));
  }
  Sources s;
  s.points[0] = vertex_columns(value, weight_last, out, losses);
  s.points[1] = curve_columns(value, "vt", out, losses);
  s.points[2] = normal_columns(value, out, losses);
  s.points[3] = curve_columns(value, "vp", out, losses);
  s.elements[2] = element_columns(value, "f", true, true, out, losses);
  s.elements[1] = element_columns(value, "l", true, false, out, losses);
  s.elements[0] = element_columns(value, "p", false, false, out, losses);
  check_materials(value, losses);
  if (const auto statements = value.find("statements")) {
    if (!statements->is_list() && !statements->is_null())
      throw Error(Status::type, "expected a list of records")
          .detail("obj.bad_member")
          .path("$.statements");
    s.statements = *statements;
  }
  return s;
}

}  // namespace polycodec::obj
