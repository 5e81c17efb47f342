// SPDX-License-Identifier: MIT
// Documents as values of the type `mesh`.
#include <polycodec/error.hpp>
#include <polycodec/mesh.hpp>

#include "codec.hpp"
#include "transform.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace polycodec::gltf {
namespace {

enum Mode : std::uint64_t { points, lines, line_loop, line_strip, triangles, strip, fan };

/// The values of an accessor, as numbers.
struct Accessor {
  Layout layout;
  Components components;
  double scale = 0;  ///< what a normalized integer is divided by; 0: none is

  double number(std::uint64_t i, std::uint32_t k) const noexcept {
    const double number = components.number(i, k);
    return scale == 0 ? number : std::max(number / scale, -1.0);
  }
};

/// A primitive where a node puts it.
struct Instance {
  View primitive;
  std::string path;
  Matrix matrix;
  std::int32_t object = -1;
};

class Collector {
 public:
  Collector(const Call& call, View document, Builder& out)
      : call_(call), meter_(call), document_(document), out_(out) {}

  Node run() {
    report_losses();
    collect();
    count();
    narrow_ ? fill_positions<float>() : fill_positions<double>();
    narrow_normals_ ? fill_normals<float>() : fill_normals<double>();
    if (texcoords_ != 0) fill_texcoords();
    if (colored_) byte_colors_ ? fill_colors<std::uint8_t>() : fill_colors<double>();
    fill_faces();
    name_materials();
    mesh_.materials = materials_;
    mesh_.objects = objects_;
    return make_mesh(mesh_, out_);
  }

 private:
  static constexpr const char* names_of_losses[][2] = {{"animations", "animations"},
                                                       {"skins", "skins"},
                                                       {"cameras", "cameras"},
                                                       {"images", "images"},
                                                       {"textures", "textures"}};

  void lose(const std::string& path, const std::string& what, LossClass loss = LossClass::data) {
    call_.report_loss(loss, path, what);
  }
  void report_losses() {
    for (const auto& [member, what] : names_of_losses)
      if (const auto n = list_at(document_, member, "$").size(); n != 0)
        lose(std::string("$.") + member, std::to_string(n) + " " + what);
    const View materials = list_at(document_, "materials", "$");
    std::uint64_t more = 0;
    for (View material : materials) more += material.size() > (material.find("name") ? 1u : 0u);
    if (more != 0)
      lose("$.materials", "parameters of " + std::to_string(more) + " materials: names stay");
    const View required = list_at(document_, "extensionsRequired", "$");
    for (View name : required)
      if (name.is_string() && name.as_string() == "KHR_node_visibility")
        lose("$.extensionsRequired", "which nodes are visible");
  }

  void collect() {
    const View nodes = list_at(document_, "nodes", "$");
    std::vector<std::pair<std::uint64_t, Matrix>> stack;
    const View scenes = list_at(document_, "scenes", "$");
    if (scenes.size() != 0) {
      const auto scene = integer_at(document_, "scene", scenes.size() - 1, "$").value_or(0);
      const View roots = list_at(scenes.child(scene), "nodes", at("$.scenes", scene));
      for (std::uint64_t i = roots.size(); i-- > 0;)
        stack.emplace_back(roots.child(i).as_uint64(), Matrix());
      if (scenes.size() > 1)
        lose("$.scenes", std::to_string(scenes.size() - 1) + " scenes beside the first one shown");
    } else {
      std::vector<bool> child(static_cast<std::size_t>(nodes.size()));
      for (View node : nodes)
        for (View item : list_at(node, "children", "$"))
          child[static_cast<std::size_t>(item.as_uint64())] = true;
      for (std::uint64_t i = nodes.size(); i-- > 0;)
        if (!child[static_cast<std::size_t>(i)]) stack.emplace_back(i, Matrix());
    }
    std::uint64_t moved = 0;
    // Nodes are trees, so this ends; the stack keeps deep ones off the stack of the thread.
    while (!stack.empty()) {
      const auto [number, outer] = stack.back();
      stack.pop_back();
      meter_.tick(64);
      const View node = nodes.child(number);
      const std::string path = at("$.nodes", number);
      const Matrix matrix = outer * transform_of(node, path);
      const View children = list_at(node, "children", path);
      for (std::uint64_t i = children.size(); i-- > 0;)
        stack.emplace_back(children.child(i).as_uint64(), matrix);
      if (const auto mesh = integer_at(node, "mesh", UINT64_MAX - 1, path)) {
        moved += matrix == Matrix() ? 0 : 1;
        add(node, number, *mesh, matrix);
      }
    }
    if (moved != 0)
      lose("$.nodes", "transforms of " + std::to_string(moved) + " nodes: they are applied",
           LossClass::note);
  }

