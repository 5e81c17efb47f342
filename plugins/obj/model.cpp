// SPDX-License-Identifier: MIT
#include "model.hpp"

#include <polycodec/utf.hpp>

#include <vector>

namespace polycodec::obj {
namespace {

// The columns of a record, by name.
struct Record {
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> columns;

  void add(std::string_view name, const polycodec_array* column) {
    names.push_back(name);
    columns.push_back(column);
  }
  template <std::size_t Width>
  void add(const std::array<std::string_view, Width>& column_names,
           OptionalColumns<Width>& optional, bool float32, Builder& out) {
    if (!optional.used()) return;
    const auto made = optional.give_to(out, float32);
    for (std::size_t i = 0; i < Width; ++i) add(column_names[i], made[i]);
  }
  polycodec_node node(std::uint64_t rows, Builder& out) const {
    return Builder::array(out.record(rows, names, columns));
  }
};

template <std::size_t Width>
Record points_record(const std::array<std::string_view, Width>& names, Points<Width>& points,
                     bool float32, Builder& out) {
  const auto columns = number_columns<Width>(points.numbers, float32, out);
  Record record;
  for (std::size_t i = 0; i < Width; ++i) record.add(names[i], columns[i]);
  return record;
}

polycodec_node elements_node(Elements& elements, Builder& out) {
  const std::uint64_t rows = elements.size();
  const std::span<const std::uint32_t> offsets = elements.offsets.take();
  Record record;
  const auto add = [&](std::string_view name, Growing<std::int32_t>& indices, bool always) {
    if (indices.size() == 0 && !always) return;
    record.add(name, out.list_offsets(offsets, out.vector(indices.take())));
  };
  add("v", elements.vertices, true);
  add("vt", elements.textures, false);
  add("vn", elements.normals, false);
  return record.node(rows, out);
}

// A column of strings; of bytes if one of them is not UTF-8.
const polycodec_array* texts_column(Growing<char>& chars, Growing<std::uint64_t>& starts,
                                    Builder& out) {
  const std::span<const char> text = chars.take();
  const std::span<const std::uint64_t> offsets = starts.take();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  bool valid = is_utf8(std::string_view(text.data(), text.size()));
  for (const std::uint64_t at : offsets)
    valid = valid && (at == text.size() || (bytes[at] & 0xc0) != 0x80);
  return out.list_offsets(offsets, out.vector(std::span<const std::uint8_t>(bytes, text.size())),
                          valid ? POLYCODEC_ARRAY_STRING : POLYCODEC_ARRAY_BINARY);
}

}  // namespace

bool Model::has_room(const Model& part) const noexcept {
  const std::uint64_t v = part.vertices.size(), vt = part.textures.size();
  const std::uint64_t vp = part.parameters.size();
  return vertices.numbers.room() >= part.vertices.numbers.size() &&
         weights.has_room(part.weights, v) && colors.has_room(part.colors, v) &&
         textures.numbers.room() >= vt && texture_v.has_room(part.texture_v, vt) &&
         texture_w.has_room(part.texture_w, vt) &&
         normals.numbers.room() >= part.normals.numbers.size() && parameters.numbers.room() >= vp &&
         parameter_v.has_room(part.parameter_v, vp) && parameter_w.has_room(part.parameter_w, vp) &&
         faces.has_room(part.faces) && lines.has_room(part.lines) && points.has_room(part.points) &&
         stream.has_room(part.stream);
}

Model::Place Model::make_room(const Model& part, bool has_relative) {
  Place at{{vertices.size(), textures.size(), normals.size()},
           has_relative,
           parameters.size(),
           {},
           {},
           {},
           {}};
  vertices.numbers.extend(part.vertices.numbers.size());
  weights.make_room(at.before[0], part.weights, part.vertices.size());
  colors.make_room(at.before[0], part.colors, part.vertices.size());
  textures.numbers.extend(part.textures.numbers.size());
  texture_v.make_room(at.before[1], part.texture_v, part.textures.size());
  texture_w.make_room(at.before[1], part.texture_w, part.textures.size());
  normals.numbers.extend(part.normals.numbers.size());
  parameters.numbers.extend(part.parameters.numbers.size());
  parameter_v.make_room(at.parameters, part.parameter_v, part.parameters.size());
  parameter_w.make_room(at.parameters, part.parameter_w, part.parameters.size());
  at.optional = {weights.used(),   colors.used(),      texture_v.used(),
                 texture_w.used(), parameter_v.used(), parameter_w.used()};
  at.faces = faces.make_room(part.faces);
  at.lines = lines.make_room(part.lines);
  at.points = points.make_room(part.points);
  stream.append(part.stream);
  return at;
}

void Model::copy(const Place& at, const Model& part) {
  const std::uint64_t v = part.vertices.size(), vt = part.textures.size();
  const std::uint64_t vp = part.parameters.size();
  vertices.copy(at.before[0], part.vertices);
  if (at.optional[0]) weights.copy(at.before[0], part.weights, v);
  if (at.optional[1]) colors.copy(at.before[0], part.colors, v);
  textures.copy(at.before[1], part.textures);
  if (at.optional[2]) texture_v.copy(at.before[1], part.texture_v, vt);
  if (at.optional[3]) texture_w.copy(at.before[1], part.texture_w, vt);
  normals.copy(at.before[2], part.normals);
  parameters.copy(at.parameters, part.parameters);
  if (at.optional[4]) parameter_v.copy(at.parameters, part.parameter_v, vp);
  if (at.optional[5]) parameter_w.copy(at.parameters, part.parameter_w, vp);
  const auto before = at.has_relative ? Elements::Before(at.before) : std::nullopt;
  faces.copy(at.faces, part.faces, before);
  lines.copy(at.lines, part.lines, before);
  points.copy(at.points, part.points, before);
}

void Model::clear() noexcept {
  vertices.numbers.shrink(0);
  weights.clear();
  colors.clear();
  textures.numbers.shrink(0);
  texture_v.clear();
  texture_w.clear();
  normals.numbers.shrink(0);
  parameters.numbers.shrink(0);
  parameter_v.clear();
  parameter_w.clear();
  faces.clear();
  lines.clear();
  points.clear();
  stream.clear();
}

polycodec_node Model::give(bool float32) {
  polycodec_node* members;
  const polycodec_node root = out.object(8, &members);
  const auto add = [&](std::string_view name, const polycodec_node& node) {
    *members++ = Builder::string_view(name);
    *members++ = node;
  };
  const auto curve_points = [&](Points<1>& u, OptionalColumns<1>& v, OptionalColumns<1>& w) {
    const std::uint64_t rows = u.size();
    Record record = points_record<1>({"u"}, u, float32, out);
    record.add<1>({"v"}, v, float32, out);
    record.add<1>({"w"}, w, float32, out);
    return record.node(rows, out);
  };
  const std::uint64_t rows = vertices.size();
  Record record = points_record<3>({"x", "y", "z"}, vertices, float32, out);
  record.add<1>({"w"}, weights, float32, out);
  record.add<3>({"red", "green", "blue"}, colors, float32, out);
  add("v", record.node(rows, out));
  add("vt", curve_points(textures, texture_v, texture_w));
  const std::uint64_t normal_rows = normals.size();
  add("vn", points_record<3>({"i", "j", "k"}, normals, float32, out).node(normal_rows, out));
  add("vp", curve_points(parameters, parameter_v, parameter_w));
  add("f", elements_node(faces, out));
  add("l", elements_node(lines, out));
  add("p", elements_node(points, out));

  const std::span<const std::uint64_t> counts = stream.counts.take();
  Record statements;
  statements.add("code", texts_column(stream.codes, stream.code_offsets, out));
  statements.add("count", out.vector(counts));
  statements.add("text", texts_column(stream.texts, stream.text_offsets, out));
  add("statements", statements.node(counts.size(), out));
  return root;
}

}  // namespace polycodec::obj
