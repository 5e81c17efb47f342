// SPDX-License-Identifier: MIT
// polycodec.Schema, and units.
#include "from_python.hpp"
#include "registry.hpp"

#include <utility>
#include <vector>

namespace polycodec_python {
namespace {

using host::Schema;

Schema parse(nb::handle json, nb::handle registry) {
  return Schema::parse(to_json(json),
                       registry.is_none() ? nullptr : &nb::cast<Registry&>(registry).handle());
}

Schema infer(nb::handle object) {
  return Schema::infer(value_of(object, false));
}

nb::object problems(const Schema& self, nb::handle object) {
  const host::Value value = value_of(object, false);
  std::vector<host::Problem> found;
  {
    const nb::gil_scoped_release unlocked;
    found = self.validate(value);
  }
  nb::list all;
  for (const host::Problem& problem : found) {
    nb::dict one;
    one["path"] = str_of(problem.path);
    one["keyword"] = str_of(problem.keyword);
    one["reason"] = str_of(problem.reason);
    all.append(one);
  }
  return all;
}

Value normalize(const Schema& self, nb::handle object) {
  const host::Value value = value_of(object, true);
  host::Value normalized;
  {
    const nb::gil_scoped_release unlocked;
    normalized = self.normalize(value);
  }
  return Value(std::move(normalized));
}

nb::object convert_units(nb::handle numbers, nb::str from, nb::str to) {
  const bool is_one = PyNumber_Check(numbers.ptr()) != 0 && PySequence_Check(numbers.ptr()) == 0;
  std::vector<double> values;
  if (is_one) {
    values.push_back(number<double>(numbers, "numbers"));
  } else {
    for (nb::handle one : numbers) values.push_back(number<double>(one, "numbers"));
  }
  host::convert_units(view_of(from), view_of(to), values);
  if (is_one) return nb::float_(values[0]);
  nb::list result;
  for (double number : values) result.append(number);
  return result;
}

nb::str canonical_unit(nb::str unit) {
  return str_of(host::canonical_unit(view_of(unit)));
}

}  // namespace

void bind_schema(nb::module_& module) {
  nb::class_<Schema>(module, "Schema", nb::is_final(), "A schema that describes values.")
      .def_static(
          "parse", &parse, nb::arg("json"), nb::arg("registry") = nb::none(),
          "Reads a schema of JSON, whose named types the registry knows. Raises FormatError.")
      .def_static("infer", &infer, nb::arg("value").none(),
                  "Returns the narrowest schema that a value fits.")
      .def(
          "to_dict", [](const Schema& self) { return from_json(self.text()); },
          "Returns the schema as an object of JSON.")
      .def("problems", &problems, nb::arg("value").none(),
           "Returns each place where a value does not fit, as a dict of its path and the reason; "
           "[] if it fits.")
      .def("normalize", &normalize, nb::arg("value").none(),
           "Returns the value made to fit: with casts, units, aliases and defaults. Raises "
           "InvalidError.");
  module.def("convert_units", &convert_units, nb::arg("numbers"), nb::arg("from_unit"),
             nb::arg("to_unit"),
             "Converts a number, or each number of an iterable, from one unit to another. Raises "
             "InvalidError for units that are unknown or of other dimensions.");
  module.def("canonical_unit", &canonical_unit, nb::arg("unit"),
             "Returns the canonical text of a unit. Raises InvalidError for an unknown one.");
}

}  // namespace polycodec_python
