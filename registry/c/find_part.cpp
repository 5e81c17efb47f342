// SPDX-License-Identifier: MIT
#include "registry/c/find_part.hpp"

#include <base/path_steps.hpp>
#include <base/quote.hpp>
#include <polycodec/bytes.hpp>
#include <polycodec/error.hpp>

#include "registry/choose/suggestions.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace polycodec::c {
namespace {

/// The node without metadata and references; an array if it is one.
Part proper(const polycodec_node* node) {
  // A chain of references that ends nowhere is valid.
  for (int i = 0; i < 64; ++i) {
    node = polycodec_node_proper(node);
    if (node->kind != POLYCODEC_KIND_REFERENCE) break;
    node = node->as.node;
  }
  if (node->kind == POLYCODEC_KIND_ARRAY) return {nullptr, node->as.array};
  return {node, nullptr};
}

Part member_of(const polycodec_node& node, const std::string& name) {
  std::vector<std::string> known;
  if (node.kind == POLYCODEC_KIND_OBJECT || node.kind == POLYCODEC_KIND_MAP) {
    for (std::uint64_t i = 0; i < polycodec_node_size(&node); ++i) {
      const polycodec_node& key = node.as.nodes[2 * i];
      if (key.kind != POLYCODEC_KIND_STRING) continue;
      const std::string_view text = to_string_view({key.as.data, polycodec_node_size(&key)});
      if (text == name) return {&node.as.nodes[2 * i + 1], nullptr};
      if (known.size() < 1000) known.emplace_back(text);
    }
  }
  throw_no_name(name, known);
}

Part column_of(const polycodec_array& array, const std::string& name) {
  std::vector<std::string> known;
  if (array.layout == POLYCODEC_LAYOUT_RECORD && array.names != nullptr) {
    for (std::uint32_t i = 0; i < array.n_children; ++i) {
      const std::string_view text = to_string_view(array.names[i]);
      if (text == name) return {nullptr, array.children[i]};
      if (known.size() < 1000) known.emplace_back(text);
    }
  }
  throw_no_name(name, known);
}

Part item_of(const Part& in, std::uint64_t index) {
  std::uint64_t count = 0;
  const polycodec_node* nodes = nullptr;
  if (in.node != nullptr &&
      (in.node->kind == POLYCODEC_KIND_LIST || in.node->kind == POLYCODEC_KIND_TUPLE)) {
    nodes = in.node->as.nodes;
    count = polycodec_node_size(in.node);
  } else if (in.array != nullptr && in.array->layout == POLYCODEC_LAYOUT_DOCUMENT) {
    nodes = in.array->nodes;
    count = in.array->length;
  } else {
    throw Error(Status::type, "its items are not nodes: read them from the array");
  }
  if (index >= count)
    throw Error(Status::not_found,
                "there is no item " + std::to_string(index) + " of " + std::to_string(count));
  return {nodes + index, nullptr};
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

Part find_part(const polycodec_node* root, std::string_view path) {
  PathSteps steps(path);
  Part part{root, nullptr};
  while (!steps.is_done()) {
    const std::string before = steps.taken();
    const PathSteps::Step step = steps.next();
    const Part in = part.node != nullptr ? proper(part.node) : part;
    try {
      if (step.is_index)
        part = item_of(in, step.index);
      else
        part =
            in.node != nullptr ? member_of(*in.node, step.name) : column_of(*in.array, step.name);
    } catch (Error& e) {
      throw e.path(before);
    }
  }
  return part;
}

}  // namespace polycodec::c
