// SPDX-License-Identifier: MIT
// Rows of numbers as columns, in one walk: what most tables are that were written row by row.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"

namespace polycodec {
class HostMeter;
}  // namespace polycodec

namespace polycodec::detail {

/// The array that to_columns() makes of a list of objects that all have the names of the first one,
/// and at each of them a boolean or number of its type. Charges what to_columns() would. Null for
/// all other lists, and where it would exceed them, with nothing charged. Throws Status::limit,
/// Status::cancelled.
polycodec_array* number_rows(NodeView list, Builder& out, const Limits& limits, HostMeter& meter);

}  // namespace polycodec::detail
