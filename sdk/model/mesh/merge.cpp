// SPDX-License-Identifier: MIT
#include <base/seeded_hash.hpp>
#include <model/mesh/operations.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace polycodec::mesh {

namespace {

class Merger {
 public:
  Merger(std::span<const Mesh> meshes, Builder& out) : all_(meshes), out_(out) {}

  Mesh run() {
    Mesh m;
    bool colored = false;
    bool transparent = false;
    for (const Mesh& part : all_) {
      m.faces += part.faces;
      colored = colored || part.colors[0] != nullptr;
      transparent = transparent || part.alpha != nullptr;
      for (const std::string& comment : part.comments) add_once(m.comments, comment);
      for (const std::string& library : part.material_libraries)
        add_once(m.material_libraries, library);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      m.positions[i] = numbers([i](const Mesh& p) { return p.positions[i]; }, false);
      m.normals[i] = numbers([i](const Mesh& p) { return p.normals[i]; }, false);
      if (colored) m.colors[i] = numbers([i](const Mesh& p) { return p.colors[i]; }, true);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      m.texcoords[i] = numbers([i](const Mesh& p) { return p.texcoords[i]; }, false);
      m.edges[i] = edges(i);
    }
    if (transparent) m.alpha = numbers([](const Mesh& p) { return p.alpha; }, true);
    const auto positions = [](const Mesh& p) { return p.position_count(); };
    m.face_positions = lists([](const Mesh& p) { return p.face_positions; }, positions);
    m.face_texcoords = lists([](const Mesh& p) { return p.face_texcoords; },
                             [](const Mesh& p) { return p.texcoord_count(); });
    m.face_normals = lists([](const Mesh& p) { return p.face_normals; },
                           [](const Mesh& p) { return p.normal_count(); });
    m.face_materials = names([](const Mesh& p) { return p.face_materials; },
                             [](const Mesh& p) -> const auto& { return p.materials; }, m.materials);
    m.face_groups = names([](const Mesh& p) { return p.face_groups; },
                          [](const Mesh& p) -> const auto& { return p.groups; }, m.groups);
    m.face_objects = names([](const Mesh& p) { return p.face_objects; },
                           [](const Mesh& p) -> const auto& { return p.objects; }, m.objects);
    looks(m);
    return m;
  }

 private:
  /// What the first part that knows a material says of it.
  void looks(Mesh& m) const {
    SeededMap<std::string_view, const MeshMaterial*> known;
    for (const Mesh& part : all_)
      for (std::size_t i = 0; i < part.looks.size(); ++i)
        if (part.looks[i].is_known) known.try_emplace(part.materials[i], &part.looks[i]);
    if (known.empty()) return;
    for (const std::string& name : m.materials) {
      const auto found = known.find(name);
      m.looks.push_back(found == known.end() ? MeshMaterial() : *found->second);
    }
  }
  static void add_once(std::vector<std::string>& texts, const std::string& text) {
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }

  // A column after the other. With `white`, parts without it have white (or opaque) positions.
  template <class Get>
  const polycodec_array* numbers(const Get& get, bool white) {
    std::uint64_t total = 0;
    bool bytes = true;
    bool floats = true;
    bool any = false;
    for (const Mesh& part : all_) {
      const Mesh::Column column = get(part);
      total += white ? part.position_count() : Mesh::count(column);
      if (column == nullptr) continue;
      any = true;
      const std::uint32_t dtype = Numbers(*column).dtype();
      bytes = bytes && dtype == POLYCODEC_DTYPE_UINT8;
      floats = floats && dtype == POLYCODEC_DTYPE_FLOAT32;
    }
    if (!any || total == 0) return nullptr;
    const auto fill = [&](auto zero, double most) -> const polycodec_array* {
      using T = decltype(zero);
      auto* const made = out_.allocate<T>(total);
      T* to = made;
      for (const Mesh& part : all_) {
        const Mesh::Column column = get(part);
        if (column == nullptr) {
          if (white) to = std::fill_n(to, part.position_count(), static_cast<T>(most));
          continue;
        }
        const Numbers from(*column);
        // Where bytes meet fractions of one, fractions stand for both.
        const double divisor = white && most == 1 && is_integer(from.dtype()) ? 255 : 1;
        for (std::uint64_t i = 0; i < from.size(); ++i)
          *to++ = static_cast<T>(from.real(i) / divisor);
      }
      return out_.vector(std::span<const T>(made, static_cast<std::size_t>(total)));
    };
    if (white && bytes) return fill(std::uint8_t{}, 255);
    return floats ? fill(float{}, 1) : fill(double{}, 1);
  }

