// SPDX-License-Identifier: MIT
#include "from_obj.hpp"

#include <polycodec/dtype.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

namespace polycodec::ply {
namespace {

class Conversion {
 public:
  Conversion(const Item& root, Table& table, std::vector<std::string>& lost, std::vector<std::string>& comments)
      : root_(root), table_(table), lost_(lost), comments_(comments) {}

  void run() {
    vertices();
    faces();
    edges();
    for (const char* name : {"p", "vp", "materials"})
      if (rows(name).size() != 0) lost_.emplace_back(name);
    statements();
  }

 private:
  Item rows(const char* name) const { return root_.find(name).value_or(Item()); }

  [[noreturn]] static void out_of_range(const std::string& path, std::int64_t index, std::uint64_t count) {
    throw Error(Status::range, "index " + std::to_string(index) + " with " + std::to_string(count) + " rows")
        .detail("mesh.index_out_of_range")
        .path(path);
  }

  template <class T>
  void add(ElementSource& element, std::string_view name, const std::vector<T>& numbers,
           const std::vector<std::uint64_t>* offsets = nullptr) {
    const auto* data = reinterpret_cast<const std::byte*>(numbers.data());
    const auto& bytes = table_.bytes.emplace_back(data, data + numbers.size() * sizeof(T));
    Source source;
    source.byte_order = host_byte_order;
    source.dtype = dtype_of<T>;
    source.data = bytes.data();
    source.row_stride = source.item_stride = sizeof(T);
    Property property;
    property.name = name;
    property.dtype = static_cast<polycodec_dtype>(source.dtype);
    property.type_word = type_word(source.dtype, true);
    if (offsets != nullptr) {
      source.kind = Source::Kind::list;
      source.row_stride = 0;
      source.offsets = table_.offsets.emplace_back(*offsets).data();
      std::uint64_t longest = 0;
      for (std::size_t i = 1; i < offsets->size(); ++i)
        longest = std::max(longest, (*offsets)[i] - (*offsets)[i - 1]);
      property.count_dtype = longest <= 255 ? POLYCODEC_UINT8 : POLYCODEC_INT32;
      property.count_word = type_word(property.count_dtype, true);
    }
    element.element.properties.push_back(property);
    element.sources.push_back(source);
  }

  ElementSource& element(std::string_view name, std::uint64_t count) {
    ElementSource& made = table_.elements.emplace_back();
    made.element.name = name;
    made.element.count = count;
    return made;
  }

  // A column of numbers; NaN where there is none. `missing` counts those.
  static std::vector<double> numbers(const Item& rows, std::string_view name, std::uint64_t& missing) {
    std::vector<double> all;
    all.reserve(static_cast<std::size_t>(rows.size()));
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      const auto found = rows.child(i).find(name);
      const bool there = found && !found->is_null();
      missing += there ? 0 : 1;
      all.push_back(there ? found->as_double() : std::numeric_limits<double>::quiet_NaN());
    }
    return all;
  }

  void vertices() {
    const Item v = rows("v");
    vertex_count_ = v.size();
    ElementSource& vertex = element("vertex", v.size());
    for (const char* name : {"x", "y", "z"}) {
      std::uint64_t missing = 0;
      add(vertex, name, numbers(v, name, missing));
      if (missing != 0) throw Error(Status::type, "a coordinate is missing").detail("ply.bad_element").path("$.v");
    }
    std::uint64_t missing = 0;
    const std::vector<double> weights = numbers(v, "w", missing);
    if (missing != v.size()) lost_.emplace_back("v.w");
    normals(vertex);
    colors(v, vertex);
  }

