// SPDX-License-Identifier: MIT
#include "normalize_context.hpp"

#include <base/depth.hpp>
#include <polycodec/error.hpp>

#include "facet.hpp"
#include "validator.hpp"

#include <utility>
#include <vector>

namespace polycodec::schema {
namespace {

bool is_container(const View& item) noexcept {
  return item.is_list() || item.is_object() || item.is_map();
}

}  // namespace

void NormalizeContext::spend(std::uint64_t steps) {
  meter_.tick(units_of_step * steps, path_);
}

void NormalizeContext::fail(Status status, std::string_view keyword, std::string reason) const {
  throw Error(status, std::move(reason)).detail("schema." + std::string(keyword)).path(path_);
}

void NormalizeContext::warning(std::string_view keyword, std::string reason) {
  if (options_.warnings != nullptr && options_.warnings->size() < max_warnings)
    options_.warnings->push_back({path_, std::string(keyword), std::move(reason)});
}

polycodec_node NormalizeContext::node_of(const Item& item, std::uint32_t depth) {
  const bool is_part = item.node() == nullptr && item.array() == nullptr;
  check_depth(depth, limits_.max_depth, path_);
  if (is_part && (item.is_object() || (item.is_list() && !item.elements()))) {
    // The columns of an array may have units, which their elements take along.
    spend(item.size() + 1);
    polycodec_node* nodes = nullptr;
    polycodec_node made =
        item.is_object() ? out_.object(item.size(), &nodes) : out_.list(item.size(), &nodes);
    made.kind = static_cast<std::uint8_t>(item.kind());
    for (std::uint64_t i = 0; i < item.size(); ++i) {
      if (item.is_object()) *nodes++ = Builder::string_view(item.name(i));
      *nodes++ = node_of(item.child(i), depth + 1);
    }
    return made;
  }
  if (is_part && item.kind() == POLYCODEC_KIND_UNION)
    return out_.tagged(item.tag(), node_of(item.child(), depth + 1));
  const polycodec_node node = is_part                  ? to_document(item, out_, limits_)
                              : item.node() != nullptr ? *item.node()
                                                       : Builder::array(item.array());
  // All elements of a part of a leaf have one unit.
  const Item inner = is_part && item.elements() && item.size() != 0 ? item.child(0) : item;
  const auto* attributes = item.metadata();
  if (inner.inherited_units() && (takes_units(inner) || is_container(inner)))
    attributes = attributes_of(item, inner.inherited_units(), Encoding::none, false);
  const bool own = item.array() != nullptr && attributes == item.array()->metadata;
  return attributes == nullptr || own ? node : out_.annotated(node, *attributes);
}

Item NormalizeContext::item_of(const Changed& changed, const Item& item) {
  return changed ? Item(View(out_.store(*changed))) : item;
}

const polycodec_node* NormalizeContext::attributes_of(const Item& item,
                                                      std::optional<std::string_view> units,
                                                      Encoding encoding, bool plain) {
  if (!units && takes_units(item)) units = item.inherited_units();
  if (!units && encoding == Encoding::none && !plain) return item.metadata();
  std::vector<Member> members;
  if (units) members.push_back({attribute_units, out_.string_copy(*units)});
  if (encoding != Encoding::none)
    members.push_back({attribute_encoding, Builder::string_view(name_of(encoding))});
  const NodeView all = item.metadata() == nullptr ? NodeView() : NodeView(item.metadata());
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    const std::string_view key = all.key(i).as_string();
    if ((units && key == attribute_units) ||
        ((encoding != Encoding::none || plain) && key == attribute_encoding) ||
        (plain && key == attribute_type))
      continue;
    members.push_back({key, *all.value(i).raw()});
  }
  return members.empty() ? nullptr : out_.store(out_.object(std::span<const Member>(members)));
}

const polycodec_node* NormalizeContext::without_units(const View& item) {
  if (!attribute(item, attribute_units)) return item.metadata();
  std::vector<Member> members;
  const NodeView all(item.metadata());
  for (std::uint64_t i = 0; i < all.size(); ++i)
    if (all.key(i).as_string() != attribute_units)
      members.push_back({all.key(i).as_string(), *all.value(i).raw()});
  return members.empty() ? nullptr : out_.store(out_.object(std::span<const Member>(members)));
}

polycodec_node NormalizeContext::annotated(polycodec_node node, const polycodec_node* attributes) {
  if (node.kind == POLYCODEC_KIND_ANNOTATED) node = *node.as.annotated->node;
  return attributes == nullptr ? node : out_.annotated(node, *attributes);
}

}  // namespace polycodec::schema
