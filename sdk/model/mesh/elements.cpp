// SPDX-License-Identifier: MIT
#include <base/nodes.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/face_looks.hpp>
#include <model/mesh/materials.hpp>
#include <model/mesh/parts.hpp>
#include <model/mesh/whole.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

bool is_elements(const View& root) {
  return root.find("vertex").has_value();
}

namespace {

/// The path of a column of vertices that take() may find; its text lives as long as the program.
std::string_view vertex_path(std::string_view name) noexcept {
  constexpr std::string_view element = "$.vertex.";
  for (const std::string_view path :
       {"$.vertex.nx", "$.vertex.red", "$.vertex.r", "$.vertex.diffuse_red", "$.vertex.alpha",
        "$.vertex.a", "$.vertex.s", "$.vertex.u", "$.vertex.texture_u"})
    if (path.substr(element.size()) == name) return path;
  return "$.vertex";
}

/// Takes the first of several sets of names that the rows have all of, which is the path of the
/// part, too.
template <std::size_t N>
bool take(Rows& rows, std::initializer_list<std::array<const char*, N>> choices,
          std::array<const polycodec_array*, N>& columns, std::vector<std::string_view>& used,
          MeshPaths& paths, MeshPart part) {
  for (const auto& names : choices) {
    if (!std::all_of(names.begin(), names.end(), [&](const char* name) { return rows.has(name); }))
      continue;
    for (std::size_t i = 0; i < N; ++i) {
      columns[i] = rows.numbers(names[i], true);
      used.emplace_back(names[i]);
    }
    paths.set(part, vertex_path(names[0]));
    return true;
  }
  return false;
}

/// A column or an element that a mesh lacks. Those of statements that do not fit the rows any more
/// tell how a file was written.
void lose(const std::string& path, std::string_view name, Losses& losses) {
  if (name.starts_with(detail::whole_prefix))
    return losses.add(path, "numbers of an OBJ file, which do not fit its rows any more",
                      LossClass::note);
  losses.add(path, "a property that a mesh has no place for");
}

/// Which of the names no row has, with similar names: to be appended to a message.
std::string missing_of(const Rows& rows, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (!rows.has(name))
      return "; " + quote(name) + " is missing" + did_you_mean(name, rows.names());
  return {};
}

/// Why a column that belongs to others is not a part of them: one of them is missing. Empty for any
/// other column.
std::string lacking(const Rows& rows, std::string_view name) {
  constexpr std::array<std::array<std::string_view, 3>, 3> groups = {
      {{"x", "y", "z"}, {"red", "green", "blue"}, {"nx", "ny", "nz"}}};
  for (const auto& group : groups) {
    if (std::find(group.begin(), group.end(), name) == group.end()) continue;
    for (const std::string_view each : group)
      if (!rows.has(each))
        return "a property that is of use only with " + quote(each) + ", which is missing" +
               did_you_mean(each, rows.names());
  }
  return {};
}

void lose_others(const Rows& rows, const std::vector<std::string_view>& used,
                 const std::string& path, Losses& losses) {
  for (const std::string& name : rows.names())
    if (std::find(used.begin(), used.end(), name) == used.end()) {
      const std::string reason = lacking(rows, name);
      reason.empty() ? lose(path + "." + name, name, losses)
                     : losses.add(path + "." + name, reason);
    }
}

/// u and v of every corner, from lists of twice as many numbers as the face has corners.
bool corner_texcoords(const polycodec_array* column, Mesh& m, Builder& out) {
  const Lists numbers(*column);
  const Lists corners(*m.face_positions);
  const std::uint64_t total = corners.total();
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    const std::uint64_t n = numbers.row(i).count;
    if (n != 0 && n / 2 != corners.row(i).count) return false;
    if (n % 2 != 0) return false;
  }
  const auto fill = [&](auto zero) {
    using T = decltype(zero);
    auto* values = out.allocate<T>(2 * total);
    auto* indices = out.allocate<std::int32_t>(total);
    auto* offsets = out.allocate<std::uint64_t>(m.faces + 1);
    offsets[0] = 0;
    std::uint64_t used = 0;
    for (std::uint64_t i = 0; i < m.faces; ++i) {
      const Lists::Row row = numbers.row(i);
      const std::uint64_t n = corners.row(i).count;
      for (std::uint64_t k = 0; k < n; ++k)
        indices[offsets[i] + k] = row.count == 0 ? -1 : static_cast<std::int32_t>(used++);
      for (std::uint64_t k = 0; k < row.count; ++k)
        values[2 * used - row.count + k] = static_cast<T>(numbers.real(row, k));
      offsets[i + 1] = offsets[i] + n;
    }
    const std::string_view bytes = bytes_of(std::span(values, static_cast<std::size_t>(2 * total)));
    for (std::size_t axis = 0; axis < 2; ++axis)
      m.texcoords[axis] =
          out.strided(bytes, values + (total == 0 ? 0 : axis), used,
                      static_cast<std::int64_t>(2 * sizeof(T)), dtype_of<T>, sizeof(T));
    m.face_texcoords = detail::list_column(out, m.faces, offsets, indices);
  };
  numbers.dtype() == POLYCODEC_DTYPE_FLOAT32 ? fill(float{}) : fill(double{});
  return true;
}

