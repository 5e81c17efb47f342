// SPDX-License-Identifier: MIT
// Objects of Python as input.
#pragma once

#include "python.hpp"

namespace polycodec_python {

/// Keeps an object of Python for the library, which lets go of it on any thread.
void release_object(void* object) noexcept;

/// Bytes of Python.
nb::object copy_of(std::string_view bytes);

/// True for `bytes` and views of them. What else is read-only may be written to through another
/// object or by another process. Not for subclasses of `bytes`, which may have buffers of their
/// own.
bool is_immutable(nb::handle data);

/// The bytes of an object with the buffer protocol. Those of read-only buffers are viewed, as bytes
/// that may change unless they are immutable; others are copied. `name`: a file name for messages
/// and the choice of the codec, or empty.
host::Source source_of_buffer(nb::handle data, std::string_view name);

/// A file or directory. `copy`: read it into memory, so that others may change or truncate it.
host::Source source_of_path(nb::handle path, bool copy, const host::Limits& limits);

}  // namespace polycodec_python