  void add(View node, std::uint64_t number, std::uint64_t mesh, const Matrix& matrix) {
    const std::string path = at("$.meshes", mesh);
    const View description = list_at(document_, "meshes", "$").child(mesh);
    std::string_view name = string_at(node, "name", at("$.nodes", number));
    if (name.empty()) name = string_at(description, "name", path);
    const auto object = static_cast<std::int32_t>(objects_.size());
    named_ = named_ || !name.empty();
    objects_.push_back(name.empty() ? out_.copy_text("node_" + std::to_string(number)) : name);
    const View primitives = list_at(description, "primitives", path);
    for (std::uint64_t i = 0; i < primitives.size(); ++i) {
      meter_.tick(64);
      instances_.push_back({primitives.child(i), at(path + ".primitives", i), matrix, object});
    }
  }

  std::optional<Accessor> accessor(std::optional<std::uint64_t> number) {
    if (!number) return std::nullopt;
    const std::string path = at("$.accessors", *number);
    const View description = list_at(document_, "accessors", "$").child(*number);
    const Layout layout = layout_of(description, path);
    const View values = description["values"];
    Accessor made{layout, Components(*values.array(), layout, path + ".values")};
    const auto normalized = description.find("normalized");
    if (normalized && normalized->kind() == POLYCODEC_KIND_BOOLEAN && normalized->as_bool() &&
        layout.dtype != POLYCODEC_DTYPE_FLOAT32)
      made.scale = layout.dtype == POLYCODEC_DTYPE_INT8     ? 127
                   : layout.dtype == POLYCODEC_DTYPE_UINT8  ? 255
                   : layout.dtype == POLYCODEC_DTYPE_INT16  ? 32767
                   : layout.dtype == POLYCODEC_DTYPE_UINT16 ? 65535
                                                            : 4294967295.0;
    return made;
  }
  std::optional<Accessor> attribute(const Instance& of, const char* name, std::uint32_t least,
                                    std::uint32_t most) {
    auto found = accessor(integer_at(of.primitive["attributes"], name, UINT64_MAX - 1, of.path));
    if (found && (found->layout.type->columns != 1 || found->layout.type->rows < least ||
                  found->layout.type->rows > most))
      refuse(Status::malformed, "bad_primitive",
             "an accessor of type " + std::string(found->layout.type->name) +
                 " does not fit this attribute",
             of.path + ".attributes." + name);
    return found;
  }