/// Materials by number: PLY files have no names for them.
void numbered_materials(Mesh& m, Losses& losses) {
  constexpr std::int64_t most = 65536;
  const Numbers numbers(*m.face_materials);
  std::int64_t greatest = -1;
  for (std::uint64_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t index = numbers.integer(i);
    if (index < -1 || index >= most) {
      losses.add(std::string(m.paths[MeshPart::materials]),
                 "numbers of materials beyond 0.." + std::to_string(most - 1));
      m.face_materials = nullptr;
      return;
    }
    greatest = std::max(greatest, index);
  }
  for (std::int64_t i = 0; i <= greatest; ++i)
    m.materials.push_back("material_" + std::to_string(i));
}

void read_comments(const View& root, Mesh& m) {
  for (const detail::HeaderLine& line : detail::lines_of(root)) {
    if (line.info && line.text.starts_with("obj.")) continue;
    m.comments.push_back((line.info ? "obj_info " : "") + line.text);
  }
}

/// The material that a mesh gets of a comment with a texture.
constexpr std::string_view only_material = "material_0";

/// True if each corner has the texture coordinates of its vertex.
bool are_of_vertices(const Mesh& m, const polycodec_array* corners) {
  const Lists numbers(*corners);
  const Lists positions(*m.face_positions);
  const std::array<Numbers, 2> vertices{Numbers(*m.texcoords[0]), Numbers(*m.texcoords[1])};
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    const Lists::Row row = numbers.row(i);
    for (std::uint64_t k = 0; k < row.count; ++k)
      if (numbers.real(row, k) != vertices[k % 2].real(static_cast<std::uint64_t>(
                                      positions.integer(positions.row(i), k / 2))))
        return false;
  }
  return true;
}

/// Where elements have the parts, unless others are found.
MeshPaths element_paths() {
  MeshPaths paths;
  for (const auto& [part, path] :
       {std::pair<MeshPart, std::string_view>{MeshPart::positions, "$.vertex"},
        {MeshPart::normals, "$.vertex.nx"},
        {MeshPart::texcoords, "$.vertex.s"},
        {MeshPart::colors, "$.vertex.red"},
        {MeshPart::alpha, "$.vertex.alpha"},
        {MeshPart::faces, "$.face"},
        {MeshPart::corners, "$.face.vertex_indices"},
        {MeshPart::edges, "$.edge"},
        {MeshPart::materials, "$.face.material_index"},
        {MeshPart::groups, "$"},
        {MeshPart::objects, "$"}})
    paths.set(part, path);
  return paths;
}

/// The mesh that an OBJ value in elements is. Its paths are those of the elements.
Mesh from_whole(const polycodec_node& statements, Builder& out, Losses& losses,
                IndexProblems* problems) {
  Losses found;
  Mesh m = from_statements(View(out.root(statements)), out, found, problems);
  m.paths = element_paths();
  detail::add_elsewhere(found, m.paths, losses);
  return m;
}

}  // namespace

