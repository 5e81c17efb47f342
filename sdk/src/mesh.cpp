// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <base/number_type.hpp>
#include <model/loss_search.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/operations.hpp>
#include <model/mesh/parts.hpp>
#include <model/mesh/whole.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/mesh.hpp>
#include <polycodec/node_view.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

/// Tells the work on a value before it is done.
class Work {
 public:
  explicit Work(const MeshWork& on_work) noexcept : on_work_(on_work) {}
  /// Of a value that becomes a mesh: each node and element is checked and copied.
  void all_of(const View& value) {
    if (!on_work_) return;
    if (value.node() != nullptr) node(NodeView(value.node()), 0);
    if (value.array() != nullptr) array(*value.array(), 0);
    tell();
  }

 private:
  static constexpr std::uint64_t units_of_element = 16;
  static constexpr std::uint64_t slice = 65536;

  void node(NodeView value, std::uint32_t depth) {
    check_stack(depth);
    add(1);
    switch (value.kind()) {
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        for (const polycodec_node& item : value.items()) node(NodeView(&item), depth + 1);
        return;
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        for (std::uint64_t i = 0; i < value.size(); ++i) node(value.value(i), depth + 1);
        return;
      case POLYCODEC_KIND_ARRAY:
        return array(value.as_array(), depth + 1);
      case POLYCODEC_KIND_EXTENSION:
        return node(NodeView(value.as_extension().payload), depth + 1);
      case POLYCODEC_KIND_UNION:
        return node(NodeView(value.as_tagged().node), depth + 1);
      default:
        return;
    }
  }
  void array(const polycodec_array& a, std::uint32_t depth) {
    check_stack(depth);
    add(a.layout == POLYCODEC_LAYOUT_NDARRAY ? ArrayView(a).element_count() : a.length);
    for (std::uint32_t i = 0; i < a.n_children; ++i) array(*a.children[i], depth + 1);
    if (a.layout != POLYCODEC_LAYOUT_DOCUMENT) return;
    for (std::uint64_t i = 0; i < a.length; ++i) node(NodeView(&a.nodes[i]), depth + 1);
  }
  void add(std::uint64_t elements) {
    const std::uint64_t units = checked_mul(elements, units_of_element).value_or(UINT64_MAX / 2);
    units_ = units > UINT64_MAX - units_ ? UINT64_MAX : units_ + units;
    if (units_ >= slice) tell();
  }
  void tell() {
    if (units_ != 0) on_work_(std::exchange(units_, 0));
  }

  const MeshWork& on_work_;
  std::uint64_t units_ = 0;
};

/// The type of numbers side by side: what they have in common, or with `any` false uint8, float32
/// or float64.
std::uint32_t common_dtype(std::span<const mesh::Mesh::Column> columns, bool bytes, bool any) {
  const std::uint32_t first = mesh::Numbers(*columns[0]).dtype();
  for (const auto* column : columns)
    if (mesh::Numbers(*column).dtype() != first) return POLYCODEC_DTYPE_FLOAT64;
  const bool stays =
      first == POLYCODEC_DTYPE_FLOAT32 ||
      (any ? first != POLYCODEC_DTYPE_BOOLEAN : bytes && first == POLYCODEC_DTYPE_UINT8);
  return stays ? first : std::uint32_t{POLYCODEC_DTYPE_FLOAT64};
}

/// Every `step`-th number of `to` becomes the next one of a column.
template <class T>
void gather(const mesh::Numbers& from, T* to, std::size_t step) {
  const auto each = [&](const auto& number) {
    for (std::uint64_t i = 0; i < from.size(); ++i) to[i * step] = number(from.at(i));
  };
  if (from.dtype() == dtype_of<T> && from.order() == std::endian::native)
    each([](const std::byte* at) { return load<T>(at, std::endian::native); });
  else
    each([&](const std::byte* at) { return mesh::load_number<T>(at, from.dtype(), from.order()); });
}

