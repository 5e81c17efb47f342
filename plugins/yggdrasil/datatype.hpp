// SPDX-License-Identifier: MIT
// The datatype of a header, which describes bodies that do not describe themselves (up to
// yggdrasil 1.8).
#pragma once

#include <polycodec/node_view.hpp>

#include "leaf.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::yggdrasil {

/// A schema with those of its parts. Owns all that it says.
struct Datatype {
  std::optional<Leaf> leaf;  ///< of a scalar, an array, or another type that is sent as a string
  std::vector<std::pair<std::string, std::string>>
      texts;                       ///< attributes that are texts: units, title
  std::vector<std::string> names;  ///< of the properties
  std::vector<Datatype> properties;
  std::vector<Datatype> items;
  bool one_item = false;  ///< items[0] is the type of all items

  /// Reads a schema whose precisions count bits. Throws Error(Status::option).
  static Datatype from(NodeView schema);

  /// The type of a member, or NULL if the schema does not say.
  const Datatype* member(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return &properties[i];
    return nullptr;
  }
  /// The type of item `i`, or NULL.
  const Datatype* item(std::size_t i) const noexcept {
    if (one_item) return items.data();
    return i < items.size() ? &items[i] : nullptr;
  }
};

}  // namespace polycodec::yggdrasil
