// SPDX-License-Identifier: MIT
#include "sources.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/decimal.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <optional>

namespace polycodec::obj {
namespace {

std::endian order_of(const polycodec_array& leaf) noexcept {
  return leaf.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
}

[[noreturn]] void fail(Status status, const char* detail, const std::string& message, const std::string& path) {
  throw Error(status, message).detail(detail).path(path);
}

// One list of records, by column.
class Rows {
 public:
  Rows(const Item& rows, std::string path, Sources& sources)
      : rows_(rows), path_(std::move(path)), sources_(sources) {
    if (!rows.is_list()) fail(Status::type, "obj.bad_member", "expected a list of records", path_);
    const polycodec_array* array = rows.array();
    if (array != nullptr && array->form == POLYCODEC_FORM_RECORD && array->names != nullptr) record_ = array;
    if (record_ != nullptr) return;
    for (std::uint64_t i = 0; i < rows.size(); ++i)
      if (rows.child(i).kind() != POLYCODEC_OBJECT)
        fail(Status::type, "obj.bad_member", "expected a record", path_ + "[" + std::to_string(i) + "]");
  }

  std::uint64_t size() const { return rows_.size(); }

  /// True if some row may have this member.
  bool has(std::string_view name) const {
    if (record_ != nullptr) return ArrayView(*record_).column(name).has_value();
    for (std::uint64_t i = 0; i < rows_.size(); ++i)
      if (rows_.child(i).find(name)) return true;
    return false;
  }

  /// The names of all members of the rows.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    if (record_ == nullptr && rows_.size() == 0) return all;
    const Item first = record_ != nullptr ? Item() : rows_.child(0);
    const std::uint64_t n = record_ != nullptr ? record_->n_children : first.size();
    for (std::uint64_t i = 0; i < n; ++i)
      all.emplace_back(record_ != nullptr ? to_string_view(record_->names[i]) : first.name(i));
    return all;
  }

  NumberColumn numbers(std::string_view name, bool required) {
    NumberColumn column;
    if (record_ != nullptr) {
      const auto found = ArrayView(*record_).column(name);
      if (found && view_numbers(&found->raw(), column)) return column;
    }
    auto& values = sources_.doubles.emplace_back();
    auto& marks = sources_.marks.emplace_back();
    values.reserve(static_cast<std::size_t>(size()));
    for (std::uint64_t i = 0; i < size(); ++i) {
      const Item item = member(i, name);
      const bool there = !item.is_null();
      if (!there && required) fail(Status::type, "obj.missing_number", "a number is missing", at(i, name));
      try {
        values.push_back(there ? item.as_double() : 0);
      } catch (const Error& error) {
        fail(error.code(), "obj.bad_number", error.message(), at(i, name));
      }
      marks.push_back(there ? 1 : 0);
    }
    column.data = reinterpret_cast<const std::byte*>(values.data());
    column.stride = sizeof(double);
    column.present = required ? nullptr : marks.data();
    return column;
  }

  IndexColumn lists(std::string_view name, bool required) {
    IndexColumn column;
    if (record_ != nullptr) {
      const auto found = ArrayView(*record_).column(name);
      if (found && view_lists(found->raw(), column)) return column;
    }
    auto& values = sources_.indices.emplace_back();
    auto& offsets = sources_.offsets.emplace_back(1, 0);
    for (std::uint64_t i = 0; i < size(); ++i) {
      const Item item = member(i, name);
      if (item.is_null() && !required) {
        offsets.push_back(values.size());
        continue;
      }
      if (!item.is_list()) fail(Status::type, "obj.bad_index", "expected a list of indices", at(i, name));
      try {
        for (std::uint64_t k = 0; k < item.size(); ++k)
          values.push_back(item.child(k).is_null() ? -1 : item.child(k).as_int64());
      } catch (const Error& error) {
        fail(error.code(), "obj.bad_index", error.message(), at(i, name));
      }
      offsets.push_back(values.size());
    }
    column.data = reinterpret_cast<const std::byte*>(values.data());
    column.stride = sizeof(std::int64_t);
    column.dtype = POLYCODEC_INT64;
    column.offsets = offsets.data();
    return column;
  }

  /// Two columns of single indices as lists of two.
  IndexColumn pairs(std::string_view first, std::string_view second) {
    auto& values = sources_.indices.emplace_back();
    for (std::uint64_t i = 0; i < size(); ++i) {
      for (const std::string_view name : {first, second}) {
        const Item item = member(i, name);
        if (!item.is_integer()) fail(Status::type, "obj.bad_index", "expected an index", at(i, name));
        values.push_back(item.as_int64());
      }
    }
    IndexColumn column;
    column.data = reinterpret_cast<const std::byte*>(values.data());
    column.stride = sizeof(std::int64_t);
    column.row_stride = 2 * sizeof(std::int64_t);
    column.dtype = POLYCODEC_INT64;
    column.length = 2;
    return column;
  }

