// SPDX-License-Identifier: MIT
// A value taken for a mesh.
#pragma once

#include <polycodec/mesh.hpp>
#include <polycodec/polycodec.hpp>

#include "common/reporter.hpp"
#include "meter.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::cli {

/// The mesh that a value is. Not movable.
struct MeshValue {
  /// Empty for a value that is not a mesh with positions. Charges `meter` for the value, and takes
  /// memory of `out`, which outlives it. With `any_index` indices may be wrong and are in
  /// `problems`. Throws Error(type) for what a mesh does not have, Error(range,
  /// `mesh.index_out_of_range`) unless `any_index`, Error(limit).
  MeshValue(const View& root, Builder& out, Meter& meter, bool any_index);
  MeshValue(const MeshValue&) = delete;
  MeshValue& operator=(const MeshValue&) = delete;

  bool is_empty() const noexcept { return mesh.position_count() == 0; }
  /// Throws Error(type) if it is.
  void expect_positions() const {
    if (is_empty())
      throw Error(Status::type,
                  "the value is not a mesh with positions: it has no "
                  "vertices with x, y and z");
  }

  std::vector<Loss> losses;  ///< what the value has and a mesh has no place for
  MeshProblems problems;
  Mesh mesh;
  /// Positions that stand alone on purpose: those of point elements, as far as they are in range.
  std::vector<std::uint64_t> points;
};

/// A part of a color from 0 to 255.
std::uint8_t color_byte(const MeshNumbers& colors, std::uint64_t i);

struct Bounds {
  std::array<double, 3> least{}, greatest{};
};

/// The box around all positions whose coordinates are finite; nothing if there is none.
std::optional<Bounds> bounds(const Mesh& m);

}  // namespace polycodec::cli
