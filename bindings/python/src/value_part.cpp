// SPDX-License-Identifier: MIT
// Parts of values.
#include "source.hpp"
#include "value.hpp"

namespace polycodec_python {
namespace {

polycodec_item all_of(const polycodec_node* node) noexcept {
  return {node, nullptr, 0};
}
}  // namespace
const polycodec_node* Value::proper() const {
  const polycodec_node* n = handle().root();
  // A chain of references that ends nowhere is valid.
  for (int i = 0; i < 64; ++i) {
    n = polycodec_node_proper(n);
    if (n->kind == POLYCODEC_KIND_UNION) {
      n = n->as.tagged->node;
    } else if (n->kind == POLYCODEC_KIND_REFERENCE) {
      n = n->as.node;
    } else {
      break;
    }
  }
  return n;
}

const polycodec_array* Value::array() const {
  const polycodec_node* n = proper();
  return n->kind == POLYCODEC_KIND_ARRAY ? n->as.array : nullptr;
}

const polycodec_array* Value::records() const {
  const polycodec_array* a = array();
  while (a != nullptr && polycodec_is_choice(a) != 0 && a->n_children != 0) a = a->children[0];
  return a;
}

std::uint64_t Value::size() const {
  const polycodec_node* n = proper();
  switch (n->kind) {
    case POLYCODEC_KIND_ARRAY:
      if (n->as.array->layout == POLYCODEC_LAYOUT_NDARRAY && n->as.array->ndim == 0) break;
      return n->as.array->length;
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
      return polycodec_node_size(n);
    default:
      break;
  }
  throw nb::type_error("the value has no items");
}

Value Value::member(std::string_view name) const {
  if (const polycodec_array* a = records()) {
    for (std::uint32_t i = 0; a->names != nullptr && i < a->n_children; ++i)
      if (to_string_view(a->names[i]) == name)
        return Value(handle().part(host::member_path("$", name)));
  } else {
    const polycodec_node* n = proper();
    if (n->kind == POLYCODEC_KIND_OBJECT || n->kind == POLYCODEC_KIND_MAP)
      for (std::uint64_t i = 0; i < polycodec_node_size(n); ++i) {
        const polycodec_node& key = n->as.nodes[2 * i];
        if (key.kind == POLYCODEC_KIND_STRING &&
            to_string_view(key.as.data, polycodec_node_size(&key)) == name)
          return Value(handle().part(all_of(&n->as.nodes[2 * i + 1])));
      }
  }
  if (name.starts_with("$") || name.find_first_of(".[") != name.npos)
    return Value(handle().part(name));
  // The library's error has the known names.
  return Value(handle().part(host::member_path("$", name)));
}

Value Value::item(std::int64_t i) const {
  const std::uint64_t n = size();
  const auto at = static_cast<std::uint64_t>(i < 0 ? i + static_cast<std::int64_t>(n) : i);
  if (at >= n)
    throw nb::index_error(
        ("index " + std::to_string(i) + " of a value of " + std::to_string(n) + " items").c_str());
  const polycodec_node* root = proper();
  if (root->kind == POLYCODEC_KIND_ARRAY)
    return Value(handle().part(polycodec_item{nullptr, root->as.array, at}));
  if (root->kind == POLYCODEC_KIND_LIST || root->kind == POLYCODEC_KIND_TUPLE)
    return Value(handle().part(all_of(&root->as.nodes[at])));
  throw nb::type_error("the members of the value have names: index it by name");
}

Value Value::slice(nb::handle slice) const {
  const polycodec_node* root = proper();
  nb::tuple indices = nb::cast<nb::tuple>(slice.attr("indices")(size()));
  const auto first = nb::cast<std::int64_t>(indices[0]);
  const auto stop = nb::cast<std::int64_t>(indices[1]);
  if (nb::cast<std::int64_t>(indices[2]) != 1)
    throw nb::value_error("the step of a slice must be 1: use to_numpy() for others");
  const auto n = static_cast<std::uint64_t>(stop > first ? stop - first : 0);
  if (root->kind != POLYCODEC_KIND_ARRAY && root->kind != POLYCODEC_KIND_LIST &&
      root->kind != POLYCODEC_KIND_TUPLE)
    throw nb::type_error("only arrays, lists and tuples have slices");
  return Value(handle().part(all_of(root), static_cast<std::uint64_t>(first), n));
}

void Value::check_file() const {
  stamp_->check();
}

Value Value::part(nb::handle key) const {
  Value made = part_at(key);
  made.stamp_ = stamp_;
  return made;
}

Value Value::part_at(nb::handle key) const {
  if (PyUnicode_Check(key.ptr())) return member(view_of(key));
  if (PySlice_Check(key.ptr())) return slice(key);
  if (PyTuple_Check(key.ptr())) {
    Value at = *this;
    for (nb::handle step : key) at = at.part(step);
    return at;
  }
  if (PyIndex_Check(key.ptr()) == 0)
    throw nb::type_error(
        "an index must be a name, a path, an integer, a slice, or a tuple of these");
  const Py_ssize_t i = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
  if (i == -1 && PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
    PyErr_Clear();  // an array of numpy, which has __index__ whatever its shape
    throw nb::type_error(
        "an index must be one integer: use to_numpy() for masks and arrays of indices");
  }
  return item(i);
}

}  // namespace polycodec_python
