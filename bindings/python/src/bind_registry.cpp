// SPDX-License-Identifier: MIT
#include "arguments.hpp"
#include "from_python.hpp"
#include "held.hpp"
#include "registry.hpp"

namespace polycodec_python {
namespace {

nb::object describe(const Registry& self, std::int32_t what, nb::str name) {
  return from_json(self.handle().description(static_cast<host::About>(what), view_of(name)));
}

nb::object probe(const Registry& self, nb::str plugin) {
  return describe(self, POLYCODEC_DESCRIBE_PLUGIN, plugin);
}

nb::object explain(const Registry& self, nb::str name) {
  return describe(self, POLYCODEC_DESCRIBE_MISSING, name)["reason"];
}

void derive(Registry* self, const Registry& base, nb::handle codecs) {
  ProgramCodecs program(codecs);
  const polycodec_objects none = host::border::empty<polycodec_objects>();
  host::Registry derived =
      base.handle().with(program.objects() != nullptr ? *program.objects() : none);
  program.taken();
  new (self) Registry(std::move(derived));
}

nb::dict limits(const Registry& self, nb::handle given, std::uint64_t input) {
  return dict_of(self.handle().limits(limits_of(given), input));
}

nb::str address(const Registry& self, const Value& value, bool logical) {
  const host::Value& of = value.handle();
  std::string digest;
  {
    const nb::gil_scoped_release unlocked;
    digest = self.handle().address(of, logical ? host::Address::logical : host::Address::exact);
  }
  return str_of(digest);
}

Registry& registry_at(PyObject* self) {
  if (!nb::inst_ready(self)) throw Error(Status::type, "the registry was never opened");
  return *nb::inst_ptr<Registry>(self);
}

PyObject* decode(PyObject* self, PyObject* const* given, Py_ssize_t n, PyObject* names) noexcept {
  return slot<PyObject*>(nullptr, [&] {
    Registry& registry = registry_at(self);
    if (n == 2 && names == nullptr) return registry.decode(given[0], given[1]).release().ptr();
    Arguments all({"data", "codec"}, given, n, names);
    const nb::object data = all.take("data", true), codec = all.take("codec"),
                     name = all.take("name"), options = all.take("options"),
                     filters = all.take("filters");
    return object_of(registry.decode(data, codec, name, options, filters, all.rest()))
        .release()
        .ptr();
  });
}

PyObject* encode(PyObject* self, PyObject* const* given, Py_ssize_t n, PyObject* names) noexcept {
  return slot<PyObject*>(nullptr, [&] {
    Registry& registry = registry_at(self);
    if (n == 2 && names == nullptr) return registry.encode(given[0], given[1]).release().ptr();
    Arguments all({"value", "codec"}, given, n, names);
    const nb::object value = all.take("value", true), codec = all.take("codec", true),
                     options = all.take("options"), filters = all.take("filters"),
                     metadata = all.take("metadata");
    return registry.encode(value, codec, options, filters, metadata, all.rest()).release().ptr();
  });
}

// The interpreter takes a fifth of a small call to hand arguments through a function of Python.
PyObject* the_default = nullptr;  // registry; null when the interpreter ends

/// A function of the package that calls a method of the default registry: with two arguments at
/// once, and otherwise by way of the function `_name` of the module that it is of.
template <Method* method>
PyObject* of_default(PyObject* module, PyObject* const* given, Py_ssize_t n,
                     PyObject* names) noexcept {
  if (n == 2 && names == nullptr && the_default != nullptr)
    return method(nb::object(nb::borrow(the_default)).ptr(), given, n, names);
  constexpr const char* name = method == &decode ? "_decode" : "_encode";
  const nb::object function = nb::steal(PyObject_GetAttrString(module, name));
  if (!function.is_valid()) return nullptr;
  return PyObject_Vectorcall(function.ptr(), given, static_cast<std::size_t>(n), names);
}

nb::object functions_of_default(nb::handle module, nb::handle decode_doc, nb::handle encode_doc) {
  static std::string docs[2];  // live as long as the process
  docs[0] = view_of(decode_doc);
  docs[1] = view_of(encode_doc);
  static PyMethodDef definitions[2];
  definitions[0] = method("decode", &of_default<&decode>, docs[0].c_str());
  definitions[1] = method("encode", &of_default<&encode>, docs[1].c_str());
  const nb::object name = module.attr("__name__");
  const auto make = [&](PyMethodDef& definition) {
    PyObject* made = PyCFunction_NewEx(&definition, module.ptr(), name.ptr());
    if (made == nullptr) throw nb::python_error();
    return nb::steal(made);
  };
  return nb::make_tuple(make(definitions[0]), make(definitions[1]));
}

void set_default(nb::handle registry) {
  PyObject* const before = the_default;
  the_default = registry.is_none() ? nullptr : nb::object(nb::borrow(registry)).release().ptr();
  Py_XDECREF(before);
}

void forget_held() {
  set_default(nb::none());
  Held::forget_all();
}

PyMethodDef methods[] = {
    method("decode", &decode,
           "decode($self, data, codec=None, *, name=None, options=None, filters=None, **call)\n"
           "--\n\n"
           "Decodes an object with the buffer protocol. Without a codec the content chooses it."),
    method("encode", &encode,
           "encode($self, value, codec, *, options=None, filters=None, metadata=None, **call)\n"
           "--\n\n"
           "Encodes any object as bytes. Raises UnsupportedError for what the codec cannot "
           "represent."),
    {}};
PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, nullptr}};

}  // namespace

