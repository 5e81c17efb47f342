// SPDX-License-Identifier: MIT
// Materials of documents as those of a mesh, and back.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/mesh.hpp>
#include <polycodec/view.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::gltf {

/// Is notified of what one side has no place for: its path, and what it is.
using MaterialLoss =
    std::function<void(LossClass loss, const std::string& path, const std::string& what)>;

/// What the materials of a document look like, one for each; empty if all have names alone. Reports
/// the members that a mesh has no place for, and images and textures that no material shows.
std::span<const MeshMaterial> looks_of(View document, const MaterialLoss& lose, Builder& out);

/// Adds `materials` to a document, and the `textures`, `samplers`, `images` and `extensionsUsed`
/// that they need. Each image is there once.
void add_materials(const Mesh& mesh, const MaterialLoss& lose, ObjectBuilder& document,
                   Builder& out);

}  // namespace polycodec::gltf