/// The numbers of some columns side by side.
template <std::size_t N>
MeshNumbers side_by_side(const std::array<mesh::Mesh::Column, N>& columns, bool bytes, bool any,
                         Builder& out) {
  if (columns[0] == nullptr || columns[0]->length == 0) return {};
  const std::uint64_t rows = columns[0]->length;
  const auto gathered = [&](auto zero) -> MeshNumbers {
    using T = decltype(zero);
    T* const to = out.allocate<T>(rows * N);
    for (std::size_t k = 0; k < N; ++k) gather(mesh::Numbers(*columns[k]), to + k, N);
    return std::span<const T>(to, static_cast<std::size_t>(rows * N));
  };
  return with_number_type(common_dtype(columns, bytes, any), gathered,
                          [&] { return gathered(double{}); });
}

/// An index as a mesh has it. One that is out of range stays so.
std::int32_t narrow(std::int64_t index) noexcept {
  return index == static_cast<std::int32_t>(index) ? static_cast<std::int32_t>(index) : INT32_MIN;
}

/// An integer for each row; empty for NULL.
std::span<const std::int32_t> integers(mesh::Mesh::Column column, Builder& out) {
  if (column == nullptr) return {};
  const mesh::Numbers from(*column);
  auto* to = out.allocate<std::int32_t>(from.size());
  for (std::uint64_t i = 0; i < from.size(); ++i) to[i] = narrow(from.integer(i));
  return {to, static_cast<std::size_t>(from.size())};
}

/// The index of each corner, -1 where a face has no list; empty for NULL.
std::span<const std::int32_t> of_corners(mesh::Mesh::Column column,
                                         std::span<const std::uint64_t> faces, Builder& out) {
  if (column == nullptr) return {};
  const mesh::Lists lists(*column);
  // A copy, because others may write to the file that the value views.
  auto* const all = out.allocate<std::int32_t>(faces.back());
  const bool is_plain = lists.are_plain_integers() && lists.stride() == 4;
  for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
    const auto row = lists.row(i);
    std::int32_t* const to = all + faces[i];
    const std::uint64_t corners = faces[i + 1] - faces[i];
    if (is_plain && row.count >= corners) {
      if (corners != 0) std::memcpy(to, row.data, static_cast<std::size_t>(corners * 4));
      continue;
    }
    for (std::uint64_t k = 0; k < corners; ++k)
      to[k] = k < row.count ? narrow(lists.integer(row, k)) : -1;
  }
  return {all, static_cast<std::size_t>(faces.back())};
}

/// What `m` gets of the faces of `found`.
void take_faces(Mesh& m, const mesh::Mesh& found, Builder& out) {
  m.faces = {};
  m.corners = m.corner_texcoords = m.corner_normals = {};
  m.face_materials = m.face_groups = m.face_objects = {};
  if (found.faces == 0) return;
  auto* faces = out.allocate<std::uint64_t>(found.faces + 1);
  faces[0] = 0;
  const mesh::Lists lists(*found.face_positions);
  for (std::uint64_t i = 0; i < found.faces; ++i) faces[i + 1] = faces[i] + lists.row(i).count;
  m.faces = {faces, static_cast<std::size_t>(found.faces + 1)};
  m.corners = of_corners(found.face_positions, m.faces, out);
  const auto others = [&](mesh::Mesh::Column column) -> std::span<const std::int32_t> {
    if (column == found.face_positions) return m.corners;
    const auto items = of_corners(column, m.faces, out);
    const bool has_any = std::ranges::any_of(items, [](std::int32_t index) { return index != -1; });
    if (!has_any) return {};
    return items;
  };
  m.corner_texcoords = others(found.face_texcoords);
  m.corner_normals = others(found.face_normals);
  m.face_materials = integers(found.face_materials, out);
  m.face_groups = integers(found.face_groups, out);
  m.face_objects = integers(found.face_objects, out);
}

std::span<const std::string_view> names_of(const std::vector<std::string>& names, Builder& out) {
  auto* to = out.allocate<std::string_view>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) to[i] = out.copy_text(names[i]);
  return {to, names.size()};
}

