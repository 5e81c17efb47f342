// SPDX-License-Identifier: MIT
#include "registry/isolation/relocate.hpp"

#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

#include "core/wire/frame_header.hpp"
#include "registry/isolation/protocol.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace polycodec::isolation {

void Relocator::add(std::uint64_t from, std::uint64_t size, const void* to, bool writable) {
  if (size == 0) return;
  const auto after = std::ranges::upper_bound(ranges_, from, {}, &Moved::from);
  ranges_.insert(after, {from, size, number(to), writable});
}

const Relocator::Moved* Relocator::range_of(std::uint64_t at, std::uint64_t size) const noexcept {
  const auto holds = [&](const Moved& range) {
    return at - range.from < range.size && size <= range.size - (at - range.from);
  };
  if (last_ < ranges_.size() && holds(ranges_[last_])) return &ranges_[last_];
  const auto after = std::ranges::upper_bound(ranges_, at, {}, &Moved::from);
  if (after == ranges_.begin() || !holds(*std::prev(after))) return nullptr;
  last_ = static_cast<std::size_t>(std::prev(after) - ranges_.begin());
  return &ranges_[last_];
}

std::string_view Relocator::region_of(const void* data, std::uint64_t size) const noexcept {
  for (const Moved& range : ranges_) {
    const auto found =
        region_around(to_string_view(pointer<const void>(range.to), range.size), data, size);
    if (!found.empty()) return found;
  }
  return {};
}

const void* Relocator::find(std::uint64_t at, std::uint64_t size) const noexcept {
  const Moved* const range = range_of(at, size);
  return range == nullptr ? nullptr : pointer<const void>(at - range->from + range->to);
}

void Relocator::spend(std::uint64_t parts, std::uint32_t depth) {
  if (depth > max_depth_)
    throw Error(Status::limit,
                "the value is nested deeper than max_depth (" + std::to_string(max_depth_) + ")");
  if (parts > left_)
    throw Error(Status::plugin, "parts of the value overlap too often: each has its own memory");
  left_ -= parts;
}

template <class T>
bool Relocator::move(T*& at, std::uint64_t count) {
  if (count == 0) return false;
  const std::uint64_t size =
      count > (std::uint64_t{1} << 48) / sizeof(T) ? UINT64_MAX : count * sizeof(T);
  const Moved* const range = range_of(number(at), size);
  // What was moved already is not in a range any more.
  if (range == nullptr) return false;
  at = pointer<T>(number(at) - range->from + range->to);
  return range->writable && number(at) % alignof(T) == 0;
}

void Relocator::bytes(polycodec_bytes& part) {
  auto* data = static_cast<const char*>(part.data);
  move(data, part.size);
  part.data = data;
}

const polycodec_node* Relocator::root(const polycodec_node* root) {
  nodes(root, 1, 0);
  // References do not count as levels: a chain of them may be as long as the value.
  while (!targets_.empty()) {
    const polycodec_node* const target = targets_.back();
    targets_.pop_back();
    spend(1, 0);
    fix(const_cast<polycodec_node&>(*target), 0);
  }
  return root;
}

void Relocator::nodes(const polycodec_node*& block, std::uint64_t count, std::uint32_t depth) {
  if (!move(block, count)) return;
  spend(count, depth);
  for (std::uint64_t i = 0; i < count; ++i) fix(const_cast<polycodec_node&>(block[i]), depth);
}

void Relocator::fix(polycodec_node& node, std::uint32_t depth) {
  const std::uint64_t size = polycodec_node_size(&node);
  const auto run = [&](std::uint64_t length) {
    auto* data = static_cast<const char*>(node.as.data);
    move(data, length);
    node.as.data = data;
  };
  switch (node.kind) {
    case POLYCODEC_KIND_WIDE:
      return run(dtype_size(node.dtype));
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
      return run(size);
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE:
      return nodes(node.as.nodes, size, depth + 1);
    case POLYCODEC_KIND_OBJECT:
    case POLYCODEC_KIND_MAP:
      return nodes(node.as.nodes, 2 * size, depth + 1);
    case POLYCODEC_KIND_ARRAY:
      return array(node.as.array, depth + 1);
    case POLYCODEC_KIND_EXTENSION:
      if (!move(node.as.extension, 1)) return;
      bytes(const_cast<polycodec_bytes&>(node.as.extension->name));
      return nodes(const_cast<const polycodec_node*&>(node.as.extension->payload), 1, depth + 1);
    case POLYCODEC_KIND_REFERENCE:
      if (move(node.as.node, 1)) targets_.push_back(node.as.node);
      return;
    case POLYCODEC_KIND_ANNOTATED:
      if (!move(node.as.annotated, 1)) return;
      nodes(const_cast<const polycodec_node*&>(node.as.annotated->node), 1, depth + 1);
      return nodes(const_cast<const polycodec_node*&>(node.as.annotated->metadata), 1, depth + 1);
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      move(node.as.time, 1);
      return;
    case POLYCODEC_KIND_UNION:
      if (!move(node.as.tagged, 1)) return;
      return nodes(const_cast<const polycodec_node*&>(node.as.tagged->node), 1, depth + 1);
    default:
      return;
  }
}

void Relocator::array(const polycodec_array*& array, std::uint32_t depth) {
  if (!move(array, 1)) return;
  spend(1, depth);
  fix(const_cast<polycodec_array&>(*array), depth);
}

void Relocator::fix(polycodec_array& a, std::uint32_t depth) {
  const bool is_leaf = a.layout == POLYCODEC_LAYOUT_NDARRAY;
  if (is_leaf && a.buffer_size != 0)
    if (const void* const moved = find(number(a.buffer), a.buffer_size); moved != nullptr) {
      a.data = pointer<const void>(number(a.data) - number(a.buffer) + number(moved));
      a.buffer = moved;
    }
  if (is_leaf) {
    move(a.shape, a.ndim);
    move(a.strides, a.ndim);
  }
  const auto column = [&](polycodec_column& c, bool second) {
    const auto items = wire::column_items(a.layout, a.length, a.n_children, second);
    if (!items || *items == 0 || c.data == nullptr) return;
    const auto span = wire::column_span(*items, c.stride, dtype_size(c.dtype));
    if (!span) return;
    const auto low = static_cast<std::uint64_t>(span->low);
    const void* const moved =
        find(number(c.data) + low, static_cast<std::uint64_t>(span->high) - low);
    if (moved != nullptr) c.data = pointer<const void>(number(moved) - low);
  };
  column(a.index, false);
  column(a.tags, true);
  const std::size_t count = children_of(a).size();
  spend(count, depth);
  if (move(a.children, count)) {
    auto** const children = const_cast<const polycodec_array**>(a.children);
    for (std::size_t i = 0; i < count; ++i) array(children[i], depth + 1);
  }
  if (names_of(a) != nullptr && move(a.names, a.n_children)) {
    auto* const names = const_cast<polycodec_bytes*>(a.names);
    for (std::uint32_t i = 0; i < a.n_children; ++i) bytes(names[i]);
  }
  if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) nodes(a.nodes, a.length, depth + 1);
  if (a.metadata != nullptr) nodes(a.metadata, 1, depth + 1);
}

}  // namespace polycodec::isolation
