// SPDX-License-Identifier: MIT
// Documents as values of the type `mesh`.
#include <polycodec/error.hpp>
#include <polycodec/mesh.hpp>

#include "codec.hpp"
#include "growing.hpp"
#include "materials.hpp"
#include "transform.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <span>
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

/// A primitive of the document, with what it refers to.
struct Primitive {
  std::uint64_t mesh = 0, number = 0;
  Accessor position;
  std::optional<Accessor> normal, texcoord, color, indices;
  std::uint64_t mode = triangles;
  std::int32_t material = -1;

  std::string path() const { return gltf::at(gltf::at("$.meshes", mesh) + ".primitives", number); }
  std::uint64_t rows() const noexcept { return position.layout.count; }
  std::uint64_t corners() const noexcept { return indices ? indices->layout.count : rows(); }
  std::uint64_t faces() const noexcept {
    const std::uint64_t n = corners();
    if (mode == triangles) return n / 3;
    return (mode == strip || mode == fan) && n >= 3 ? n - 2 : 0;
  }
  std::uint64_t edges() const noexcept {
    const std::uint64_t n = corners();
    if (mode == lines) return n / 2;
    if (mode == line_loop) return n >= 2 ? n : 0;
    return mode == line_strip && n >= 2 ? n - 1 : 0;
  }
};

/// A mesh of the document: its primitives, once it is used.
struct Primitives {
  const Primitive* primitives = nullptr;
  std::uint64_t count = 0;
};

/// A mesh where a node puts it.
struct Placed {
  Primitives part;
  Matrix matrix;
  std::int32_t object = -1;
  bool moved = false;
};

