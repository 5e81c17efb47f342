// SPDX-License-Identifier: MIT
#include "value.hpp"

#include "call.hpp"
#include "from_python.hpp"
#include "to_python.hpp"

#include <algorithm>
#include <optional>

namespace polycodec_python {
namespace {

nb::object all_to_python(const Value& value, nb::handle arrays, nb::handle limits) {
  Meter meter(value.handle(), limits_of(limits));
  if (arrays.is_none()) return ToPython(meter).node(value.handle().root());
  if (!PyUnicode_Check(arrays.ptr()) || view_of(arrays) != "numpy")
    throw nb::value_error("arrays must be None or 'numpy'");
  return ToPython(meter, &numpy_of, &value.handle()).node(value.handle().root());
}

nb::object names(const Value& value) {
  nb::list result;
  if (const polycodec_array* a = value.records()) {
    for (std::uint32_t i = 0; a->names != nullptr && i < a->n_children; ++i)
      result.append(str_of(to_string_view(a->names[i])));
    return result;
  }
  const polycodec_node* n = value.proper();
  if (n->kind == POLYCODEC_KIND_OBJECT || n->kind == POLYCODEC_KIND_MAP)
    for (std::uint64_t i = 0; i < polycodec_node_size(n); ++i)
      if (n->as.nodes[2 * i].kind == POLYCODEC_KIND_STRING)
        result.append(str_of(View(&n->as.nodes[2 * i]).as_string()));
  return result;
}

nb::object metadata(const Value& value) {
  const polycodec_node* const root = value.handle().root();
  if (root->kind == POLYCODEC_KIND_ANNOTATED)
    return to_python(value.handle(), root->as.annotated->metadata);
  const polycodec_array* a = value.array();
  if (a == nullptr || a->metadata == nullptr) return nb::dict();
  return to_python(value.handle(), a->metadata);
}

nb::object source_range(const Value& value) {
  if (!value.source()) return nb::none();
  const std::string_view bytes = value.source().bytes();
  return nb::make_tuple(reinterpret_cast<std::uintptr_t>(bytes.data()), bytes.size());
}

const char* kind(const Value& value) {
  static constexpr const char* names[POLYCODEC_KIND_COUNT] = {
      "null",      "boolean",   "integer",   "integer",  "float", "wide",  "string",
      "bytes",     "list",      "tuple",     "object",   "map",   "array", "extension",
      "reference", "annotated", "timestamp", "duration", "union"};
  return names[value.proper()->kind];
}

/// None, or where the values differ as a dict.
nb::object difference(const Value& a, const Value& b, std::uint32_t flags) {
  const host::Value &left = a.handle(), &right = b.handle();
  std::optional<host::Difference> found;
  {
    const nb::gil_scoped_release unlocked;
    found = left.difference(right, flags);
  }
  if (!found) return nb::none();
  nb::dict result;
  result["path"] = str_of(found->path);
  result["reason"] = str_of(found->reason);
  return result;
}

constexpr std::uint32_t compare_flags(bool numbers, bool floats, bool lists, bool unordered,
                                      bool metadata) noexcept {
  return (numbers ? POLYCODEC_COMPARE_NUMBERS : 0u) | (floats ? POLYCODEC_COMPARE_FLOATS : 0u) |
         (lists ? POLYCODEC_COMPARE_LISTS : 0u) | (unordered ? POLYCODEC_COMPARE_UNORDERED : 0u) |
         (metadata ? 0u : POLYCODEC_COMPARE_NO_METADATA);
}

/// Compares as the objects of to_python() do. An array of several items on the other side raises
/// what it raises where one truth is asked of it.
bool equals(const Value& a, nb::handle b) {
  const nb::object left = to_python(a.handle());
  const nb::object right =
      nb::isinstance<Value>(b) ? to_python(nb::cast<Value&>(b).handle()) : nb::borrow(b);
  const nb::object answer = nb::steal(PyObject_RichCompare(left.ptr(), right.ptr(), Py_EQ));
  if (!answer.is_valid()) throw nb::python_error();
  return is_true(answer);
}

/// The keys of an object or a map, and otherwise the items.
nb::object iterate(nb::handle self) {
  const Value& value = nb::cast<Value&>(self);
  const polycodec_node* n = value.proper();
  nb::object items = nb::borrow(self);
  const bool has_keys = n->kind == POLYCODEC_KIND_OBJECT || n->kind == POLYCODEC_KIND_MAP;
  if (has_keys) {
    nb::list keys;
    Meter meter(value.handle());
    for (std::uint64_t i = 0; i < polycodec_node_size(n); ++i)
      keys.append(ToPython(meter).node(&n->as.nodes[2 * i]));
    items = keys;
  } else {
    (void)value.size();  // raises TypeError for what has no items
  }
  nb::object made =
      nb::steal(has_keys ? PyObject_GetIter(items.ptr()) : PySeqIter_New(items.ptr()));
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

/// A scalar (or an array of one element without dimensions) as a number of Python.
template <PyObject* (*Convert)(PyObject*)>
nb::object number(const Value& value) {
  const nb::object plain = to_python(value.handle());
  PyObject* made = Convert(plain.ptr());
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

bool truth(const Value& value) {
  const polycodec_node* n = value.proper();
  const bool has_items = n->kind >= POLYCODEC_KIND_STRING && n->kind <= POLYCODEC_KIND_ARRAY;
  if (has_items && (value.array() == nullptr || value.array()->ndim != 0 ||
                    value.array()->layout != POLYCODEC_LAYOUT_NDARRAY))
    return value.size() != 0;
  return is_true(to_python(value.handle()));
}

nb::object to_numpy(nb::handle self, nb::handle copy) {
  const Value& value = nb::cast<Value&>(self);
  const polycodec_array* a = value.array();
  if (copy.ptr() == Py_False && a != nullptr && a->layout == POLYCODEC_LAYOUT_NDARRAY)
    return numpy_of(*a, value.handle());
  return attribute("polycodec._numpy", "to_numpy")(self, copy);
}

/// A method whose work a module of the package does, so that the libraries that it needs are
/// imported when they are first used.
template <std::size_t N>
struct ModuleName {
  constexpr ModuleName(const char (&text)[N]) { std::copy_n(text, N, name); }
  char name[N];
};
template <ModuleName Module, ModuleName Function>
nb::object forward(nb::handle self, const nb::args& args, const nb::kwargs& kwargs) {
  return attribute(Module.name, Function.name)(self, *args, **kwargs);
}

}  // namespace

Value parsed(nb::str text, nb::handle type, const host::Registry* registry) {
  return Value(host::Value::parse(view_of(text),
                                  type.is_none() ? std::string_view() : view_of(type), registry));
}

void bind_value(nb::module_& module) {
  auto value = nb::class_<Value>(module, "Value", nb::type_slots(value_buffer_slots()),
                                 nb::is_weak_referenceable(), nb::is_final(),
                                 "A value, or a part of one. It does not change, and keeps the "
                                 "bytes that it views.");
  value.def("__getitem__", &Value::part)
      .def("__len__", &Value::size)
      .def("__bool__", &truth)
      .def("__int__", &number<&PyNumber_Long>)
      .def("__index__", &number<&PyNumber_Index>)
      .def("__float__", &number<&PyNumber_Float>)
      .def("__eq__", &equals, nb::arg().none())
      .def("__iter__", &iterate)
      .def("__contains__", &forward<"polycodec._compare", "contains">)
      .def_prop_ro("type",
                   [](const Value& self) {
                     return attribute("polycodec._types", "Type")(str_of(self.handle().type()));
                   })
      .def_prop_ro("codec", &Value::codec)
      .def_prop_ro("names", &names)
      .def_prop_ro("metadata", &metadata)
      .def_prop_ro("kind", &kind)
      .def_prop_ro("source_range", &source_range)
      .def_prop_ro("is_partial", [](const Value& self) { return self.handle().is_partial(); })
      .def_prop_ro("array",
                   [](const Value& self) -> nb::object {
                     const polycodec_array* a = self.array();
                     return a == nullptr ? nb::none() : nb::cast(Array{self.handle(), a});
                   })
      .def(
          "to_text",
          [](const Value& self, bool plain, bool pretty, bool exact) {
            return str_of(
                self.handle().text({.plain = plain, .exact = exact, .indent = pretty ? 2u : 0u}));
          },
          nb::kw_only(), nb::arg("plain") = false, nb::arg("pretty") = false,
          nb::arg("exact") = false)
      .def("to_numpy", &to_numpy, nb::arg("copy").none() = false)
      .def("to_masked", &forward<"polycodec._numpy", "to_masked">)
      .def("__array__", &forward<"polycodec._numpy", "array">)
      .def("to_awkward", &forward<"polycodec._awkward", "to_awkward">)
      .def_prop_ro(
          "content_address",
          [](nb::handle self) { return attribute("polycodec._registry", "content_address")(self); })
      .def("to_arrow", &forward<"polycodec._show", "to_arrow">)
      .def("view", &forward<"polycodec._view", "view">)
      .def("__repr__", &forward<"polycodec._show", "text">)
      .def("_repr_html_", &forward<"polycodec._show", "html">)
      .def("__reduce_ex__", &forward<"polycodec._pickle", "reduce">)
      .def("to_python", &all_to_python, nb::kw_only(), nb::arg("arrays") = nb::none(),
           nb::arg("limits") = nb::none())
      .def(
          "difference",
          [](const Value& self, const Value& other, bool numbers, bool floats, bool lists,
             bool unordered, bool with_metadata) {
            return difference(self, other,
                              compare_flags(numbers, floats, lists, unordered, with_metadata));
          },
          nb::arg("other"), nb::kw_only(), nb::arg("numbers") = false, nb::arg("floats") = false,
          nb::arg("lists") = false, nb::arg("unordered") = false, nb::arg("metadata") = true);
  value.attr("__hash__") = nb::none();
  bind_exchange(value);
  module.def(
      "parse", [](nb::str text, nb::handle type) { return parsed(text, type, nullptr); },
      nb::arg("text"), nb::arg("type") = nb::none());
  module.def(
      "value",
      [](nb::handle object, nb::handle limits, nb::handle on_loss) {
        nb::kwargs given;
        given["on_loss"] = on_loss;
        const CallOptions call(given);
        return Value(value_of(object, true, nullptr, {nullptr, limits_of(limits)}, &call));
      },
      nb::arg("object").none(), nb::kw_only(), nb::arg("limits") = nb::none(),
      nb::arg("on_loss") = nb::none());
}

}  // namespace polycodec_python