std::vector<std::string> texts(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

/// Column `k` of `width` numbers side by side; NULL for none.
mesh::Mesh::Column column_of(const MeshNumbers& numbers, std::uint64_t k, std::uint64_t width,
                             Builder& out) {
  if (numbers.size == 0) return nullptr;
  const std::uint64_t item = dtype_size(numbers.dtype);
  return out.strided(to_string_view(numbers.data, numbers.size * item),
                     static_cast<const std::byte*>(numbers.data) + k * item, numbers.size / width,
                     static_cast<std::int64_t>(width * item), numbers.dtype,
                     static_cast<std::uint32_t>(item));
}

/// The lists of `items`, one for each corner. `for_program`: a matrix where all faces have as many
/// corners, which is faster to read; values of plugins have lists as the type says.
mesh::Mesh::Column rows_of(const Mesh& from, std::span<const std::int32_t> items, bool for_program,
                           Builder& out) {
  if (!for_program) return out.list_offsets(from.faces, out.vector(items));
  const std::uint64_t corners = from.faces[1] - from.faces[0];
  for (std::size_t i = 1; i + 1 < from.faces.size(); ++i)
    if (from.faces[i + 1] - from.faces[i] != corners)
      return out.list_offsets(from.faces, out.vector(items));
  const std::int64_t shape[] = {static_cast<std::int64_t>(from.face_count()),
                                static_cast<std::int64_t>(corners)};
  return out.ndarray(bytes_of(items), POLYCODEC_DTYPE_INT32, 4, shape);
}

/// The same; `for_program` a face whose corners all lack one has an empty list.
mesh::Mesh::Column lists_of(const Mesh& from, std::span<const std::int32_t> items, bool for_program,
                            Builder& out) {
  if (items.empty()) return nullptr;
  if (!for_program) return rows_of(from, items, for_program, out);
  const auto lacks = [&](std::uint64_t face) {
    const auto all = from.of_face(items, face);
    return !all.empty() && std::ranges::all_of(all, [](std::int32_t i) { return i == -1; });
  };
  std::uint64_t face = 0;
  while (face < from.face_count() && !lacks(face)) ++face;
  if (face == from.face_count()) return rows_of(from, items, for_program, out);
  auto* offsets = out.allocate<std::uint64_t>(from.faces.size());
  auto* values = out.allocate<std::int32_t>(items.size());
  offsets[0] = 0;
  for (std::uint64_t i = 0; i < from.face_count(); ++i) {
    const auto all = lacks(i) ? std::span<const std::int32_t>() : from.of_face(items, i);
    std::ranges::copy(all, values + offsets[i]);
    offsets[i + 1] = offsets[i] + all.size();
  }
  return mesh::detail::list_column(out, from.face_count(), offsets, values);
}

mesh::Mesh::Column vector_of(std::span<const std::int32_t> items, Builder& out) {
  return items.empty() ? nullptr : out.vector(items);
}

void tell(const Losses& losses, const MeshLoss& on_loss) {
  if (!on_loss) return;
  for (const Loss& loss : losses.all()) on_loss(loss.loss_class, loss.path, loss.what);
}

mesh::Mesh found_mesh(View value, const char* holder, Losses& losses, mesh::IndexProblems* problems,
                      Builder& out) {
  auto found = mesh::mesh_of(value, out, losses, problems);
  if (!found)
    throw Error(Status::type, std::string("the value is not a mesh") + holder)
        .detail("mesh.bad_member");
  return std::move(*found);
}

/// The mesh side by side. `any`: numbers may have any type.
Mesh numbers_of(const mesh::Mesh& found, bool any, Builder& out) {
  Mesh m;
  m.positions = side_by_side(found.positions, false, any, out);
  m.normals = side_by_side(found.normals, false, any, out);
  m.texcoords = side_by_side(found.texcoords, false, any, out);
  m.colors = side_by_side(found.colors, true, any, out);
  m.alpha = side_by_side(std::array{found.alpha}, true, any, out);
  take_faces(m, found, out);
  const auto first = integers(found.edges[0], out);
  const auto second = integers(found.edges[1], out);
  auto* edges = out.allocate<std::int32_t>(2 * first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    edges[2 * i] = first[i];
    edges[2 * i + 1] = second[i];
  }
  m.edges = {edges, 2 * first.size()};
  m.materials = names_of(found.materials, out);
  m.groups = names_of(found.groups, out);
  m.objects = names_of(found.objects, out);
  m.comments = names_of(found.comments, out);
  m.material_libraries = names_of(found.material_libraries, out);
  auto* looks = out.allocate<MeshMaterial>(found.looks.size());
  std::uninitialized_copy(found.looks.begin(), found.looks.end(), looks);
  m.looks = {looks, found.looks.size()};
  m.paths = found.paths;
  return m;
}

/// The faces by columns that view them, which is all that cutting them takes.
void give_faces(const Mesh& from, mesh::Mesh& m, bool for_program, Builder& out) {
  m.faces = from.face_count();
  if (m.faces == 0) return;
  m.face_positions = rows_of(from, from.corners, for_program, out);
  const auto others = [&](std::span<const std::int32_t> items) {
    return for_program && !items.empty() && items.data() == from.corners.data()
               ? m.face_positions
               : lists_of(from, items, for_program, out);
  };
  m.face_texcoords = others(from.corner_texcoords);
  m.face_normals = others(from.corner_normals);
  m.face_materials = vector_of(from.face_materials, out);
  m.face_groups = vector_of(from.face_groups, out);
  m.face_objects = vector_of(from.face_objects, out);
}

mesh::Mesh columns_of(const Mesh& from, bool for_program, Builder& out) {
  mesh::Mesh m;
  for (std::size_t k = 0; k < 3; ++k) {
    m.positions[k] = column_of(from.positions, k, 3, out);
    m.normals[k] = column_of(from.normals, k, 3, out);
    m.colors[k] = column_of(from.colors, k, 3, out);
  }
  for (std::size_t k = 0; k < 2; ++k) m.texcoords[k] = column_of(from.texcoords, k, 2, out);
  m.alpha = column_of(from.alpha, 0, 1, out);
  give_faces(from, m, for_program, out);
  if (!from.edges.empty()) {
    const auto rows = from.edges.size() / 2;
    for (std::size_t k = 0; k < 2; ++k)
      m.edges[k] = out.strided(bytes_of(from.edges), from.edges.data() + k, rows, 8,
                               POLYCODEC_DTYPE_INT32, 4);
  }
  m.materials = texts(from.materials);
  m.groups = texts(from.groups);
  m.objects = texts(from.objects);
  m.comments = texts(from.comments);
  m.material_libraries = texts(from.material_libraries);
  m.looks.assign(from.looks.begin(), from.looks.end());
  m.paths = from.paths;
  return m;
}

}  // namespace