 private:
  std::string at(std::uint64_t row, std::string_view name) const {
    return path_ + "[" + std::to_string(row) + "]." + std::string(name);
  }
  Item member(std::uint64_t row, std::string_view name) const { return rows_.child(row).find(name).value_or(Item()); }

  static bool view_numbers(const polycodec_array* a, NumberColumn& column) {
    if (ArrayView(*a).is_option()) {
      column.option = a;
      a = a->children[0];
    }
    if (a->form != POLYCODEC_FORM_NDARRAY || a->ndim != 1 ||
        (a->dtype != POLYCODEC_FLOAT64 && a->dtype != POLYCODEC_FLOAT32)) {
      column.option = nullptr;
      return false;
    }
    column.data = static_cast<const std::byte*>(a->data);
    column.stride = a->strides[0];
    column.wide = a->dtype == POLYCODEC_FLOAT64;
    column.order = order_of(*a);
    return true;
  }

  static bool view_lists(const polycodec_array& a, IndexColumn& column) {
    const auto is_index = [](const polycodec_array& leaf) {
      return leaf.form == POLYCODEC_FORM_NDARRAY && is_integer(leaf.dtype) && dtype_size(leaf.dtype) <= 8;
    };
    const polycodec_array* leaf = &a;
    if (ArrayView(a).is_list() && a.children[0]->ndim == 1 && is_index(*a.children[0])) {
      leaf = a.children[0];
      column.list = &a;
      column.stride = leaf->strides[0];
    } else if (is_index(a) && a.ndim == 2) {
      column.row_stride = a.strides[0];
      column.stride = a.strides[1];
      column.length = static_cast<std::uint64_t>(a.shape[1]);
    } else {
      return false;
    }
    column.data = static_cast<const std::byte*>(leaf->data);
    column.dtype = leaf->dtype;
    column.order = order_of(*leaf);
    return true;
  }

  Item rows_;
  std::string path_;
  Sources& sources_;
  const polycodec_array* record_ = nullptr;
};

PointSource point_columns(const Item& root, const char* name, std::initializer_list<const char*> required,
                          std::initializer_list<const char*> optional, Sources& sources) {
  PointSource source;
  const auto found = root.find(name);
  if (!found) return source;
  Rows rows(*found, std::string("$.") + name, sources);
  source.rows = rows.size();
  if (source.rows == 0) return source;
  for (const char* column : required) source.columns.push_back(rows.numbers(column, true));
  for (const char* column : optional) {
    if (!rows.has(column)) break;
    NumberColumn numbers = rows.numbers(column, false);
    // Where a number is left out, the next ones cannot be there.
    if (source.columns.size() > required.size()) numbers.needs = static_cast<int>(source.columns.size()) - 1;
    source.columns.push_back(numbers);
  }
  return source;
}

ElementSource element_columns(const Item& root, const char* name, Sources& sources) {
  ElementSource source;
  const auto found = root.find(name);
  if (!found) return source;
  Rows rows(*found, std::string("$.") + name, sources);
  source.rows = rows.size();
  if (source.rows == 0) return source;
  source.vertices = rows.lists("v", true);
  source.has_textures = rows.has("vt");
  if (source.has_textures) source.textures = rows.lists("vt", false);
  source.has_normals = rows.has("vn");
  if (source.has_normals) source.normals = rows.lists("vn", false);
  return source;
}

}  // namespace

char* NumberColumn::print(char* to, std::uint64_t row) const noexcept {
  const std::byte* const p = data + static_cast<std::int64_t>(row) * stride;
  if (!wide) return print_decimal(to, load<float>(p, order));
  const auto value = load<double>(p, order);
  // A byte of colour is told from its neighbours by four digits; as a float it comes back as the same byte.
  return divisor == 1 ? print_decimal(to, value) : print_decimal(to, static_cast<float>(value / divisor));
}

IndexColumn::Run IndexColumn::row(std::uint64_t i) const noexcept {
  if (list == nullptr && offsets == nullptr) return {data + static_cast<std::int64_t>(i) * row_stride, length};
  const ArrayView::Range r =
      list != nullptr ? ArrayView(*list).range(i) : ArrayView::Range{offsets[i], offsets[i + 1]};
  return {data + static_cast<std::int64_t>(r.begin) * stride, r.end - r.begin};
}

std::int64_t IndexColumn::index(const Run& run, std::uint64_t i) const noexcept {
  const std::byte* const p = run.data + static_cast<std::int64_t>(i) * stride;
  switch (dtype) {
    case POLYCODEC_INT8:
      return load<std::int8_t>(p, order);
    case POLYCODEC_UINT8:
      return load<std::uint8_t>(p, order);
    case POLYCODEC_INT16:
      return load<std::int16_t>(p, order);
    case POLYCODEC_UINT16:
      return load<std::uint16_t>(p, order);
    case POLYCODEC_INT32:
      return load<std::int32_t>(p, order);
    case POLYCODEC_UINT32:
      return load<std::uint32_t>(p, order);
    default:
      return static_cast<std::int64_t>(load<std::uint64_t>(p, order));
  }
}

