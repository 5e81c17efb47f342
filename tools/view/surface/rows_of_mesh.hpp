// SPDX-License-Identifier: MIT
// Choosing and renumbering the rows of a mesh: what belongs to a row follows it.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/mesh.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace polycodec::cli {

/// Rows of `width` numbers each, with their type.
MeshNumbers select(Builder& out, const MeshNumbers& numbers, std::uint64_t width,
                   std::span<const std::uint32_t> rows);

/// Keeps these faces, with all that belongs to them.
void keep_faces(Mesh& m, Builder& out, std::span<const std::uint32_t> faces);

/// Keeps the positions `kept`, with all that belongs to them; `now` is the new number of each old
/// position that a face or an edge uses.
void keep_positions(Mesh& m, Builder& out, std::span<const std::uint32_t> kept,
                    std::span<const std::uint32_t> now);

/// Reverses the corners of these faces but the first.
void turn_faces(Mesh& m, Builder& out, const std::vector<bool>& turned);

/// Replaces indices; -1 stays.
std::span<const std::int32_t> renumber(Builder& out, std::span<const std::int32_t> items,
                                       std::span<const std::uint32_t> now);

}  // namespace polycodec::cli
