// SPDX-License-Identifier: MIT
// What a loop over a value calls: items, members, lengths. Slots cost half of what methods do.
#include "arguments.hpp"
#include "to_python.hpp"
#include "value.hpp"

#include <utility>

namespace polycodec_python {
namespace {

const Value& value_at(PyObject* self) {
  if (!nb::inst_ready(self)) throw Error(Status::type, "the value was never made");
  return *nb::inst_ptr<Value>(self);
}

PyObject* new_object(Value value) {
  return object_of(std::move(value)).release().ptr();
}

PyObject* subscript(PyObject* self, PyObject* key) noexcept {
  return slot<PyObject*>(nullptr, [&] { return new_object(value_at(self).part(key)); });
}

PyObject* sequence_item(PyObject* self, Py_ssize_t i) noexcept {
  return slot<PyObject*>(nullptr,
                         [&] { return new_object(value_at(self).part(nb::object(nb::int_(i)))); });
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
  return slot<PyObject*>(nullptr, [&] { return new_object(items.of->item(items.next++)); });
}

nb::object all_to_python(const Value& value, Arguments given) {
  const nb::object arrays = given.take("arrays"), limits = given.take("limits");
  given.finish();
  const polycodec_node* const root = value.root();
  Meter meter(value.lent(), limits_of(limits));
  if (arrays.is_none()) return ToPython(meter).node(root);
  if (!PyUnicode_Check(arrays.ptr()) || view_of(arrays) != "numpy")
    throw Error(Status::invalid, "arrays must be None or 'numpy'");
  return ToPython(meter, &numpy_of, &value.holder()).node(root);
}

PyObject* to_python_method(PyObject* self, PyObject* const* given, Py_ssize_t n,
                           PyObject* names) noexcept {
  return slot<PyObject*>(nullptr, [&] {
    const Value& value = value_at(self);
    const bool is_plain = n == 0 && names == nullptr;
    nb::object made = is_plain ? to_python(value.lent(), value.root())
                               : all_to_python(value, Arguments({}, given, n, names));
    return made.release().ptr();
  });
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
  Meter meter(value.lent());
  for (std::uint64_t i = 0; i < polycodec_node_size(n); ++i)
    keys.append(ToPython(meter).key(&n->as.nodes[2 * i]));
  return keys;
}

nb::object object_of(Value value) {
  nb::object made = nb::inst_alloc(value_type());
  new (nb::inst_ptr<Value>(made)) Value(std::move(value));
  nb::inst_mark_ready(made);
  return made;
}

PyType_Slot* value_slots() {
  static PyMethodDef methods[] = {
      method("to_python", &to_python_method,
             "to_python($self, *, arrays=None, limits=None)\n--\n\n"
             "Returns dicts, lists and scalars. With arrays=\"numpy\" arrays of numbers in it are "
             "views of numpy. Raises LimitError for more than `limits`, or those of the call that "
             "decoded it, allow."),
      {}};
  static PyType_Slot slots[] = {
      {Py_tp_methods, methods},
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
