// SPDX-License-Identifier: MIT
#include "registry/c/find_part.hpp"

#include <base/path_steps.hpp>
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::c {
namespace {

polycodec_item whole(const polycodec_array* array) noexcept {
  return {nullptr, array, POLYCODEC_WHOLE};
}

/// The part without metadata, references and unions; an array if a node is one.
polycodec_item proper(polycodec_item part) {
  // A chain of references that ends nowhere is valid.
  for (int hops = 0; part.node != nullptr;) {
    const polycodec_node* const node = polycodec_node_proper(part.node);
    if (node->kind == POLYCODEC_KIND_ARRAY) return whole(node->as.array);
    part.node = node;
    if (node->kind == POLYCODEC_KIND_UNION)
      part.node = node->as.tagged->node;
    else if (node->kind == POLYCODEC_KIND_REFERENCE && ++hops <= 64)
      part.node = node->as.node;
    else
      break;
  }
  while (part.array != nullptr && part.index != POLYCODEC_WHOLE &&
         part.array->layout == POLYCODEC_LAYOUT_UNION) {
    std::int64_t tag = 0;
    part = polycodec_union_item(part.array, part.index, &tag);
    part = polycodec_item_at(part.array, part.index);
    if (part.node != nullptr) return proper(part);
  }
  return part;
}

/// Names that an error shows.
constexpr std::size_t most_known = 1000;

polycodec_item member_of(const polycodec_node& node, const std::string& name) {
  const bool has_names = node.kind == POLYCODEC_KIND_OBJECT || node.kind == POLYCODEC_KIND_MAP;
  const std::uint64_t count = has_names ? polycodec_node_size(&node) : 0;
  const auto key_of = [&](std::uint64_t i) {
    const polycodec_node& key = node.as.nodes[2 * i];
    return key.kind == POLYCODEC_KIND_STRING
               ? std::optional(to_string_view({key.as.data, polycodec_node_size(&key)}))
               : std::nullopt;
  };
  for (std::uint64_t i = 0; i < count; ++i)
    if (key_of(i) == name) return {&node.as.nodes[2 * i + 1], nullptr, 0};
  std::vector<std::string> known;
  for (std::uint64_t i = 0; i < count && known.size() < most_known; ++i)
    if (const auto key = key_of(i)) known.emplace_back(*key);
  throw_no_name(name, known);
}

/// A column of all records, or the member of one, below the choices of its column.
polycodec_item column_of(const polycodec_value& of, const polycodec_item& in,
                         const std::string& name) {
  const polycodec_array* array = in.array;
  const polycodec_array* const column = in.index == POLYCODEC_WHOLE
                                            ? of.columns.find(of.value, *array, name)
                                            : column_named(*array, name);
  if (column != nullptr)
    return in.index == POLYCODEC_WHOLE ? whole(column) : polycodec_item_at(column, in.index);
  while (polycodec_is_choice(array) != 0 && array->n_children != 0) array = array->children[0];
  std::vector<std::string> known;
  for (std::uint32_t i = 0; array->names != nullptr && i < array->n_children && i < most_known; ++i)
    known.emplace_back(to_string_view(array->names[i]));
  throw_no_name(name, known);
}

polycodec_item item_of(const polycodec_item& in, std::uint64_t index) {
  if (in.node != nullptr &&
      (in.node->kind == POLYCODEC_KIND_LIST || in.node->kind == POLYCODEC_KIND_TUPLE)) {
    const std::uint64_t count = polycodec_node_size(in.node);
    if (index >= count) throw_no_item(index, count);
    return {in.node->as.nodes + index, nullptr, 0};
  }
  if (in.array != nullptr && in.index == POLYCODEC_WHOLE &&
      !(in.array->layout == POLYCODEC_LAYOUT_NDARRAY && in.array->ndim == 0)) {
    if (index >= in.array->length) throw_no_item(index, in.array->length);
    return polycodec_item_at(in.array, index);
  }
  if (in.array != nullptr && polycodec_is_text(in.array) == 0 &&
      in.array->layout >= POLYCODEC_LAYOUT_LIST_OFFSETS &&
      in.array->layout <= POLYCODEC_LAYOUT_LIST_FIXED) {
    const polycodec_range range = polycodec_list_range(in.array, in.index);
    if (index >= range.end - range.begin) throw_no_item(index, range.end - range.begin);
    return polycodec_item_at(in.array->children[0], range.begin + index);
  }
  throw Error(Status::type, "it has no items that a path names: take it as a part of the value");
}

}  // namespace

void throw_no_name(const std::string& wanted, const std::vector<std::string>& known) {
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(known.size(), 16); ++i)
    names += (i == 0 ? "" : ", ") + quote(known[i]);
  if (known.size() > 16) names += ", ...";
  throw Error(Status::not_found, "there is no " + quote(wanted) + did_you_mean(wanted, known) +
                                     (names.empty() ? "" : ": the names are " + names));
}

void throw_no_item(std::uint64_t index, std::uint64_t count) {
  throw Error(Status::not_found,
              "there is no item " + std::to_string(index) + " of " + std::to_string(count));
}

polycodec_item find_part(const polycodec_value& of, std::string_view path) {
  PathSteps steps(path);
  polycodec_item part{of.value.root(), nullptr, 0};
  while (!steps.is_done()) {
    const std::string before = steps.taken();
    const PathSteps::Step step = steps.next();
    const polycodec_item in = proper(part);
    try {
      if (in.node == nullptr && in.array == nullptr)
        throw Error(Status::not_found, "it is a missing item");
      if (step.is_index)
        part = item_of(in, step.index);
      else
        part = in.node != nullptr ? member_of(*in.node, step.name) : column_of(of, in, step.name);
    } catch (Error& e) {
      throw e.path(before);
    }
  }
  return part;
}

bool has_rows(const polycodec_value& of, std::string_view path) {
  const polycodec_item in = proper(find_part(of, path));
  return in.array != nullptr || (in.node != nullptr && in.node->kind == POLYCODEC_KIND_LIST);
}

}  // namespace polycodec::c
