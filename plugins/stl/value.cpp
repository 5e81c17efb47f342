// SPDX-License-Identifier: MIT
// Facets as a value, and values as facets.
#include <polycodec/error.hpp>

#include "codec.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace polycodec::stl {
namespace {

[[noreturn]] void refuse(const char* what, const std::string& path) {
  throw Error(Status::type, what).detail("stl.bad_member").path(path);
}

/// For an integer that the type wanted cannot hold.
[[noreturn]] void refuse(const Error& error, const std::string& path) {
  throw Error(error.code(), error.message()).detail("stl.bad_member").path(path);
}

std::uint64_t count_of(View number, const std::string& path) try {
  return number.as_uint64();
} catch (const Error& error) {
  refuse(error, path);
}

const polycodec_array* column_of(const Points& points, std::int64_t vectors,
                                 std::string_view memory, Builder& out) {
  const auto rows = static_cast<std::int64_t>(points.rows);
  const std::uint32_t item = dtype_size(points.dtype);
  if (vectors == 1) {
    const std::int64_t shape[] = {rows, 3};
    const std::int64_t strides[] = {points.row_stride, points.number_stride};
    return out.strided(memory, points.data, shape, strides, points.dtype, item, points.byte_order);
  }
  const std::int64_t shape[] = {rows, vectors, 3};
  const std::int64_t strides[] = {points.row_stride, points.vector_stride, points.number_stride};
  return out.strided(memory, points.data, shape, strides, points.dtype, item, points.byte_order);
}

std::string_view memory_of(const Facets& facets, const Points& points, std::uint64_t width) {
  if (!facets.block.empty()) return facets.block;
  return to_string_view(points.data, points.rows * width * dtype_size(points.dtype));
}

/// The vectors of a column that is an array of the right shape; nothing if it must be gathered.
std::optional<Points> in_place(const polycodec_array& column, std::uint32_t vectors) {
  const std::uint32_t ndim = vectors == 1 ? 2 : 3;
  if (column.layout != POLYCODEC_LAYOUT_NDARRAY || column.ndim != ndim ||
      column.shape[ndim - 1] != 3 || (ndim == 3 && column.shape[1] != vectors) ||
      (column.dtype != POLYCODEC_DTYPE_FLOAT32 && column.dtype != POLYCODEC_DTYPE_FLOAT64))
    return std::nullopt;
  return Points{.data = static_cast<const std::byte*>(column.data),
                .rows = column.length,
                .row_stride = column.strides[0],
                .vector_stride = ndim == 3 ? column.strides[1] : 0,
                .number_stride = column.strides[ndim - 1],
                .dtype = column.dtype,
                .byte_order = column.byte_order};
}

class Gatherer {
 public:
  Gatherer(const Call& call, View facets, Builder& out)
      : call_(call), facets_(facets), out_(out), record_(facets.array()) {
    if (record_ != nullptr &&
        (record_->layout != POLYCODEC_LAYOUT_RECORD || record_->names == nullptr))
      record_ = nullptr;
  }

  const polycodec_array* column(std::string_view name) const noexcept {
    if (record_ == nullptr) return nullptr;
    for (std::uint32_t i = 0; i < record_->n_children; ++i)
      if (to_string_view(record_->names[i]) == name) return record_->children[i];
    return nullptr;
  }

  /// The vectors of a member, gathered where they are not in memory as they should be; `required`
  /// or not there at all.
  Points points(std::string_view name, std::uint32_t vectors, bool required) {
    if (const auto* found = column(name))
      if (const auto points = in_place(*found, vectors)) return *points;
    if (!required && (facets_.size() == 0 || !facets_.child(0).find(name))) return {};
    const std::uint64_t rows = facets_.size();
    auto* to = out_.allocate<double>(rows * vectors * 3);
    bool narrow = true;
    Meter meter(call_);
    for (std::uint64_t i = 0; i < rows; ++i) {
      const std::string path = "$.facets[" + std::to_string(i) + "]." + std::string(name);
      const auto vertex = facets_.child(i).find(name);
      if (!vertex) refuse("the member is missing: each facet has it", path);
      meter.tick(4 * vectors);
      if (vectors == 1) {
        numbers(*vertex, to + i * 3, path, narrow);
        continue;
      }
      if (!vertex->is_list() || vertex->size() != vectors)
        refuse("expected three vertices: STL has triangles", path);
      for (std::uint32_t v = 0; v < vectors; ++v)
        numbers(vertex->child(v), to + (i * vectors + v) * 3, path, narrow);
    }
    if (narrow) return narrowed(to, rows, vectors);
    return {.data = reinterpret_cast<const std::byte*>(to),
            .rows = rows,
            .row_stride = 24 * static_cast<std::int64_t>(vectors),
            .vector_stride = 24,
            .number_stride = 8,
            .dtype = POLYCODEC_DTYPE_FLOAT64,
            .byte_order = host_byte_order};
  }

