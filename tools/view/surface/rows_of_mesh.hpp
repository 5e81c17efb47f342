// SPDX-License-Identifier: MIT
// Choosing and renumbering the rows of a mesh: what belongs to a row follows it.
#pragma once

#include <model/mesh/mesh.hpp>
#include <polycodec/builder.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace polycodec::cli {

/// Rows of a column of numbers, with its type and byte order; NULL for NULL.
mesh::Mesh::Column select(Builder& out, mesh::Mesh::Column column,
                          std::span<const std::uint32_t> rows);

/// Keeps these faces, with all that belongs to them.
void keep_faces(mesh::Mesh& m, Builder& out, std::span<const std::uint32_t> faces);

/// Keeps the positions `kept`, with all that belongs to them; `now` is the new number of each old
/// position that a face or an edge uses.
void keep_positions(mesh::Mesh& m, Builder& out, std::span<const std::uint32_t> kept,
                    std::span<const std::uint32_t> now);

/// Reverses the corners of these faces but the first.
void turn_faces(mesh::Mesh& m, Builder& out, const std::vector<bool>& turned);

/// Replaces the indices of a column of lists; -1 stays. NULL for NULL.
mesh::Mesh::Column renumber(Builder& out, mesh::Mesh::Column lists,
                            std::span<const std::uint32_t> now);

}  // namespace polycodec::cli
