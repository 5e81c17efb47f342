// SPDX-License-Identifier: MIT
// polycodec._core: the library for Python. The package beside it is the interface for users.
#include "interrupt.hpp"
#include "meter.hpp"
#include "value.hpp"

NB_MODULE(_core, module) {
  using namespace polycodec_python;
  translate_errors();
  Interrupt::set_up();
  module.attr("library_version") = nb::str(host::library_version().data());
  module.def(
      "trim", &host::trim_library,
      "Gives the memory of freed values that is kept for the next ones back to the system. The "
      "library does so by itself but for 8 MiB when it has had no work for a quarter of a second.");
  bind_array(module);
  bind_value(module);
  bind_meter(module);
  bind_exchange_functions(module);
  bind_registry(module);
  bind_codec(module);
  bind_schema(module);
  bind_channel(module);
  bind_stream(module);
}