MeshForm mesh_form(View value) {
  if (!value.is_object()) return MeshForm::none;
  if (mesh::is_mesh(value)) return MeshForm::mesh;
  if (mesh::is_elements(value)) return MeshForm::elements;
  return mesh::is_statements(value) ? MeshForm::statements : MeshForm::none;
}

bool is_mesh(View value) {
  return mesh_form(value) != MeshForm::none;
}

Mesh as_mesh(const Call& call, View value, const MeshRequest& request, Builder& out) {
  Losses losses;
  const std::string holder = std::string(": ") + request.holder +
                             " takes a value of the type mesh, or of a format of meshes";
  mesh::Mesh found = found_mesh(value, holder.c_str(), losses, nullptr, out);
  if (value.node() != nullptr)
    add_attribute_losses(NodeView(value.node()), losses, call,
                         {"comments", "material_libraries", "looks"});
  losses.settle(call, request.holder, request.detail);
  if (request.triangles) mesh::triangulate(found, out, [&] { call.tick(mesh::units_per_check); });
  call.tick(found.position_count() + found.faces);
  return numbers_of(found, false, out);
}

namespace {

/// The parts of a mesh that a format does not keep.
class LostParts {
 public:
  LostParts(const Mesh& mesh, std::initializer_list<MeshPart> kept) : m_(mesh), kept_(kept) {}

