// SPDX-License-Identifier: MIT
// How a plugin offers the type `mesh`: polycodec::Types<polycodec::mesh::named_type>.
#pragma once

#include <model/mesh/mesh.hpp>
#include <polycodec/plugin.hpp>

namespace polycodec::mesh {

/// The type `mesh`, which the manifests of several plugins name with the same notation.
inline constexpr polycodec_type named_type = make_type(type_name, notation, "A mesh of faces");

}  // namespace polycodec::mesh
