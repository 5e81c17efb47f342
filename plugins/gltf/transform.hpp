// SPDX-License-Identifier: MIT
// Where nodes put their meshes.
#pragma once

#include <polycodec/view.hpp>

#include <array>
#include <string>

namespace polycodec::gltf {

/// A matrix of four rows and columns; column by column, as in the format.
struct Matrix {
  std::array<double, 16> numbers{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

  bool operator==(const Matrix&) const = default;
  /// The matrix that does `inner`, then this one.
  Matrix operator*(const Matrix& inner) const noexcept;
  std::array<double, 3> point(const std::array<double, 3>& p) const noexcept;
  /// A normal of the surface, of length 1 again.
  std::array<double, 3> normal(const std::array<double, 3>& n) const noexcept;
  /// True if the matrix turns the sides of faces around.
  bool mirrors() const noexcept;
};

/// The transform of a node: `matrix`, or `translation`, `rotation` and `scale`. Throws Error with
/// the path of what is not a list of so many numbers.
Matrix transform_of(View node, const std::string& path);

}  // namespace polycodec::gltf
