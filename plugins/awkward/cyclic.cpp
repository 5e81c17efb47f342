// SPDX-License-Identifier: MIT
#include <base/column_read.hpp>

#include "array_parts.hpp"
#include "deferred.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace polycodec::awkward {
namespace {

class Cycles {
 public:
  Cycles(Builder& out, const Call& call, const DeferredTargets& targets)
      : out_(out), call_(call), targets_(targets), limits_(call.limits()), search_(call) {}

  polycodec_node resolve(const polycodec_node& root) { return node(root, limits_.max_depth); }

 private:
  /// An array that leads to a deferred one: its rows as nodes.
  struct Rows {
    std::uint64_t length = unknown;
    polycodec_node* nodes = nullptr;
    bool measuring = false, filled = false;
  };
  static constexpr std::uint64_t unknown = UINT64_MAX;

  [[noreturn]] static void fail(Status status, std::string_view word, const std::string& why) {
    throw Error(status, why).detail(word);
  }
  const polycodec_array* target(const polycodec_array& deferred) const {
    return targets_.at(deferred_id(deferred));
  }

  // -- lengths --
  std::uint64_t length_of(const polycodec_array& a, std::uint32_t depth) {
    search_.step(depth);
    if (is_deferred(a)) return length_of(*target(a), depth - 1);
    if (a.layout != POLYCODEC_LAYOUT_RECORD || !search_.in(a, depth)) return a.length;
    Rows& rows = rows_[&a];
    if (rows.length != unknown) return rows.length;
    if (rows.measuring) return unknown;  // through this column it says nothing
    rows.measuring = true;
    std::uint64_t length = unknown;
    for (std::uint32_t i = 0; i < a.n_children; ++i)
      length = std::min(length, length_of(*a.children[i], depth - 1));
    rows.measuring = false;
    rows.length = length;
    if (length == unknown)
      fail(Status::malformed, "expression.endless",
           "a table whose only columns are itself has no length");
    return length;
  }

  Rows& rows_of(const polycodec_array& a, std::uint32_t depth) {
    const std::uint64_t length = length_of(a, depth);
    Rows& rows = rows_[&a];
    if (rows.nodes == nullptr) {
      count_ += length;
      if (count_ > limits_.max_nodes)
        fail(Status::limit, "awkward.limit",
             "the arrays of a cycle have more rows than the limit (max_nodes)");
      rows.length = length;
      rows.nodes = out_.allocate<polycodec_node>(std::max<std::uint64_t>(length, 1));
    }
    return rows;
  }

  // -- rows as nodes --
  [[noreturn]] static void fail_range(const char* what, std::uint64_t row, std::uint64_t at,
                                      std::uint64_t length) {
    fail(Status::malformed, "index.range",
         std::string(what) + " in row " + std::to_string(row) + " is " + std::to_string(at) +
             ", but the array that it refers to has " + std::to_string(length) + " items");
  }

  /// All rows of `a`, which leads back, or is any other array beside such.
  const polycodec_node* fill(const polycodec_array& a, std::uint32_t depth) {
    search_.step(depth);
    if (is_deferred(a)) {
      const polycodec_array& to = *target(a);
      Rows& there = rows_of(to, depth - 1);
      const std::uint64_t length = there.length;
      auto* nodes = allocate(length);
      for (std::uint64_t i = 0; i < length; ++i) nodes[i] = Builder::reference(&there.nodes[i]);
      pending_.push_back(&to);
      return nodes;
    }
    if (Rows& rows = rows_of(a, depth); rows.filled) return rows.nodes;
    std::vector<const polycodec_node*> children(a.n_children, nullptr);
    std::vector<std::uint64_t> lengths(a.n_children, 0);
    for (std::uint32_t i = 0; i < a.n_children; ++i) {
      const polycodec_array& child = *a.children[i];
      lengths[i] = length_of(child, depth - 1);
      if (search_.in(child, depth - 1)) children[i] = fill(child, depth - 1);
    }
    Rows& rows = rows_[&a];
    rows.filled = true;
    if (a.metadata != nullptr && &a != start_ && !std::exchange(has_warned_, true))
      call_.log(POLYCODEC_LOG_WARNING,
                "awkward: attributes of arrays inside of a cycle are left out, because their rows "
                "become nodes");
    const ArrayView view(a);
    std::uint64_t i = 0, start = 0;  // of the rows, and of the chunk that they have come to
    std::uint32_t chunk = 0;
    const auto item = [&](std::uint32_t child, std::uint64_t at) {
      if (at >= lengths[child]) fail_range("the item", i, at, lengths[child]);
      return children[child] != nullptr ? children[child][at]
                                        : element_node(out_, *a.children[child], at);
    };
    for (; i < rows.length; ++i) {
      polycodec_node& to = rows.nodes[i];
      switch (a.layout) {
        case POLYCODEC_LAYOUT_LIST_OFFSETS:
        case POLYCODEC_LAYOUT_LIST_VIEW:
        case POLYCODEC_LAYOUT_LIST_FIXED: {
          const auto range = view.range(i);
          if (range.begin > range.end || (range.begin != range.end && range.end > lengths[0]))
            fail_range("the end of the list", i, range.end, lengths[0]);
          to = polycodec_node_make(POLYCODEC_KIND_LIST, 0, range.end - range.begin);
          to.as.nodes = range.begin == range.end ? children[0] : children[0] + range.begin;
          break;
        }
        case POLYCODEC_LAYOUT_RECORD:
        case POLYCODEC_LAYOUT_UNION:
        case POLYCODEC_LAYOUT_OPTION_BYTES:
        case POLYCODEC_LAYOUT_OPTION_BITS:
        case POLYCODEC_LAYOUT_INDEXED:
          to = row_node(out_, view, i, item);
          break;
        case POLYCODEC_LAYOUT_CHUNKED: {
          while (i - start >= lengths[chunk]) start += lengths[chunk++];
          to = item(chunk, i - start);
          break;
        }
        default:
          to = node(element_node(out_, a, i), depth - 1);
      }
    }
    return rows.nodes;
  }

