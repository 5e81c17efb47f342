// SPDX-License-Identifier: MIT
#include "to_python.hpp"

#include "keys.hpp"
#include "stack.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec_python {
namespace {

constexpr int max_depth = 1000;

// What objects cost: work in units of 5 ns, and bytes. Small integers, None, and names are there
// already.
constexpr std::uint64_t units_of_object = 8, units_of_member = 16, units_of_call = 400;
constexpr std::uint64_t bytes_of_number = 32, bytes_of_text = 56, bytes_of_list = 64,
                        bytes_of_dict = 232, bytes_of_slot = 8, bytes_of_member = 40,
                        bytes_of_call = 256;

bool is_small(std::uint64_t number) noexcept {
  return number <= 256;
}

#ifndef Py_LIMITED_API
bool is_ascii(const char* data, std::uint64_t size) noexcept {
  std::uint64_t all = 0, word = 0;
  std::uint64_t at = 0;
  for (; at + 8 <= size; at += 8) {
    std::memcpy(&word, data + at, 8);
    all |= word;
  }
  for (; at < size; ++at) all |= static_cast<unsigned char>(data[at]);
  return (all & 0x8080808080808080u) == 0;
}
#endif

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

/// A dict that will have so many members.
PyObject* new_dict(std::uint64_t n) {
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX < 0x030d0000
  // A dict of 6 to 10 members would grow on the way, which takes a tenth of a small message.
  if (n > 5 && n <= 10) return _PyDict_NewPresized(static_cast<Py_ssize_t>(n));
#endif
  static_cast<void>(n);
  return PyDict_New();
}

/// A string of UTF-8.
PyObject* new_string(const char* data, std::uint64_t size) {
#ifndef Py_LIMITED_API
  if (size > 1 && size <= 32 && is_ascii(data, size)) {
    PyObject* made = PyUnicode_New(static_cast<Py_ssize_t>(size), 127);
    if (made != nullptr) std::memcpy(PyUnicode_DATA(made), data, size);
    return made;
  }
#endif
  return PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), "surrogateescape");
}

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

void check_depth(int depth) {
  if (depth > max_depth)
    throw Error(Status::limit, "the value nests deeper than 1000: read its parts one by one");
  check_stack(static_cast<std::uint32_t>(depth));
}

}  // namespace

ToPython::ToPython(Meter& meter, MakeArray make_array, const host::Value* owner)
    : meter_(meter), make_array_(make_array), owner_(owner), collects_(PyGC_Disable() != 0) {}

ToPython::~ToPython() {
  if (collects_) PyGC_Enable();
}

/// A list whose items make(i) gives.
template <class Make>
PyObject* ToPython::list_of(std::uint64_t n, const Make& make) {
  meter_.tick(units_of_object, bytes_of_list);
  meter_.tick_all(n, 1, bytes_of_slot);
  nb::object list = nb::steal(new_list(n));
  for (std::uint64_t i = 0; i < n; ++i) set_item(list.ptr(), i, make(i));
  return list.release().ptr();
}

PyObject* ToPython::text(const void* data, std::uint64_t size, bool binary) {
  meter_.tick(units_of_object + size / 16, bytes_of_text + size);
  const auto* begin = static_cast<const char*>(data);
  const auto count = static_cast<Py_ssize_t>(size);
  return checked(binary ? PyBytes_FromStringAndSize(begin, count) : new_string(begin, size));
}

PyObject* ToPython::element(const polycodec_array& leaf, const std::byte* data) {
  const bool is_time =
      leaf.dtype == POLYCODEC_DTYPE_TIMESTAMP64 || leaf.dtype == POLYCODEC_DTYPE_DURATION64;
  meter_.tick(is_time ? units_of_call : units_of_object,
              (is_time ? bytes_of_text : bytes_of_number) + leaf.item_size);
  return element_of(leaf, data, is_time && (has_zone_ || names_zone(leaf.metadata)));
}

bool ToPython::names_zone(const polycodec_node* attributes) {
  if (attributes == nullptr) return false;
  if (attributes != asked_) {
    asked_ = attributes;
    answer_ = false;
    for (std::uint64_t i = 0; i < polycodec_node_size(attributes); ++i) {
      const polycodec_node& name = attributes->as.nodes[2 * i];
      answer_ |= to_string_view(name.as.data, polycodec_node_size(&name)) == "timezone";
    }
  }
  return answer_;
}

PyObject* ToPython::make(const polycodec_node* n, int depth) {
  switch (n->kind) {
    case POLYCODEC_KIND_NULL:
      return none();
    case POLYCODEC_KIND_BOOLEAN:
      return PyBool_FromLong(static_cast<long>(n->as.u64));
    case POLYCODEC_KIND_SIGNED:
      meter_.tick(units_of_object,
                  is_small(static_cast<std::uint64_t>(n->as.i64)) ? 0 : bytes_of_number);
      return checked(PyLong_FromLongLong(n->as.i64));
    case POLYCODEC_KIND_UNSIGNED:
      meter_.tick(units_of_object, is_small(n->as.u64) ? 0 : bytes_of_number);
      return checked(PyLong_FromUnsignedLongLong(n->as.u64));
    case POLYCODEC_KIND_FLOAT:
      if (n->dtype != POLYCODEC_DTYPE_FLOAT64) return rare(n, depth);
      meter_.tick(units_of_object, bytes_of_number);
      return checked(PyFloat_FromDouble(n->as.f64));
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
      return text(n->as.data, polycodec_node_size(n), n->kind == POLYCODEC_KIND_BINARY);
    case POLYCODEC_KIND_LIST:
      return list(n, depth);
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
      return dict(n, depth);
    default:
      return rare(n, depth);
  }
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
  const std::uint64_t size = polycodec_node_size(n);
  meter_.tick(units_of_object, bytes_of_dict);
  meter_.tick_all(size, units_of_member, bytes_of_member);
  nb::object dict = nb::steal(checked(new_dict(size)));
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
    throw Error(Status::unsupported, "the value refers to itself: read its parts one by one");
  return nb::object(at->second).release().ptr();
}