  // Colours become bytes where that loses nothing but digits that no byte had.
  void colors(const Item& v, ElementSource& vertex) {
    constexpr const char* names[] = {"red", "green", "blue"};
    std::array<std::vector<double>, 3> values;
    std::uint64_t missing = 0;
    for (std::size_t i = 0; i < 3; ++i) values[i] = numbers(v, names[i], missing);
    if (missing == 3 * v.size()) return;
    if (missing != 0) lost_.emplace_back("which vertices have no colour");
    bool bytes = true;
    for (auto& column : values) {
      for (double& value : column) {
        if (std::isnan(value)) value = 1;
        bytes = bytes && value >= 0 && value <= 1 && std::fabs(value * 255 - std::round(value * 255)) < 2e-4;
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      if (!bytes) {
        add(vertex, names[i], values[i]);
        continue;
      }
      std::vector<std::uint8_t> column;
      for (const double value : values[i]) column.push_back(static_cast<std::uint8_t>(std::lround(value * 255)));
      add(vertex, names[i], column);
    }
  }

  // Normals belong to corners in OBJ and to vertices in PLY: they are carried if no vertex has two.
  void normals(ElementSource& vertex) {
    const Item vn = rows("vn");
    if (vn.size() == 0) return;
    constexpr std::int64_t none = -1;
    std::vector<std::int64_t> of_vertex(static_cast<std::size_t>(vertex_count_), none);
    const Item f = rows("f");
    bool unique = f.size() != 0;
    for (std::uint64_t row = 0; row < f.size() && unique; ++row) {
      const Item corners = f.child(row).find("v").value_or(Item());
      const Item list = f.child(row).find("vn").value_or(Item());
      if (list.size() != corners.size()) unique = false;
      for (std::uint64_t i = 0; i < corners.size() && unique; ++i) {
        const std::int64_t at = corners.child(i).as_int64();
        const std::int64_t normal = list.child(i).as_int64();
        if (at < 0 || static_cast<std::uint64_t>(at) >= vertex_count_) break;  // faces() reports it
        auto& kept = of_vertex[static_cast<std::size_t>(at)];
        unique = normal >= 0 && static_cast<std::uint64_t>(normal) < vn.size() && (kept == none || kept == normal);
        kept = normal;
      }
    }
    unique = unique && std::find(of_vertex.begin(), of_vertex.end(), none) == of_vertex.end();
    if (!unique) {
      lost_.emplace_back("vn");
      return;
    }
    constexpr const char* from[] = {"i", "j", "k"};
    constexpr const char* to[] = {"nx", "ny", "nz"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::vector<double> column;
      for (const std::int64_t i : of_vertex)
        column.push_back(vn.child(static_cast<std::uint64_t>(i)).find(from[axis]).value_or(Item()).as_double());
      add(vertex, to[axis], column);
    }
  }

  // The indices of a row, checked.
  std::uint64_t take(const Item& list, const std::string& path, std::vector<std::int32_t>& to) const {
    for (std::uint64_t i = 0; i < list.size(); ++i) {
      const std::int64_t index = list.child(i).as_int64();
      if (index < 0 || static_cast<std::uint64_t>(index) >= vertex_count_ || index > INT32_MAX)
        out_of_range(path + "[" + std::to_string(i) + "]", index, vertex_count_);
      to.push_back(static_cast<std::int32_t>(index));
    }
    return list.size();
  }

  void faces() {
    const Item f = rows("f");
    if (f.size() == 0) return;
    ElementSource& face = element("face", f.size());
    std::vector<std::int32_t> corners;
    std::vector<std::uint64_t> offsets{0};
    for (std::uint64_t row = 0; row < f.size(); ++row) {
      take(f.child(row).find("v").value_or(Item()), "$.f[" + std::to_string(row) + "].v", corners);
      offsets.push_back(corners.size());
    }
    add(face, "vertex_indices", corners, &offsets);
    texture_coordinates(f, offsets, face);
  }

  // u and v of every corner as a list, which is what programs expect. Corners without coordinates cannot be said.
  void texture_coordinates(const Item& f, std::vector<std::uint64_t> offsets, ElementSource& face) {
    const Item vt = rows("vt");
    if (vt.size() == 0) return;
    std::uint64_t no_u = 0;
    std::uint64_t no_v = 0;
    std::uint64_t no_w = 0;
    const std::vector<double> u = numbers(vt, "u", no_u);
    const std::vector<double> v = numbers(vt, "v", no_v);
    static_cast<void>(numbers(vt, "w", no_w));
    if (no_w != vt.size()) lost_.emplace_back("vt.w");
    std::vector<double> all;
    for (std::uint64_t row = 0; row < f.size(); ++row) {
      const Item list = f.child(row).find("vt").value_or(Item());
      for (std::uint64_t i = 0; i < list.size(); ++i) {
        const std::int64_t index = list.child(i).as_int64();
        if (index < 0) break;
        if (static_cast<std::uint64_t>(index) >= vt.size())
          out_of_range("$.f[" + std::to_string(row) + "].vt[" + std::to_string(i) + "]", index, vt.size());
        all.push_back(u[static_cast<std::size_t>(index)]);
        all.push_back(std::isnan(v[static_cast<std::size_t>(index)]) ? 0 : v[static_cast<std::size_t>(index)]);
      }
      if (all.size() != 2 * offsets[static_cast<std::size_t>(row) + 1]) {
        lost_.emplace_back("vt");
        return;
      }
    }
    for (std::uint64_t& offset : offsets) offset *= 2;
    add(face, "texcoord", all, &offsets);
  }

  void edges() {
    const Item l = rows("l");
    if (l.size() == 0) return;
    std::vector<std::int32_t> first;
    std::vector<std::int32_t> second;
    bool chains = false;
    bool textures = false;
    for (std::uint64_t row = 0; row < l.size(); ++row) {
      std::vector<std::int32_t> corners;
      take(l.child(row).find("v").value_or(Item()), "$.l[" + std::to_string(row) + "].v", corners);
      chains = chains || corners.size() > 2;
      const Item list = l.child(row).find("vt").value_or(Item());
      for (std::uint64_t i = 0; i < list.size(); ++i) textures = textures || list.child(i).as_int64() >= 0;
      for (std::size_t i = 1; i < corners.size(); ++i) {
        first.push_back(corners[i - 1]);
        second.push_back(corners[i]);
      }
    }
    if (chains) lost_.emplace_back("which edges are one line");
    if (textures) lost_.emplace_back("l.vt");
    ElementSource& edge = element("edge", first.size());
    add(edge, "vertex1", first);
    add(edge, "vertex2", second);
  }

  void statements() {
    const Item all = rows("statements");
    std::map<std::string, std::uint64_t> dropped;
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      std::string scratch;
      const std::string code = text(all.child(i), "code", scratch);
      if (code == "#") {
        comments_.push_back(text(all.child(i), "text", scratch));
        if (comments_.back().starts_with(' ')) comments_.back().erase(0, 1);
        continue;
      }
      bool data = code.empty();
      for (const char* name : {"v", "vt", "vn", "vp", "f", "l", "p"}) data = data || code == name;
      if (!data) ++dropped[code];
    }
    for (const auto& [code, count] : dropped) lost_.push_back(code + " (" + std::to_string(count) + ")");
  }
  static std::string text(const Item& row, const char* name, std::string& scratch) {
    const auto found = row.find(name);
    if (!found || found->is_null()) return {};
    return std::string(found->kind() == POLYCODEC_BINARY ? found->as_bytes() : found->as_string(scratch));
  }

  Item root_;
  Table& table_;
  std::vector<std::string>& lost_;
  std::vector<std::string>& comments_;
  std::uint64_t vertex_count_ = 0;
};

}  // namespace

bool is_obj(const Item& root) {
  // An element of PLY has no texts, so nothing else has statements with codes.
  const auto statements = root.find("statements");
  if (!statements || !root.find("v")) return false;
  const polycodec_array* array = statements->array();
  if (array != nullptr && array->form == POLYCODEC_FORM_RECORD) return ArrayView(*array).column("code").has_value();
  return statements->is_list() && (statements->size() == 0 || statements->child(0).find("code"));
}

void add_obj(const Item& root, Table& table, std::vector<std::string>& lost, std::vector<std::string>& comments) {
  Conversion(root, table, lost, comments).run();
}

}  // namespace polycodec::ply
