// SPDX-License-Identifier: MIT
#include "from_python.hpp"
#include "registry.hpp"

namespace polycodec_python {
namespace {

nb::object describe(const Registry& self, std::int32_t what, nb::str name) {
  SinkHandle sink = new_sink();
  call(polycodec_registry_describe, self.get(), what, bytes_of(view_of(name)), sink.get());
  return from_json(text_of(sink));
}

nb::object probe(const Registry& self, nb::str plugin) {
  return describe(self, POLYCODEC_DESCRIBE_PLUGIN, plugin);
}

nb::object explain(const Registry& self, nb::str name) {
  return describe(self, POLYCODEC_DESCRIBE_MISSING, name)["reason"];
}

void derive(Registry* self, const Registry& base, nb::handle codecs) {
  ProgramCodecs program(codecs);
  RegistryHandle derived;
  polycodec_registry_options options{};
  options.struct_size = sizeof options;
  options.base = base.get();
  options.objects = program.objects();
  call(polycodec_registry_open, &options, derived.out());
  program.taken();
  new (self) Registry(std::move(derived));
}

nb::dict limits(const Registry& self, nb::handle given, std::uint64_t input) {
  polycodec_limits of_call = limits_of(given);
  polycodec_limits found{};
  found.struct_size = sizeof found;
  call(polycodec_registry_limits, self.get(), &of_call, input, &found);
  return dict_of(found);
}

nb::str address(const Registry& self, const Value& value, bool logical) {
  char digest[65];
  CallError failure;
  std::int32_t code = 0;
  polycodec_value* const of = value.get();
  {
    const nb::gil_scoped_release unlocked;
    code = polycodec_value_address(self.get(), of,
                                   logical ? POLYCODEC_ADDRESS_LOGICAL : POLYCODEC_ADDRESS_EXACT,
                                   digest, failure.raw());
  }
  if (code != POLYCODEC_OK) raise(failure);
  return str_of(digest);
}

Value parse(const Registry& self, nb::str text, nb::handle type) {
  ValueHandle value;
  call(polycodec_value_parse, self.get(), bytes_of(view_of(text)),
       type.is_none() ? polycodec_bytes{nullptr, 0} : bytes_of(view_of(type)), value.out());
  return Value(std::move(value));
}

}  // namespace

void bind_registry(nb::module_& module) {
  module.def("forget_codecs", &ProgramCodecs::forget_all);
  const nb::object empty = nb::make_tuple();
  nb::class_<Registry>(module, "Registry", nb::is_weak_referenceable())
      .def("__init__", &derive, nb::arg("base"), nb::arg("codecs"))
      .def(nb::init<nb::handle, nb::handle, nb::handle, bool, bool, nb::handle, nb::handle,
                    nb::handle, nb::handle, nb::handle>(),
           nb::arg("config") = nb::none(), nb::kw_only(), nb::arg("plugin_paths") = empty,
           nb::arg("add_paths") = empty, nb::arg("environment") = true, nb::arg("builtins") = true,
           nb::arg("limits") = nb::none(), nb::arg("allowlist") = nb::none(),
           nb::arg("isolation") = nb::none(), nb::arg("log") = nb::none(),
           nb::arg("codecs") = empty)
      .def("decode", &Registry::decode, nb::arg("data"), nb::arg("codec") = nb::none(),
           nb::kw_only(), nb::arg("name") = nb::none(), nb::arg("options") = nb::none(),
           nb::arg("filters") = nb::none(), nb::arg("call"))
      .def("open_path", &Registry::open, nb::arg("path"), nb::arg("codec") = nb::none(),
           nb::kw_only(), nb::arg("options") = nb::none(), nb::arg("filters") = nb::none(),
           nb::arg("copy") = false, nb::arg("lazy") = false, nb::arg("call"))
      .def("decode_store", &Registry::decode_store, nb::arg("store"), nb::arg("codec") = nb::none(),
           nb::kw_only(), nb::arg("options") = nb::none(), nb::arg("call"))
      .def("encode", &Registry::encode, nb::arg("value").none(), nb::arg("codec"), nb::kw_only(),
           nb::arg("options") = nb::none(), nb::arg("filters") = nb::none(), nb::arg("call"))
      .def("save", &Registry::save, nb::arg("value").none(), nb::arg("path"),
           nb::arg("codec") = nb::none(), nb::kw_only(), nb::arg("options") = nb::none(),
           nb::arg("filters") = nb::none(), nb::arg("keep") = false, nb::arg("sync") = false,
           nb::arg("root") = nb::none(), nb::arg("call"))
      .def("convert", &Registry::convert, nb::arg("source"), nb::arg("path"),
           nb::arg("codec") = nb::none(), nb::kw_only(), nb::arg("options") = nb::none(),
           nb::arg("filters") = nb::none(), nb::arg("from_codec") = nb::none(),
           nb::arg("from_options") = nb::none(), nb::arg("from_filters") = nb::none(),
           nb::arg("keep") = false, nb::arg("sync") = false, nb::arg("root") = nb::none(),
           nb::arg("call"))
      .def("choices", &Registry::choices, nb::arg("data"), nb::arg("name") = nb::none())
      .def("describe", &describe, nb::arg("listing"), nb::arg("name") = "")
      .def("limits", &limits, nb::arg("limits") = nb::none(), nb::kw_only(),
           nb::arg("input_bytes") = UINT64_MAX)
      .def("probe", &probe, nb::arg("plugin"))
      .def("explain", &explain, nb::arg("name"))
      .def("address", &address, nb::arg("value"), nb::kw_only(), nb::arg("logical") = false)
      .def("parse", &parse, nb::arg("text"), nb::arg("type") = nb::none());
}

}  // namespace polycodec_python
