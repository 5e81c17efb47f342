// SPDX-License-Identifier: MIT
// Arrays of numpy and layouts of the adapters as columnar arrays.
#include <polycodec/detail/layout_fields.hpp>

#include "from_python.hpp"
#include "numpy_types.hpp"
#include "source.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace polycodec_python {
namespace {

using polycodec::layout_names;

}  // namespace

const char* layout_name(std::uint32_t layout) noexcept {
  return layout < std::size(layout_names) ? layout_names[layout].data() : "";
}

const polycodec_array* FromPython::ndarray(nb::handle given) {
  nb::object array = nb::borrow(given);
  if (copy_ && nb::cast<bool>(array.attr("flags").attr("writeable"))) array = array.attr("copy")();
  const auto interface = nb::cast<nb::dict>(array.attr("__array_interface__"));
  const NumpyType type = type_of(view_of(interface["typestr"]));
  if (type.dtype == POLYCODEC_DTYPE_NONE)
    fail(Status::type, "array of the type '" + nb::cast<std::string>(interface["typestr"]) +
                           "' has no kind of value: convert it first");
  const auto shape = nb::cast<nb::tuple>(interface["shape"]);
  const auto ndim = static_cast<std::uint32_t>(shape.size());
  polycodec_array* const a = out_.new_array(POLYCODEC_LAYOUT_NDARRAY, 0);
  a->dtype = type.dtype;
  a->byte_order = type.byte_order;
  a->unit = type.unit;
  a->item_size = type.item_size;
  a->ndim = ndim;
  auto* extents = allocate<std::int64_t>(2 * std::uint64_t{ndim});
  std::int64_t stride = type.item_size;
  bool empty = false;
  for (std::uint32_t axis = ndim; axis-- > 0;) {
    extents[axis] = nb::cast<std::int64_t>(shape[axis]);
    extents[ndim + axis] = stride;
    stride *= extents[axis];
    empty = empty || extents[axis] == 0;
  }
  const nb::object strides = interface["strides"];
  for (std::uint32_t axis = 0; !strides.is_none() && axis < ndim; ++axis)
    extents[ndim + axis] = nb::cast<std::int64_t>(strides[axis]);
  a->shape = extents;
  a->strides = extents + ndim;
  a->length = ndim == 0 ? 1 : static_cast<std::uint64_t>(extents[0]);
  if (empty) return a;
  // The bytes from the first to the last element in memory.
  std::int64_t low = 0;
  std::int64_t high = type.item_size;
  for (std::uint32_t axis = 0; axis < ndim; ++axis) {
    const std::int64_t reach = (extents[axis] - 1) * extents[ndim + axis];
    (reach < 0 ? low : high) += reach;
  }
  const auto address = nb::cast<std::uintptr_t>(interface["data"][0]);
  const auto* data = reinterpret_cast<const std::byte*>(address);
  a->data = data;
  a->buffer = data + low;
  a->buffer_size = static_cast<std::uint64_t>(high - low);
  adopt(std::move(array), to_string_view(a->buffer, a->buffer_size));
  return a;
}

void FromPython::column(nb::handle columns, const char* name, polycodec_column& to) {
  const nb::object numbers = columns.attr("get")(name);
  if (numbers.is_none()) return;
  const nb::object packed = attribute("numpy", "ascontiguousarray")(numbers);
  const auto interface = nb::cast<nb::dict>(packed.attr("__array_interface__"));
  const NumpyType type = type_of(view_of(interface["typestr"]));
  const auto shape = nb::cast<nb::tuple>(interface["shape"]);
  if (shape.size() != 1) fail(Status::invalid, std::string(name) + " must have one dimension");
  if (type.dtype == POLYCODEC_DTYPE_NONE || type.item_size > 8 ||
      (type.item_size > 1 && type.byte_order != polycodec::host_byte_order))
    fail(Status::type, std::string(name) + " must be integers in the order of this machine");
  const auto size = nb::cast<std::uint64_t>(shape[0]) * type.item_size;
  auto* copy = allocate<std::uint64_t>(size / 8 + 1);
  if (size != 0)
    std::memcpy(copy, reinterpret_cast<const void*>(nb::cast<std::uintptr_t>(interface["data"][0])),
                static_cast<std::size_t>(size));
  to.data = copy;
  to.stride = type.item_size;
  to.dtype = type.dtype;
}

const polycodec_array* FromPython::child(nb::handle part) {
  if (nb::isinstance<Value>(part)) {
    const Value& other = nb::cast<Value&>(part);
    if (other.array() == nullptr) fail(Status::type, "a column must be an array");
    value(other.handle());
    return other.array();
  }
  if (nb::hasattr(part, "layout")) return layout(part);
  return ndarray(part);
}

const polycodec_array* FromPython::layout(nb::handle given) {
  const auto* const known =
      std::find(std::begin(layout_names), std::end(layout_names), view_of(given.attr("layout")));
  polycodec_array* const a =
      out_.new_array(static_cast<polycodec_layout>(known - std::begin(layout_names)),
                     number<std::uint64_t>(given.attr("length"), "length"));
  const polycodec_node* const attributes = metadata(given.attr("metadata"));
  if (a->layout == POLYCODEC_LAYOUT_NDARRAY) {  // an array of numpy with metadata
    *a = *child(nb::object(given.attr("children")[0]));
    a->metadata = attributes;
    return a;
  }
  a->metadata = attributes;
  a->flags = number<std::uint8_t>(given.attr("flags"), "flags");
  a->list_size = number<std::uint64_t>(given.attr("list_size"), "list_size");
  const nb::object columns = given.attr("columns");
  for (const char* column_name : {"offsets", "starts", "mask", "index"})
    column(columns, column_name, a->index);
  for (const char* column_name : {"stops", "tags"}) column(columns, column_name, a->tags);
  const auto children = nb::cast<nb::list>(given.attr("children"));
  a->n_children = static_cast<std::uint32_t>(children.size());
  auto** made = allocate<const polycodec_array*>(a->n_children);
  for (std::uint32_t i = 0; i < a->n_children; ++i) {
    Inside inside(*this);
    inside.index = static_cast<Py_ssize_t>(i);
    made[i] = child(children[i]);
  }
  a->children = made;
  const nb::object names = given.attr("names");
  if (!names.is_none()) {
    auto* all = allocate<polycodec_bytes>(a->n_children + 1);  // a record without columns
    for (std::uint32_t i = 0; i < a->n_children; ++i) {
      const polycodec_node text = string(nb::object(names[i]).ptr());
      all[i] = {text.as.data, polycodec_node_size(&text)};
    }
    a->names = all;
  }
  return a;
}

}  // namespace polycodec_python