  /// The attributes and what is to be counted before memory is taken.
  void count() {
    std::uint64_t others = 0;
    for (const Instance& i : instances_) {
      meter_.tick(64);
      const View attributes = i.primitive["attributes"];
      for (std::uint64_t k = 0; k < attributes.size(); ++k) {
        const auto name = attributes.name(k);
        others +=
            name != "POSITION" && name != "NORMAL" && name != "TEXCOORD_0" && name != "COLOR_0";
      }
      if (const auto n = list_at(i.primitive, "targets", i.path).size(); n != 0)
        lose(i.path + ".targets", std::to_string(n) + " morph targets");
      const auto position = attribute(i, "POSITION", 3, 3);
      if (!position)
        refuse(Status::unsupported, "bad_primitive", "a primitive without positions is not a mesh",
               i.path + ".attributes");
      positions_ += position->layout.count;
      const bool moved = !(i.matrix == Matrix());
      narrow_ = narrow_ && !moved && position->layout.dtype == POLYCODEC_DTYPE_FLOAT32;
      if (const auto normal = attribute(i, "NORMAL", 3, 3)) {
        normals_ += normal->layout.count;
        narrow_normals_ =
            narrow_normals_ && !moved && normal->layout.dtype == POLYCODEC_DTYPE_FLOAT32;
      }
      if (const auto texcoord = attribute(i, "TEXCOORD_0", 2, 2))
        texcoords_ += texcoord->layout.count;
      if (const auto color = attribute(i, "COLOR_0", 3, 4)) {
        colored_ = true;
        transparent_ = transparent_ || color->layout.type->rows == 4;
        byte_colors_ = byte_colors_ && color->layout.dtype == POLYCODEC_DTYPE_UINT8;
      }
      if (positions_ > INT32_MAX || positions_ > call_.limits().max_elements)
        refuse(Status::limit, "limit", "the mesh has more positions than max_elements or 2^31 - 1",
               i.path);
    }
    if (others != 0)
      lose("$.meshes", std::to_string(others) + " attributes of primitives, such as tangents");
  }

  template <class T, class Body>
  MeshNumbers filled(std::uint64_t rows, std::uint64_t width, const Body& body) {
    auto* to = out_.allocate<T>(rows * width);
    body(to);
    return std::span<const T>(to, static_cast<std::size_t>(rows * width));
  }
  static std::array<double, 3> vector(const Accessor& a, std::uint64_t i) noexcept {
    return {a.number(i, 0), a.number(i, 1), a.number(i, 2)};
  }

  template <class T>
  void fill_positions() {
    mesh_.positions = filled<T>(positions_, 3, [&](T* to) {
      for (const Instance& i : instances_) {
        const auto position = *attribute(i, "POSITION", 3, 3);
        meter_.tick(position.layout.count * 4);
        const bool moved = !(i.matrix == Matrix());
        for (std::uint64_t k = 0; k < position.layout.count; ++k) {
          const auto p = vector(position, k);
          for (const double number : moved ? i.matrix.point(p) : p) *to++ = static_cast<T>(number);
        }
      }
    });
  }
  template <class T>
  void fill_normals() {
    mesh_.normals = filled<T>(normals_, 3, [&](T* to) {
      for (const Instance& i : instances_) {
        const auto normal = attribute(i, "NORMAL", 3, 3);
        if (!normal) continue;
        meter_.tick(normal->layout.count * 4);
        const bool moved = !(i.matrix == Matrix());
        for (std::uint64_t k = 0; k < normal->layout.count; ++k) {
          const auto n = vector(*normal, k);
          for (const double number : moved ? i.matrix.normal(n) : n) *to++ = static_cast<T>(number);
        }
      }
    });
  }
  /// The corner (0, 0) of a texture is the upper left one in glTF; float64, so that 1 - (1 - v) is
  /// v.
  void fill_texcoords() {
    mesh_.texcoords = filled<double>(texcoords_, 2, [&](double* to) {
      for (const Instance& i : instances_) {
        const auto texcoord = attribute(i, "TEXCOORD_0", 2, 2);
        if (!texcoord) continue;
        meter_.tick(texcoord->layout.count * 2);
        for (std::uint64_t k = 0; k < texcoord->layout.count; ++k) {
          *to++ = texcoord->number(k, 0);
          *to++ = 1 - texcoord->number(k, 1);
        }
      }
    });
  }
  template <class T>
  void fill_colors() {
    const T one = sizeof(T) == 1 ? static_cast<T>(255) : static_cast<T>(1);
    T* alpha = transparent_ ? out_.allocate<T>(positions_) : nullptr;
    if (transparent_) mesh_.alpha = std::span<const T>(alpha, static_cast<std::size_t>(positions_));
    mesh_.colors = filled<T>(positions_, 3, [&](T* to) {
      for (const Instance& i : instances_) {
        const auto color = attribute(i, "COLOR_0", 3, 4);
        const std::uint64_t rows = attribute(i, "POSITION", 3, 3)->layout.count;
        meter_.tick(rows * 4);
        for (std::uint64_t k = 0; k < rows; ++k) {
          const auto part = [&](std::uint32_t c) {
            if (!color || c >= color->layout.type->rows) return one;
            return static_cast<T>(sizeof(T) == 1 ? color->components.number(k, c)
                                                 : color->number(k, c));
          };
          for (std::uint32_t c = 0; c < 3; ++c) *to++ = part(c);
          if (alpha != nullptr) *alpha++ = part(3);
        }
      }
    });
  }

