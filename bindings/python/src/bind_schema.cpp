// SPDX-License-Identifier: MIT
// polycodec.Schema, and units.
#include "from_python.hpp"
#include "registry.hpp"

#include <vector>

namespace polycodec_python {
namespace {

struct Schema {
  SchemaHandle handle;
};

Schema parse(nb::handle json, nb::handle registry) {
  const std::string text = to_json(json);
  polycodec_registry* names = registry.is_none() ? nullptr : nb::cast<Registry&>(registry).get();
  Schema schema;
  call(polycodec_schema_parse, names, bytes_of(text), schema.handle.out());
  return schema;
}

Schema infer(nb::handle object) {
  const ValueHandle value = value_of(object, false);
  Schema schema;
  call(polycodec_schema_infer, value.get(), schema.handle.out());
  return schema;
}

nb::object to_dict(const Schema& self) {
  SinkHandle sink = new_sink();
  call(polycodec_schema_print, self.handle.get(), sink.get());
  return from_json(text_of(sink));
}

nb::object problems(const Schema& self, nb::handle object) {
  const ValueHandle value = value_of(object, false);
  SinkHandle sink = new_sink();
  std::uint64_t n = 0;
  CallError failure;
  std::int32_t code = 0;
  {
    const nb::gil_scoped_release unlocked;
    code = polycodec_schema_validate(self.handle.get(), value.get(), &n, sink.get(), failure.raw());
  }
  if (code != POLYCODEC_OK) raise(failure);
  return from_json(text_of(sink));
}

Value normalize(const Schema& self, nb::handle object) {
  const ValueHandle value = value_of(object, true);
  ValueHandle result;
  CallError failure;
  std::int32_t code = 0;
  {
    const nb::gil_scoped_release unlocked;
    code = polycodec_schema_normalize(self.handle.get(), value.get(), result.out(), failure.raw());
  }
  if (code != POLYCODEC_OK) raise(failure);
  return Value(std::move(result));
}

nb::object convert_units(nb::handle numbers, nb::str from, nb::str to) {
  const bool is_one = PyNumber_Check(numbers.ptr()) != 0 && PySequence_Check(numbers.ptr()) == 0;
  std::vector<double> values;
  if (is_one) {
    values.push_back(number<double>(numbers, "numbers"));
  } else {
    for (nb::handle one : numbers) values.push_back(number<double>(one, "numbers"));
  }
  call(polycodec_units_convert, bytes_of(view_of(from)), bytes_of(view_of(to)), values.data(),
       static_cast<std::uint64_t>(values.size()));
  if (is_one) return nb::float_(values[0]);
  nb::list result;
  for (double number : values) result.append(number);
  return result;
}

nb::str canonical_unit(nb::str unit) {
  SinkHandle sink = new_sink();
  call(polycodec_units_canonical, bytes_of(view_of(unit)), sink.get());
  return text_of(sink);
}

}  // namespace

void bind_schema(nb::module_& module) {
  nb::class_<Schema>(module, "Schema", nb::is_final(), "A schema that describes values.")
      .def_static("parse", &parse, nb::arg("json"), nb::arg("registry") = nb::none())
      .def_static("infer", &infer, nb::arg("value").none())
      .def("to_dict", &to_dict)
      .def("problems", &problems, nb::arg("value").none())
      .def("normalize", &normalize, nb::arg("value").none());
  module.def("convert_units", &convert_units, nb::arg("numbers"), nb::arg("from_unit"),
             nb::arg("to_unit"));
  module.def("canonical_unit", &canonical_unit, nb::arg("unit"));
}

}  // namespace polycodec_python
