// SPDX-License-Identifier: MIT
#include "scene.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace polycodec::cli {
namespace {

// Which member of the rows has this name; the rows of a list mostly have their members in one order.
class Member {
 public:
  explicit Member(const char* name) : name_(name) {}
  Item of(const Item& row) {
    if (at_ < row.size() && row.name(at_) == name_) return row.child(at_);
    for (std::uint64_t i = 0; i < row.size(); ++i) {
      if (row.name(i) != name_) continue;
      at_ = i;
      return row.child(i);
    }
    return Item();
  }

 private:
  const char* name_;
  std::uint64_t at_ = 0;
};

std::uint8_t to_byte(const Item& color) {
  if (color.is_null()) return 255;
  const double value = color.as_double();
  if (color.is_integer()) return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
  return static_cast<std::uint8_t>(std::lround(255 * (value >= 0 ? std::min(value, 1.0) : 0)));
}

void add_points(const Item& rows, const std::string& path, Scene& scene) {
  Member axes[] = {Member("x"), Member("y"), Member("z")};
  Member channels[] = {Member("red"), Member("green"), Member("blue")};
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    const Item row = rows.child(i);
    if (row.kind() != POLYCODEC_OBJECT) throw Error(Status::type, "a point is a record").path(path);
    Vector position{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Item value = axes[axis].of(row);
      if (value.is_null())
        throw Error(Status::type, "a point needs x, y and z").path(path + "[" + std::to_string(i) + "]");
      position[axis] = value.as_double();
    }
    scene.positions.push_back(position);
    if (i == 0 && channels[0].of(row).is_null() && !row.find("red")) continue;
    if (scene.colors.size() + 1 != scene.positions.size()) continue;
    scene.colors.push_back(
        {to_byte(channels[0].of(row)), to_byte(channels[1].of(row)), to_byte(channels[2].of(row))});
  }
  if (scene.colors.size() != scene.positions.size()) scene.colors.clear();
}

void add_faces(const Item& rows, Member list, const std::string& path, Scene& scene) {
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    const Item row = rows.child(i);
    if (row.kind() != POLYCODEC_OBJECT) throw Error(Status::type, "a face is a record").path(path);
    const Item corners = list.of(row);
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    for (std::uint64_t k = 0; k < corners.size(); ++k) {
      const std::int64_t index = corners.child(k).as_int64();
      if (index < 0 || static_cast<std::uint64_t>(index) >= scene.positions.size())
        throw Error(Status::range,
                    "corner " + std::to_string(index) + " with " + std::to_string(scene.positions.size()) + " points")
            .detail("mesh.index_out_of_range")
            .path(path + "[" + std::to_string(i) + "][" + std::to_string(k) + "]");
      const auto corner = static_cast<std::uint32_t>(index);
      if (k == 0) first = corner;
      if (k >= 2) scene.triangles.push_back({first, last, corner});
      last = corner;
    }
  }
}

}  // namespace

Scene scene_of(const Item& root) {
  Scene scene;
  const auto vertex = root.find("vertex");
  const auto v = root.find("v");
  if (vertex) {
    add_points(*vertex, "$.vertex", scene);
    if (const auto face = root.find("face"); face && face->size() != 0)
      add_faces(*face, Member(face->child(0).find("vertex_indices") ? "vertex_indices" : "vertex_index"), "$.face",
                scene);
  } else if (v) {
    add_points(*v, "$.v", scene);
    if (const auto f = root.find("f")) add_faces(*f, Member("v"), "$.f", scene);
  }
  if (scene.positions.empty())
    throw Error(Status::type, "there is nothing to draw: the value has no points under 'vertex' or 'v'");
  return scene;
}

}  // namespace polycodec::cli
