// SPDX-License-Identifier: MIT
// All expressions of a schema, without evaluating any.
#pragma once

#include <polycodec/view.hpp>

#include "extras.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace polycodec::awkward {

/// Calls visit(NodeView) for each expression object among `open` and below. Other nodes are
/// left out: evaluating them says what is wrong.
template <class Visit>
void for_each_expression(std::vector<const polycodec_node*> open, const Visit& visit) {
  const auto push_all = [&](const polycodec_node& parts, std::uint64_t from, std::uint64_t step) {
    const std::uint64_t count =
        polycodec_node_size(&parts) * (parts.kind == POLYCODEC_KIND_OBJECT ? 2 : 1);
    for (std::uint64_t i = from; i < count; i += step) open.push_back(&parts.as.nodes[i]);
  };
  while (!open.empty()) {
    const polycodec_node& expression = *open.back();
    open.pop_back();
    if (expression.kind != POLYCODEC_KIND_OBJECT) continue;
    const NodeView object(&expression);
    visit(object);
    const auto entries = object.entries();
    for (std::size_t i = 0; i < entries.size(); i += 2) {
      const std::string_view key = NodeView(&entries[i]).as_string();
      const polycodec_node& value = entries[i + 1];
      if (key == "args" || key == "list" || key == "tuple") {
        if (value.kind == POLYCODEC_KIND_LIST) push_all(value, 0, 1);
      } else if (key == "kwargs" || key == "dict") {
        if (value.kind == POLYCODEC_KIND_OBJECT) push_all(value, 1, 2);
      } else if (key == "pairs" && value.kind == POLYCODEC_KIND_LIST) {
        for (const polycodec_node& pair : NodeView(&value).items())
          if (pair.kind == POLYCODEC_KIND_LIST && polycodec_node_size(&pair) == 2)
            open.push_back(&pair.as.nodes[1]);
      } else if (key == extra_key && value.kind == POLYCODEC_KIND_OBJECT) {
        if (const auto attributes = NodeView(&value).find(extra::attributes))
          open.push_back(attributes->raw());
      }
    }
  }
}

/// True of a call that may be one of numpy.frombuffer.
inline bool has_three_arguments(NodeView expression) {
  const auto args = expression.find("args");
  return args && args->is_list() && args->size() == 3;
}

}  // namespace polycodec::awkward
