// SPDX-License-Identifier: MIT
#include <base/nodes.hpp>
#include <model/mesh/materials.hpp>
#include <model/mesh/mesh.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>
#include <polycodec/utf.hpp>
#include <polycodec/view.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

void bad_index(std::int64_t index, std::uint64_t count, const std::string& path,
               IndexProblems* problems) {
  const std::string message =
      "index " + std::to_string(index) + " with " + std::to_string(count) + " rows";
  if (problems == nullptr)
    throw Error(Status::range, message).detail("mesh.index_out_of_range").path(path);
  if (problems->count++ < IndexProblems::most_shown)
    problems->shown.push_back(path + ": " + message);
}

namespace {

// True if each of these int32 is one of `count` rows, or -1 where corners may lack it.
bool are_rows(std::span<const std::byte> items, std::uint64_t count, bool may_lack) noexcept {
  const std::int32_t first = may_lack ? -1 : 0;
  const auto last = static_cast<std::int32_t>(std::min<std::uint64_t>(count, 1u << 31) - 1);
  constexpr std::size_t block = 1024;
  for (; !items.empty(); items = items.subspan(std::min(items.size(), block * 4))) {
    const std::size_t n = std::min(items.size() / 4, block);
    // Compilers make vectors of this loop, which has no way out and one integer for its result.
    int others = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const auto index = load<std::int32_t>(items.data() + 4 * i, std::endian::native);
      others |= int{index < first} | int{index > last};
    }
    if (others != 0) return false;
  }
  return true;
}

}  // namespace

void check_lists(const polycodec_array* column, std::uint64_t count, bool may_lack,
                 const char* path, std::string_view name, IndexProblems* problems) {
  if (column == nullptr) return;
  const Lists lists(*column);
  if (const auto items = lists.plain_items(); !items.empty() && are_rows(items, count, may_lack))
    return;
  for (std::uint64_t i = 0; i < lists.size(); ++i) {
    const Lists::Row row = lists.row(i);
    for (std::uint64_t k = 0; k < row.count; ++k) {
      const std::int64_t index = lists.integer(row, k);
      if (static_cast<std::uint64_t>(index) < count || (may_lack && index == -1)) continue;
      bad_index(index, count, path + index_step(i) + "." + std::string(name) + index_step(k),
                problems);
    }
  }
}

void check_column(const polycodec_array* column, std::uint64_t count, bool may_lack,
                  const char* path, std::string_view name, IndexProblems* problems) {
  if (column == nullptr) return;
  const Numbers numbers(*column);
  for (std::uint64_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t index = numbers.integer(i);
    if (static_cast<std::uint64_t>(index) < count || (may_lack && index == -1)) continue;
    bad_index(index, count, path + index_step(i) + "." + std::string(name), problems);
  }
}

namespace detail {

polycodec_node text_list(Builder& out, const std::vector<std::string>& texts) {
  polycodec_node* nodes;
  const polycodec_node list = out.list(texts.size(), &nodes);
  for (const std::string& text : texts) *nodes++ = text_node(out, text);
  return list;
}

std::vector<std::string> texts_of(const View& list) {
  std::vector<std::string> texts;
  std::string scratch;
  for (std::uint64_t i = 0; i < list.size(); ++i)
    if (list.child(i).kind() == POLYCODEC_KIND_STRING)
      texts.emplace_back(list.child(i).as_string(scratch));
  return texts;
}

namespace {

/// A column of strings: an array, so that an empty one has a type, too.
const polycodec_array* text_column(Builder& out, const std::vector<std::string>& texts) {
  auto* offsets = out.allocate<std::uint64_t>(texts.size() + 1);
  offsets[0] = 0;
  std::string all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    // Names that are not UTF-8 keep what is readable: a type of strings has no other place for
    // them.
    const bool readable = is_utf8(texts[i]);
    for (const char c : texts[i]) all += readable || static_cast<unsigned char>(c) < 0x80 ? c : '?';
    offsets[i + 1] = all.size();
  }
  const std::string_view kept = out.copy_text(all);
  return out.list_offsets(std::span<const std::uint64_t>(offsets, texts.size() + 1),
                          out.vector(std::span<const std::uint8_t>(
                              reinterpret_cast<const std::uint8_t*>(kept.data()), kept.size())),
                          POLYCODEC_ARRAY_STRING);
}

/// `n` times the same index, which takes no memory.
const polycodec_array* constant_column(Builder& out, std::int32_t value, std::uint64_t n) {
  const auto* one = out.store(value);
  return out.strided(bytes_of(std::span(one, 1)), one, n, 0, POLYCODEC_DTYPE_INT32, 4);
}

/// Lists of int32 by offsets, as the type says; empty lists for NULL.
const polycodec_array* index_lists(Builder& out, const polycodec_array* column,
                                   std::uint64_t rows) {
  if (column == nullptr) {
    polycodec_array* a = out.with_children(POLYCODEC_LAYOUT_LIST_OFFSETS, rows,
                                           {{out.vector(std::span<const std::int32_t>())}});
    a->index = {out.store(std::uint64_t{0}), 0, POLYCODEC_DTYPE_UINT64, 0};
    return a;
  }
  if (column->layout == POLYCODEC_LAYOUT_LIST_OFFSETS &&
      column->children[0]->dtype == POLYCODEC_DTYPE_INT32)
    return column;
  return copy_lists(out, Lists(*column), rows, [](std::uint64_t i) { return i; });
}

/// Columns that have one type in the end: float32 or uint8 where all have it, otherwise float64. No
/// columns: `none`.
template <std::size_t N>
std::array<const polycodec_array*, N> unify(Builder& out,
                                            std::array<const polycodec_array*, N> columns,
                                            std::uint64_t& rows, bool bytes) {
  rows = Mesh::count(columns[0]);
  for (auto& column : columns) {
    if (column == nullptr) column = out.vector(std::span<const float>());
    if (column->metadata == nullptr) continue;
    polycodec_array* plain = out.store(*column);  // how a file spelt its type is nothing to a mesh
    plain->metadata = nullptr;
    column = plain;
  }
  bool same = true;
  for (const auto* column : columns) same = same && column->dtype == columns[0]->dtype;
  const std::uint32_t dtype = columns[0]->dtype;
  if (same && (dtype == POLYCODEC_DTYPE_FLOAT32 || dtype == POLYCODEC_DTYPE_FLOAT64 ||
               (bytes && dtype == POLYCODEC_DTYPE_UINT8)))
    return columns;
  for (auto& column : columns) column = copy_column<double>(out, column);
  return columns;
}

}  // namespace

}  // namespace detail

