// SPDX-License-Identifier: MIT
#include <model/mesh/strips.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace polycodec::mesh {

const polycodec_array* strip_triangles(const polycodec_array& column, Builder& out,
                                       std::uint64_t& triangles) {
  const Lists lists(column);
  auto* const corners = out.allocate<std::int32_t>(3 * lists.total());
  std::int32_t* to = corners;
  for (std::uint64_t i = 0; i < lists.size(); ++i) {
    const Lists::Row row = lists.row(i);
    std::uint64_t length = 0;  // of the strip so far
    std::array<std::int32_t, 3> last{};
    for (std::uint64_t k = 0; k < row.count; ++k) {
      const std::int64_t index = lists.integer(row, k);
      if (index == -1) {
        length = 0;
        continue;
      }
      last = {last[1], last[2], static_cast<std::int32_t>(index)};
      if (++length < 3 || last[0] == last[1] || last[1] == last[2] || last[0] == last[2]) continue;
      std::array<std::int32_t, 3> triangle = last;
      if (length % 2 == 0) std::swap(triangle[0], triangle[1]);
      for (const std::int32_t corner : triangle) *to++ = corner;
    }
  }
  triangles = static_cast<std::uint64_t>(to - corners) / 3;
  const std::int64_t shape[] = {static_cast<std::int64_t>(triangles), 3};
  return out.ndarray(bytes_of(std::span(corners, static_cast<std::size_t>(3 * triangles))),
                     POLYCODEC_DTYPE_INT32, 4, shape);
}

}  // namespace polycodec::mesh