Mesh from_elements(const View& root, Builder& out, Losses& losses, IndexProblems* problems) {
  if (holds_statements(root))
    if (const auto statements = elements_to_statements(root, out, losses)) {
      Mesh m = from_whole(*statements, out, losses, problems);
      take_face_looks(root, m, out, losses);
      return m;
    }
  Mesh m;
  m.paths = element_paths();
  bool per_vertex_normals = false;
  bool per_vertex_texcoords = false;
  if (const auto vertex = root.find("vertex"); vertex && vertex->size() != 0) {
    Rows rows(*vertex, "$.vertex", out);
    std::vector<std::string_view> used;
    if (!take<3>(rows, {{"x", "y", "z"}}, m.positions, used, m.paths, MeshPart::positions))
      rows.fail(
          Status::type, "missing_number",
          rows.has("packed_position")
              ? "a vertex needs x, y and z, and this one has packed_position: chunks of packed "
                "splats are not unpacked; export the file in another form"
              : "a vertex needs x, y and z" + missing_of(rows, {"x", "y", "z"}),
          "$.vertex");
    per_vertex_normals =
        take<3>(rows, {{"nx", "ny", "nz"}}, m.normals, used, m.paths, MeshPart::normals);
    take<3>(rows,
            {{"red", "green", "blue"},
             {"r", "g", "b"},
             {"diffuse_red", "diffuse_green", "diffuse_blue"}},
            m.colors, used, m.paths, MeshPart::colors);
    detail::scale_colors(m.colors, out);
    std::array<const polycodec_array*, 1> alpha{};
    if (take<1>(rows, {{"alpha"}, {"a"}}, alpha, used, m.paths, MeshPart::alpha)) {
      detail::scale_colors(alpha, out);
      m.alpha = alpha[0];
    }
    per_vertex_texcoords = take<2>(rows, {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}},
                                   m.texcoords, used, m.paths, MeshPart::texcoords);
    lose_others(rows, used, "$.vertex", losses);
  }
  if (const auto face = root.find("face"); face && face->size() != 0) {
    Rows rows(*face, "$.face", out);
    const char* const name = rows.has("vertex_indices") ? "vertex_indices" : "vertex_index";
    std::vector<std::string_view> used{name};
    m.paths.set(MeshPart::corners, name == std::string_view("vertex_index")
                                       ? "$.face.vertex_index"
                                       : "$.face.vertex_indices");
    m.faces = rows.size();
    m.face_positions = rows.lists(name, true);
    check_lists(m.face_positions, m.position_count(), false, "$.face", name, problems);
    if (per_vertex_normals) m.face_normals = m.face_positions;
    if (per_vertex_texcoords) m.face_texcoords = m.face_positions;
    // Where vertices have them, too, those of corners count.
    if (const polycodec_array* column = rows.number_lists("texcoord")) {
      Mesh of_corners = m;
      if (corner_texcoords(column, of_corners, out)) {
        used.emplace_back("texcoord");
        const bool is_same =
            per_vertex_texcoords && problems == nullptr && are_of_vertices(m, column);
        if (per_vertex_texcoords && !is_same)
          losses.add(std::string(m.paths[MeshPart::texcoords]),
                     "texture coordinates of vertices: those of corners differ");
        if (!is_same) {
          m = of_corners;
          m.paths.set(MeshPart::texcoords, "$.face.texcoord");
        }
      }
    }
    for (const std::string_view column :
         face_look_columns(rows, m.texcoord_count() != 0 && !textures_of_lines(root).empty()))
      used.push_back(column);
    if (rows.has("material_index")) {
      used.emplace_back("material_index");
      m.face_materials = rows.indices("material_index");
      numbered_materials(m, losses);
    }
    lose_others(rows, used, "$.face", losses);
  }
  bool strips_used = false;
  if (const auto strips = root.find("tristrips"); strips && strips->size() != 0 && m.faces == 0) {
    Rows rows(*strips, "$.tristrips", out);
    const char* const name = rows.has("vertex_indices") ? "vertex_indices" : "vertex_index";
    const polycodec_array* column = rows.lists(name, true);
    check_lists(column, m.position_count(), true, "$.tristrips", name, problems);
    m.face_positions = strip_triangles(*column, out, m.faces);
    m.paths.set(MeshPart::faces, "$.tristrips");
    m.paths.set(MeshPart::corners, "$.tristrips");
    if (per_vertex_normals) m.face_normals = m.face_positions;
    if (per_vertex_texcoords) m.face_texcoords = m.face_positions;
    lose_others(rows, {name}, "$.tristrips", losses);
    strips_used = true;
  }
  if (const auto edge = root.find("edge"); edge && edge->size() != 0) {
    Rows rows(*edge, "$.edge", out);
    m.edges = {rows.indices("vertex1"), rows.indices("vertex2")};
    check_column(m.edges[0], m.position_count(), false, "$.edge", "vertex1", problems);
    check_column(m.edges[1], m.position_count(), false, "$.edge", "vertex2", problems);
    lose_others(rows, {"vertex1", "vertex2"}, "$.edge", losses);
  }
  for (std::uint64_t i = 0; i < root.size(); ++i) {
    const std::string_view name = root.name(i);
    if (name != "vertex" && name != "face" && name != "edge" &&
        !(name == "tristrips" && strips_used) && root.child(i).size() != 0)
      lose("$." + std::string(name), name, losses);
  }
  read_comments(root, m);
  take_face_looks(root, m, out, losses);
  return m;
}

