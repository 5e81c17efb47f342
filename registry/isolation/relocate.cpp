// SPDX-License-Identifier: MIT
#include "registry/isolation/relocate.hpp"

#include <base/edges.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>

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

/// Moves the pointers of one node or array, and what they lead to.
struct Relocator::Mover : EdgeVisitor {
  Relocator& by;
  std::uint32_t depth;  // of what is inside

  void bytes(const void*& data, std::uint64_t size) {
    auto* at = static_cast<const char*>(data);
    by.move(at, size);
    data = at;
  }
  void nodes(const polycodec_node*& block, std::uint64_t count) { by.nodes(block, count, depth); }
  void metadata(const polycodec_node*& attributes) { nodes(attributes, 1); }
  void target(const polycodec_node*& node) {
    if (by.move(node, 1)) by.targets_.push_back(node);
  }
  void array(const polycodec_array*& of) {
    if (!by.move(of, 1)) return;
    auto& moved = const_cast<polycodec_array&>(*of);
    by.spend(1 + children_of(moved).size(), depth);
    for_each_edge(moved, Mover{{}, by, depth + 1});
  }
  template <class T>
  bool table(T*& of, std::uint64_t count) {
    return by.move(of, count);
  }
  void buffer(polycodec_array& leaf) {
    const void* const moved =
        leaf.buffer_size == 0 ? nullptr : by.find(number(leaf.buffer), leaf.buffer_size);
    if (moved == nullptr) return;
    leaf.data = pointer<const void>(number(leaf.data) - number(leaf.buffer) + number(moved));
    leaf.buffer = moved;
  }
  void extents(const std::int64_t*& of, std::uint32_t ndim) { by.move(of, ndim); }
  void column(polycodec_column& of, std::uint64_t items) {
    const auto span = column_span(items, of.stride, dtype_size(of.dtype));
    if (!span) return;
    const auto low = static_cast<std::uint64_t>(span->low);
    if (const void* const moved = by.find(number(of.data) + low, span->size()))
      of.data = pointer<const void>(number(moved) - low);
  }
};

const polycodec_node* Relocator::root(const polycodec_node* root) {
  nodes(root, 1, 0);
  // References do not count as levels: a chain of them may be as long as the value.
  while (!targets_.empty()) {
    const polycodec_node* const target = targets_.back();
    targets_.pop_back();
    spend(1, 0);
    for_each_edge(const_cast<polycodec_node&>(*target), Mover{{}, *this, 1});
  }
  return root;
}

void Relocator::nodes(const polycodec_node*& block, std::uint64_t count, std::uint32_t depth) {
  if (!move(block, count)) return;
  spend(count, depth);
  auto* const nodes = const_cast<polycodec_node*>(block);
  for (std::uint64_t i = 0; i < count; ++i) for_each_edge(nodes[i], Mover{{}, *this, depth + 1});
}

}  // namespace polycodec::isolation
