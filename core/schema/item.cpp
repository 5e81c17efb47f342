// SPDX-License-Identifier: MIT
#include "item.hpp"

#include <base/view_parts.hpp>
#include <polycodec/node_view.hpp>

namespace polycodec::schema {

std::optional<std::string_view> attribute(const View& item, std::string_view name) {
  if (item.metadata() == nullptr) return std::nullopt;
  const NodeView all(item.metadata());
  if (!all.is_object()) return std::nullopt;
  const auto found = all.find(name);
  if (!found || !found->is_string()) return std::nullopt;
  return found->as_string();
}

std::optional<std::string_view> Item::units() const {
  const auto own = attribute(*this, attribute_units);
  return own ? own : outer_units_;
}

std::optional<std::string_view> Item::inherited_units() const {
  return outer_units_ && !attribute(*this, attribute_units) ? outer_units_ : std::nullopt;
}

Item Item::child(std::uint64_t i) const {
  const View made = View::child(i);
  // What an extension holds is its own matter.
  if (kind() == POLYCODEC_KIND_EXTENSION) return Item(made);
  const auto* column =
      ViewParts::inner_attribute(ViewParts::place_of_child(*this, i), attribute_units);
  const NodeView said = column == nullptr ? NodeView() : NodeView(column);
  return said.is_string() ? Item(made, said.as_string()) : Item(made, units());
}

std::optional<Item> Item::find(std::string_view wanted) const {
  const std::uint64_t count = is_object() ? size() : 0;
  for (std::uint64_t i = 0; i < count; ++i)
    if (name(i) == wanted) return child(i);
  return std::nullopt;
}

}  // namespace polycodec::schema
