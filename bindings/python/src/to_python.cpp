// SPDX-License-Identifier: MIT
#include "to_python.hpp"

#include "array_items.hpp"
#include "keys.hpp"

#include <algorithm>

namespace polycodec_python {
namespace {

constexpr int max_depth = 1000;

// The functions of the limited interface are slower where a macro exists.
#ifdef Py_LIMITED_API
void set_item(PyObject* list, std::uint64_t i, PyObject* item) {
  PyList_SetItem(list, static_cast<Py_ssize_t>(i), item);
}
#else
void set_item(PyObject* list, std::uint64_t i, PyObject* item) {
  PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), item);
}
#endif

PyObject* none() noexcept {
  Py_INCREF(Py_None);
  return Py_None;
}
PyObject* checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return made;
}
PyObject* new_list(std::uint64_t n) {
  return checked(PyList_New(static_cast<Py_ssize_t>(n)));
}

/// A list whose items make(i) gives.
template <class Make>
PyObject* list_of(std::uint64_t n, const Make& make) {
  nb::object list = nb::steal(new_list(n));
  for (std::uint64_t i = 0; i < n; ++i) set_item(list.ptr(), i, make(i));
  return list.release().ptr();
}

void check_depth(int depth) {
  if (depth > max_depth)
    raise(POLYCODEC_ERROR_LIMIT, "the value nests deeper than 1000: read its parts one by one");
}

}  // namespace

ToPython::ToPython(MakeArray make_array, const ValueHandle* owner)
    : make_array_(make_array), owner_(owner), collects_(PyGC_Disable() != 0) {}

ToPython::~ToPython() {
  if (collects_) PyGC_Enable();
}

PyObject* ToPython::make(const polycodec_node* n, int depth) {
  switch (n->kind) {
    case POLYCODEC_KIND_NULL:
      return none();
    case POLYCODEC_KIND_BOOLEAN:
      return PyBool_FromLong(static_cast<long>(n->as.u64));
    case POLYCODEC_KIND_SIGNED:
      return checked(PyLong_FromLongLong(n->as.i64));
    case POLYCODEC_KIND_UNSIGNED:
      return checked(PyLong_FromUnsignedLongLong(n->as.u64));
    case POLYCODEC_KIND_FLOAT:
      if (n->dtype == POLYCODEC_DTYPE_FLOAT64) return checked(PyFloat_FromDouble(n->as.f64));
      return rare(n, depth);
    case POLYCODEC_KIND_STRING:
      return string(n);
    case POLYCODEC_KIND_BINARY:
      return checked(PyBytes_FromStringAndSize(static_cast<const char*>(n->as.data),
                                               static_cast<Py_ssize_t>(polycodec_node_size(n))));
    case POLYCODEC_KIND_LIST:
      return list(n, depth);
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
      return dict(n, depth);
    default:
      return rare(n, depth);
  }
}

PyObject* ToPython::string(const polycodec_node* n) {
  const auto size = static_cast<Py_ssize_t>(polycodec_node_size(n));
  return checked(
      PyUnicode_DecodeUTF8(static_cast<const char*>(n->as.data), size, "surrogateescape"));
}

PyObject* ToPython::key(const polycodec_node* n, int depth) {
  if (n->kind == POLYCODEC_KIND_STRING)
    return checked(string_of_name(static_cast<const char*>(n->as.data), polycodec_node_size(n)));
  nb::object made = nb::steal(make(n, depth));
  if (PyList_Check(made.ptr())) made = nb::steal(checked(PyList_AsTuple(made.ptr())));
  return made.release().ptr();
}

PyObject* ToPython::list(const polycodec_node* n, int depth) {
  check_depth(depth);
  return list_of(polycodec_node_size(n),
                 [&](std::uint64_t i) { return make(&n->as.nodes[i], depth + 1); });
}

PyObject* ToPython::dict(const polycodec_node* n, int depth) {
  check_depth(depth);
  nb::object dict = nb::steal(checked(PyDict_New()));
  const std::uint64_t size = polycodec_node_size(n);
  for (std::uint64_t i = 0; i < size; ++i) {
    PyObject* name = key(&n->as.nodes[2 * i], depth + 1);
    const nb::object kept = nb::steal(name);
    PyObject* value = make(&n->as.nodes[2 * i + 1], depth + 1);
    const int failed = PyDict_SetItem(dict.ptr(), name, value);
    Py_DECREF(value);
    if (failed != 0) throw nb::python_error();
  }
  return dict.release().ptr();
}

PyObject* ToPython::reference(const polycodec_node* n, int depth) {
  check_depth(depth);
  const polycodec_node* target = n->as.node;
  const auto [at, is_new] = targets_.try_emplace(target);
  if (is_new) {
    // A cycle comes here again before the target is complete: None would be wrong there.
    PyObject* made = make(target, depth + 1);
    targets_[target] = nb::borrow(made);
    return made;
  }
  if (!at->second.is_valid())
    raise(POLYCODEC_ERROR_UNSUPPORTED, "the value refers to itself: read its parts one by one");
  return nb::object(at->second).release().ptr();
}