 private:
  static void numbers(View list, double* to, const std::string& path, bool& narrow) {
    if (!list.is_list() || list.size() != 3) refuse("expected a list of three numbers", path);
    for (std::uint64_t k = 0; k < 3; ++k) {
      const View number = list.child(k);
      if (!number.is_number()) refuse("expected a list of three numbers", path);
      try {
        to[k] = number.as_double();
      } catch (const Error& error) {
        refuse(error, path);
      }
      narrow = narrow && number.dtype() == POLYCODEC_DTYPE_FLOAT32;
    }
  }
  Points narrowed(const double* from, std::uint64_t rows, std::uint32_t vectors) {
    auto* to = out_.allocate<float>(rows * vectors * 3);
    for (std::uint64_t i = 0; i < rows * vectors * 3; ++i) to[i] = static_cast<float>(from[i]);
    return {.data = reinterpret_cast<const std::byte*>(to),
            .rows = rows,
            .row_stride = 12 * static_cast<std::int64_t>(vectors),
            .vector_stride = 12,
            .number_stride = 4,
            .dtype = POLYCODEC_DTYPE_FLOAT32,
            .byte_order = host_byte_order};
  }

  const Call& call_;
  const View facets_;
  Builder& out_;
  const polycodec_array* record_;
};

void read_attributes(Gatherer& gather, View rows, Facets& facets, Builder& out) {
  if (const auto* column = gather.column("attribute");
      column != nullptr && column->layout == POLYCODEC_LAYOUT_NDARRAY && column->ndim == 1 &&
      column->dtype == POLYCODEC_DTYPE_UINT16) {
    facets.attributes = {static_cast<const std::byte*>(column->data), column->strides[0],
                         column->byte_order};
    return;
  }
  if (facets.count == 0 || !rows.child(0).find("attribute")) return;
  auto* to = out.allocate<std::uint16_t>(facets.count);
  for (std::uint64_t i = 0; i < facets.count; ++i) {
    const auto found = rows.child(i).find("attribute");
    const std::string path = "$.facets[" + std::to_string(i) + "].attribute";
    if (!found || !found->is_integer()) refuse("expected an integer", path);
    const bool fits = found->kind() == POLYCODEC_KIND_UNSIGNED
                          ? found->as_uint64() <= UINT16_MAX
                          : found->as_int64() >= 0 && found->as_int64() <= UINT16_MAX;
    if (!fits)
      throw Error(Status::range, "an attribute has 16 bits: must be 0 to 65535")
          .detail("stl.bad_member")
          .path(path);
    to[i] = static_cast<std::uint16_t>(found->as_uint64());
  }
  facets.attributes = {reinterpret_cast<const std::byte*>(to), 2, host_byte_order};
}

void read_solids(View list, Facets& facets, std::string& scratch, Builder& out) {
  std::uint64_t sum = 0;
  if (!list.is_list()) refuse("expected a list of records", "$.solids");
  for (std::uint64_t i = 0; i < list.size(); ++i) {
    const std::string path = "$.solids[" + std::to_string(i) + "]";
    const auto name = list.child(i).find("name");
    const auto count = list.child(i).find("facets");
    if (!name || !name->is_string()) refuse("expected a string", path + ".name");
    if (!count || !count->is_integer()) refuse("expected a count of facets", path + ".facets");
    const Solid solid{out.copy_text(name->as_string(scratch)), count_of(*count, path + ".facets")};
    if (solid.facets > facets.count - sum)
      throw Error(Status::range,
                  "the solids have more facets than there are: " + std::to_string(facets.count))
          .detail("stl.bad_member")
          .path(path + ".facets");
    sum += solid.facets;
    facets.solids.push_back(solid);
  }
  if (sum != facets.count && !facets.solids.empty())
    throw Error(Status::range, "the solids have " + std::to_string(sum) + " facets of " +
                                   std::to_string(facets.count) + ": each belongs to one")
        .detail("stl.bad_member")
        .path("$.solids");
}

}  // namespace

