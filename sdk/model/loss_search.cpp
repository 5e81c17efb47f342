// SPDX-License-Identifier: MIT
#include <model/loss.hpp>
#include <model/loss_search.hpp>
#include <polycodec/abi.h>
#include <polycodec/node_view.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

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

Loss attribute_loss(std::string path, std::string_view name, const polycodec_node& value) {
  Loss loss{std::move(path), "the attribute " + quote(name)};
  // Times count in UTC, whatever their zone is.
  if (name == "timezone") loss.loss_class = LossClass::retyped;
  const bool is_comment = name == "comment" || name == "comments";
  // What an awkward array says of itself, for information alone.
  if (!is_comment && name != "doc" && name != "metadata") return loss;
  loss.loss_class = LossClass::note;
  if (!is_comment) return loss;
  const View comments(&value);
  for (std::uint64_t i = 0; comments.is_list() && i < comments.size(); ++i) {
    const View item = comments.child(i);
    const auto text = item.is_object() ? item.find("text") : std::optional(item);
    constexpr std::string_view keyword = "TextureFile ";
    std::string scratch;
    if (!text || !text->is_string() || !text->as_string(scratch).starts_with(keyword)) continue;
    loss.loss_class = LossClass::data;
    loss.what += " with the texture " + quote(text->as_string(scratch).substr(keyword.size()));
    break;
  }
  return loss;
}

void add_attribute_losses(NodeView value, Losses& losses, const Call& call,
                          std::initializer_list<std::string_view> keeps) {
  const polycodec_node* root = value.raw();
  for (; root->kind == POLYCODEC_KIND_ANNOTATED; root = root->as.annotated->node) {
    const polycodec_node& all = *root->as.annotated->metadata;
    for (std::uint64_t i = 0; i < polycodec_node_size(&all); ++i) {
      const std::string_view name = NodeView(all.as.nodes + 2 * i).as_string();
      if (!is_layout_attribute(name) && std::find(keeps.begin(), keeps.end(), name) == keeps.end())
        losses.add(attribute_loss("$", name, all.as.nodes[2 * i + 1]));
    }
  }
  add_losses(NodeView(root), losses, call, [](const auto&) -> const char* { return nullptr; });
}

}  // namespace polycodec
