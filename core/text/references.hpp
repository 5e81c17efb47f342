// SPDX-License-Identifier: MIT
// Parts that a value has more than once, as numbers in its text: targets of references (`$id` and
// `$ref`) and shared arrays (`$same`).
#pragma once

#include <base/depth.hpp>
#include <base/edges.hpp>
#include <base/seeded_hash.hpp>
#include <polycodec/abi.h>

#include "core/value/host_meter.hpp"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace polycodec::text {

/// Calls `visit` for each node right inside `n`, but for targets of references and metadata. Arrays
/// for which `enter` is false are left out. Charges `meter`, because parts may be shared.
template <class Visit, class Enter>
void for_each_inside(const polycodec_node& n, HostMeter& meter, const Visit& visit,
                     const Enter& enter) {
  struct Inside : EdgeVisitor {
    HostMeter& meter;
    const Visit& visit;
    const Enter& enter;
    std::uint32_t depth;

    void nodes(const polycodec_node* block, std::uint64_t count) const {
      meter.tick(1 + count / 8);
      for (std::uint64_t i = 0; i < count; ++i) visit(block[i]);
    }
    void array(const polycodec_array* a) const {
      if (!enter(*a)) return;
      check_stack(depth);
      meter.tick(1 + children_of(*a).size());
      for_each_edge(*a, Inside{{}, meter, visit, enter, depth + 1});
    }
  };
  for_each_edge(n, Inside{{}, meter, visit, enter, 0});
}

/// The nodes of a value that references lead to, and the arrays that occur in it more than once.
class Targets {
 public:
  struct Target {
    std::uint64_t id;
    bool inside = false;   ///< it is part of the value, also without the reference
    bool printed = false;  ///< `$id` or `$ref` has said it
  };

  /// Looks at the value at `root`, once at each node and array.
  Targets(const polycodec_node& root, HostMeter& meter);
  bool empty() const noexcept { return found_.empty() && shared_.empty(); }
  Target* find(const polycodec_node* n) {
    if (found_.empty()) return nullptr;
    const auto at = found_.find(n);
    return at == found_.end() ? nullptr : &at->second;
  }

  /// The number of a shared array, 0 before it is numbered; null for an array that occurs once.
  std::uint64_t* shared(const polycodec_array& a) {
    const auto at = shared_.empty() ? shared_.end() : shared_.find(&a);
    return at == shared_.end() ? nullptr : &at->second;
  }
  std::uint64_t next_number() noexcept { return ++numbered_; }
  /// True if a reference in the value at `root` leads to what it is a part of.
  bool has_cycle(const polycodec_node& root, HostMeter& meter) const;
  /// True if arrays inside of `a` are shared. Throws Error(limit) where the stack ends.
  bool has_shared(const polycodec_array& a, std::uint32_t depth = 0);

 private:
  std::unordered_map<const polycodec_node*, Target> found_;
  std::unordered_map<const polycodec_array*, std::uint64_t> shared_;
  std::unordered_map<const polycodec_array*, bool> has_shared_;  // what was asked before
  std::uint64_t numbered_ = 0;
};

/// Nodes with a number that have been read. They move until all is read, so references are led to
/// them at the end.
class Labels {
 public:
  bool empty() const noexcept { return targets_.empty() && stubs_.empty(); }
  /// What references to `id` refer to until the end.
  const polycodec_node* stub(std::uint64_t id, const polycodec_node* fresh) {
    const auto at = stubs_.try_emplace(id, fresh).first;
    ids_.try_emplace(at->second, id);
    return at->second;
  }
  /// `target` has this number; false if another has it.
  bool place(std::uint64_t id, const polycodec_node* target) {
    return targets_.try_emplace(id, target).second;
  }
  /// What `wrapper` holds is `original`, and where it will be is the place of `id`.
  bool wrap(std::uint64_t id, const polycodec_annotated* wrapper, const polycodec_node& original) {
    originals_.try_emplace(wrapper, Original{id, original});
    return place(id, nullptr);
  }
  /// Leads all references to their targets. Returns false if one has no target.
  bool resolve(polycodec_node& root, HostMeter& meter);

 private:
  struct Original {
    std::uint64_t id;
    polycodec_node node;
  };
  SeededMap<std::uint64_t, const polycodec_node*> stubs_;
  std::unordered_map<const polycodec_node*, std::uint64_t> ids_;
  std::map<std::uint64_t, const polycodec_node*> targets_;
  std::unordered_map<const polycodec_annotated*, Original> originals_;
};

}  // namespace polycodec::text
