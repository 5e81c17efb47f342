// SPDX-License-Identifier: MIT
#include "value.hpp"

#include "call.hpp"
#include "from_python.hpp"
#include "to_python.hpp"

#include <algorithm>
#include <optional>

namespace polycodec_python {
namespace {

/// All of a value.
nb::object plain(const Value& value) {
  return to_python(value.lent(), value.root());
}

/// As Value::text() gives it, which would copy it once more.
nb::str text_of(const host::Value& value, bool plain, bool pretty, bool exact) {
  auto how = host::border::empty<polycodec_text_options>();
  how.flags = (plain ? POLYCODEC_TEXT_PLAIN : 0u) | (exact ? POLYCODEC_TEXT_EXACT : 0u);
  how.indent = pretty ? 2 : 0;
  const host::Sink out = host::Sink::contiguous();
  host::border::call(polycodec_value_print, value.raw(), nullptr, &how, out.raw());
  return str_of(out.bytes());
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
  const polycodec_node* const root = value.root();
  if (root->kind == POLYCODEC_KIND_ANNOTATED)
    return to_python(value.lent(), root->as.annotated->metadata);
  const polycodec_array* a = value.array();
  if (a == nullptr || a->metadata == nullptr) return nb::dict();
  return to_python(value.lent(), a->metadata);
}

nb::object source_range(const Value& value) {
  const std::optional<std::string_view> bytes = value.source();
  if (!bytes) return nb::none();
  return nb::make_tuple(reinterpret_cast<std::uintptr_t>(bytes->data()), bytes->size());
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
  const nb::object left = plain(a);
  const nb::object right = nb::isinstance<Value>(b) ? plain(nb::cast<Value&>(b)) : nb::borrow(b);
  const nb::object answer = nb::steal(PyObject_RichCompare(left.ptr(), right.ptr(), Py_EQ));
  if (!answer.is_valid()) throw nb::python_error();
  return is_true(answer);
}

/// The members of an object or a map, or the columns of records.
nb::list members(const Value& value, bool with_names) {
  const nb::list names = keys_of(value);
  const polycodec_node* n = value.proper();
  nb::list result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    nb::object part = n->kind == POLYCODEC_KIND_ARRAY ? nb::cast(value.part(names[i]))
                                                      : nb::cast(value.member_at(i));
    result.append(with_names ? nb::object(nb::make_tuple(names[i], part)) : part);
  }
  return result;
}

/// A scalar (or an array of one element without dimensions) as a number of Python.
template <PyObject* (*Convert)(PyObject*)>
nb::object number(const Value& value) {
  const nb::object object = plain(value);
  PyObject* made = Convert(object.ptr());
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

bool truth(const Value& value) {
  const polycodec_node* n = value.proper();
  const bool has_items = n->kind >= POLYCODEC_KIND_STRING && n->kind <= POLYCODEC_KIND_ARRAY;
  if (has_items && (value.array() == nullptr || value.array()->ndim != 0 ||
                    value.array()->layout != POLYCODEC_LAYOUT_NDARRAY))
    return value.size() != 0;
  return is_true(plain(value));
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
nb::object call(nb::handle self) {
  return attribute(Module.name, Function.name)(self);
}
template <ModuleName Module, ModuleName Function>
nb::object forward(nb::handle self, const nb::args& args, const nb::kwargs& kwargs) {
  return attribute(Module.name, Function.name)(self, *args, **kwargs);
}

constexpr const char* value_doc =
    R"(A value, or a part of one. It does not change, and keeps the bytes that it views.

It is like a list, a dict and an array at once. value[key] is a part, without a copy: by the name
of a member or column, by a path such as "$.a.b[3]", by an index, a slice, or a tuple of these. A
step, a mask, an array of indices or a list of names chooses items and columns, as in numpy. A loop
gives the items, of an object its names; keys(), values(), items() and get() are those of a dict.
`==` and `in` compare as the objects of to_python() do.

Raises NotFoundError (a KeyError and an IndexError) for a part that is not there.)";

}  // namespace

Value parsed(nb::str text, nb::handle type, const host::Registry* registry) {
  return Value(host::Value::parse(view_of(text),
                                  type.is_none() ? std::string_view() : view_of(type), registry));
}

void bind_value(nb::module_& module) {
  bind_items(module);
  auto value =
      nb::class_<Value>(module, "Value", nb::type_slots(value_slots()), nb::is_weak_referenceable(),
                        nb::is_final(), nb::pooled(), value_doc);
  value.def("__bool__", &truth)
      .def("__int__", &number<&PyNumber_Long>)
      .def("__index__", &number<&PyNumber_Index>)
      .def("__float__", &number<&PyNumber_Float>)
      .def("__eq__", &equals, nb::arg().none())
      .def("__contains__", &forward<"polycodec._compare", "contains">,
           nb::sig("def __contains__(self, key: object, /) -> bool"),
           "Whether an item equals the key, or a member or a column has this name.")
      .def("__array__", &forward<"polycodec._numpy", "array">,
           nb::sig("def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any"),
           "The array for numpy.asarray(): nan, NaT or None where an item is missing. Raises "
           "ValueError where there is no such filler.")
      .def("__repr__", &forward<"polycodec._show", "text">)
      .def("_repr_html_", &forward<"polycodec._show", "html">, "A table for notebooks.")
      .def("_ipython_key_completions_", &names, "The names that value[\"TAB shows.")
      .def("__reduce_ex__", &forward<"polycodec._pickle", "reduce">)
      .def("keys", &keys_of,
           "Returns the keys of an object or a map, or the names of columns. Raises TypeError for "
           "other values.")
      .def(
          "values", [](const Value& self) { return members(self, false); },
          "Returns the members of an object or a map, or the columns, as values.")
      .def(
          "items", [](const Value& self) { return members(self, true); },
          "Returns pairs of a key and a member, or of a name and a column.")
      .def("get", &forward<"polycodec._compare", "get">,
           nb::sig("def get(self, key: object, default: Any = None) -> Any"),
           "Returns value[key], or the default if there is no such part.")
      .def("index", &forward<"polycodec._compare", "index">,
           nb::sig("def index(self, item: object) -> int"),
           "Returns the place of the first item that equals a thing. Raises ValueError if none "
           "does.")
      .def("count", &forward<"polycodec._compare", "count">,
           nb::sig("def count(self, item: object) -> int"), "Returns how many items equal a thing.")
      .def_prop_ro(
          "type",
          [](const Value& self) {
            return attribute("polycodec._types", "Type")(str_of(self.handle().type()));
          },
          "The type as text, such as `3 * float64`, which can also read values of it.")
      .def_prop_ro("codec", &Value::codec,
                   "The name of the codec that decoded the value; None for a part, or a value of "
                   "Python.")
      .def_prop_ro("names", &names,
                   "The names of the members of an object, or of the columns of records; [] for "
                   "other values.")
      .def_prop_ro("fields", &names, "The same as names, as awkward calls them.")
      .def_prop_ro("metadata", &metadata,
                   "Names, units and notes of the value, as a dict: {\"unit\": \"cm\"}.")
      .def_prop_ro("kind", &kind,
                   "The kind: null, boolean, integer, float, wide (a number of 128 bits, complex "
                   "ones too), string, bytes, list, tuple, object, map, array, extension, "
                   "reference, timestamp, duration or union.")
      .def_prop_ro("shape", &call<"polycodec._show", "shape">,
                   "The dimensions that all items have: (3, 2) for 3 rows of 2 numbers, (3,) for a "
                   "list, () for a scalar.")
      .def_prop_ro("ndim", &call<"polycodec._show", "ndim">, "The number of dimensions.")
      .def_prop_ro("dtype", &call<"polycodec._numpy", "dtype">,
                   "The numpy.dtype of the elements, that of the rows for records in one buffer, "
                   "and None where numpy cannot view them.")
      .def_prop_ro("nbytes", &call<"polycodec._show", "nbytes">,
                   "The bytes that the elements take, or of all buffers of other values.")
      .def_prop_ro("source_range", &source_range,
                   "The address and size of the bytes that were decoded, or None.")
      .def_prop_ro(
          "is_partial", [](const Value& self) { return self.handle().is_partial(); },
          "Whether only some columns or rows were decoded.")
      .def_prop_ro(
          "array",
          [](const Value& self) -> nb::object {
            const polycodec_array* a = self.array();
            return a == nullptr ? nb::none() : nb::cast(Array{self.handle(), a});
          },
          "The array as it is stored, or None for a value that is not an array.")
      .def_prop_ro("content_address", &call<"polycodec._registry", "content_address">,
                   "The SHA-256 of the value, whatever its format (docs/content-address.md).")
      .def(
          "to_text",
          [](const Value& self, bool plain, bool pretty, bool exact) {
            return text_of(self.handle(), plain, pretty, exact);
          },
          nb::kw_only(), nb::arg("plain") = false, nb::arg("pretty") = false,
          nb::arg("exact") = false,
          "Returns typed JSON, or with `plain` JSON without types. `pretty` indents it, `exact` "
          "keeps what a list is stored as.")
      .def("to_list", &forward<"polycodec._compare", "to_list">,
           nb::sig("def to_list(self) -> list"),
           "Returns the items as a list of Python objects. Raises TypeError for a scalar or an "
           "object.")
      .def("to_numpy", &to_numpy, nb::arg("copy").none() = false,
           "Returns an array that views a column or an array, and a masked one where items are "
           "missing. copy=True also converts what cannot be viewed, and None copies only that. "
           "Raises TypeError.")
      .def("to_masked", &forward<"polycodec._numpy", "to_masked">,
           nb::sig("def to_masked(self) -> Any"),
           "Returns a numpy.ma.MaskedArray, whose mask says which items are missing.")
      .def("to_awkward", &forward<"polycodec._awkward", "to_awkward">,
           nb::sig("def to_awkward(self) -> Any"),
           "Returns an awkward.Array, whose columns are read when they are used, or an "
           "awkward.Record of an object.")
      .def("to_arrow", &forward<"polycodec._show", "to_arrow">,
           nb::sig("def to_arrow(self) -> Any"),
           "Returns a pyarrow.Table of records, and a pyarrow.Array of everything else.")
      .def("to_pandas", &forward<"polycodec._tables", "to_pandas">,
           nb::sig("def to_pandas(self) -> Any"),
           "Returns a pandas.DataFrame of records, or of an object whose members are columns of "
           "one length, and a pandas.Series of any other array. Metadata becomes attrs.")
      .def("to_polars", &forward<"polycodec._tables", "to_polars">,
           nb::sig("def to_polars(self) -> Any"),
           "Returns a polars.DataFrame of records, or of an object whose members are columns of "
           "one length, and a polars.Series of any other array.")
      .def("to_xarray", &forward<"polycodec._tables", "to_xarray">,
           nb::sig("def to_xarray(self) -> Any"),
           "Returns an xarray.Dataset, as xarray.open_dataset() makes it of a file. Units become "
           "the attribute `units`.")
      .def("view", &forward<"polycodec._view", "view">, nb::sig("def view(self) -> Any"),
           "Returns a page for a browser or a notebook, in which all of the value can be "
           "unfolded.")
      .def(
          "difference",
          [](const Value& self, const Value& other, bool numbers, bool floats, bool lists,
             bool unordered, bool with_metadata) {
            return difference(self, other,
                              compare_flags(numbers, floats, lists, unordered, with_metadata));
          },
          nb::arg("other"), nb::kw_only(), nb::arg("numbers") = false, nb::arg("floats") = false,
          nb::arg("lists") = false, nb::arg("unordered") = false, nb::arg("metadata") = true,
          "Returns None, or a dict of the `path` and `reason` of the first difference. Types count "
          "unless `numbers` (or `floats`) compares numbers of all types (or all floats), and "
          "`lists` lists and tuples. `unordered` ignores the order of members.");
  value.attr("__hash__") = nb::none();
  bind_exchange(value);
  module.def(
      "parse", [](nb::str text, nb::handle type) { return parsed(text, type, nullptr); },
      nb::arg("text"), nb::arg("type") = nb::none(),
      "Returns the value of typed or plain JSON, or with a type that of the JSON of a value of "
      "it. Raises FormatError.");
  module.def(
      "value",
      [](nb::handle object, nb::handle limits, nb::handle on_loss) {
        nb::kwargs given;
        given["on_loss"] = on_loss;
        const CallOptions call(given);
        return Value(value_of(object, true, nullptr, {nullptr, limits_of(limits)}, &call));
      },
      nb::arg("object").none(), nb::kw_only(), nb::arg("limits") = nb::none(),
      nb::arg("on_loss") = nb::none(),
      "Makes a value of any object. Arrays that can be written to are copied. `limits` bound a "
      "stream of Arrow, and `on_loss` receives each part that a value cannot keep. Raises "
      "TypeError for an object that has no kind of value.");
}

}  // namespace polycodec_python
