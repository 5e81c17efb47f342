// SPDX-License-Identifier: MIT
// The part of a decoded value that a projection wants.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

#include "registry/codec/codec_handle.hpp"

namespace polycodec {

/// `value` without the members and the rows that `wanted` does not name, whatever its codec left
/// out already. What is kept is viewed, and stays in its objects, lists, options and annotations;
/// references become what they refer to. Rows beyond the last are none. Charges `budget` a unit a
/// node that it looks at. Throws Error(Status::not_found) for a member that no object and no record
/// at its place has, Status::type for rows of any other value than a list or array, Status::limit.
polycodec_node narrow(NodeView value, const Projection& wanted, Builder& out, Budget& budget);

/// Makes `root`, which is part of `value`, its root: narrowed and marked as partial where `wanted`
/// is not all, and no hint.
void set_narrowed(Value& value, const polycodec_node* root, const Projection& wanted,
                  Budget& budget);

}  // namespace polycodec
