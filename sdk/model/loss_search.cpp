// SPDX-License-Identifier: MIT
#include <base/path.hpp>
#include <base/quote.hpp>
#include <model/loss.hpp>
#include <model/loss_search.hpp>
#include <polycodec/abi.h>
#include <polycodec/node_view.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

namespace polycodec {

bool is_layout_attribute(std::string_view name) noexcept {
  for (const std::string_view known :
       {"format", "line_ending", "types", "type", "count_type", "encoding", "seven_numbers"})
    if (name == known) return true;
  return name.find('.') != std::string_view::npos;
}

bool has_lossy_attribute(const polycodec_node* metadata) {
  if (metadata == nullptr) return false;
  for (std::uint64_t i = 0; i < polycodec_node_size(metadata); ++i)
    if (!is_layout_attribute(NodeView(metadata->as.nodes + 2 * i).as_string())) return true;
  return false;
}

void add_attribute_losses(NodeView value, Losses& losses, const Call& call,
                          std::initializer_list<std::string_view> keeps) {
  const polycodec_node* root = value.raw();
  for (; root->kind == POLYCODEC_KIND_ANNOTATED; root = root->as.annotated->node) {
    const polycodec_node& all = *root->as.annotated->metadata;
    for (std::uint64_t i = 0; i < polycodec_node_size(&all); ++i) {
      const std::string_view name = NodeView(all.as.nodes + 2 * i).as_string();
      if (!is_layout_attribute(name) && std::find(keeps.begin(), keeps.end(), name) == keeps.end())
        losses.add("$", "the attribute " + quote(name), attribute_loss(name));
    }
  }
  add_losses(NodeView(root), losses, call, [](const auto&) -> const char* { return nullptr; });
}

}  // namespace polycodec