Sources Sources::from_obj(const Item& value, bool weight_last) {
  Sources s;
  for (std::uint64_t i = 0; i < value.size(); ++i) {
    const std::string_view name = value.name(i);
    bool known = false;
    for (const char* member : {"v", "vt", "vn", "vp", "f", "l", "p", "statements", "materials"})
      known = known || name == member;
    if (!known)
      fail(Status::unsupported, "obj.bad_member", "OBJ has no place for this member", "$." + std::string(name));
  }
  if (const auto v = value.find("v"); v && v->size() != 0) {
    Rows rows(*v, "$.v", s);
    s.vertices.rows = rows.size();
    for (const char* name : {"x", "y", "z"}) s.vertices.columns.push_back(rows.numbers(name, true));
    const bool colors = rows.has("red");
    const auto weight = [&] {
      if (rows.has("w")) s.vertices.columns.push_back(rows.numbers("w", false));
    };
    if (!weight_last) weight();
    if (colors) {
      // All three or none: each needs the next.
      const auto first = static_cast<int>(s.vertices.columns.size());
      for (const int next : {1, 2, 0}) {
        constexpr const char* names[] = {"blue", "red", "green"};
        NumberColumn color = rows.numbers(names[next], false);
        color.needs = first + next;
        s.vertices.columns.push_back(color);
      }
    }
    if (weight_last) weight();
  }
  s.textures = point_columns(value, "vt", {"u"}, {"v", "w"}, s);
  s.normals = point_columns(value, "vn", {"i", "j", "k"}, {}, s);
  s.parameters = point_columns(value, "vp", {"u"}, {"v", "w"}, s);
  s.faces = element_columns(value, "f", s);
  s.lines = element_columns(value, "l", s);
  s.points = element_columns(value, "p", s);
  if (const auto statements = value.find("statements")) s.statements = *statements;
  return s;
}

Sources Sources::from_elements(const Item& value, std::vector<std::string>& lost) {
  Sources s;
  std::vector<std::string> used;
  bool textured = false;
  bool shaded = false;
  if (const auto vertex = value.find("vertex"); vertex && vertex->size() != 0) {
    Rows rows(*vertex, "$.vertex", s);
    s.vertices.rows = rows.size();
    for (const char* name : {"x", "y", "z"}) {
      s.vertices.columns.push_back(rows.numbers(name, true));
      used.emplace_back(name);
    }
    if (rows.has("red") && rows.has("green") && rows.has("blue")) {
      for (const char* name : {"red", "green", "blue"}) {
        NumberColumn column = rows.numbers(name, true);
        const Item first = vertex->child(0).find(name).value_or(Item());
        if (first.is_integer()) column.divisor = 255;
        s.vertices.columns.push_back(column);
        used.emplace_back(name);
      }
    }
    if (rows.has("nx") && rows.has("ny") && rows.has("nz")) {
      shaded = true;
      s.normals.rows = rows.size();
      for (const char* name : {"nx", "ny", "nz"}) {
        s.normals.columns.push_back(rows.numbers(name, true));
        used.emplace_back(name);
      }
    }
    constexpr const char* pairs[][2] = {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}};
    for (const auto& pair : pairs) {
      if (textured || !rows.has(pair[0]) || !rows.has(pair[1])) continue;
      textured = true;
      s.textures.rows = rows.size();
      for (const char* name : pair) {
        s.textures.columns.push_back(rows.numbers(name, true));
        used.emplace_back(name);
      }
    }
    for (const std::string& name : rows.names())
      if (std::find(used.begin(), used.end(), name) == used.end()) lost.push_back("vertex." + name);
  }
  if (const auto face = value.find("face"); face && face->size() != 0) {
    Rows rows(*face, "$.face", s);
    const char* const name = rows.has("vertex_indices") ? "vertex_indices" : "vertex_index";
    s.faces.rows = rows.size();
    s.faces.vertices = rows.lists(name, true);
    s.faces.has_textures = textured;
    s.faces.has_normals = shaded;
    s.faces.textures = s.faces.normals = s.faces.vertices;
    for (const std::string& other : rows.names())
      if (other != name) lost.push_back("face." + other);
  }
  if (const auto edge = value.find("edge"); edge && edge->size() != 0) {
    Rows rows(*edge, "$.edge", s);
    s.lines.rows = rows.size();
    s.lines.vertices = rows.pairs("vertex1", "vertex2");
    for (const std::string& other : rows.names())
      if (other != "vertex1" && other != "vertex2") lost.push_back("edge." + other);
  }
  for (std::uint64_t i = 0; i < value.size(); ++i)
    if (value.name(i) != "vertex" && value.name(i) != "face" && value.name(i) != "edge")
      lost.emplace_back(value.name(i));
  return s;
}

}  // namespace polycodec::obj