PyObject* ToPython::rare(const polycodec_node* n, int depth) {
  check_depth(depth);
  switch (n->kind) {
    case POLYCODEC_KIND_FLOAT: {
      polycodec_array leaf{};
      leaf.dtype = n->dtype;
      leaf.byte_order = polycodec::host_byte_order;
      return element(leaf, reinterpret_cast<const std::byte*>(&n->as));
    }
    case POLYCODEC_KIND_WIDE: {
      polycodec_array leaf{};
      leaf.dtype = n->dtype;
      leaf.byte_order = polycodec::host_byte_order;
      return element(leaf, static_cast<const std::byte*>(n->as.data));
    }
    case POLYCODEC_KIND_TUPLE: {
      const nb::object made = nb::steal(list(n, depth));
      meter_.tick_all(polycodec_node_size(n), 1, bytes_of_slot);
      return checked(PyList_AsTuple(made.ptr()));
    }
    case POLYCODEC_KIND_ARRAY: {
      const polycodec_array& a = *n->as.array;
      if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0)
        return element(a, static_cast<const std::byte*>(a.data));
      if (make_array_ != nullptr && a.layout == POLYCODEC_LAYOUT_NDARRAY) {
        meter_.tick(units_of_call, 2 * bytes_of_call);
        return make_array_(a, *owner_).release().ptr();
      }
      return items(a, 0, a.length, depth);
    }
    case POLYCODEC_KIND_EXTENSION: {
      meter_.tick(units_of_call, bytes_of_call + n->as.extension->name.size);
      const nb::object payload = nb::steal(make(n->as.extension->payload, depth + 1));
      return attribute("polycodec._kinds", "Extension")(
                 str_of(to_string_view(n->as.extension->name)), payload)
          .release()
          .ptr();
    }
    case POLYCODEC_KIND_REFERENCE:
      return reference(n, depth);
    case POLYCODEC_KIND_ANNOTATED: {
      const Zone zone(*this, n->as.annotated->metadata);
      return make(n->as.annotated->node, depth + 1);
    }
    case POLYCODEC_KIND_UNION:
      return make(n->as.tagged->node, depth + 1);
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      meter_.tick(units_of_call, bytes_of_call);
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
  return list_of(
      n, [&](std::uint64_t i) { return element(a, data + static_cast<std::int64_t>(i) * stride); });
}

PyObject* ToPython::leaf_item(const polycodec_array& a, std::uint64_t i) {
  const auto* const at = static_cast<const std::byte*>(polycodec_element(&a, i));
  return a.ndim > 1 ? elements(a, at, 1) : element(a, at);
}

PyObject* ToPython::items(const polycodec_array& a, std::uint64_t first, std::uint64_t n,
                          int depth) {
  check_depth(depth);
  const Zone zone(*this, a.metadata);
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY)
    return list_of(n, [&](std::uint64_t i) { return leaf_item(a, first + i); });
  return list_of(n, [&](std::uint64_t i) { return item(a, first + i, depth + 1); });
}

PyObject* ToPython::row(const polycodec_array& a, std::uint64_t i, int depth) {
  if (a.names == nullptr) {
    meter_.tick_all(a.n_children, 1, bytes_of_slot);
    const nb::object made = nb::steal(
        list_of(a.n_children, [&](std::uint64_t k) { return item(*a.children[k], i, depth + 1); }));
    return checked(PyList_AsTuple(made.ptr()));
  }
  meter_.tick(units_of_object, bytes_of_dict);
  meter_.tick_all(a.n_children, units_of_member, bytes_of_member);
  nb::object dict = nb::steal(checked(new_dict(a.n_children)));
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
  meter_.tick(2, 0);
  const Zone zone(*this, a.metadata);
  switch (a.layout) {
    case POLYCODEC_LAYOUT_NDARRAY:
      return leaf_item(a, i);
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED: {
      if (polycodec_is_text(&a) != 0) {
        const polycodec_bytes bytes = polycodec_text_item(&a, i);
        return text(bytes.data, bytes.size, (a.flags & POLYCODEC_ARRAY_BINARY) != 0);
      }
      const polycodec_range range = polycodec_list_range(&a, i);
      return items(*a.children[0], range.begin, range.end - range.begin, depth + 1);
    }
    case POLYCODEC_LAYOUT_RECORD:
      return row(a, i, depth);
    case POLYCODEC_LAYOUT_UNION: {
      std::int64_t tag = 0;
      const polycodec_item member = polycodec_union_item(&a, i, &tag);
      return item(*member.array, member.index, depth + 1);
    }
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
    case POLYCODEC_LAYOUT_INDEXED:
    case POLYCODEC_LAYOUT_CHUNKED: {
      const polycodec_array* const child = polycodec_chosen(&a, &i);
      return child == nullptr ? none() : item(*child, i, depth + 1);
    }
    default:
      return make(&a.nodes[i], depth + 1);
  }
}

}  // namespace polycodec_python
