// SPDX-License-Identifier: MIT
#include "transform.hpp"

#include "document.hpp"

#include <cmath>

namespace polycodec::gltf {
namespace {

/// A number of JSON, rounded where float64 does not hold it: numbers of glTF are of that width.
double rounded(View number) {
  if (number.kind() == POLYCODEC_KIND_SIGNED) return static_cast<double>(number.as_int64());
  if (number.kind() == POLYCODEC_KIND_UNSIGNED) return static_cast<double>(number.as_uint64());
  return number.as_double();
}

/// The numbers of a member; false if it is absent.
template <std::size_t N>
bool numbers_at(View node, const char* name, std::array<double, N>& to, const std::string& path) {
  const auto found = node.find(name);
  if (!found) return false;
  const std::string where = path + "." + name;
  if (!found->is_list() || found->size() != N)
    refuse(Status::type, "bad_member", "expected a list of " + std::to_string(N) + " numbers",
           where);
  for (std::size_t i = 0; i < N; ++i) {
    if (!found->child(i).is_number())
      refuse(Status::type, "bad_member", "expected a number", at(where, i));
    to[i] = rounded(found->child(i));
  }
  return true;
}

}  // namespace

Matrix Matrix::operator*(const Matrix& inner) const noexcept {
  Matrix made;
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t row = 0; row < 4; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k)
        sum += numbers[4 * k + row] * inner.numbers[4 * column + k];
      made.numbers[4 * column + row] = sum;
    }
  return made;
}

std::array<double, 3> Matrix::point(const std::array<double, 3>& p) const noexcept {
  std::array<double, 3> made{};
  for (std::size_t row = 0; row < 3; ++row)
    made[row] =
        numbers[row] * p[0] + numbers[4 + row] * p[1] + numbers[8 + row] * p[2] + numbers[12 + row];
  return made;
}

std::array<double, 3> Matrix::normal(const std::array<double, 3>& n) const noexcept {
  // The cofactors are the inverse transposed, but for a factor, and exist for flat matrices, too.
  const auto& m = numbers;
  const auto minor = [&](std::size_t a, std::size_t b, std::size_t i, std::size_t k) {
    return m[4 * a + i] * m[4 * b + k] - m[4 * a + k] * m[4 * b + i];
  };
  std::array<double, 3> made{
      minor(1, 2, 1, 2) * n[0] + minor(2, 0, 1, 2) * n[1] + minor(0, 1, 1, 2) * n[2],
      minor(1, 2, 2, 0) * n[0] + minor(2, 0, 2, 0) * n[1] + minor(0, 1, 2, 0) * n[2],
      minor(1, 2, 0, 1) * n[0] + minor(2, 0, 0, 1) * n[1] + minor(0, 1, 0, 1) * n[2]};
  const double length = std::hypot(made[0], made[1], made[2]) * (mirrors() ? -1 : 1);
  if (length == 0 || !std::isfinite(length)) return n;
  for (double& number : made) number /= length;
  return made;
}

bool Matrix::mirrors() const noexcept {
  const auto& m = numbers;
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) +
             m[8] * (m[1] * m[6] - m[2] * m[5]) <
         0;
}

Matrix transform_of(View node, const std::string& path) {
  Matrix made;
  if (numbers_at(node, "matrix", made.numbers, path)) return made;
  std::array<double, 3> t{0, 0, 0};
  std::array<double, 3> s{1, 1, 1};
  std::array<double, 4> q{0, 0, 0, 1};
  const bool moved = numbers_at(node, "translation", t, path);
  const bool turned = numbers_at(node, "rotation", q, path);
  const bool scaled = numbers_at(node, "scale", s, path);
  if (!moved && !turned && !scaled) return made;
  const auto [x, y, z, w] = q;
  const double rotation[] = {
      1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
      2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
      2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
  for (std::size_t column = 0; column < 3; ++column)
    for (std::size_t row = 0; row < 3; ++row)
      made.numbers[4 * column + row] = rotation[3 * column + row] * s[column];
  for (std::size_t row = 0; row < 3; ++row) made.numbers[12 + row] = t[row];
  return made;
}

}  // namespace polycodec::gltf
