// SPDX-License-Identifier: MIT
// Stores of named blobs in Python.
#pragma once

#include "python.hpp"

namespace polycodec_python {

/// A source of the blobs of an object of Python: `blobs` is a list of names and sizes in bytes, and
/// read(i) gives blob `i` as an object with the buffer protocol. It is called once a blob at most,
/// on any thread, and the buffers live as long as values that view them. Reading more than `most`
/// bytes in all is an error.
host::Source source_of_store(nb::handle store, std::uint64_t most);

}  // namespace polycodec_python
