// SPDX-License-Identifier: MIT
#include "variants.hpp"

#include <polycodec/builder.hpp>
#include <polycodec/path.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::kit {
namespace {

/// A member of nested objects: its number in each.
struct Place {
  std::vector<std::uint64_t> steps;
  std::string path;
  const Node* node;  ///< without its metadata
};

/// The root, and members of objects, in the order of the value.
std::vector<Place> places_of(const Node& root) {
  constexpr std::size_t most = 64, deepest = 8;
  std::vector<Place> places;
  const std::function<void(const Node&, const std::vector<std::uint64_t>&, const std::string&)>
      walk =
          [&](const Node& given, const std::vector<std::uint64_t>& steps, const std::string& path) {
            if (places.size() == most || steps.size() > deepest) return;
            const Node* const node = polycodec_node_proper(&given);
            places.push_back({steps, path, node});
            if (node->kind != POLYCODEC_KIND_OBJECT) return;
            for (std::uint64_t i = 0; i < polycodec_node_size(node); ++i) {
              std::vector<std::uint64_t> longer = steps;
              longer.push_back(i);
              walk(node->as.nodes[2 * i + 1], longer, path + key_step(View(node).name(i)));
            }
          };
  walk(root, {}, std::string(path_root));
  return places;
}

using Change = std::function<Node(Builder&, const Node&)>;

/// What of a member changes.
enum class Part { value, value_with_metadata, name };

/// `node` with the part at the end of `steps` changed.
Node changed(Builder& out, const Node& node, std::span<const std::uint64_t> steps, Part part,
             const Change& change) {
  if (steps.empty() && (part != Part::value || node.kind != POLYCODEC_KIND_ANNOTATED))
    return change(out, node);
  Node copy = node;
  if (node.kind == POLYCODEC_KIND_ANNOTATED) {
    copy.as.annotated = out.store(
        polycodec_annotated{out.store(changed(out, *node.as.annotated->node, steps, part, change)),
                            node.as.annotated->metadata});
    return copy;
  }
  Node* const members = out.store_all(std::span(node.as.nodes, 2 * polycodec_node_size(&node)));
  const bool names = part == Part::name && steps.size() == 1;
  Node& member = members[2 * steps[0] + (names ? 0 : 1)];
  member = changed(out, member, steps.subspan(1), part, change);
  copy.as.nodes = members;
  return copy;
}

/// A sample that keeps `value`, of which it views all but the changed part.
Sample variant(const Sample& value, const Place& place, std::string_view what, Part part,
               const Change& change) {
  Sample made = build_sample(
      value.name + " with " + std::string(what) + " " + place.path,
      [&](Builder& out) { return changed(out, *value.root, place.steps, part, change); });
  made.regions.add(value.regions);
  made.owner =
      std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
          value.owner, made.owner);
  return made;
}

/// `node` with a note beside the metadata that it has.
Node noted(Builder& out, const Node& node) {
  const Node* const has = View(&node).metadata();
  const std::uint64_t size = has == nullptr ? 0 : polycodec_node_size(has);
  Node* members;
  const Node metadata = out.object(size + 1, &members);
  if (size != 0) std::copy_n(has->as.nodes, 2 * size, members);
  members[2 * size] = out.string_copy("note of the kit");
  members[2 * size + 1] = Builder::integer(1);
  if (node.kind != POLYCODEC_KIND_ARRAY)
    return out.annotated(*polycodec_node_proper(&node), metadata);
  polycodec_array* const copy = out.store(*node.as.array);
  copy->metadata = out.store(metadata);
  return Builder::array(copy);
}

Node with_noted_column(Builder& out, const Node& node, std::uint32_t column) {
  polycodec_array* const array = out.store(*node.as.array);
  auto* const columns = out.store_all(std::span(array->children, array->n_children));
  columns[column] = noted(out, Builder::array(columns[column])).as.array;
  array->children = columns;
  return Builder::array(array);
}

Node not_utf8(Builder& out, const Node& text) {
  return out.text_copy(std::string(View(&text).as_string()) + "\xff");
}

Node shorter(Builder& out, const Node& node) {
  polycodec_array* const copy = out.store(*node.as.array);
  auto* const shape = out.store_all(std::span(copy->shape, copy->ndim));
  --shape[0];
  --copy->length;
  copy->shape = shape;
  return Builder::array(copy);
}

/// With a last axis of one element.
Node deeper(Builder& out, const Node& node) {
  polycodec_array* const copy = out.store(*node.as.array);
  auto* const shape = out.allocate<std::int64_t>(copy->ndim + 1);
  auto* const strides = out.allocate<std::int64_t>(copy->ndim + 1);
  std::copy_n(copy->shape, copy->ndim, shape);
  std::copy_n(copy->strides, copy->ndim, strides);
  shape[copy->ndim] = 1;
  strides[copy->ndim] = copy->item_size;
  copy->shape = shape;
  copy->strides = strides;
  ++copy->ndim;
  return Builder::array(copy);
}

bool is_elements(const Node& node) {
  return node.kind == POLYCODEC_KIND_ARRAY && node.as.array->layout == POLYCODEC_LAYOUT_NDARRAY &&
         node.as.array->ndim != 0 && node.as.array->ndim < POLYCODEC_MAX_NDIM &&
         node.as.array->length != 0;
}

/// The first and the last of them.
std::vector<Place> ends_of(const std::vector<Place>& places, bool (*fits)(const Place&)) {
  std::vector<Place> found;
  for (const Place& place : places) {
    if (!fits(place)) continue;
    if (found.size() == 2) found.pop_back();
    found.push_back(place);
  }
  return found;
}

}  // namespace

std::vector<Sample> with_metadata(const Sample& value) {
  constexpr std::size_t most = 12;
  std::vector<Sample> variants;
  for (const Place& place : places_of(*value.root)) {
    if (variants.size() >= most) break;
    variants.push_back(variant(value, place, "metadata of", Part::value_with_metadata, noted));
    const Node& node = *place.node;
    if (node.kind != POLYCODEC_KIND_ARRAY || node.as.array->layout != POLYCODEC_LAYOUT_RECORD)
      continue;
    const std::uint32_t columns = node.as.array->n_children;
    for (std::uint32_t i = 0; i < columns; i += std::max(1u, columns - 1))
      variants.push_back(variant(
          value, place, "metadata of column " + std::to_string(i) + " of", Part::value,
          [i](Builder& out, const Node& table) { return with_noted_column(out, table, i); }));
  }
  return variants;
}

std::vector<Sample> nearly(const Sample& value) {
  std::vector<Sample> variants;
  const std::vector<Place> places = places_of(*value.root);
  for (const Place& place : ends_of(places, [](const Place& p) { return is_elements(*p.node); })) {
    variants.push_back(variant(value, place, "fewer rows in", Part::value, shorter));
    variants.push_back(variant(value, place, "one more axis of", Part::value, deeper));
  }
  for (const Place& place : ends_of(places, [](const Place& p) { return !p.steps.empty(); }))
    variants.push_back(variant(value, place, "a name that is not UTF-8 for", Part::name, not_utf8));
  for (const Place& place :
       ends_of(places, [](const Place& p) { return p.node->kind == POLYCODEC_KIND_STRING; }))
    variants.push_back(variant(value, place, "text that is not UTF-8 in", Part::value, not_utf8));
  return variants;
}

}  // namespace polycodec::kit
