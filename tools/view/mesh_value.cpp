// SPDX-License-Identifier: MIT
#include "mesh_value.hpp"

#include <polycodec/error.hpp>

#include <optional>
#include <utility>

namespace polycodec::cli {
namespace {

/// Of a value that becomes a mesh: each element is checked and copied.
constexpr std::uint64_t units_of_element = 16;

std::vector<std::uint64_t> point_elements(const View& root, Builder& out, std::uint64_t positions) {
  std::vector<std::uint64_t> all;
  const auto rows = mesh::is_statements(root) ? root.find("p") : std::nullopt;
  if (!rows || !rows->is_list() || rows->size() == 0) return all;
  const polycodec_array* column = mesh::Rows(*rows, "$.p", out).lists("v", false);
  if (column == nullptr) return all;
  const mesh::Lists lists(*column);
  for (std::uint64_t i = 0; i < lists.size(); ++i) {
    const mesh::Lists::Row row = lists.row(i);
    for (std::uint64_t k = 0; k < row.count; ++k)
      if (const auto index = static_cast<std::uint64_t>(lists.integer(row, k)); index < positions)
        all.push_back(index);
  }
  return all;
}

}  // namespace

MeshValue::MeshValue(NodeView root, const Limits& limits, HostMeter& meter, bool any_index)
    : arena(limits.memory_for(UINT64_MAX)), out(arena.abi()) {
  charge_all(root, units_of_element, meter);
  std::optional<mesh::Mesh> found =
      mesh::mesh_of(View(root), out, losses, any_index ? &problems : nullptr);
  if (!found || found->position_count() == 0)
    throw Error(Status::type, "the value is not a mesh with positions");
  mesh = std::move(*found);
  points = point_elements(View(root), out, mesh.position_count());
}

}  // namespace polycodec::cli
