// SPDX-License-Identifier: MIT
// Reading members of the document, and the layouts of accessors.
#include "document.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include <algorithm>

namespace polycodec::gltf {
namespace {

struct ComponentType {
  std::uint32_t code, dtype;
};
constexpr ComponentType component_types[] = {
    {5120, POLYCODEC_DTYPE_INT8},   {5121, POLYCODEC_DTYPE_UINT8},
    {5122, POLYCODEC_DTYPE_INT16},  {5123, POLYCODEC_DTYPE_UINT16},
    {5125, POLYCODEC_DTYPE_UINT32}, {5126, POLYCODEC_DTYPE_FLOAT32}};

std::endian order_of(std::uint8_t byte_order) noexcept {
  return byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
}

}  // namespace

void refuse(Status status, const char* word, const std::string& message, const std::string& path) {
  throw Error(status, message).detail(std::string("gltf.") + word).path(path);
}

std::string at(const std::string& path, std::uint64_t i) {
  return path + "[" + std::to_string(i) + "]";
}

View list_at(View object, std::string_view name, const std::string& path) {
  static constexpr polycodec_node empty{
      .kind = POLYCODEC_KIND_LIST, .dtype = 0, .size_hi = 0, .size_lo = 0, .as = {}};
  const auto found = object.find(name);
  if (!found) return View(&empty);
  if (!found->is_list())
    refuse(Status::type, "bad_member",
           "expected a list, not " + std::string(kind_name(found->kind())),
           path + "." + std::string(name));
  return *found;
}

std::optional<View> object_at(View object, std::string_view name, const std::string& path) {
  const auto found = object.find(name);
  if (found && !found->is_object())
    refuse(Status::type, "bad_member",
           "expected an object, not " + std::string(kind_name(found->kind())),
           path + "." + std::string(name));
  return found;
}

std::optional<std::uint64_t> integer_at(View object, std::string_view name, std::uint64_t most,
                                        const std::string& path) {
  const auto found = object.find(name);
  if (!found) return std::nullopt;
  std::uint64_t value = UINT64_MAX;
  if (found->kind() == POLYCODEC_KIND_UNSIGNED) value = found->as_uint64();
  if (found->kind() == POLYCODEC_KIND_SIGNED && found->as_int64() >= 0) value = found->as_uint64();
  // 1.0 is an integer of JSON, too.
  if (found->kind() == POLYCODEC_KIND_FLOAT && found->as_double() >= 0 &&
      found->as_double() <= 9007199254740992.0 &&
      found->as_double() == static_cast<double>(static_cast<std::uint64_t>(found->as_double())))
    value = static_cast<std::uint64_t>(found->as_double());
  if (value > most)
    refuse(Status::range, "bad_number",
           "expected an integer from 0 to " + std::to_string(most) +
               (value == UINT64_MAX ? "" : ", not " + std::to_string(value)),
           path + "." + std::string(name));
  return value;
}

std::uint64_t need_integer(View object, std::string_view name, std::uint64_t most,
                           const std::string& path) {
  const auto found = integer_at(object, name, most, path);
  if (!found)
    refuse(Status::malformed, "bad_member", "the member is missing",
           path + "." + std::string(name));
  return *found;
}

std::string_view string_at(View object, std::string_view name, const std::string& path) {
  const auto found = object.find(name);
  if (!found) return {};
  if (!found->is_string() || found->dtype() != 0)
    refuse(Status::type, "bad_member", "expected a string", path + "." + std::string(name));
  return found->as_string();
}

Layout layout_of(View accessor, const std::string& path) {
  if (!accessor.is_object()) refuse(Status::type, "bad_member", "expected an object", path);
  Layout layout;
  const std::string_view type = string_at(accessor, "type", path);
  for (const ElementType& known : element_types)
    if (known.name == type) layout.type = &known;
  if (layout.type == nullptr)
    refuse(Status::malformed, "bad_accessor",
           "'" + std::string(type.substr(0, 20)) +
               "' is not a type of an accessor: must be SCALAR, VEC2 to VEC4 or MAT2 to MAT4",
           path + ".type");
  const std::uint64_t code = need_integer(accessor, "componentType", UINT32_MAX, path);
  for (const ComponentType& known : component_types)
    if (known.code == code) layout.dtype = known.dtype;
  if (layout.dtype == POLYCODEC_DTYPE_NONE)
    refuse(
        Status::malformed, "bad_accessor",
        std::to_string(code) + " is not a type of components: must be 5120 to 5123, 5125 or 5126",
        path + ".componentType");
  layout.item_size = dtype_size(layout.dtype);
  layout.count = need_integer(accessor, "count", std::uint64_t{1} << 53, path);
  if (layout.count == 0)
    refuse(Status::malformed, "bad_accessor", "an accessor of 0 elements: it has 1 at least",
           path + ".count");
  return layout;
}

std::uint32_t component_type(std::uint32_t dtype) noexcept {
  for (const ComponentType& known : component_types)
    if (known.dtype == dtype) return known.code;
  return 0;
}

const polycodec_array* elements_of(const Layout& layout, std::string_view memory, const void* first,
                                   std::int64_t stride, Builder& out) {
  const auto count = static_cast<std::int64_t>(layout.count);
  const std::int64_t rows = layout.type->rows;
  const std::int64_t shape[] = {count, layout.type->columns, rows};
  const std::int64_t strides[] = {stride, static_cast<std::int64_t>(layout.column_stride()),
                                  layout.item_size};
  const std::int64_t vector_shape[] = {count, rows};
  const std::int64_t vector_strides[] = {stride, layout.item_size};
  const bool matrix = layout.type->columns > 1;
  const std::size_t ndim = matrix ? 3 : rows > 1 ? 2 : 1;
  return out.strided(memory, first, std::span(matrix ? shape : vector_shape, ndim),
                     std::span(matrix ? strides : vector_strides, ndim), layout.dtype,
                     layout.item_size, POLYCODEC_LITTLE_ENDIAN);
}

Components::Components(const polycodec_array& array, const Layout& layout, const std::string& path)
    : data_(static_cast<const std::byte*>(array.data)),
      dtype_(array.dtype),
      rows_(layout.type->rows),
      byte_order_(array.byte_order) {
  const std::uint32_t ndim = layout.type->columns > 1 ? 3u : layout.type->rows > 1 ? 2u : 1u;
  const bool fits = array.layout == POLYCODEC_LAYOUT_NDARRAY && array.ndim == ndim &&
                    (ndim < 3 || array.shape[1] == layout.type->columns) &&
                    (ndim < 2 || array.shape[ndim - 1] == layout.type->rows);
  if (!fits)
    refuse(Status::type, "bad_accessor",
           "the values have another shape than the type " + std::string(layout.type->name), path);
  strides_[0] = array.strides[0];
  if (ndim == 3) strides_[1] = array.strides[1];
  if (ndim >= 2) strides_[2] = array.strides[ndim - 1];
}

double Components::number(std::uint64_t i, std::uint32_t k) const noexcept {
  const std::byte* p = at(i, k / rows_, k % rows_);
  const std::endian order = order_of(byte_order_);
  switch (dtype_) {
    case POLYCODEC_DTYPE_INT8:
      return static_cast<double>(load<std::int8_t>(p, order));
    case POLYCODEC_DTYPE_UINT8:
      return static_cast<double>(load<std::uint8_t>(p, order));
    case POLYCODEC_DTYPE_INT16:
      return static_cast<double>(load<std::int16_t>(p, order));
    case POLYCODEC_DTYPE_UINT16:
      return static_cast<double>(load<std::uint16_t>(p, order));
    case POLYCODEC_DTYPE_INT32:
      return static_cast<double>(load<std::int32_t>(p, order));
    case POLYCODEC_DTYPE_UINT32:
      return static_cast<double>(load<std::uint32_t>(p, order));
    case POLYCODEC_DTYPE_FLOAT64:
      return load<double>(p, order);
    default:
      return static_cast<double>(load<float>(p, order));
  }
}

bool Components::is_packed(const Layout& layout) const noexcept {
  return dtype_ == layout.dtype &&
         (byte_order_ == POLYCODEC_LITTLE_ENDIAN || layout.item_size == 1) &&
         strides_[0] == static_cast<std::int64_t>(layout.element_size()) &&
         (layout.type->columns == 1 ||
          strides_[1] == static_cast<std::int64_t>(layout.column_stride())) &&
         (layout.type->rows == 1 || strides_[2] == static_cast<std::int64_t>(layout.item_size)) &&
         // The bytes between columns are nobody's.
         (layout.type->columns == 1 ||
          layout.column_stride() == std::uint64_t{layout.type->rows} * layout.item_size);
}

}  // namespace polycodec::gltf
