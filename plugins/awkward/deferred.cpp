// SPDX-License-Identifier: MIT
#include "deferred.hpp"

#include "array_parts.hpp"

#include <algorithm>
#include <string>

namespace polycodec::awkward {
namespace {

/// The index of deferred arrays. No other array has this one, whatever a file says.
constexpr std::int64_t deferred_index = 0;

}  // namespace

polycodec_array* make_deferred(Builder& out, std::uint64_t most) {
  polycodec_array* item = out.new_array(POLYCODEC_LAYOUT_DOCUMENT, 1);
  item->nodes = out.store(Builder::null());
  return indexed(out, {&deferred_index, 0, POLYCODEC_DTYPE_INT64, 0},
                 std::min<std::uint64_t>(most, INT64_MAX), *item);
}

bool is_deferred(const polycodec_array& array) noexcept {
  return array.layout == POLYCODEC_LAYOUT_INDEXED && array.index.data == &deferred_index;
}

const polycodec_array* deferred_id(const polycodec_array& deferred) noexcept {
  return deferred.children[0];
}

bool has_unknown_length(const polycodec_array& array) noexcept {
  if (array.layout != POLYCODEC_LAYOUT_RECORD || array.n_children == 0) return is_deferred(array);
  for (std::uint32_t i = 0; i < array.n_children; ++i)
    if (array.children[i]->length != array.length || !has_unknown_length(*array.children[i]))
      return false;
  return true;
}

void DeferredSearch::step(std::uint32_t depth) const {
  if (depth == 0)
    throw Error(Status::limit, "the arrays of a cycle are nested deeper than the limit (max_depth)")
        .detail("awkward.limit");
  call_.tick();
  call_.check_stack();
}

bool DeferredSearch::in(const polycodec_array& a, std::uint32_t depth) {
  step(depth);
  if (a.metadata != nullptr) refuse(a.metadata, "the attributes of an array", depth);
  if (is_deferred(a)) return true;
  if (const auto found = known_.find(&a); found != known_.end()) return found->second;
  bool any = false;
  for (std::uint32_t i = 0; i < a.n_children; ++i) any = in(*a.children[i], depth - 1) || any;
  if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) any = in_all(a.nodes, a.length, 1, depth - 1);
  return known_[&a] = any;
}

bool DeferredSearch::in_all(const polycodec_node* nodes, std::uint64_t count, std::uint64_t every,
                            std::uint32_t depth) {
  bool any = false;
  for (std::uint64_t i = every - 1; i < count; i += every) any = in(nodes[i], depth) || any;
  return any;
}

bool DeferredSearch::in(const polycodec_node& n, std::uint32_t depth) {
  step(depth);
  const std::uint64_t size = polycodec_node_size(&n);
  switch (n.kind) {
    case POLYCODEC_KIND_ARRAY:
      return in(*n.as.array, depth - 1);
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      return in_all(n.as.nodes, size, 1, depth - 1);
    case POLYCODEC_KIND_OBJECT:
      return in_all(n.as.nodes, 2 * size, 2, depth - 1);
    case POLYCODEC_KIND_MAP:
      for (std::uint64_t i = 0; i < 2 * size; ++i) refuse(&n.as.nodes[i], "a map", depth);
      return false;
    case POLYCODEC_KIND_EXTENSION:
      refuse(n.as.extension->payload, "an extension", depth);
      return false;
    case POLYCODEC_KIND_UNION:
      refuse(n.as.tagged->node, "a member of a union", depth);
      return false;
    case POLYCODEC_KIND_ANNOTATED:
      refuse(n.as.annotated->metadata, "the attributes of a value", depth);
      refuse(n.as.annotated->node, "a value with attributes", depth);
      return false;
    default:
      return false;
  }
}

void DeferredSearch::refuse(const polycodec_node* node, const char* what, std::uint32_t depth) {
  if (!in(*node, depth - 1)) return;
  throw Error(Status::unsupported, std::string(what) + " cannot hold a cyclic reference")
      .detail("expression.cycle");
}

void refuse_deferred(const Call& call, const polycodec_node& args, const polycodec_node* kwargs) {
  DeferredSearch search(call);
  const std::uint32_t depth = call.limits().max_depth;
  if (search.in(args, depth) || (kwargs != nullptr && search.in(*kwargs, depth)))
    throw Error(Status::unsupported, "a function of another plugin cannot get a cyclic reference")
        .detail("expression.cycle");
}

}  // namespace polycodec::awkward