polycodec_node to_value(const Mesh& m, Builder& out) {
  for (const std::uint64_t n : {m.position_count(), m.normal_count(), m.texcoord_count()})
    if (n > static_cast<std::uint64_t>(INT32_MAX))
      throw Error(Status::limit, "a mesh has no more than 2^31 - 1 positions").detail("mesh.limit");
  const auto record = [&](std::uint64_t rows, std::initializer_list<std::string_view> names,
                          std::initializer_list<const polycodec_array*> columns) {
    return Builder::array(out.record(rows, std::span(names.begin(), names.size()),
                                     std::span(columns.begin(), columns.size())));
  };
  std::uint64_t positions = 0;
  std::uint64_t normals = 0;
  std::uint64_t texcoords = 0;
  std::uint64_t colors = 0;
  std::uint64_t alphas = 0;
  const auto p = detail::unify(out, m.positions, positions, false);
  const auto n = detail::unify(out, m.normals, normals, false);
  const auto t = detail::unify(out, m.texcoords, texcoords, false);
  const auto c = detail::unify(out, m.colors, colors, true);
  const auto a = detail::unify(out, std::array<Mesh::Column, 1>{m.alpha}, alphas, true);
  const auto names = [&](Mesh::Column column) {
    if (column == nullptr) return detail::constant_column(out, -1, m.faces);
    return column->dtype == POLYCODEC_DTYPE_INT32 ? column
                                                  : detail::copy_column<std::int32_t>(out, column);
  };
  const auto edge = [&](Mesh::Column column) {
    return detail::copy_column<std::int32_t>(
        out, column != nullptr ? column : out.vector(std::span<const std::int32_t>()));
  };
  const polycodec_node root = out.object(
      {{"positions", record(positions, {"x", "y", "z"}, {p[0], p[1], p[2]})},
       {"normals", record(normals, {"x", "y", "z"}, {n[0], n[1], n[2]})},
       {"texcoords", record(texcoords, {"u", "v"}, {t[0], t[1]})},
       {"colors", record(colors, {"red", "green", "blue"}, {c[0], c[1], c[2]})},
       {"alpha", Builder::array(a[0])},
       {"faces", record(m.faces, {"position", "texcoord", "normal", "material", "group", "object"},
                        {detail::index_lists(out, m.face_positions, m.faces),
                         detail::index_lists(out, m.face_texcoords, m.faces),
                         detail::index_lists(out, m.face_normals, m.faces), names(m.face_materials),
                         names(m.face_groups), names(m.face_objects)})},
       {"edges", record(m.edge_count(), {"first", "second"}, {edge(m.edges[0]), edge(m.edges[1])})},
       {"materials", Builder::array(detail::text_column(out, m.materials))},
       {"groups", Builder::array(detail::text_column(out, m.groups))},
       {"objects", Builder::array(detail::text_column(out, m.objects))}});
  std::vector<Member> metadata;
  if (!m.comments.empty()) metadata.push_back({"comments", detail::text_list(out, m.comments)});
  if (!m.material_libraries.empty())
    metadata.push_back({"material_libraries", detail::text_list(out, m.material_libraries)});
  if (!m.looks.empty()) metadata.push_back({"looks", looks_value(m.looks, out)});
  return metadata.empty() ? root
                          : out.annotated(root, out.object(std::span<const Member>(metadata)));
}

