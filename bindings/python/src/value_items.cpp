// SPDX-License-Identifier: MIT
// What a loop over a value calls: items, members, lengths. Slots cost half of what methods do.
#include "to_python.hpp"
#include "value.hpp"

#include <utility>

namespace polycodec_python {
namespace {

const Value& value_at(PyObject* self) {
  if (!nb::inst_ready(self)) throw Error(Status::type, "the value was never made");
  return *nb::inst_ptr<Value>(self);
}

/// What `body` returns, or `failure` with the exception of what it throws.
template <class Result, class Body>
Result slot(Result failure, const Body& body) noexcept {
  try {
    try {
      return body();
    } catch (const Error& error) {
      set_exception(error);
    } catch (const std::bad_alloc&) {
      PyErr_NoMemory();
    }
  } catch (nb::python_error& error) {
    error.restore();
  }
  return failure;
}

PyObject* object_of(Value value) {
  return nb::cast(std::move(value)).release().ptr();
}

PyObject* subscript(PyObject* self, PyObject* key) noexcept {
  return slot<PyObject*>(nullptr, [&] { return object_of(value_at(self).part(key)); });
}

PyObject* sequence_item(PyObject* self, Py_ssize_t i) noexcept {
  return slot<PyObject*>(nullptr,
                         [&] { return object_of(value_at(self).part(nb::object(nb::int_(i)))); });
}

Py_ssize_t length(PyObject* self) noexcept {
  return slot<Py_ssize_t>(-1, [&] { return static_cast<Py_ssize_t>(value_at(self).size()); });
}

/// The items of a value one after another.
struct Items {
  nb::object value;
  const Value* of;
  std::uint64_t next, size;
};

PyObject* next_item(PyObject* self) noexcept {
  Items& items = *nb::inst_ptr<Items>(self);
  if (items.next >= items.size) return nullptr;
  return slot<PyObject*>(nullptr, [&] { return object_of(items.of->item(items.next++)); });
}

/// The keys of an object or a map, and otherwise the items.
PyObject* iterate(PyObject* self) noexcept {
  return slot<PyObject*>(nullptr, [&]() -> PyObject* {
    const Value& value = value_at(self);
    const polycodec_node* n = value.proper();
    if (n->kind == POLYCODEC_KIND_OBJECT || n->kind == POLYCODEC_KIND_MAP) {
      const nb::object names = keys_of(value);
      PyObject* made = PyObject_GetIter(names.ptr());
      if (made == nullptr) throw nb::python_error();
      return made;
    }
    const std::uint64_t size = value.size();  // raises TypeError for what has no items
    if (n->kind == POLYCODEC_KIND_STRING || n->kind == POLYCODEC_KIND_BINARY)
      throw Error(Status::type, "text and bytes have no parts: use to_python()");
    return nb::cast(Items{nb::borrow(self), &value, 0, size}).release().ptr();
  });
}

PyType_Slot items_slots[] = {{Py_tp_iter, reinterpret_cast<void*>(&PyObject_SelfIter)},
                             {Py_tp_iternext, reinterpret_cast<void*>(&next_item)},
                             {0, nullptr}};

}  // namespace

nb::list keys_of(const Value& value) {
  nb::list keys;
  if (const polycodec_array* a = value.records(); a != nullptr && a->names != nullptr) {
    for (std::uint32_t i = 0; i < a->n_children; ++i)
      keys.append(str_of(to_string_view(a->names[i])));
    return keys;
  }
  const polycodec_node* n = value.proper();
  if (n->kind != POLYCODEC_KIND_OBJECT && n->kind != POLYCODEC_KIND_MAP)
    throw Error(Status::type, "the value has no names: iterate over its items");
  Meter meter(value.holder());
  for (std::uint64_t i = 0; i < polycodec_node_size(n); ++i)
    keys.append(ToPython(meter).key(&n->as.nodes[2 * i]));
  return keys;
}

PyType_Slot* value_slots() {
  static PyType_Slot slots[] = {
      {Py_bf_getbuffer, reinterpret_cast<void*>(&value_buffer)},
      {Py_bf_releasebuffer, reinterpret_cast<void*>(&release_value_buffer)},
      {Py_mp_subscript, reinterpret_cast<void*>(&subscript)},
      {Py_mp_length, reinterpret_cast<void*>(&length)},
      {Py_sq_item, reinterpret_cast<void*>(&sequence_item)},
      {Py_sq_length, reinterpret_cast<void*>(&length)},
      {Py_tp_iter, reinterpret_cast<void*>(&iterate)},
      {0, nullptr}};
  return slots;
}

void bind_items(nb::module_& module) {
  nb::class_<Items>(module, "Items", nb::type_slots(items_slots), nb::is_final(),
                    "The items of a value one after another.");
}

}  // namespace polycodec_python
