// SPDX-License-Identifier: MIT
// What is known of the nodes of a value before it is written.
#pragma once

#include "writing.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace polycodec::awkward {

/// True for a node with nodes inside. Of arrays these are arrays of documents.
bool has_parts(const polycodec_node& n) noexcept;
/// The node that a reference leads to. Attributes belong to what is inside, and so does a
/// reference.
const polycodec_node& target_of(const polycodec_node& reference) noexcept;

/// Knows the targets of references, their numbers, and which nodes are plain JSON.
class Survey {
 public:
  explicit Survey(Writing& state) noexcept : state_(state) {}

  /// Looks through all of the value.
  void look_through(const polycodec_node& root);
  /// Looks through attributes of an array, which was not done before: what they refer to may be
  /// written already, so that a reference is refused.
  void look_through_attributes(const polycodec_node& attributes);
  /// True for plain JSON.
  bool is_plain(const polycodec_node& n) const;
  /// True for a node with references or their targets inside.
  bool is_tied(const polycodec_node& n) const { return tied_.contains(&n); }
  bool is_target(const polycodec_node& n) const { return targets_.contains(&n); }
  /// True for a target that only references lead to, and that has no number yet.
  bool is_due(const polycodec_node& target) const {
    return outside_.contains(&target) && !ids_.contains(&target);
  }
  /// The number of a target, a new one if it has none.
  std::uint64_t number(const polycodec_node& target);
  /// Its number, or NULL.
  const std::uint64_t* find_number(const polycodec_node& n) const;
  /// Marks a list that is not a part of the value as one of these items.
  void mark(const polycodec_node& list, std::span<const polycodec_node> items);
  /// The memory of these nodes will be that of others.
  void forget(std::span<const polycodec_node> nodes);

 private:
  bool survey(const polycodec_node& n);
  bool tie(const polycodec_node& n);

  Writing& state_;
  std::unordered_set<const polycodec_node*> targets_;  // of references
  std::vector<const polycodec_node*> found_;  // the same in the order in which they were found
  std::unordered_set<const polycodec_node*> outside_;  // targets that only references lead to
  std::unordered_map<const polycodec_node*, std::uint64_t> ids_;  // of targets
  std::unordered_set<const polycodec_node*> not_plain_;  // containers that are not plain JSON
  std::unordered_set<const polycodec_node*> tied_;
};

}  // namespace polycodec::awkward