  Losses run() {
    rows();
    colors();
    if (!keeps(MeshPart::edges) && !m_.edges.empty())
      lose(MeshPart::edges, counted(m_.edge_count(), "edges"));
    // Formats with materials have lists of them, also of those without faces.
    if (!keeps(MeshPart::materials))
      names(MeshPart::materials, m_.materials, m_.face_materials, "materials");
    names(MeshPart::groups, m_.groups, m_.face_groups, "groups");
    names(MeshPart::objects, m_.objects, m_.face_objects, "objects");
    const bool are_all_known = std::ranges::all_of(m_.looks, &MeshMaterial::is_known);
    if (!keeps(MeshPart::looks))
      if (const auto known = std::ranges::count_if(m_.looks, &MeshMaterial::is_known))
        lose(MeshPart::looks, "colors and other parameters of " +
                                  counted(static_cast<std::uint64_t>(known), "materials"));
    if (!m_.material_libraries.empty() && (m_.looks.empty() || !are_all_known))
      lose(MeshPart::material_libraries,
           mesh::detail::lost_libraries(texts(m_.material_libraries)));
    const std::vector<std::string> comments = lost_comments();
    if (!comments.empty())
      losses_.add(mesh::detail::lost_comments(comments, m_.paths[MeshPart::comments]));
    return std::move(losses_);
  }

 private:
  static std::string counted(std::uint64_t n, const char* what) {
    return std::to_string(n) + " " + what;
  }
  bool keeps(MeshPart part) const noexcept { return std::ranges::count(kept_, part) != 0; }
  void lose(MeshPart part, std::string what, LossClass loss = LossClass::data) {
    losses_.add(std::string(m_.paths[part]), std::move(what), loss);
  }

  /// Comments but for those that name the texture of a material that is kept.
  std::vector<std::string> lost_comments() const {
    std::vector<std::string> lost;
    if (keeps(MeshPart::comments)) return lost;
    for (const std::string_view comment : m_.comments)
      if (!keeps(MeshPart::looks) || std::ranges::none_of(m_.looks, [&](const MeshMaterial& look) {
            return !look.base_texture.name.empty() &&
                   comment == std::string(mesh::detail::texture_line) +
                                  std::string(look.base_texture.name);
          }))
        lost.emplace_back(comment);
    return lost;
  }

  /// How many of `rows` rows none of these indices is.
  static std::uint64_t unused(std::uint64_t rows, std::span<const std::int32_t> indices,
                              std::span<const std::int32_t> more = {}) {
    std::vector<bool> used(static_cast<std::size_t>(rows));
    for (const auto& all : {indices, more})
      for (const std::int32_t i : all)
        if (i >= 0) used[static_cast<std::size_t>(i)] = true;
    return static_cast<std::uint64_t>(std::ranges::count(used, false));
  }

  /// Positions, normals and texture coordinates that no corner has.
  void rows() {
    const bool points = m_.face_count() == 0 && m_.edges.empty();
    const std::uint64_t positions = unused(m_.position_count(), m_.corners, m_.edges);
    if (points && positions != 0 && !keeps(MeshPart::positions))
      lose(MeshPart::positions, counted(positions, "positions without faces"));
    else if (!points && positions != 0)
      lose(MeshPart::positions, counted(positions, "positions that nothing uses"), LossClass::note);
    const auto others = [&](MeshPart part, std::uint64_t count,
                            std::span<const std::int32_t> corners, const char* what) {
      // Those of points belong to them by their number.
      const bool of_points = points && count == m_.position_count();
      const bool of_positions = !corners.empty() && corners.data() == m_.corners.data();
      const std::uint64_t idle = of_points || of_positions ? 0 : unused(count, corners);
      const bool is_kept = keeps(part) && (!of_points || keeps(MeshPart::positions));
      if (!is_kept && count != idle)
        lose(part, counted(count, what));
      else if (idle != 0)
        lose(part, counted(idle, what) + " that no corner has", LossClass::note);
    };
    others(MeshPart::normals, m_.normal_count(), m_.corner_normals, "normals");
    others(MeshPart::texcoords, m_.texcoord_count(), m_.corner_texcoords, "texture coordinates");
  }

