// SPDX-License-Identifier: MIT
#include "arguments.hpp"

namespace polycodec_python {

Arguments::Arguments(std::initializer_list<const char*> positional, PyObject* const* given,
                     Py_ssize_t n, PyObject* names) {
  if (n > static_cast<Py_ssize_t>(positional.size()))
    throw Error(Status::type, "too many positional arguments (" + std::to_string(n) +
                                  "): at most " + std::to_string(positional.size()) +
                                  " are allowed");
  for (Py_ssize_t i = 0; i < n; ++i) all_[positional.begin()[i]] = nb::handle(given[i]);
  const Py_ssize_t n_names = names == nullptr ? 0 : PyTuple_Size(names);
  for (Py_ssize_t i = 0; i < n_names; ++i) {
    const nb::handle name = PyTuple_GetItem(names, i);
    if (all_.contains(name))
      throw Error(Status::type, "the argument '" + std::string(view_of(name)) + "' is given twice");
    all_[name] = nb::handle(given[n + i]);
  }
}

nb::object Arguments::take(const char* name, bool is_needed) {
  if (all_.contains(name)) {
    nb::object found = all_[name];
    nb::del(all_[name]);
    return found;
  }
  if (is_needed) throw Error(Status::type, std::string("the argument '") + name + "' is missing");
  return nb::none();
}

void Arguments::finish() const {
  for (const auto& [name, value] : all_)
    throw Error(Status::type, "unknown argument '" + std::string(view_of(name)) + "'");
}

}  // namespace polycodec_python