  /// The vertices of a primitive in the order of its indices.
  template <class Body>
  void corners_of(const Instance& i, const Body& body) {
    const std::uint64_t rows = attribute(i, "POSITION", 3, 3)->layout.count;
    const auto indices = accessor(integer_at(i.primitive, "indices", UINT64_MAX - 1, i.path));
    if (indices &&
        (indices->layout.components() != 1 || (indices->layout.dtype != POLYCODEC_DTYPE_UINT8 &&
                                               indices->layout.dtype != POLYCODEC_DTYPE_UINT16 &&
                                               indices->layout.dtype != POLYCODEC_DTYPE_UINT32)))
      refuse(Status::malformed, "bad_primitive", "indices are scalars of type 5121, 5123 or 5125",
             i.path + ".indices");
    const std::uint64_t n = indices ? indices->layout.count : rows;
    const auto corner = [&](std::uint64_t k) -> std::int32_t {
      if (!indices) return static_cast<std::int32_t>(k);
      const auto index = static_cast<std::uint64_t>(indices->components.number(k, 0));
      if (index >= rows)
        refuse(Status::range, "bad_index",
               "index " + std::to_string(index) + " with " + std::to_string(rows) + " rows",
               at(i.path + ".indices", k));
      return static_cast<std::int32_t>(index);
    };
    const auto mode = integer_at(i.primitive, "mode", 6, i.path).value_or(triangles);
    meter_.tick(n * 4);
    body(mode, n, corner);
  }
  static std::uint64_t faces_in(std::uint64_t mode, std::uint64_t n) noexcept {
    if (mode == triangles) return n / 3;
    return (mode == strip || mode == fan) && n >= 3 ? n - 2 : 0;
  }
  static std::uint64_t edges_in(std::uint64_t mode, std::uint64_t n) noexcept {
    if (mode == lines) return n / 2;
    if (mode == line_loop) return n >= 2 ? n : 0;
    return mode == line_strip && n >= 2 ? n - 1 : 0;
  }