bool is_mesh(const View& root) {
  return root.find("positions").has_value() && root.find("faces").has_value();
}

Mesh from_value(const View& root, Builder& out, IndexProblems* problems) {
  Mesh m;
  const auto points = [&](const char* name, auto& columns,
                          std::initializer_list<const char*> members) {
    const auto found = root.find(name);
    if (!found || found->size() == 0) return;
    Rows rows(*found, std::string("$.") + name, out);
    std::size_t i = 0;
    for (const char* member : members) columns[i++] = rows.numbers(member, true);
  };
  points("positions", m.positions, {"x", "y", "z"});
  points("normals", m.normals, {"x", "y", "z"});
  points("texcoords", m.texcoords, {"u", "v"});
  points("colors", m.colors, {"red", "green", "blue"});
  if (const auto alpha = root.find("alpha"); alpha && alpha->size() != 0) {
    if (alpha->array() != nullptr && Numbers::fits(*alpha->array())) {
      m.alpha = alpha->array();
    } else {
      m.alpha = detail::make_column<double>(
          out, alpha->size(), [&](std::uint64_t i) { return alpha->child(i).as_double(); });
    }
  }
  for (const std::uint64_t n : {Mesh::count(m.colors[0]), Mesh::count(m.alpha)})
    if (n != 0 && n != m.position_count())
      throw Error(Status::invalid, "there are " + std::to_string(n) + " colors for " +
                                       std::to_string(m.position_count()) + " positions")
          .detail("mesh.bad_member")
          .path("$.colors");
  for (const auto& [name, texts] :
       {std::pair{"materials", &m.materials}, std::pair{"groups", &m.groups},
        std::pair{"objects", &m.objects}})
    if (const auto found = root.find(name)) *texts = detail::texts_of(*found);
  if (const auto faces = root.find("faces"); faces && faces->size() != 0) {
    Rows rows(*faces, "$.faces", out);
    m.faces = rows.size();
    m.face_positions = rows.lists("position", true);
    m.face_texcoords = rows.lists("texcoord", false);
    m.face_normals = rows.lists("normal", false);
    if (rows.has("material")) m.face_materials = rows.indices("material");
    if (rows.has("group")) m.face_groups = rows.indices("group");
    if (rows.has("object")) m.face_objects = rows.indices("object");
    for (const auto& [column, name] :
         {std::pair{m.face_texcoords, "texcoord"}, std::pair{m.face_normals, "normal"}}) {
      if (column == nullptr) continue;
      for (std::uint64_t i = 0; i < m.faces; ++i) {
        const std::uint64_t n = Lists(*column).row(i).count;
        if (n != 0 && n != Lists(*m.face_positions).row(i).count)
          rows.fail(Status::invalid, "bad_index", "the lists of a face have different lengths",
                    rows.at(i, name));
      }
    }
  }
  if (const auto edges = root.find("edges"); edges && edges->size() != 0) {
    Rows rows(*edges, "$.edges", out);
    m.edges = {rows.indices("first"), rows.indices("second")};
  }
  check_lists(m.face_positions, m.position_count(), false, "$.faces", "position", problems);
  check_lists(m.face_texcoords, m.texcoord_count(), true, "$.faces", "texcoord", problems);
  check_lists(m.face_normals, m.normal_count(), true, "$.faces", "normal", problems);
  check_column(m.face_materials, m.materials.size(), true, "$.faces", "material", problems);
  check_column(m.face_groups, m.groups.size(), true, "$.faces", "group", problems);
  check_column(m.face_objects, m.objects.size(), true, "$.faces", "object", problems);
  check_column(m.edges[0], m.position_count(), false, "$.edges", "first", problems);
  check_column(m.edges[1], m.position_count(), false, "$.edges", "second", problems);
  if (const polycodec_node* metadata = root.metadata()) {
    const View all(metadata);
    if (const auto found = all.find("comments")) m.comments = detail::texts_of(*found);
    if (const auto found = all.find("material_libraries"))
      m.material_libraries = detail::texts_of(*found);
    if (const auto found = all.find("looks")) m.looks = looks_of(*found, m.materials.size(), out);
  }
  return m;
}

}  // namespace polycodec::mesh