  template <class Get, class Count>
  const polycodec_array* lists(const Get& get, const Count& count) {
    std::uint64_t rows = 0;
    std::uint64_t total = 0;
    std::uint64_t reach = 0;
    bool any = false;
    for (const Mesh& part : all_) {
      rows += part.faces;
      reach += count(part);
      if (get(part) == nullptr) continue;
      any = true;
      total += Lists(*get(part)).total();
    }
    if (!any) return nullptr;
    if (reach > static_cast<std::uint64_t>(INT32_MAX))
      throw Error(Status::limit, "together the meshes have more than 2^31 rows")
          .detail("mesh.limit");
    auto* offsets = out_.allocate<std::uint64_t>(rows + 1);
    auto* values = out_.allocate<std::int32_t>(total);
    std::uint64_t row_at = 0;
    std::uint64_t at = 0;
    std::uint64_t shift = 0;
    offsets[0] = 0;
    for (const Mesh& part : all_) {
      for (std::uint64_t i = 0; i < part.faces; ++i) {
        if (get(part) != nullptr) {
          const Lists from(*get(part));
          const Lists::Row row = from.row(i);
          for (std::uint64_t k = 0; k < row.count; ++k) {
            const std::int64_t index = from.integer(row, k);
            // What is absent stays absent.
            values[at++] =
                index < 0 ? -1
                          : static_cast<std::int32_t>(index + static_cast<std::int64_t>(shift));
          }
        }
        offsets[++row_at] = at;
      }
      shift += count(part);
    }
    return detail::list_column(out_, rows, offsets, values);
  }

  const polycodec_array* edges(std::size_t end) {
    std::uint64_t total = 0;
    for (const Mesh& part : all_) total += part.edge_count();
    if (total == 0) return nullptr;
    auto* const values = out_.allocate<std::int32_t>(total);
    auto* to = values;
    std::uint64_t shift = 0;
    for (const Mesh& part : all_) {
      for (std::uint64_t i = 0; i < part.edge_count(); ++i)
        *to++ = static_cast<std::int32_t>(Numbers(*part.edges[end]).integer(i) +
                                          static_cast<std::int64_t>(shift));
      shift += part.position_count();
    }
    return out_.vector(std::span<const std::int32_t>(values, static_cast<std::size_t>(total)));
  }

  // One name has one number, whichever parts use it.
  template <class Get, class Names>
  const polycodec_array* names(const Get& get, const Names& names_of,
                               std::vector<std::string>& all) {
    std::uint64_t rows = 0;
    SeededMap<std::string, std::int32_t> known;
    for (const Mesh& part : all_) {
      rows += part.faces;
      for (const std::string& name : names_of(part))
        if (known.emplace(name, static_cast<std::int32_t>(all.size())).second) all.push_back(name);
    }
    if (all.empty()) return nullptr;
    auto* const values = out_.allocate<std::int32_t>(rows);
    auto* to = values;
    for (const Mesh& part : all_) {
      for (std::uint64_t i = 0; i < part.faces; ++i) {
        const std::int64_t number = get(part) == nullptr ? -1 : Numbers(*get(part)).integer(i);
        *to++ = number < 0 ? -1 : known.at(names_of(part)[static_cast<std::size_t>(number)]);
      }
    }
    return out_.vector(std::span<const std::int32_t>(values, static_cast<std::size_t>(rows)));
  }

  std::span<const Mesh> all_;
  Builder& out_;
};

}  // namespace

Mesh merge(std::span<const Mesh> meshes, Builder& out) {
  return Merger(meshes, out).run();
}

void append(Mesh& m, const Mesh& other, Builder& out) {
  const Mesh both[] = {m, other};
  m = merge(both, out);
}

}  // namespace polycodec::mesh
