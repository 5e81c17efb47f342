// SPDX-License-Identifier: MIT
// Meshes as facets.
#include <polycodec/error.hpp>
#include <polycodec/mesh.hpp>
#include <polycodec/quote.hpp>

#include "codec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::stl {
namespace {

/// The comment that a binary file has as its header; empty if there is none, or one that has no
/// place there. A name of a texture would say nothing there.
std::string_view header_of(const Mesh& m) noexcept {
  if (m.comments.size() != 1 || m.comments[0].size() > comment_size ||
      m.comments[0].starts_with("TextureFile ") || is_ascii(m.comments[0], UINT64_MAX))
    return {};
  return m.comments[0];
}

/// The vectors of `numbers`, which follow each other.
Points vectors_of(const MeshNumbers& numbers, std::uint64_t rows,
                  const std::int32_t* indices = nullptr) {
  const auto size = static_cast<std::int64_t>(dtype_size(numbers.dtype));
  return {.data = static_cast<const std::byte*>(numbers.data),
          .rows = rows,
          .row_stride = 3 * size,
          .vector_stride = 3 * size,
          .number_stride = size,
          .dtype = numbers.dtype,
          .byte_order = host_byte_order,
          .indices = indices};
}

Point point_of(const MeshNumbers& numbers, std::int32_t row) noexcept {
  const auto at = 3 * static_cast<std::uint64_t>(row);
  return {numbers[at], numbers[at + 1], numbers[at + 2]};
}

/// The normal of a triangle: the one that its corners share, or else the one that they give. Sets
/// `differs` if the corners have several.
Point facet_normal(const Mesh& m, std::uint64_t first, bool& differs) {
  const Point a = point_of(m.positions, m.corners[first]);
  const Point b = point_of(m.positions, m.corners[first + 1]);
  const Point c = point_of(m.positions, m.corners[first + 2]);
  Point made = normal_of(a, b, c);
  for (double& n : made) {
    // volatile: GCC 12 leaves the rounding of two neighbors out where it makes them one vector.
    const volatile float single = static_cast<float>(n);
    n = static_cast<double>(single);
  }
  if (m.corner_normals.empty()) return made;
  const std::int32_t normal = m.corner_normals[first];
  bool same = true;
  bool any = normal >= 0;
  for (const std::uint64_t k : {first + 1, first + 2}) {
    const std::int32_t other = m.corner_normals[k];
    any = any || other >= 0;
    same = same && (other == normal || (other >= 0 && normal >= 0 &&
                                        point_of(m.normals, other) == point_of(m.normals, normal)));
  }
  differs = differs || !same;
  return any && same ? point_of(m.normals, normal) : made;
}

/// True if a material says more than a color.
bool has_more(const MeshMaterial& look) noexcept {
  return look.opacity != 1 || look.metallic != 0 || look.roughness != 1 ||
         look.emission != MeshMaterial().emission || look.alpha != MeshAlpha::opaque ||
         look.double_sided || !look.base_texture.empty() || !look.normal_texture.empty();
}

/// True if a material is the texture that a comment names, and is lost as that.
bool is_of_comment(const Mesh& m, const MeshMaterial& look) {
  return !look.base_texture.name.empty() &&
         std::ranges::count(m.comments, "TextureFile " + std::string(look.base_texture.name)) != 0;
}

/// The colors of materials as attributes of facets. What these have no place for is lost.
void add_colors(const Call& call, const Mesh& m, Facets& facets, Builder& out) {
  std::vector<std::uint16_t> bits;
  std::vector<bool> used(m.looks.size());
  std::set<std::string_view> textures;
  std::uint64_t rounded = 0, names = 0, more = 0;
  for (const std::int32_t material : m.face_materials)
    if (material >= 0) used[static_cast<std::size_t>(material)] = true;
  for (std::size_t i = 0; i < m.looks.size(); ++i) {
    const MeshMaterial& look = m.looks[i];
    std::uint16_t color = 0;
    bool is_exact = true;
    for (std::size_t k = 0; k < 3 && look.is_known; ++k) {
      const double part = look.base_color[k] >= 0 ? std::min(look.base_color[k], 1.0) : 0;
      const auto five = static_cast<std::uint16_t>(std::lround(part * 31));
      is_exact = is_exact && five / 31.0 == look.base_color[k];
      color = static_cast<std::uint16_t>(color << 5 | five);
    }
    if (is_of_comment(m, look)) {
      if (textures.insert(look.base_texture.name).second)
        call.report_loss(LossClass::data, m.paths[MeshPart::comments],
                         "comments with the texture " + quote(look.base_texture.name));
      if (look.base_color == MeshMaterial().base_color) {
        names += used[i] && m.looks.size() > 1 ? 1 : 0;
        bits.push_back(0);
        continue;
      }
    }
    bits.push_back(look.is_known ? static_cast<std::uint16_t>(has_color | color) : 0);
    if (!used[i]) continue;
    rounded += is_exact ? 0 : 1;
    names += look.is_known && m.materials[i] == detail::color_name(look.base_color) ? 0 : 1;
    more += look.is_known && has_more(look) ? 1 : 0;
  }
  const auto lose = [&](std::uint64_t count, MeshPart part, const char* what, LossClass loss) {
    if (count != 0) call.report_loss(loss, m.paths[part], std::to_string(count) + what);
  };
  lose(names, MeshPart::materials, " names of materials: their colors stay", LossClass::data);
  lose(more, MeshPart::looks, " materials that are more than a color", LossClass::data);
  lose(rounded, MeshPart::looks, " colors of materials, which have five bits a part",
       LossClass::note);
  auto* const attributes = out.allocate<std::uint16_t>(facets.count + 1);
  for (std::uint64_t i = 0; i < facets.count; ++i) {
    const std::int32_t material = m.face_materials[i];
    attributes[i] = material < 0 ? std::uint16_t{0} : bits[static_cast<std::size_t>(material)];
  }
  facets.attributes = {reinterpret_cast<const std::byte*>(attributes), 2, host_byte_order};
}

}  // namespace

