// SPDX-License-Identifier: MIT
#include "value.hpp"

#include "call.hpp"
#include "from_python.hpp"
#include "to_python.hpp"

#include <algorithm>

namespace polycodec_python {
namespace {

std::string_view text_of(const polycodec_node& n) noexcept {
  return {static_cast<const char*>(n.as.data), polycodec_node_size(&n)};
}

nb::str type_of_value(const Value& value) {
  SinkHandle sink = new_sink();
  call(polycodec_value_type, value.get(), nullptr, sink.get());
  return text_of(sink);
}

nb::str printed(const Value& value, bool plain, bool pretty, bool exact) {
  SinkHandle sink = new_sink();
  polycodec_text_options options{};
  options.struct_size = sizeof options;
  options.flags = (plain ? POLYCODEC_TEXT_PLAIN : 0u) | (exact ? POLYCODEC_TEXT_EXACT : 0u);
  options.indent = pretty ? 2 : 0;
  call(polycodec_value_print, value.get(), nullptr, &options, sink.get());
  return text_of(sink);
}

nb::object all_to_python(const Value& value, nb::handle arrays, nb::handle limits) {
  const polycodec_limits given = limits_of(limits);
  Meter meter(value.get(), &given);
  if (arrays.is_none()) return ToPython(meter).node(polycodec_value_root(value.get()));
  if (!PyUnicode_Check(arrays.ptr()) || view_of(arrays) != "numpy")
    throw nb::value_error("arrays must be None or 'numpy'");
  return ToPython(meter, &numpy_of, &value.handle()).node(polycodec_value_root(value.get()));
}

nb::object names(const Value& value) {
  nb::list result;
  if (const polycodec_array* a = value.array()) {
    for (std::uint32_t i = 0; a->names != nullptr && i < a->n_children; ++i)
      result.append(str_of(view_of(a->names[i])));
    return result;
  }
  const polycodec_node* n = value.proper();
  if (n->kind == POLYCODEC_KIND_OBJECT || n->kind == POLYCODEC_KIND_MAP)
    for (std::uint64_t i = 0; i < polycodec_node_size(n); ++i)
      if (n->as.nodes[2 * i].kind == POLYCODEC_KIND_STRING)
        result.append(str_of(text_of(n->as.nodes[2 * i])));
  return result;
}

nb::object metadata(const Value& value) {
  const polycodec_node* root = polycodec_value_root(value.get());
  if (root->kind == POLYCODEC_KIND_ANNOTATED)
    return to_python(value.get(), root->as.annotated->metadata);
  const polycodec_array* a = value.array();
  if (a == nullptr || a->metadata == nullptr) return nb::dict();
  return to_python(value.get(), a->metadata);
}

nb::object source_range(const Value& value) {
  polycodec_bytes bytes{};
  if (value.source() == nullptr) return nb::none();
  call(polycodec_source_bytes, value.source(), &bytes);
  return nb::make_tuple(reinterpret_cast<std::uintptr_t>(bytes.data), bytes.size);
}

const char* kind(const Value& value) {
  static constexpr const char* names[POLYCODEC_KIND_COUNT] = {
      "null",      "boolean",   "integer",   "integer",  "float", "wide",  "string",
      "bytes",     "list",      "tuple",     "object",   "map",   "array", "extension",
      "reference", "annotated", "timestamp", "duration", "union"};
  return names[value.proper()->kind];
}

/// Compares, with the flags of POLYCODEC_COMPARE_*. None, or the difference as a dict.
nb::object difference(const Value& a, const Value& b, std::uint32_t flags) {
  SinkHandle sink = new_sink();
  polycodec_compare_options options{};
  options.struct_size = sizeof options;
  options.flags = flags;
  std::uint64_t differences = 0;
  CallError failure;
  std::int32_t code = 0;
  polycodec_value *left = a.get(), *right = b.get();
  {
    const nb::gil_scoped_release unlocked;
    code = polycodec_value_compare(left, right, &options, &differences, sink.get(), failure.raw());
  }
  if (code != POLYCODEC_OK) raise(failure);
  if (differences == 0) return nb::none();
  return from_json(text_of(sink))["groups"][0]["first"][0];
}

constexpr std::uint32_t compare_flags(bool numbers, bool floats, bool lists, bool unordered,
                                      bool metadata) noexcept {
  return (numbers ? POLYCODEC_COMPARE_NUMBERS : 0u) | (floats ? POLYCODEC_COMPARE_FLOATS : 0u) |
         (lists ? POLYCODEC_COMPARE_LISTS : 0u) | (unordered ? POLYCODEC_COMPARE_UNORDERED : 0u) |
         (metadata ? 0u : POLYCODEC_COMPARE_NO_METADATA);
}

nb::object equals(const Value& a, nb::handle b) {
  if (!nb::isinstance<Value>(b)) return nb::borrow(Py_NotImplemented);
  return nb::bool_(difference(a, nb::cast<Value&>(b), 0).is_none());
}

nb::object is_partial(const Value& value) {
  return nb::bool_(polycodec_value_is_partial(value.get()) != 0);
}

Value parsed(nb::str text, nb::handle type) {
  ValueHandle value;
  call(polycodec_value_parse, nullptr, bytes_of(view_of(text)),
       type.is_none() ? polycodec_bytes{nullptr, 0} : bytes_of(view_of(type)), value.out());
  return Value(std::move(value));
}

/// A scalar (or an array of one element without dimensions) as a number of Python.
template <PyObject* (*Convert)(PyObject*)>
nb::object number(const Value& value) {
  const nb::object plain = to_python(value.get(), polycodec_value_root(value.get()));
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
  const int answer =
      PyObject_IsTrue(to_python(value.get(), polycodec_value_root(value.get())).ptr());
  if (answer < 0) throw nb::python_error();
  return answer != 0;
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
      .def_prop_ro("type",
                   [](const Value& self) {
                     return attribute("polycodec._types", "Type")(type_of_value(self));
                   })
      .def_prop_ro("codec", &Value::codec)
      .def_prop_ro("names", &names)
      .def_prop_ro("metadata", &metadata)
      .def_prop_ro("kind", &kind)
      .def_prop_ro("source_range", &source_range)
      .def_prop_ro("is_partial", &is_partial)
      .def_prop_ro("array",
                   [](const Value& self) -> nb::object {
                     const polycodec_array* a = self.array();
                     return a == nullptr ? nb::none() : nb::cast(Array{self.handle(), a});
                   })
      .def("to_text", &printed, nb::kw_only(), nb::arg("plain") = false, nb::arg("pretty") = false,
           nb::arg("exact") = false)
      .def("to_numpy", &to_numpy, nb::arg("copy").none() = false)
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
  module.def("parse", &parsed, nb::arg("text"), nb::arg("type") = nb::none());
  module.def(
      "value",
      [](nb::handle object, nb::handle limits) {
        const polycodec_limits bounds = limits_of(limits);
        return Value(value_of(object, true, nullptr, {nullptr, &bounds}));
      },
      nb::arg("object").none(), nb::kw_only(), nb::arg("limits") = nb::none());
}

}  // namespace polycodec_python