void drop_texture_of_comment(Mesh& m) {
  if (m.looks.size() != 1 || m.materials[0] != only_material || says_more(m.looks[0]) ||
      m.looks[0].base_color != MeshMaterial().base_color || m.looks[0].opacity != 1)
    return;
  const std::string line =
      std::string(detail::texture_line) + std::string(m.looks[0].base_texture.name);
  if (std::ranges::find(m.comments, line) == m.comments.end()) return;
  m.looks.clear();
  m.materials.clear();
  m.face_materials = nullptr;
}

namespace {

/// A column of `from`, by the index that every position has in it; false if one has two, or none.
bool by_position(const Mesh& m, const polycodec_array* lists, std::uint64_t count,
                 std::vector<std::int64_t>& of_position) {
  of_position.assign(static_cast<std::size_t>(m.position_count()), -1);
  const Lists positions(*m.face_positions);
  const Lists others(*lists);
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    const Lists::Row p = positions.row(i);
    const Lists::Row o = others.row(i);
    if (o.count != p.count) return false;
    for (std::uint64_t k = 0; k < p.count; ++k) {
      const std::int64_t index = others.integer(o, k);
      std::int64_t& kept = of_position[static_cast<std::size_t>(positions.integer(p, k))];
      if (index < 0 || static_cast<std::uint64_t>(index) >= count || (kept >= 0 && kept != index))
        return false;
      kept = index;
    }
  }
  return std::find(of_position.begin(), of_position.end(), -1) == of_position.end();
}

const polycodec_array* select(Builder& out, const polycodec_array* column,
                              const std::vector<std::int64_t>& rows) {
  const Numbers from(*column);
  const auto copy = [&](auto zero) -> const polycodec_array* {
    return detail::make_column<decltype(zero)>(out, rows.size(), [&](std::uint64_t i) {
      return from.real(static_cast<std::uint64_t>(rows[static_cast<std::size_t>(i)]));
    });
  };
  return from.dtype() == POLYCODEC_DTYPE_FLOAT32 ? copy(float{}) : copy(double{});
}

/// u and v of every corner, one after another, as one list for each face; NULL if a corner of a
/// textured face lacks them.
const polycodec_array* texcoord_lists(const Mesh& m, Builder& out) {
  const Lists indices(*m.face_texcoords);
  const Numbers u(*m.texcoords[0]);
  const Numbers v(*m.texcoords[1]);
  const std::uint64_t total = indices.total();
  const auto make = [&](auto zero) -> const polycodec_array* {
    using T = decltype(zero);
    auto* values = out.allocate<T>(2 * total);
    auto* offsets = out.allocate<std::uint64_t>(m.faces + 1);
    offsets[0] = 0;
    T* to = values;
    for (std::uint64_t i = 0; i < m.faces; ++i) {
      const Lists::Row row = indices.row(i);
      offsets[i + 1] = offsets[i];
      bool none = true;
      for (std::uint64_t k = 0; k < row.count; ++k) none = none && indices.integer(row, k) < 0;
      if (none) continue;
      for (std::uint64_t k = 0; k < row.count; ++k) {
        const std::int64_t index = indices.integer(row, k);
        if (index < 0) return nullptr;
        *to++ = static_cast<T>(u.real(static_cast<std::uint64_t>(index)));
        *to++ = static_cast<T>(v.real(static_cast<std::uint64_t>(index)));
      }
      offsets[i + 1] += 2 * row.count;
    }
    return detail::list_column(out, m.faces, offsets, values);
  };
  return u.dtype() == POLYCODEC_DTYPE_FLOAT32 && v.dtype() == POLYCODEC_DTYPE_FLOAT32
             ? make(float{})
             : make(double{});
}

bool is_numbered(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] != "material_" + std::to_string(i)) return false;
  return true;
}

