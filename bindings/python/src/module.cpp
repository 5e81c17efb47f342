// SPDX-License-Identifier: MIT
// polycodec._core: the library for Python. The package beside it is the interface for users.
#include "interrupt.hpp"
#include "meter.hpp"
#include "value.hpp"

#include <exception>
#include <typeinfo>

namespace nb = nanobind;

namespace {

/// What the program gave has another type than a cast needs.
void translate_bad_cast(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_cast&) {
    try {
      polycodec_python::raise(POLYCODEC_ERROR_TYPE,
                              "an argument, or an attribute of one, has another type than it must");
    } catch (nb::python_error& error) {
      error.restore();
    }
  }
}

}  // namespace

NB_MODULE(_core, module) {
  using namespace polycodec_python;
  nb::register_exception_translator(&translate_bad_cast);
  Interrupt::set_up();
  module.attr("library_version") = polycodec_library_version();
  module.def("trim", &polycodec_library_trim);
  bind_array(module);
  bind_value(module);
  bind_meter(module);
  bind_exchange_functions(module);
  bind_registry(module);
  bind_schema(module);
  bind_channel(module);
  bind_stream(module);
}
