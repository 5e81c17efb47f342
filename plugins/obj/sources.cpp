// SPDX-License-Identifier: MIT
#include "sources.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/decimal.hpp>
#include <polycodec/error.hpp>
#include <polycodec/mesh/rows.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

namespace polycodec::obj {
namespace {

constexpr std::string_view members[] = {"v", "vt", "vn", "vp", "f", "l", "p", "statements", "materials"};

NumberColumn column_of(mesh::Rows& rows, const char* name, bool required, int needs = -1) {
  return {mesh::Numbers(*rows.numbers(name, required)), needs};
}

PointSource vertex_columns(const Item& root, bool weight_last, Builder& out) {
  PointSource source;
  const auto found = root.find("v");
  if (!found || found->size() == 0) return source;
  mesh::Rows rows(*found, "$.v", out, "obj");
  source.rows = rows.size();
  for (const char* name : {"x", "y", "z"}) source.columns.push_back(column_of(rows, name, true));
  const auto weight = [&] {
    if (rows.has("w")) source.columns.push_back(column_of(rows, "w", false));
  };
  if (!weight_last) weight();
  if (rows.has("red")) {
    // All three or none: each needs the next.
    const auto first = static_cast<int>(source.columns.size());
    for (const int next : {1, 2, 0}) {
      constexpr const char* names[] = {"blue", "red", "green"};
      if (!rows.has(names[next])) rows.fail(Status::type, "missing_number", "a colour has three parts", "$.v");
      source.columns.push_back(column_of(rows, names[next], false, first + next));
    }
  }
  if (weight_last) weight();
  return source;
}

PointSource point_columns(const Item& root, const char* name, std::initializer_list<const char*> required,
                          std::initializer_list<const char*> optional, Builder& out) {
  PointSource source;
  const auto found = root.find(name);
  if (!found || found->size() == 0) return source;
  mesh::Rows rows(*found, std::string("$.") + name, out, "obj");
  source.rows = rows.size();
  for (const char* column : required) source.columns.push_back(column_of(rows, column, true));
  for (const char* column : optional) {
    if (!rows.has(column)) break;
    // Where a number is left out, the next ones cannot be there.
    const int needs = source.columns.size() > required.size() ? static_cast<int>(source.columns.size()) - 1 : -1;
    source.columns.push_back(column_of(rows, column, false, needs));
  }
  return source;
}

ElementSource element_columns(const Item& root, const char* name, Builder& out) {
  ElementSource source;
  const auto found = root.find(name);
  if (!found || found->size() == 0) return source;
  mesh::Rows rows(*found, std::string("$.") + name, out, "obj");
  source.rows = rows.size();
  source.vertices = mesh::Lists(*rows.lists("v", true));
  if (const polycodec_array* textures = rows.lists("vt", false)) {
    source.has_textures = true;
    source.textures = mesh::Lists(*textures);
  }
  if (const polycodec_array* normals = rows.lists("vn", false)) {
    source.has_normals = true;
    source.normals = mesh::Lists(*normals);
  }
  return source;
}

}  // namespace

char* NumberColumn::print(char* to, std::uint64_t row) const noexcept {
  switch (numbers.dtype()) {
    case POLYCODEC_FLOAT64:
      return print_decimal(to, load<double>(numbers.at(row), numbers.order()));
    case POLYCODEC_FLOAT32:
      return print_decimal(to, load<float>(numbers.at(row), numbers.order()));
    case POLYCODEC_UINT64:
      return print_decimal(to, load<std::uint64_t>(numbers.at(row), numbers.order()));
    default:
      return print_decimal(to, numbers.integer(row));
  }
}

Sources Sources::from(const Item& value, bool weight_last, Builder& out) {
  for (std::uint64_t i = 0; i < value.size(); ++i) {
    const std::string_view name = value.name(i);
    if (std::find(std::begin(members), std::end(members), name) == std::end(members))
      throw Error(Status::unsupported, "OBJ has no place for this member")
          .detail("obj.bad_member")
          .path("$." + std::string(name));
  }
  Sources s;
  s.vertices = vertex_columns(value, weight_last, out);
  s.textures = point_columns(value, "vt", {"u"}, {"v", "w"}, out);
  s.normals = point_columns(value, "vn", {"i", "j", "k"}, {}, out);
  s.parameters = point_columns(value, "vp", {"u"}, {"v", "w"}, out);
  s.faces = element_columns(value, "f", out);
  s.lines = element_columns(value, "l", out);
  s.points = element_columns(value, "p", out);
  if (const auto statements = value.find("statements")) s.statements = *statements;
  return s;
}

}  // namespace polycodec::obj
