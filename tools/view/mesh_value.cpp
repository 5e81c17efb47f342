// SPDX-License-Identifier: MIT
#include "mesh_value.hpp"

#include <algorithm>
#include <cmath>

namespace polycodec::cli {
namespace {

std::vector<std::uint64_t> point_elements(const View& root, std::uint64_t positions) {
  std::vector<std::uint64_t> all;
  const auto rows =
      mesh_form(root) == MeshForm::statements ? root.find("p") : std::optional<View>();
  if (!rows || !rows->is_list()) return all;
  for (std::uint64_t i = 0; i < rows->size(); ++i) try {
      const auto items = rows->child(i).find("v");
      if (!items) continue;
      for (const View item : *items)
        if (const auto index = static_cast<std::uint64_t>(item.as_int64()); index < positions)
          all.push_back(index);
    } catch (Error& error) {
      error.path("$.p[" + std::to_string(i) + "].v");
      throw;
    }
  return all;
}

}  // namespace

MeshValue::MeshValue(const View& root, Builder& out, Meter& meter, bool any_index) {
  MeshReading reading;
  reading.on_loss = [this](LossClass of, std::string_view path, std::string_view what) {
    losses.push_back({std::string(path), std::string(what), of});
  };
  reading.on_work = [&meter](std::uint64_t units) { meter.tick(units); };
  if (any_index) reading.problems = &problems;
  if (is_mesh(root)) mesh = as_mesh(root, reading, out);
  if (!is_empty()) points = point_elements(root, mesh.position_count());
}

std::uint8_t color_byte(const MeshNumbers& colors, std::uint64_t i) {
  const double value = colors[i];
  if (is_integer(colors.dtype)) return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
  return static_cast<std::uint8_t>(std::lround(255 * (value >= 0 ? std::min(value, 1.0) : 0)));
}

std::optional<Bounds> bounds(const Mesh& m) {
  Bounds box;
  bool any = false;
  for (std::uint64_t i = 0; i < m.position_count(); ++i) {
    const std::array<double, 3> p{m.positions[3 * i], m.positions[3 * i + 1],
                                  m.positions[3 * i + 2]};
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!any || p[axis] < box.least[axis]) box.least[axis] = p[axis];
      if (!any || p[axis] > box.greatest[axis]) box.greatest[axis] = p[axis];
    }
    any = true;
  }
  return any ? std::optional(box) : std::nullopt;
}

}  // namespace polycodec::cli
