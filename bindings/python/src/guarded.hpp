// SPDX-License-Identifier: MIT
// The border between the library and functions of Python that it calls.
#pragma once

#include "call.hpp"

#include <exception>
#include <string>
#include <string_view>

namespace polycodec_python {

/// The class and text of an exception. The exception itself has the traceback.
inline std::string summary_of(const nb::python_error& exception) {
  std::string text = nb::type_name(exception.type()).c_str();
  PyObject* const message = PyObject_Str(exception.value().ptr());
  if (message == nullptr) {
    PyErr_Clear();
    return text;
  }
  return text + ": " + nb::steal<nb::str>(message).c_str();
}

/// Runs `body` with the interpreter locked. Its exception becomes an error with this code, which
/// the failed call has as the cause.
template <class Body>
std::int32_t guarded(polycodec_error* error, polycodec_status code, const Body& body) noexcept {
  const nb::gil_scoped_acquire locked;
  const auto fill = [&](std::string_view text) {
    return polycodec::fill_error(error, static_cast<Status>(code), text);
  };
  const auto run = [&] {
    try {
      body();
    } catch (const Error& found) {
      raise(found);
    }
  };
  try {
    run();
    return POLYCODEC_OK;
  } catch (nb::python_error& exception) {
    set_pending_exception(exception);
    return fill(summary_of(exception));
  } catch (const std::exception& exception) {
    return fill(exception.what());
  }
}

}  // namespace polycodec_python