void bind_registry(nb::module_& module) {
  module.def("forget_held", &forget_held);
  module.def("functions_of_default", &functions_of_default, nb::arg("module"),
             nb::arg("decode_doc"), nb::arg("encode_doc"),
             "Returns what does the same as `_decode` and `_encode` of a module, in less time.");
  module.def(
      "set_default", &set_default, nb::arg("registry").none(),
      "Sets the registry that these use; without one they call the functions of the module.");
  const nb::object empty = nb::make_tuple();
  nb::class_<Registry>(module, "Registry", nb::type_slots(slots), nb::is_weak_referenceable())
      .def("__init__", &derive, nb::arg("base"), nb::arg("codecs"))
      .def(nb::init<nb::handle, nb::handle, nb::handle, bool, bool, nb::handle, nb::handle,
                    nb::handle, nb::handle, nb::handle, nb::handle>(),
           nb::arg("config") = nb::none(), nb::kw_only(), nb::arg("plugin_paths") = empty,
           nb::arg("add_paths") = empty, nb::arg("environment") = true, nb::arg("builtins") = true,
           nb::arg("limits") = nb::none(), nb::arg("allowlist") = nb::none(),
           nb::arg("allow_also") = nb::none(), nb::arg("isolation") = nb::none(),
           nb::arg("log") = nb::none(), nb::arg("codecs") = empty)
      .def("open_path", &Registry::open, nb::arg("path").none(), nb::arg("codec") = nb::none(),
           nb::kw_only(), nb::arg("options") = nb::none(), nb::arg("filters") = nb::none(),
           nb::arg("copy") = nb::none(), nb::arg("lazy") = false, nb::arg("call"),
           "Decodes a file or a directory.")
      .def("decode_store", &Registry::decode_store, nb::arg("store"), nb::arg("codec") = nb::none(),
           nb::kw_only(), nb::arg("options") = nb::none(), nb::arg("call"),
           "Decodes named blobs: an object with `blobs`, a list of names and sizes, and `read(i)`, "
           "which returns the bytes of one.")
      .def("save", &Registry::save, nb::arg("value").none(), nb::arg("path").none(),
           nb::arg("codec") = nb::none(), nb::kw_only(), nb::arg("options") = nb::none(),
           nb::arg("filters") = nb::none(), nb::arg("metadata") = nb::none(),
           nb::arg("keep") = false, nb::arg("sync") = false, nb::arg("root") = nb::none(),
           nb::arg("call"),
           "Encodes any object to a file, which is complete or as it was before at any time.")
      .def("convert", &Registry::convert, nb::arg("source").none(), nb::arg("path").none(),
           nb::arg("codec") = nb::none(), nb::kw_only(), nb::arg("options") = nb::none(),
           nb::arg("filters") = nb::none(), nb::arg("from_codec") = nb::none(),
           nb::arg("from_options") = nb::none(), nb::arg("from_filters") = nb::none(),
           nb::arg("keep") = false, nb::arg("sync") = false, nb::arg("root") = nb::none(),
           nb::arg("call"), "Converts a file, or bytes, to the file `path`.")
      .def("call_function", &Registry::call, nb::arg("function"), nb::arg("args"),
           nb::arg("keywords") = nb::none(), nb::arg("call"),
           "Calls a function by its name, or a JSON list of the parts; see call().")
      .def("blobs", &Registry::blobs, nb::arg("source"),
           "Returns the sizes of the blobs of a store (a file, a directory or bytes) by their "
           "names.")
      .def("read_blob", &Registry::read_blob, nb::arg("source"), nb::arg("name"),
           "Returns the bytes of one blob of a store.")
      .def("choices", &Registry::choices, nb::arg("data"), nb::arg("name") = nb::none(),
           "Returns the codecs that may fit a file or bytes, with their scores and reasons, the "
           "best one first.")
      .def("format_for", &Registry::format_for, nb::arg("path"),
           "Returns the codec for a new file, with its options and filters, as the name of the "
           "file says it.")
      .def("describe", &describe, nb::arg("listing"), nb::arg("name") = "",
           "Returns a listing by its number in polycodec/host.h; see list().")
      .def("limits", &limits, nb::arg("limits") = nb::none(), nb::kw_only(),
           nb::arg("input_bytes") = UINT64_MAX,
           "Returns what bounds a call with these limits; those that grow with the input are those "
           "for `input_bytes`.")
      .def("probe", &probe, nb::arg("plugin"),
           "Loads a plugin by the path of its manifest, and returns what it is, or why it is "
           "rejected.")
      .def("explain", &explain, nb::arg("name"),
           "Returns why there is no codec of a name, with similar names.")
      .def("address", &address, nb::arg("value"), nb::kw_only(), nb::arg("logical") = false,
           "Returns the SHA-256 of a value, exact or `logical`, whatever its format "
           "(docs/content-address.md).")
      .def(
          "parse",
          [](const Registry& self, nb::str text, nb::handle type) {
            return parsed(text, type, &self.handle());
          },
          nb::arg("text"), nb::arg("type") = nb::none(),
          "Returns the value of typed or plain JSON, or with a type that of the JSON of a value of "
          "it. The types of the registry's plugins are known.");
}

}  // namespace polycodec_python
