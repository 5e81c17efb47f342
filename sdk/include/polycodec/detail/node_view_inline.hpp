// SPDX-License-Identifier: MIT
// The functions of NodeView. polycodec/node_view.hpp includes this header itself.
#pragma once

#include <polycodec/node_view.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec {

inline std::optional<NodeView> NodeView::find(std::string_view name) const {
  const auto all = entries();
  for (std::size_t i = 0; i < all.size(); i += 2) {
    const NodeView k(&all[i]);
    if (!k.is_string() || k.size() != name.size()) continue;
    // A call for each key of this length costs more than the look at one byte.
    const std::string_view key = k.as_string();
    if (key.empty() || (key.front() == name.front() && key == name)) return NodeView(&all[i + 1]);
  }
  return std::nullopt;
}

inline NodeView NodeView::at(std::string_view name) const {
  if (const auto found = find(name)) return *found;
  throw Error(Status::not_found, std::string("no member '") + std::string(name) + "'");
}

inline void NodeView::throw_kind(const char* what) const {
  throw Error(Status::type,
              std::string("expected ") + what + ", found " + std::string(kind_name(node_->kind)));
}

inline void NodeView::throw_index(std::uint64_t i) const {
  throw Error(Status::range, std::string("no item ") + std::to_string(i) + ": the list has " +
                                 std::to_string(size()));
}

}  // namespace polycodec