  void fill_faces() {
    std::uint64_t faces = 0;
    std::uint64_t edges = 0;
    for (const Instance& i : instances_)
      corners_of(i, [&](std::uint64_t mode, std::uint64_t n, const auto&) {
        faces += faces_in(mode, n);
        edges += edges_in(mode, n);
        if (mode == triangles && n % 3 != 0)
          refuse(Status::malformed, "bad_primitive",
                 std::to_string(n) + " corners of triangles: must be a multiple of 3", i.path);
      });
    auto* offsets = out_.allocate<std::uint64_t>(faces + 1);
    auto* corners = out_.allocate<std::int32_t>(3 * faces);
    auto* texcoords = out_.allocate<std::int32_t>(texcoords_ == 0 ? 0 : 3 * faces);
    auto* normals = out_.allocate<std::int32_t>(normals_ == 0 ? 0 : 3 * faces);
    auto* materials = out_.allocate<std::int32_t>(faces);
    auto* objects = out_.allocate<std::int32_t>(faces);
    auto* ends = out_.allocate<std::int32_t>(2 * edges);
    const auto n = static_cast<std::size_t>(faces);
    for (std::uint64_t k = 0; k <= faces; ++k) offsets[k] = 3 * k;
    mesh_.faces = {offsets, n + 1};
    mesh_.corners = {corners, 3 * n};
    if (texcoords_ != 0) mesh_.corner_texcoords = {texcoords, 3 * n};
    if (normals_ != 0) mesh_.corner_normals = {normals, 3 * n};
    mesh_.face_materials = {materials, n};
    if (named_ || objects_.size() > 1) {
      mesh_.face_objects = {objects, n};
    } else {
      objects_.clear();
    }
    mesh_.edges = {ends, static_cast<std::size_t>(2 * edges)};
    std::int32_t position = 0;
    std::int32_t texcoord = 0;
    std::int32_t normal = 0;
    for (const Instance& i : instances_) {
      const auto has_texcoords = attribute(i, "TEXCOORD_0", 2, 2);
      const auto has_normals = attribute(i, "NORMAL", 3, 3);
      const auto found = integer_at(i.primitive, "material", UINT64_MAX - 1, i.path);
      const std::int32_t material = found ? static_cast<std::int32_t>(*found) : -1;
      corners_of(i, [&](std::uint64_t mode, std::uint64_t count, const auto& corner) {
        for (std::uint64_t k = 0; k < edges_in(mode, count); ++k) {
          const std::uint64_t first = mode == lines ? 2 * k : k;
          *ends++ = position + corner(first);
          *ends++ = position + corner((first + 1) % count);
        }
        for (std::uint64_t k = 0; k < faces_in(mode, count); ++k) {
          std::uint64_t at[3] = {3 * k, 3 * k + 1, 3 * k + 2};
          if (mode == strip) at[0] = k, at[1] = k + 1 + k % 2, at[2] = k + 2 - k % 2;
          if (mode == fan) at[0] = k + 1, at[1] = k + 2, at[2] = 0;
          // What a mirror shows has its corners the other way around.
          if (i.matrix.mirrors()) std::swap(at[1], at[2]);
          for (const std::uint64_t c : at) {
            const std::int32_t vertex = corner(c);
            *corners++ = position + vertex;
            if (texcoords_ != 0) *texcoords++ = has_texcoords ? texcoord + vertex : -1;
            if (normals_ != 0) *normals++ = has_normals ? normal + vertex : -1;
          }
          *materials++ = material;
          *objects++ = i.object;
        }
      });
      const auto rows = static_cast<std::int32_t>(attribute(i, "POSITION", 3, 3)->layout.count);
      position += rows;
      if (has_texcoords) texcoord += rows;
      if (has_normals) normal += rows;
    }
  }

  void name_materials() {
    const View materials = list_at(document_, "materials", "$");
    for (std::uint64_t i = 0; i < materials.size(); ++i) {
      const std::string_view name = string_at(materials.child(i), "name", at("$.materials", i));
      materials_.push_back(name.empty() ? out_.copy_text("material_" + std::to_string(i)) : name);
    }
  }

  const Call& call_;
  Meter meter_;
  const View document_;
  Builder& out_;
  Mesh mesh_;
  std::vector<Instance> instances_;
  std::vector<std::string_view> objects_, materials_;
  std::uint64_t positions_ = 0, normals_ = 0, texcoords_ = 0;
  bool narrow_ = true, narrow_normals_ = true, named_ = false;
  bool colored_ = false, transparent_ = false, byte_colors_ = true;
};

}  // namespace

Node to_mesh(const Call& call, View document, Builder& out) {
  return Collector(call, document, out).run();
}

}  // namespace polycodec::gltf
