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

/// The status of an exception of this package that functions of Python raised, with which `error`
/// is filled; OK for another exception.
std::int32_t code_of(const nb::python_error& exception, polycodec_error* error);

/// Runs `body` with the interpreter locked. Exceptions of this package keep their code. Any other
/// becomes an error with `code`, and so does what the binding finds wrong with the functions. The
/// failed call has the exception as the cause.
template <class Body>
std::int32_t guarded(polycodec_error* error, polycodec_status code, const Body& body) noexcept {
  const nb::gil_scoped_acquire locked;
  const auto fail = [&](nb::python_error& exception) {
    set_pending_exception(exception);
    return polycodec::fill_error(error, static_cast<Status>(code), summary_of(exception));
  };
  try {
    try {
      body();
      return POLYCODEC_OK;
    } catch (const Error& found) {
      set_exception(found);
      nb::python_error exception;
      return fail(exception);
    } catch (nb::python_error& exception) {
      const std::int32_t own = code_of(exception, error);
      if (own == POLYCODEC_OK) return fail(exception);
      set_pending_exception(exception);
      return own;
    }
  } catch (nb::python_error& exception) {
    return fail(exception);
  } catch (const std::exception& exception) {
    return polycodec::fill_error(error, static_cast<Status>(code), exception.what());
  }
}

}  // namespace polycodec_python
