// SPDX-License-Identifier: MIT
// Arrays that other tools write as plain maps: lebedov/msgpack-numpy and the `__ndarray__` form.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>

namespace polycodec::msgpack_ndarray {

/// If `map` (an OBJECT or MAP that is complete) is one of the known forms, replaces it by the array
/// or scalar that it stands for; leaves other maps alone. The result views the same bytes. Never
/// unpickles: arrays of objects are refused with Status::unsupported and the detail numpy.pickle. A
/// map that has the marks of a form but breaks its rules is refused (numpy.bad_map and the details
/// of ndarray.hpp).
void convert_numpy_map(polycodec_node& map, const polycodec_limits& limits, Builder& out);

}  // namespace polycodec::msgpack_ndarray
