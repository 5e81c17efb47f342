// SPDX-License-Identifier: MIT
// A value taken for a mesh.
#pragma once

#include <base/scratch_arena.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/mesh.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/view.hpp>

#include "core/value/host_meter.hpp"

#include <cstdint>
#include <vector>

namespace polycodec::cli {

/// The mesh that a value is, with what its columns need to live. Not movable.
struct MeshValue {
  /// Charges `meter` for the value. With `any_index` indices may be wrong and are in `problems`.
  /// Throws Error(type) for a value that is not a mesh with positions, Error(range,
  /// `mesh.index_out_of_range`) unless `any_index`, Error(limit).
  MeshValue(NodeView root, const Limits& limits, HostMeter& meter, bool any_index);

  ScratchArena arena;
  Builder out;
  Losses losses;  ///< what the value has and a mesh has no place for
  mesh::IndexProblems problems;
  mesh::Mesh mesh;
  /// Positions that stand alone on purpose: those of point elements, as far as they are in range.
  std::vector<std::uint64_t> points;
};

}  // namespace polycodec::cli
