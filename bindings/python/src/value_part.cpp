// SPDX-License-Identifier: MIT
// Parts of values.
#include "source.hpp"
#include "to_python.hpp"
#include "value.hpp"

namespace polycodec_python {
namespace {

polycodec_item all_of(const polycodec_node* node) noexcept {
  return {node, nullptr, 0};
}

}  // namespace

const polycodec_node* Value::proper() const {
  const polycodec_node* n = root();
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
  throw Error(Status::type, "the value has no items");
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
          return within(holder(), &n->as.nodes[2 * i + 1]);
      }
  }
  if (name.starts_with("$") || name.find_first_of(".[") != name.npos)
    return Value(handle().part(name));
  // The library's error has the known names.
  return Value(handle().part(host::member_path("$", name)));
}

/// The member of a map whose key is not a string.
Value Value::member_of(nb::handle key) const {
  const polycodec_node* n = proper();
  for (std::uint64_t i = 0; n->kind == POLYCODEC_KIND_MAP && i < polycodec_node_size(n); ++i) {
    if (n->as.nodes[2 * i].kind == POLYCODEC_KIND_STRING) continue;
    const nb::object known = to_python(lent(), &n->as.nodes[2 * i]);
    const int is_same = PyObject_RichCompareBool(known.ptr(), key.ptr(), Py_EQ);
    if (is_same < 0) throw nb::python_error();
    if (is_same == 1) return within(holder(), &n->as.nodes[2 * i + 1]);
  }
  if (n->kind == POLYCODEC_KIND_MAP)
    throw Error(Status::not_found,
                "the map has no key " + nb::cast<std::string>(nb::object(nb::repr(key))));
  throw Error(Status::type, "the members of the value have names: index it by name");
}

Value Value::item(std::uint64_t i) const {
  return of_same_file(item_of(i));
}

Value Value::item_of(std::uint64_t i) const {
  const polycodec_node* root = proper();
  if (root->kind == POLYCODEC_KIND_LIST || root->kind == POLYCODEC_KIND_TUPLE)
    return within(holder(), &root->as.nodes[i]);
  if (root->kind == POLYCODEC_KIND_ARRAY) {
    const polycodec_item item = polycodec_item_at(root->as.array, i);
    if (item.node != nullptr) return within(holder(), item.node);
    return Value(handle().part(polycodec_item{nullptr, root->as.array, i}));
  }
  throw Error(Status::type, "the value has no items");
}

Value Value::item_at(std::int64_t i) const {
  const std::uint64_t n = size();
  const auto at = static_cast<std::uint64_t>(i < 0 ? i + static_cast<std::int64_t>(n) : i);
  if (at >= n)
    throw Error(Status::not_found,
                "index " + std::to_string(i) + " of a value of " + std::to_string(n) + " items");
  return item_of(at);
}

/// A slice without a step views the items. The rest is for numpy.
Value Value::slice(nb::handle slice) const {
  const polycodec_node* root = proper();
  if (root->kind != POLYCODEC_KIND_ARRAY && root->kind != POLYCODEC_KIND_LIST &&
      root->kind != POLYCODEC_KIND_TUPLE)
    throw Error(Status::type, "only arrays, lists and tuples have slices");
  Py_ssize_t first = 0, stop = 0, step = 0;
  if (PySlice_Unpack(slice.ptr(), &first, &stop, &step) != 0) throw nb::python_error();
  const Py_ssize_t n = PySlice_AdjustIndices(static_cast<Py_ssize_t>(size()), &first, &stop, step);
  if (step != 1) return chosen(slice);
  return Value(handle().part(all_of(root), static_cast<std::uint64_t>(first),
                             static_cast<std::uint64_t>(n)));
}

Value Value::chosen(nb::handle key) const {
  return nb::cast<Value&>(attribute("polycodec._choose", "choose")(nb::cast(*this), key));
}

void Value::check_file() const {
  stamp_->check();
}

void Value::share() const {
  // The library knows the extent as that of the input.
  polycodec::Builder(std::exchange(arena_, nullptr))
      .adopt(nb::object(bytes_).release().ptr(), &release_object, {});
}

std::optional<std::string_view> Value::source() const {
  if (source_) return source_.bytes();
  if (!bytes_.is_valid()) return std::nullopt;
  return bytes_of(bytes_);
}

void Value::make_handle() const {
  handle_ = handle_.part(all_of(part_));
  part_ = nullptr;
}

Value Value::part(nb::handle key) const {
  return of_same_file(part_at(key));
}

Value Value::part_at(nb::handle key) const {
  if (PyUnicode_Check(key.ptr())) return member(view_of(key));
  if (PySlice_Check(key.ptr())) return slice(key);
  if (PyTuple_Check(key.ptr())) {
    Value at = *this;
    for (nb::handle step : key) at = at.part(step);
    return at;
  }
  const polycodec_node* n = proper();
  if ((n->kind == POLYCODEC_KIND_OBJECT || n->kind == POLYCODEC_KIND_MAP) &&
      !PyList_Check(key.ptr()))
    return member_of(key);
  if (PyIndex_Check(key.ptr()) == 0) return chosen(key);
  const Py_ssize_t i = PyNumber_AsSsize_t(key.ptr(), PyExc_IndexError);
  if (i == -1 && PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
    PyErr_Clear();  // an array of numpy, which has __index__ whatever its shape
    return chosen(key);
  }
  return item_at(i);
}

}  // namespace polycodec_python
