// SPDX-License-Identifier: MIT
// Strings of Python for names that occur again and again.
#pragma once

#include <polycodec/abi.h>

#include <nanobind/nanobind.h>

namespace polycodec_python {

/// A new reference to the string of this name, or null with an exception. Short names of ASCII are
/// kept.
PyObject* string_of_name(const char* data, std::size_t size);

}  // namespace polycodec_python
