// SPDX-License-Identifier: MIT
// Structured arrays of numpy: rows of fields, which may have shapes and be structured themselves.
#pragma once

#include "numpy_type.hpp"

namespace polycodec::msgpack_ndarray {

/// The array of records that `data` holds. `type` is a list of [name, type] and [name, type,
/// shape], where a type is a string or such a list. Columns view the data; only structured fields
/// that have a shape are copied. Fields without a name that are void are padding. Throws Error as
/// the functions of numpy_type.hpp.
polycodec_node structured_array(NodeView type, const Shape& shape, NodeView data, Builder& out);

}  // namespace polycodec::msgpack_ndarray