polycodec_node usual_elements(const Mesh& m, const FaceColumns& more, Builder& out,
                              Losses& losses) {
  std::vector<std::string_view> names{"x", "y", "z"};
  std::vector<const polycodec_array*> columns(m.positions.begin(), m.positions.end());
  if (columns[0] == nullptr) columns.assign(3, out.vector(std::span<const float>()));
  const auto add = [&](std::string_view name, const polycodec_array* column) {
    names.push_back(name);
    columns.push_back(column);
  };
  const polycodec_array* corner_texcoords = nullptr;
  const auto lose = [&](MeshPart part, std::string what) {
    losses.add(std::string(m.paths[part]), std::move(what));
  };
  const auto on_vertices = [&](const auto& from, std::initializer_list<std::string_view> to,
                               const polycodec_array* lists) {
    const std::uint64_t count = Mesh::count(from[0]);
    if (count == 0) return true;
    std::size_t i = 0;
    // The same lists say the same, and points without faces have theirs by number.
    if (count == m.position_count() && (lists == m.face_positions || m.faces == 0)) {
      for (const std::string_view name : to) add(name, from[i++]);
      return true;
    }
    std::vector<std::int64_t> rows;
    if (lists == nullptr || m.faces == 0 || !by_position(m, lists, count, rows)) return false;
    for (const std::string_view name : to) add(name, select(out, from[i++], rows));
    return true;
  };
  if (!on_vertices(m.normals, {"nx", "ny", "nz"}, m.face_normals))
    lose(MeshPart::normals, "normals: not every position has just one");
  if (!on_vertices(m.texcoords, {"s", "t"}, m.face_texcoords)) {
    corner_texcoords = m.face_texcoords == nullptr ? nullptr : texcoord_lists(m, out);
    if (corner_texcoords == nullptr)
      lose(MeshPart::texcoords,
           "texture coordinates: some corners of a face lack them, or no face uses them");
  }
  if (m.colors[0] != nullptr) {
    std::array<const polycodec_array*, 3> bytes{};
    for (std::size_t i = 0; i < 3; ++i) bytes[i] = detail::color_bytes(out, m.colors[i]);
    const bool exact = bytes[0] != nullptr && bytes[1] != nullptr && bytes[2] != nullptr;
    for (std::size_t i = 0; i < 3; ++i)
      add(std::array<std::string_view, 3>{"red", "green", "blue"}[i],
          exact ? bytes[i] : m.colors[i]);
  }
  if (m.alpha != nullptr) {
    const polycodec_array* bytes = detail::color_bytes(out, m.alpha);
    add("alpha", bytes != nullptr ? bytes : m.alpha);
  }
  std::vector<Member> members{
      {"vertex", Builder::array(out.record(m.position_count(), names, columns))}};
  if (m.faces != 0) {
    names = {"vertex_indices"};
    columns = {m.face_positions};
    if (corner_texcoords != nullptr) add("texcoord", corner_texcoords);
    if (m.face_materials != nullptr && !m.materials.empty())
      add("material_index", m.face_materials);
    for (std::size_t i = 0; i < more.names.size(); ++i) add(more.names[i], more.columns[i]);
    members.push_back({"face", Builder::array(out.record(m.faces, names, columns))});
  }
  if (m.edge_count() != 0) {
    names = {"vertex1", "vertex2"};
    columns.assign(m.edges.begin(), m.edges.end());
    members.push_back({"edge", Builder::array(out.record(m.edge_count(), names, columns))});
  }
  if (!m.materials.empty() && !is_numbered(m.materials))
    lose(MeshPart::materials,
         std::to_string(m.materials.size()) + " names of materials: their numbers stay");
  if (!m.groups.empty())
    lose(MeshPart::groups, std::to_string(m.groups.size()) + " groups of faces");
  if (!m.objects.empty()) lose(MeshPart::objects, std::to_string(m.objects.size()) + " objects");
  if (!m.material_libraries.empty())
    lose(MeshPart::material_libraries, detail::lost_libraries(m.material_libraries));
  const polycodec_node root = out.object(std::span<const Member>(members));
  if (m.comments.empty()) return root;
  std::vector<detail::HeaderLine> lines;
  for (const std::string& text : m.comments) {
    const bool info = text.starts_with("obj_info ");
    lines.push_back({info, info ? text.substr(9) : text});
  }
  return out.annotated(root, out.object({{"comments", detail::comments_node(lines, out)}}));
}

}  // namespace

polycodec_node to_elements(const Mesh& mesh, Builder& out, Losses& losses) {
  Mesh m = mesh;
  const FaceColumns more = face_columns(m, out, losses);
  Losses usual;
  const polycodec_node made = usual_elements(m, more, out, usual);
  if (usual.empty()) return made;
  const auto whole = whole_elements(m, more, out, losses);
  if (whole) return *whole;
  for (const Loss& loss : usual.all()) losses.add(loss);
  return made;
}

}  // namespace polycodec::mesh
