// SPDX-License-Identifier: MIT
// What files say beyond the format, applied to the value of the expression.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

namespace polycodec::awkward {

/// The value with what the members `rowname`, `tuple` and `polycodec` of its expression say, except
/// for attributes. Throws Error without a path: what is said does not fit the value.
polycodec_node with_extras(Builder& out, const polycodec_node& value, NodeView expression,
                           const polycodec_limits& limits);

/// The value with these attributes, an OBJECT, added.
polycodec_node with_attributes(Builder& out, const polycodec_node& value,
                               const polycodec_node& attributes);

}  // namespace polycodec::awkward
