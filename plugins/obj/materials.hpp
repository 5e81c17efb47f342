// SPDX-License-Identifier: MIT
// Material libraries that an OBJ file names, read from the store that the file came with.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>

namespace polycodec::obj {

/// `root` (the value of an OBJ file) with a member `materials`: the materials of all its mtllib
/// statements in order, as the README says. Libraries come from the input's store, never from a
/// path; those that it lacks are logged.
polycodec_node with_materials(const Call& call, const Input& input, const polycodec_node& root,
                              Builder& out);

}  // namespace polycodec::obj
