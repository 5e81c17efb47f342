// SPDX-License-Identifier: MIT
#include "model.hpp"

#include <base/utf8.hpp>

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
           OptionalColumns<Width>& optional, Builder& out) {
    if (!optional.used()) return;
    const auto made = optional.give_to(out);
    for (std::size_t i = 0; i < Width; ++i) add(column_names[i], made[i]);
  }
  polycodec_node node(std::uint64_t rows, Builder& out) const {
    return Builder::array(out.record(rows, names, columns));
  }
};

template <std::size_t Width>
Record points_record(const std::array<std::string_view, Width>& names, Points<Width>& points,
                     Builder& out) {
  const auto columns = points.numbers.template give_to<Width>(out);
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

polycodec_node Model::give() {
  polycodec_node* members;
  const polycodec_node root = out.object(8, &members);
  const auto add = [&](std::string_view name, const polycodec_node& node) {
    *members++ = Builder::string_view(name);
    *members++ = node;
  };
  const auto curve_points = [&](Points<1>& u, OptionalColumns<1>& v, OptionalColumns<1>& w) {
    const std::uint64_t rows = u.size();
    Record record = points_record<1>({"u"}, u, out);
    record.add<1>({"v"}, v, out);
    record.add<1>({"w"}, w, out);
    return record.node(rows, out);
  };
  const std::uint64_t rows = vertices.size();
  Record record = points_record<3>({"x", "y", "z"}, vertices, out);
  record.add<1>({"w"}, weights, out);
  record.add<3>({"red", "green", "blue"}, colors, out);
  add("v", record.node(rows, out));
  add("vt", curve_points(textures, texture_v, texture_w));
  const std::uint64_t normal_rows = normals.size();
  add("vn", points_record<3>({"i", "j", "k"}, normals, out).node(normal_rows, out));
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
