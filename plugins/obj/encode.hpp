// SPDX-License-Identifier: MIT
// Values to OBJ files.
#pragma once

#include <polycodec/codec.hpp>

#include "settings.hpp"

namespace polycodec::obj {

/// Writes the value of an OBJ file, or the elements vertex, face and edge of a PLY file, as a file.
void encode(const Settings& settings, const Call& call, NodeView value, Writer& out);

}  // namespace polycodec::obj