Point normal_of(const Point& a, const Point& b, const Point& c) noexcept {
  const Point u{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const Point v{c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const Point n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double length = std::hypot(n[0], n[1], n[2]);
  if (!(length > 0) || !std::isfinite(length)) return {0, 0, 0};
  // No zeros with a sign.
  return {n[0] / length + 0.0, n[1] / length + 0.0, n[2] / length + 0.0};
}

Node to_value(const Facets& facets, Builder& out) {
  constexpr std::string_view names[] = {"normal", "vertices", "attribute"};
  const polycodec_array* columns[3] = {
      column_of(facets.normals, 1, memory_of(facets, facets.normals, 3), out),
      column_of(facets.vertices, 3, memory_of(facets, facets.vertices, 9), out), nullptr};
  const std::size_t width = facets.attributes.data != nullptr ? 3 : 2;
  if (width == 3)
    columns[2] =
        out.strided(facets.block, facets.attributes.data, facets.count, facets.attributes.stride,
                    POLYCODEC_DTYPE_UINT16, 2, facets.attributes.byte_order);
  auto root = out.object();
  root.push("facets", Builder::array(out.record(facets.count, std::span(names, width),
                                                std::span(columns, width))));
  auto metadata = out.object();
  metadata.push("stl.format", Builder::string_view(facets.ascii ? "ascii" : "binary"));
  if (facets.ascii) {
    auto solids = out.list();
    for (const Solid& solid : facets.solids)
      solids.push(
          out.object({{"name", out.text_copy(solid.name)},
                      {"facets", Builder::integer(static_cast<std::int64_t>(solid.facets))}}));
    root.push("solids", solids);
  } else {
    metadata.push("stl.header", Builder::bytes_view(facets.header));
  }
  return out.annotated(root, metadata);
}

Facets from_value(const Call& call, View value, Builder& out) {
  if (!value.is_object())
    refuse(("an STL file is made of a record with 'facets' or of a mesh, not of " +
            std::string(kind_name(value.kind())))
               .c_str(),
           "$");
  for (std::uint64_t i = 0; i < value.size(); ++i)
    if (value.name(i) != "facets" && value.name(i) != "solids")
      throw Error(Status::unsupported, "STL has no place for this member")
          .detail("stl.bad_member")
          .path("$." + std::string(value.name(i)));
  const auto rows = value.find("facets");
  if (!rows) refuse("an STL file is made of a record with 'facets' or of a mesh", "$");
  if (!rows->is_list()) refuse("expected a list of records", "$.facets");
  Facets facets;
  facets.count = rows->size();
  if (facets.count > UINT32_MAX)
    throw Error(Status::limit, "a binary STL file has at most 2^32 - 1 facets")
        .detail("stl.limit")
        .path("$.facets");
  if (rows->metadata() != nullptr) call.report_loss(LossClass::data, "$.facets", "metadata");
  if (facets.count != 0 && !rows->child(0).is_object()) refuse("expected a record", "$.facets[0]");
  if (facets.count != 0)
    for (std::uint64_t i = 0; i < rows->child(0).size(); ++i) {
      const std::string_view name = rows->child(0).name(i);
      if (name != "normal" && name != "vertices" && name != "attribute")
        call.report_loss(LossClass::data, "$.facets." + std::string(name),
                         "a column that STL has no place for");
    }
  Gatherer gather(call, *rows, out);
  facets.normals = gather.points("normal", 1, false);
  facets.vertices = gather.points("vertices", 3, true);
  read_attributes(gather, *rows, facets, out);
  for (const char* name : {"normal", "vertices", "attribute"})
    if (const auto* column = gather.column(name); column != nullptr && column->metadata != nullptr)
      call.report_loss(LossClass::data, "$.facets." + std::string(name), "metadata");
  std::string scratch;
  if (const auto solids = value.find("solids"); solids && !solids->is_null()) {
    if (solids->metadata() != nullptr) call.report_loss(LossClass::data, "$.solids", "metadata");
    read_solids(*solids, facets, scratch, out);
  }
  if (const polycodec_node* metadata = value.metadata()) {
    const View all(metadata);
    if (const auto format = all.find("stl.format"); format && format->is_string()) {
      facets.ascii = format->as_string(scratch) == "ascii";
      facets.is_binary = format->as_string(scratch) == "binary";
    }
    if (const auto header = all.find("stl.header");
        header && header->is_binary() && header->as_bytes().size() == comment_size)
      facets.header = header->as_bytes();
    for (std::uint64_t i = 0; i < all.size(); ++i)
      if (!all.name(i).starts_with("stl."))
        call.report_loss(LossClass::data, "$", "the attribute '" + std::string(all.name(i)) + "'");
  }
  // The facets of a binary file as they are: nothing has to be copied.
  const Points& n = facets.normals;
  const Points& v = facets.vertices;
  if (n.data != nullptr && facets.attributes.data == n.data + 48 && v.data == n.data + 12 &&
      n.dtype == POLYCODEC_DTYPE_FLOAT32 && v.dtype == POLYCODEC_DTYPE_FLOAT32 &&
      n.byte_order == POLYCODEC_LITTLE_ENDIAN && v.byte_order == POLYCODEC_LITTLE_ENDIAN &&
      facets.attributes.byte_order == POLYCODEC_LITTLE_ENDIAN && n.row_stride == 50 &&
      v.row_stride == 50 && facets.attributes.stride == 50 && n.number_stride == 4 &&
      v.number_stride == 4 && v.vector_stride == 12)
    facets.block = to_string_view(n.data, facets.count * facet_size);
  return facets;
}

}  // namespace polycodec::stl