  void colors() {
    if (!keeps(MeshPart::colors) && !m_.colors.empty())
      lose(MeshPart::colors, "colors of positions");
    if (keeps(MeshPart::alpha)) return;
    const double opaque = m_.alpha.dtype == POLYCODEC_DTYPE_UINT8 ? 255 : 1;
    for (std::uint64_t i = 0; i < m_.alpha.size; ++i)
      if (m_.alpha[i] != opaque) return lose(MeshPart::alpha, "transparency of positions");
  }

  void names(MeshPart part, std::span<const std::string_view> all,
             std::span<const std::int32_t> of_faces, const char* what) {
    const std::uint64_t idle = unused(all.size(), of_faces);
    if (!keeps(part) && all.size() != idle)
      lose(part, counted(all.size(), what));
    else if (idle != 0)
      lose(part, counted(idle, what) + " that no face has", LossClass::note);
  }

  const Mesh& m_;
  std::span<const MeshPart> kept_;
  Losses losses_;
};

}  // namespace

void report_lost_parts(const Call& call, const Mesh& mesh, const MeshRequest& request,
                       std::initializer_list<MeshPart> kept) {
  call.tick(mesh.corners.size() + mesh.position_count());
  LostParts(mesh, kept).run().settle(call, request.holder, request.detail);
}

Mesh triangulate(const Call& call, const Mesh& mesh, bool is_wanted, Builder& out) {
  std::uint64_t polygons = 0;
  std::uint64_t small = 0;
  for (std::uint64_t i = 0; i < mesh.face_count(); ++i) {
    const std::uint64_t corners = mesh.faces[i + 1] - mesh.faces[i];
    polygons += corners > 3 ? 1 : 0;
    small += corners < 3 ? 1 : 0;
  }
  if (small != 0)
    call.report_loss(LossClass::data, mesh.paths[MeshPart::faces],
                     std::to_string(small) + " faces of fewer than three corners");
  if (polygons != 0 && !is_wanted)
    call.report_loss(LossClass::data, mesh.paths[MeshPart::corners],
                     std::to_string(polygons) +
                         " faces that are not triangles: the option 'triangulate' cuts them");
  if (polygons == 0 && small == 0) return mesh;
  return triangulate(mesh, out, [&](std::uint64_t units) { call.tick(units); });
}

Mesh as_mesh(View value, const MeshReading& reading, Builder& out) {
  Work(reading.on_work).all_of(value);
  Losses losses;
  mesh::IndexProblems problems;
  const mesh::Mesh found =
      found_mesh(value, "", losses, reading.problems != nullptr ? &problems : nullptr, out);
  if (reading.problems != nullptr) *reading.problems = {problems.count, std::move(problems.shown)};
  tell(losses, reading.on_loss);
  return numbers_of(found, true, out);
}

Mesh triangulate(const Mesh& from, Builder& out, const MeshWork& on_work) {
  mesh::Mesh m;
  for (std::size_t k = 0; k < 3; ++k) m.positions[k] = column_of(from.positions, k, 3, out);
  give_faces(from, m, true, out);
  mesh::triangulate(m, out, [&] {
    if (on_work) on_work(mesh::units_per_check);
  });
  Mesh made = from;
  take_faces(made, m, out);
  return made;
}

Node make_mesh(const Mesh& mesh, Builder& out) {
  return mesh::to_value(columns_of(mesh, false, out), out);
}

Node make_mesh(const Mesh& mesh, MeshForm form, const MeshLoss& on_loss, Builder& out) {
  Losses losses;
  mesh::Mesh m = columns_of(mesh, true, out);
  const Node made = form == MeshForm::elements     ? mesh::to_elements(m, out, losses)
                    : form == MeshForm::statements ? mesh::to_statements(std::move(m), out, losses)
                                                   : mesh::to_value(m, out);
  tell(losses, on_loss);
  return made;
}

}  // namespace polycodec
