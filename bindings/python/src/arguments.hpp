// SPDX-License-Identifier: MIT
// Methods that the interpreter calls without a tuple and a dict: those of nanobind with keyword
// arguments take as long as a small call.
#pragma once

#include "call.hpp"

#include <cstddef>
#include <initializer_list>
#include <new>
#include <string_view>

namespace polycodec_python {

/// What `body` returns, or `failure` with the exception of what it throws.
template <class Result, class Body>
Result slot(Result failure, const Body& body) noexcept {
  try {
    try {
      return body();
    } catch (const Error& error) {
      set_exception(error);
    } catch (const std::bad_alloc&) {
      PyErr_NoMemory();
    }
  } catch (nb::python_error& error) {
    error.restore();
  }
  return failure;
}

/// The arguments of such a method, by name.
class Arguments {
 public:
  /// `positional`: the names of those that have a place. Raises TypeError for too many.
  Arguments(std::initializer_list<const char*> positional, PyObject* const* given, Py_ssize_t n,
            PyObject* names);
  /// Returns the argument and removes it, or None. Raises TypeError for one that was left out and
  /// `is_needed`.
  nb::object take(const char* name, bool is_needed = false);
  /// Returns those that are left.
  nb::kwargs rest() const { return nb::borrow<nb::kwargs>(all_); }
  /// Raises TypeError if any are left.
  void finish() const;

 private:
  nb::dict all_;
};

/// The type of a method for PyMethodDef.
using Method = PyObject*(PyObject* self, PyObject* const* arguments, Py_ssize_t n, PyObject* names);
inline PyMethodDef method(const char* name, Method* function, const char* doc) noexcept {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)),
          METH_FASTCALL | METH_KEYWORDS, doc};
}

}  // namespace polycodec_python