  polycodec_node* allocate(std::uint64_t count) {
    count_ += count;
    if (count_ > limits_.max_nodes)
      fail(Status::limit, "awkward.limit",
           "the arrays of a cycle have more rows than the limit (max_nodes)");
    return out_.allocate<polycodec_node>(std::max<std::uint64_t>(count, 1));
  }

  const polycodec_array* as_documents(const polycodec_array& a, std::uint32_t depth) {
    if (!search_.in(a, depth)) return &a;
    refuse_endless(a, depth);
    start_ = &a;
    const polycodec_node* nodes = fill(a, depth);
    // What is referred to may be nowhere but in the reference: the value may have a copy of its
    // header.
    while (!pending_.empty()) {
      const polycodec_array& next = *pending_.back();
      pending_.pop_back();
      fill(next, depth);
    }
    polycodec_array* documents = out_.new_array(POLYCODEC_LAYOUT_DOCUMENT, length_of(a, depth));
    documents->nodes = nodes;
    documents->metadata = a.metadata;
    refuse_loops();
    return documents;
  }

  polycodec_node node(const polycodec_node& n, std::uint32_t depth) {
    search_.step(depth);
    if (n.kind == POLYCODEC_KIND_ARRAY) return Builder::array(as_documents(*n.as.array, depth - 1));
    const bool object = n.kind == POLYCODEC_KIND_OBJECT;
    if ((!object && n.kind != POLYCODEC_KIND_LIST && n.kind != POLYCODEC_KIND_TUPLE) ||
        !search_.in(n, depth))
      return n;
    const std::uint64_t count = polycodec_node_size(&n) * (object ? 2 : 1);
    polycodec_node copy = n;
    auto* nodes = out_.allocate<polycodec_node>(count);
    for (std::uint64_t i = 0; i < count; ++i)
      nodes[i] = object && i % 2 == 0 ? n.as.nodes[i] : node(n.as.nodes[i], depth - 1);
    copy.as.nodes = nodes;
    return copy;
  }

  // -- what has no end --
  /// A cycle of tables and indices alone: each row leads to another, and none can be empty or
  /// missing.
  void refuse_endless(const polycodec_array& start, std::uint32_t depth) {
    std::unordered_map<const polycodec_array*, bool> running;
    walk_endless(start, running, depth);
  }
  void walk_endless(const polycodec_array& a,
                    std::unordered_map<const polycodec_array*, bool>& running,
                    std::uint32_t depth) {
    search_.step(depth);
    const polycodec_array& at = is_deferred(a) ? *target(a) : a;
    if (!search_.in(at, depth)) return;
    const auto [found, fresh] = running.emplace(&at, true);
    if (!fresh) {
      if (found->second && length_of(at, depth) != 0)
        fail(Status::malformed, "expression.endless",
             "an array that contains itself without an end: its items cannot be written out");
      return;
    }
    // Lists may be empty, items missing, and members of a union others; after them a row may end.
    const bool may_end =
        ArrayView(at).is_list() || ArrayView(at).is_option() ||
        at.layout == POLYCODEC_LAYOUT_UNION ||
        (at.layout == POLYCODEC_LAYOUT_INDEXED && has_negative(at.index, at.length));
    if (may_end) {
      std::unordered_map<const polycodec_array*, bool> inner;
      if (checked_.emplace(&at, true).second)
        for (std::uint32_t i = 0; i < at.n_children; ++i)
          walk_endless(*at.children[i], inner, depth - 1);
    } else {
      for (std::uint32_t i = 0; i < at.n_children; ++i)
        walk_endless(*at.children[i], running, depth - 1);
    }
    running[&at] = false;
  }

  /// Rows that are nothing but references to each other.
  void refuse_loops() {
    for (const auto& [array, rows] : rows_) {
      if (!rows.filled) continue;
      for (std::uint64_t i = 0; i < rows.length; ++i) {
        const polycodec_node* slow = &rows.nodes[i];
        const polycodec_node* fast = slow;
        while (fast->kind == POLYCODEC_KIND_REFERENCE &&
               fast->as.node->kind == POLYCODEC_KIND_REFERENCE) {
          fast = fast->as.node->as.node;
          slow = slow->as.node;
          if (fast == slow)
            fail(Status::malformed, "expression.endless",
                 "row " + std::to_string(i) + " of an array stands for itself");
        }
      }
    }
  }

  Builder& out_;
  const Call& call_;
  const DeferredTargets& targets_;
  const polycodec_limits& limits_;
  DeferredSearch search_;
  std::unordered_map<const polycodec_array*, bool> checked_;
  std::unordered_map<const polycodec_array*, Rows> rows_;
  std::vector<const polycodec_array*> pending_;  // referred to
  const polycodec_array* start_ = nullptr;       // whose rows are wanted
  bool has_warned_ = false;
  std::uint64_t count_ = 0;
};

}  // namespace

polycodec_node resolve_cycles(Builder& out, const Call& call, const polycodec_node& root,
                              const DeferredTargets& targets) {
  return Cycles(out, call, targets).resolve(root);
}

}  // namespace polycodec::awkward