class Collector {
 public:
  Collector(const Call& call, View document, Builder& out)
      : call_(call),
        meter_(call),
        document_(document),
        out_(out),
        placed_(out),
        objects_(out),
        materials_(out) {}

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
    mesh_.materials = names_in(materials_);
    if (named_ || objects_.size() > 1) mesh_.objects = names_in(objects_);
    return make_mesh(mesh_, out_);
  }

 private:
  static constexpr const char* names_of_losses[][2] = {
      {"animations", "animations"}, {"skins", "skins"}, {"cameras", "cameras"}};

  void lose(const std::string& path, const std::string& what, LossClass loss = LossClass::data) {
    call_.report_loss(loss, path, what);
  }
  void report_losses() {
    for (const auto& [member, what] : names_of_losses)
      if (const auto n = list_at(document_, member, "$").size(); n != 0)
        lose(std::string("$.") + member, std::to_string(n) + " " + what);
    mesh_.looks = looks_of(
        document_,
        [&](LossClass loss, const std::string& path, const std::string& what) {
          lose(path, what, loss);
        },
        out_);
    report_others();
    const View required = list_at(document_, "extensionsRequired", "$");
    for (View name : required)
      if (name.is_string() && name.as_string() == "KHR_node_visibility")
        lose("$.extensionsRequired", "which nodes are visible");
  }

  /// What else no mesh has: metadata of the file, and what users and extensions add to its members.
  void report_others() {
    if (const auto asset = document_.find("asset"); asset && asset->is_object())
      for (std::uint64_t i = 0; i < asset->size(); ++i)
        if (asset->name(i) == "copyright" || asset->name(i) == "extras")
          lose("$.asset." + std::string(asset->name(i)), "metadata of the file", LossClass::note);
    for (const char* member : {"scenes", "nodes", "meshes"}) {
      const View items = list_at(document_, member, "$");
      for (const char* what : {"extras", "extensions"}) {
        std::uint64_t n = 0;
        for (View item : items) n += item.find(what) ? 1 : 0;
        if (n != 0)
          lose(std::string("$.") + member, what + (" of " + std::to_string(n)) + " " + member,
               std::string_view(what) == "extras" ? LossClass::note : LossClass::data);
      }
    }
  }

  static std::span<const std::string_view> names_in(const Growing<std::string_view>& names) {
    return {names.data(), static_cast<std::size_t>(names.size())};
  }

  /// A node that is still to be visited, and where its parent is.
  struct Step {
    std::uint64_t node = 0;
    Matrix outer;
  };

  void collect() {
    const View nodes = list_at(document_, "nodes", "$");
    parts_ = out_.allocate<Primitives>(list_at(document_, "meshes", "$").size());
    std::uninitialized_fill_n(parts_, list_at(document_, "meshes", "$").size(), Primitives());
    Growing<Step> stack(out_);
    const View scenes = list_at(document_, "scenes", "$");
    if (scenes.size() != 0) {
      const auto scene = integer_at(document_, "scene", scenes.size() - 1, "$").value_or(0);
      const View roots = list_at(scenes.child(scene), "nodes", at("$.scenes", scene));
      for (std::uint64_t i = roots.size(); i-- > 0;)
        stack.push({roots.child(i).as_uint64(), Matrix()});
      if (scenes.size() > 1)
        lose("$.scenes", std::to_string(scenes.size() - 1) + " scenes beside the first one shown");
    } else {
      std::vector<bool> child(static_cast<std::size_t>(nodes.size()));
      for (View node : nodes)
        for (View item : list_at(node, "children", "$"))
          child[static_cast<std::size_t>(item.as_uint64())] = true;
      for (std::uint64_t i = nodes.size(); i-- > 0;)
        if (!child[static_cast<std::size_t>(i)]) stack.push({i, Matrix()});
    }
    std::uint64_t moved = 0;
    // Nodes are trees, so this ends; the stack keeps deep ones off the stack of the thread.
    while (stack.size() != 0) {
      const auto [number, outer] = stack.pop();
      meter_.tick(64);
      const View node = nodes.child(number);
      const std::string path = at("$.nodes", number);
      const Matrix matrix = outer * transform_of(node, path);
      const View children = list_at(node, "children", path);
      for (std::uint64_t i = children.size(); i-- > 0;)
        stack.push({children.child(i).as_uint64(), matrix});
      if (const auto mesh = integer_at(node, "mesh", UINT64_MAX - 1, path)) {
        moved += matrix == Matrix() ? 0 : 1;
        add(node, number, *mesh, matrix);
      }
    }
    std::uint64_t hidden = 0;
    for (std::uint64_t i = 0; i < list_at(document_, "meshes", "$").size(); ++i)
      hidden += parts_[i].primitives == nullptr ? 1 : 0;
    if (hidden != 0)
      lose("$.meshes", std::to_string(hidden) + " meshes that no node of the scene has");
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
    objects_.push(name.empty() ? out_.copy_text("node_" + std::to_string(number)) : name);
    placed_.push({primitives_of(mesh, description), matrix, object, !(matrix == Matrix())});
  }

  /// The primitives of a mesh. However many nodes place it, they are looked at once.
  const Primitives& primitives_of(std::uint64_t mesh, View description) {
    Primitives& part = parts_[mesh];
    if (part.primitives != nullptr) return part;
    const View primitives = list_at(description, "primitives", at("$.meshes", mesh));
    auto* const made = out_.allocate<Primitive>(primitives.size());
    for (std::uint64_t i = 0; i < primitives.size(); ++i)
      new (made + i) Primitive(primitive_of(primitives.child(i), mesh, i));
    part = {made, primitives.size()};
    return part;
  }

  Primitive primitive_of(View description, std::uint64_t mesh, std::uint64_t number) {
    meter_.tick(256);
    const std::string path = at(at("$.meshes", mesh) + ".primitives", number);
    const View attributes = description["attributes"];
    for (std::uint64_t k = 0; k < attributes.size(); ++k) {
      const auto name = attributes.name(k);
      others_ +=
          name != "POSITION" && name != "NORMAL" && name != "TEXCOORD_0" && name != "COLOR_0";
    }
    if (const auto n = list_at(description, "targets", path).size(); n != 0)
      lose(path + ".targets", std::to_string(n) + " morph targets");
    const auto position = attribute(attributes, "POSITION", 3, 3, path);
    if (!position)
      refuse(Status::unsupported, "bad_primitive", "a primitive without positions is not a mesh",
             path + ".attributes");
    Primitive made{mesh,
                   number,
                   *position,
                   attribute(attributes, "NORMAL", 3, 3, path),
                   attribute(attributes, "TEXCOORD_0", 2, 2, path),
                   attribute(attributes, "COLOR_0", 3, 4, path),
                   accessor(integer_at(description, "indices", UINT64_MAX - 1, path)),
                   integer_at(description, "mode", 6, path).value_or(triangles)};
    if (const auto material = integer_at(description, "material", UINT64_MAX - 1, path))
      made.material = static_cast<std::int32_t>(*material);
    plain_materials_ += made.material >= 0 && made.mode < triangles ? 1 : 0;
    if (made.indices && (made.indices->layout.components() != 1 ||
                         (made.indices->layout.dtype != POLYCODEC_DTYPE_UINT8 &&
                          made.indices->layout.dtype != POLYCODEC_DTYPE_UINT16 &&
                          made.indices->layout.dtype != POLYCODEC_DTYPE_UINT32)))
      refuse(Status::malformed, "bad_primitive", "indices are scalars of type 5121, 5123 or 5125",
             path + ".indices");
    if (made.mode == triangles && made.corners() % 3 != 0)
      refuse(Status::malformed, "bad_primitive",
             std::to_string(made.corners()) + " corners of triangles: must be a multiple of 3",
             path);
    return made;
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
  std::optional<Accessor> attribute(View attributes, const char* name, std::uint32_t least,
                                    std::uint32_t most, const std::string& path) {
    auto found = accessor(integer_at(attributes, name, UINT64_MAX - 1, path));
    if (found && (found->layout.type->columns != 1 || found->layout.type->rows < least ||
                  found->layout.type->rows > most))
      refuse(Status::malformed, "bad_primitive",
             "an accessor of type " + std::string(found->layout.type->name) +
                 " does not fit this attribute",
             path + ".attributes." + name);
    return found;
  }

  /// Calls body(placed, primitive) for each primitive of each node.
  template <class Body>
  void for_each(const Body& body) {
    for (std::uint64_t n = 0; n < placed_.size(); ++n) {
      const Placed& placed = placed_[n];
      for (std::uint64_t i = 0; i < placed.part.count; ++i) {
        meter_.tick(4);
        body(placed, placed.part.primitives[i]);
      }
    }
  }

  /// What is to be counted before memory is taken.
  void count() {
    for_each([&](const Placed& placed, const Primitive& primitive) {
      positions_ += primitive.rows();
      faces_ += primitive.faces();
      edges_ += primitive.edges();
      narrow_ =
          narrow_ && !placed.moved && primitive.position.layout.dtype == POLYCODEC_DTYPE_FLOAT32;
      if (primitive.normal) {
        normals_ += primitive.rows();
        narrow_normals_ = narrow_normals_ && !placed.moved &&
                          primitive.normal->layout.dtype == POLYCODEC_DTYPE_FLOAT32;
      }
      if (primitive.texcoord) texcoords_ += primitive.rows();
      if (primitive.color) {
        colored_ = true;
        transparent_ = transparent_ || primitive.color->layout.type->rows == 4;
        byte_colors_ = byte_colors_ && primitive.color->layout.dtype == POLYCODEC_DTYPE_UINT8;
      }
      const std::uint64_t most = call_.limits().max_elements;
      if (positions_ > INT32_MAX || positions_ > most || faces_ > most || edges_ > most)
        refuse(Status::limit, "limit",
               "the mesh has more positions, faces or edges than max_elements, or more positions "
               "than 2^31 - 1",
               primitive.path());
    });
    if (plain_materials_ != 0)
      lose("$.meshes",
           "materials of " + std::to_string(plain_materials_) + " primitives without faces");
    if (others_ != 0)
      lose("$.meshes", std::to_string(others_) + " attributes of primitives, such as tangents");
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
      for_each([&](const Placed& placed, const Primitive& primitive) {
        meter_.tick(primitive.rows() * 4);
        for (std::uint64_t k = 0; k < primitive.rows(); ++k) {
          const auto p = vector(primitive.position, k);
          for (const double number : placed.moved ? placed.matrix.point(p) : p)
            *to++ = static_cast<T>(number);
        }
      });
    });
  }
  template <class T>
  void fill_normals() {
    mesh_.normals = filled<T>(normals_, 3, [&](T* to) {
      for_each([&](const Placed& placed, const Primitive& primitive) {
        if (!primitive.normal) return;
        meter_.tick(primitive.rows() * 4);
        for (std::uint64_t k = 0; k < primitive.rows(); ++k) {
          const auto n = vector(*primitive.normal, k);
          for (const double number : placed.moved ? placed.matrix.normal(n) : n)
            *to++ = static_cast<T>(number);
        }
      });
    });
  }
  /// The corner (0, 0) of a texture is the upper left one in glTF; float64, so that 1 - (1 - v) is
  /// v.
  void fill_texcoords() {
    mesh_.texcoords = filled<double>(texcoords_, 2, [&](double* to) {
      for_each([&](const Placed&, const Primitive& primitive) {
        if (!primitive.texcoord) return;
        meter_.tick(primitive.rows() * 2);
        for (std::uint64_t k = 0; k < primitive.rows(); ++k) {
          *to++ = primitive.texcoord->number(k, 0);
          *to++ = 1 - primitive.texcoord->number(k, 1);
        }
      });
    });
  }
  template <class T>
  void fill_colors() {
    const T one = sizeof(T) == 1 ? static_cast<T>(255) : static_cast<T>(1);
    T* alpha = transparent_ ? out_.allocate<T>(positions_) : nullptr;
    if (transparent_) mesh_.alpha = std::span<const T>(alpha, static_cast<std::size_t>(positions_));
    mesh_.colors = filled<T>(positions_, 3, [&](T* to) {
      for_each([&](const Placed&, const Primitive& primitive) {
        const auto& color = primitive.color;
        meter_.tick(primitive.rows() * 4);
        for (std::uint64_t k = 0; k < primitive.rows(); ++k) {
          const auto part = [&](std::uint32_t c) {
            if (!color || c >= color->layout.type->rows) return one;
            return static_cast<T>(sizeof(T) == 1 ? color->components.number(k, c)
                                                 : color->number(k, c));
          };
          for (std::uint32_t c = 0; c < 3; ++c) *to++ = part(c);
          if (alpha != nullptr) *alpha++ = part(3);
        }
      });
    });
  }

  /// The vertex of corner k of a primitive.
  static std::int32_t corner(const Primitive& primitive, std::uint64_t k) {
    if (!primitive.indices) return static_cast<std::int32_t>(k);
    const auto index = static_cast<std::uint64_t>(primitive.indices->components.number(k, 0));
    if (index >= primitive.rows())
      refuse(
          Status::range, "bad_index",
          "index " + std::to_string(index) + " with " + std::to_string(primitive.rows()) + " rows",
          at(primitive.path() + ".indices", k));
    return static_cast<std::int32_t>(index);
  }

  void fill_faces() {
    auto* offsets = out_.allocate<std::uint64_t>(faces_ + 1);
    auto* corners = out_.allocate<std::int32_t>(3 * faces_);
    auto* texcoords = out_.allocate<std::int32_t>(texcoords_ == 0 ? 0 : 3 * faces_);
    auto* normals = out_.allocate<std::int32_t>(normals_ == 0 ? 0 : 3 * faces_);
    auto* materials = out_.allocate<std::int32_t>(faces_);
    auto* objects = out_.allocate<std::int32_t>(faces_);
    auto* ends = out_.allocate<std::int32_t>(2 * edges_);
    const auto n = static_cast<std::size_t>(faces_);
    for (std::uint64_t k = 0; k <= faces_; ++k) offsets[k] = 3 * k;
    mesh_.faces = {offsets, n + 1};
    mesh_.corners = {corners, 3 * n};
    if (texcoords_ != 0) mesh_.corner_texcoords = {texcoords, 3 * n};
    if (normals_ != 0) mesh_.corner_normals = {normals, 3 * n};
    mesh_.face_materials = {materials, n};
    if (named_ || objects_.size() > 1) mesh_.face_objects = {objects, n};
    mesh_.edges = {ends, static_cast<std::size_t>(2 * edges_)};
    std::int32_t position = 0;
    std::int32_t texcoord = 0;
    std::int32_t normal = 0;
    for_each([&](const Placed& placed, const Primitive& primitive) {
      const std::uint64_t mode = primitive.mode;
      const std::uint64_t count = primitive.corners();
      meter_.tick(count * 8);
      for (std::uint64_t k = 0; k < primitive.edges(); ++k) {
        const std::uint64_t first = mode == lines ? 2 * k : k;
        *ends++ = position + corner(primitive, first);
        *ends++ = position + corner(primitive, (first + 1) % count);
      }
      for (std::uint64_t k = 0; k < primitive.faces(); ++k) {
        std::uint64_t three[3] = {3 * k, 3 * k + 1, 3 * k + 2};
        if (mode == strip) three[0] = k, three[1] = k + 1 + k % 2, three[2] = k + 2 - k % 2;
        if (mode == fan) three[0] = k + 1, three[1] = k + 2, three[2] = 0;
        // What a mirror shows has its corners the other way around.
        if (placed.matrix.mirrors()) std::swap(three[1], three[2]);
        for (const std::uint64_t c : three) {
          const std::int32_t vertex = corner(primitive, c);
          *corners++ = position + vertex;
          if (texcoords_ != 0) *texcoords++ = primitive.texcoord ? texcoord + vertex : -1;
          if (normals_ != 0) *normals++ = primitive.normal ? normal + vertex : -1;
        }
        *materials++ = primitive.material;
        *objects++ = placed.object;
      }
      const auto rows = static_cast<std::int32_t>(primitive.rows());
      position += rows;
      if (primitive.texcoord) texcoord += rows;
      if (primitive.normal) normal += rows;
    });
  }

  void name_materials() {
    const View materials = list_at(document_, "materials", "$");
    for (std::uint64_t i = 0; i < materials.size(); ++i) {
      const std::string_view name = string_at(materials.child(i), "name", at("$.materials", i));
      materials_.push(name.empty() ? out_.copy_text("material_" + std::to_string(i)) : name);
    }
  }

  const Call& call_;
  Meter meter_;
  const View document_;
  Builder& out_;
  Mesh mesh_;
  Primitives* parts_ = nullptr;  // one for each mesh
  Growing<Placed> placed_;
  Growing<std::string_view> objects_, materials_;
  std::uint64_t positions_ = 0, normals_ = 0, texcoords_ = 0, faces_ = 0, edges_ = 0;
  std::uint64_t others_ = 0;           // attributes that the mesh has no place for
  std::uint64_t plain_materials_ = 0;  // materials of points and lines
  bool narrow_ = true, narrow_normals_ = true, named_ = false;
  bool colored_ = false, transparent_ = false, byte_colors_ = true;
};

}  // namespace

Node to_mesh(const Call& call, View document, Builder& out) {
  return Collector(call, document, out).run();
}

}  // namespace polycodec::gltf