PyObject* ToPython::rare(const polycodec_node* n, int depth) {
  check_depth(depth);
  switch (n->kind) {
    case POLYCODEC_KIND_FLOAT: {
      polycodec_array leaf{};
      leaf.dtype = n->dtype;
      leaf.byte_order = host_byte_order;
      return element_of(leaf, reinterpret_cast<const std::byte*>(&n->as));
    }
    case POLYCODEC_KIND_WIDE: {
      polycodec_array leaf{};
      leaf.dtype = n->dtype;
      leaf.byte_order = host_byte_order;
      return element_of(leaf, static_cast<const std::byte*>(n->as.data));
    }
    case POLYCODEC_KIND_TUPLE: {
      const nb::object made = nb::steal(list(n, depth));
      return checked(PyList_AsTuple(made.ptr()));
    }
    case POLYCODEC_KIND_ARRAY: {
      const polycodec_array& a = *n->as.array;
      if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0)
        return element_of(a, static_cast<const std::byte*>(a.data));
      if (make_array_ != nullptr && a.layout == POLYCODEC_LAYOUT_NDARRAY)
        return make_array_(a, *owner_).release().ptr();
      return items(a, 0, a.length, depth);
    }
    case POLYCODEC_KIND_EXTENSION: {
      const nb::object payload = nb::steal(make(n->as.extension->payload, depth + 1));
      return attribute("polycodec._kinds", "Extension")(str_of(view_of(n->as.extension->name)),
                                                        payload)
          .release()
          .ptr();
    }
    case POLYCODEC_KIND_REFERENCE:
      return reference(n, depth);
    case POLYCODEC_KIND_ANNOTATED:
      return make(n->as.annotated->node, depth + 1);
    case POLYCODEC_KIND_UNION:
      return make(n->as.tagged->node, depth + 1);
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      return time_of(n->kind == POLYCODEC_KIND_DURATION, n->as.time->count, n->as.time->nanoseconds,
                     n->as.time->unit);
    default:
      return none();
  }
}

PyObject* ToPython::elements(const polycodec_array& a, const std::byte* data, std::uint32_t axis) {
  const std::int64_t stride = a.strides[axis];
  const auto n = static_cast<std::uint64_t>(a.shape[axis]);
  if (axis + 1 < a.ndim)
    return list_of(n, [&](std::uint64_t i) {
      return elements(a, data + static_cast<std::int64_t>(i) * stride, axis + 1);
    });
  return list_of(n, [&](std::uint64_t i) {
    return element_of(a, data + static_cast<std::int64_t>(i) * stride);
  });
}

PyObject* ToPython::items(const polycodec_array& a, std::uint64_t first, std::uint64_t n,
                          int depth) {
  check_depth(depth);
  if (a.layout != POLYCODEC_LAYOUT_NDARRAY)
    return list_of(n, [&](std::uint64_t i) { return item(a, first + i, depth + 1); });
  const auto* data = static_cast<const std::byte*>(a.data);
  return list_of(n, [&](std::uint64_t i) {
    const std::byte* at = data + static_cast<std::int64_t>(first + i) * a.strides[0];
    return a.ndim > 1 ? elements(a, at, 1) : element_of(a, at);
  });
}

PyObject* ToPython::row(const polycodec_array& a, std::uint64_t i, int depth) {
  if (a.names == nullptr) {
    const nb::object made = nb::steal(
        list_of(a.n_children, [&](std::uint64_t k) { return item(*a.children[k], i, depth + 1); }));
    return checked(PyList_AsTuple(made.ptr()));
  }
  nb::object dict = nb::steal(checked(PyDict_New()));
  for (std::uint32_t k = 0; k < a.n_children; ++k) {
    const nb::object name = nb::steal(
        checked(string_of_name(static_cast<const char*>(a.names[k].data), a.names[k].size)));
    const nb::object value = nb::steal(item(*a.children[k], i, depth + 1));
    if (PyDict_SetItem(dict.ptr(), name.ptr(), value.ptr()) != 0) throw nb::python_error();
  }
  return dict.release().ptr();
}

PyObject* ToPython::item(const polycodec_array& a, std::uint64_t i, int depth) {
  check_depth(depth);
  switch (a.layout) {
    case POLYCODEC_LAYOUT_NDARRAY: {
      const std::byte* at = static_cast<const std::byte*>(a.data);
      if (a.ndim == 0) return element_of(a, at);
      at += static_cast<std::int64_t>(i) * a.strides[0];
      return a.ndim > 1 ? elements(a, at, 1) : element_of(a, at);
    }
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED: {
      const ItemRange range = item_range(a, i);
      const std::uint64_t size = range.end - range.begin;
      if (!is_text(a)) return items(*a.children[0], range.begin, size, depth + 1);
      const char* text = static_cast<const char*>(a.children[0]->data) + range.begin;
      if ((a.flags & POLYCODEC_ARRAY_BINARY) != 0)
        return checked(PyBytes_FromStringAndSize(text, static_cast<Py_ssize_t>(size)));
      return checked(PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(size), "surrogateescape"));
    }
    case POLYCODEC_LAYOUT_RECORD:
      return row(a, i, depth);
    case POLYCODEC_LAYOUT_UNION:
      return item(*a.children[column_item(a.tags, i)],
                  static_cast<std::uint64_t>(column_item(a.index, i)), depth + 1);
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
      return is_present(a, i) ? item(*a.children[0], i, depth + 1) : none();
    case POLYCODEC_LAYOUT_INDEXED: {
      const std::int64_t at = column_item(a.index, i);
      return at < 0 ? none() : item(*a.children[0], static_cast<std::uint64_t>(at), depth + 1);
    }
    case POLYCODEC_LAYOUT_CHUNKED: {
      std::uint32_t chunk = 0;
      while (i >= a.children[chunk]->length) i -= a.children[chunk++]->length;
      return item(*a.children[chunk], i, depth + 1);
    }
    default:
      return make(&a.nodes[i], depth + 1);
  }
}

}  // namespace polycodec_python