Facets from_mesh(const Call& call, View value, const Settings& settings, Builder& out) {
  const MeshRequest request{.holder = "STL", .detail = "stl.lossy"};
  const Mesh given = as_mesh(call, value, request, out);
  Facets facets;
  facets.header = header_of(given);
  // A mesh without looks keeps no part of its materials, and one without a comment has none to
  // lose.
  const bool has_looks = !given.looks.empty() && !given.face_materials.empty();
  const MeshPart comments = facets.header.empty() ? MeshPart::normals : MeshPart::comments;
  if (has_looks)
    report_lost_parts(
        call, given, request,
        {MeshPart::normals, MeshPart::objects, comments, MeshPart::materials, MeshPart::looks});
  else
    report_lost_parts(call, given, request, {MeshPart::normals, MeshPart::objects, comments});
  const Mesh m = triangulate(call, given, settings.triangulate, out);
  facets.paths = m.paths;
  facets.count = m.face_count();
  if (facets.count > UINT32_MAX)
    throw Error(Status::limit, "a binary STL file has at most 2^32 - 1 facets").detail("stl.limit");
  auto* normals = out.allocate<double>(3 * facets.count + 1);
  Meter meter(call);
  std::uint64_t mixed = 0;
  for (std::uint64_t i = 0; i < facets.count; ++i) {
    meter.tick(8);
    bool differs = false;
    const Point normal = facet_normal(m, 3 * i, differs);
    mixed += differs ? 1 : 0;
    std::copy(normal.begin(), normal.end(), normals + 3 * i);
  }
  if (mixed != 0)
    call.report_loss(LossClass::data, m.paths[MeshPart::normals],
                     "normals of corners, which differ in " + std::to_string(mixed) + " faces");
  if (has_looks) add_colors(call, m, facets, out);
  facets.vertices = vectors_of(m.positions, facets.count, m.corners.data());
  facets.normals = vectors_of(std::span<const double>(normals, 3 * facets.count), facets.count);
  for (std::uint64_t i = 0; i < facets.count && !m.face_objects.empty(); ++i) {
    const std::int32_t object = m.face_objects[i];
    if (i == 0 || object != m.face_objects[i - 1])
      facets.solids.push_back(
          {object < 0 ? std::string_view() : m.objects[static_cast<std::size_t>(object)], 0});
    ++facets.solids.back().facets;
  }
  return facets;
}

}  // namespace polycodec::stl
