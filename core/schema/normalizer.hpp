// SPDX-License-Identifier: MIT
// The walk that makes a value fit.
#pragma once

#include "leaf_normalizer.hpp"
#include "node.hpp"
#include "normalize_context.hpp"

#include <vector>

namespace polycodec::schema {

class Normalizer {
 public:
  explicit Normalizer(NormalizeContext& context) : context_(context), leaves_(context) {}

  /// Throws Error where `item` can't be made to fit. Bounds, patterns and the like are left to a
  /// validation of the result.
  Changed visit(const Node& node, const Item& item, std::uint32_t depth);

 private:
  // Kinds (normalize.cpp)
  Changed unwrap(const Node& node, const Item& item);
  Changed wrap(const Node& node, const Item& item);
  Changed type(const Node& node, const Item& item);
  Changed logic(const LogicRules& rules, const Item& item, std::uint32_t depth);
  const Node* choose(const std::vector<const Node*>& nodes, const Item& item, std::uint32_t depth,
                     bool only_one, Changed& made);

  // Containers (normalize_containers.cpp)
  Changed list(const ListRules& rules, const Item& item, std::uint32_t depth);
  Changed table(const ListRules& rules, const Item& item);
  Changed object(const ObjectRules& rules, const Item& item, std::uint32_t depth);
  Changed call(const CallRules& rules, const Item& item, std::uint32_t depth);

  NormalizeContext& context_;
  LeafNormalizer leaves_;
};

}  // namespace polycodec::schema
