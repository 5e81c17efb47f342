// SPDX-License-Identifier: MIT
#include "survey.hpp"

#include <algorithm>

namespace polycodec::awkward {
namespace {

template <class Visit>
void for_each_part(const polycodec_node& n, Visit visit) {
  if (!has_parts(n)) return;
  switch (n.kind) {
    case POLYCODEC_KIND_ARRAY:
      for (std::uint64_t i = 0; i < n.as.array->length; ++i) visit(n.as.array->nodes[i]);
      return;
    case POLYCODEC_KIND_EXTENSION:
      return visit(*n.as.extension->payload);
    case POLYCODEC_KIND_UNION:
      return visit(*n.as.tagged->node);
    case POLYCODEC_KIND_ANNOTATED:
      visit(*n.as.annotated->node);
      return visit(*n.as.annotated->metadata);
    default: {
      const bool pairs = n.kind == POLYCODEC_KIND_OBJECT || n.kind == POLYCODEC_KIND_MAP;
      const std::uint64_t count = polycodec_node_size(&n) * (pairs ? 2 : 1);
      for (std::uint64_t i = 0; i < count; ++i) visit(n.as.nodes[i]);
    }
  }
}

}  // namespace

bool has_parts(const polycodec_node& n) noexcept {
  if (n.kind == POLYCODEC_KIND_ARRAY) return n.as.array->layout == POLYCODEC_LAYOUT_DOCUMENT;
  return (n.kind >= POLYCODEC_KIND_LIST && n.kind <= POLYCODEC_KIND_MAP) ||
         n.kind == POLYCODEC_KIND_EXTENSION || n.kind == POLYCODEC_KIND_ANNOTATED ||
         n.kind == POLYCODEC_KIND_UNION;
}

const polycodec_node& target_of(const polycodec_node& reference) noexcept {
  const polycodec_node* target = reference.as.node;
  return target->kind == POLYCODEC_KIND_ANNOTATED ? *target->as.annotated->node : *target;
}

void Survey::look_through(const polycodec_node& root) {
  survey(root);
  if (!targets_.empty()) tie(root);
  // What references alone lead to is looked through as well, which may find more of them.
  for (std::size_t at = 0; at < found_.size(); ++at) {
    const polycodec_node& target = *found_[at];
    if (tied_.contains(&target)) continue;
    outside_.insert(&target);
    survey(target);
    tie(target);
  }
}

void Survey::look_through_attributes(const polycodec_node& attributes) {
  const std::size_t targets = targets_.size();
  survey(attributes);
  if (targets_.size() != targets) state_.refuse("the attributes of an array have a reference");
}

bool Survey::survey(const polycodec_node& n) {
  state_.work(sizeof n);
  if (n.kind == POLYCODEC_KIND_REFERENCE) {
    if (targets_.insert(&target_of(n)).second) found_.push_back(&target_of(n));
    return false;
  }
  if (!has_parts(n)) return is_json_scalar(n);
  const Level level(state_);
  bool plain = n.kind == POLYCODEC_KIND_LIST || n.kind == POLYCODEC_KIND_OBJECT;
  for_each_part(n, [&](const polycodec_node& part) { plain = survey(part) && plain; });
  if (!plain) not_plain_.insert(&n);
  return plain;
}

bool Survey::tie(const polycodec_node& n) {
  state_.work(sizeof n);
  bool tied = n.kind == POLYCODEC_KIND_REFERENCE || targets_.contains(&n);
  for_each_part(n, [&](const polycodec_node& part) { tied = tie(part) || tied; });
  if (tied) tied_.insert(&n);
  return tied;
}

bool Survey::is_plain(const polycodec_node& n) const {
  return has_parts(n) ? !not_plain_.contains(&n) : is_json_scalar(n);
}

std::uint64_t Survey::number(const polycodec_node& target) {
  const auto [at, fresh] = ids_.try_emplace(&target, 0);
  if (fresh) at->second = state_.next_id();
  return at->second;
}

const std::uint64_t* Survey::find_number(const polycodec_node& n) const {
  const auto found = ids_.find(&n);
  return found == ids_.end() ? nullptr : &found->second;
}

void Survey::mark(const polycodec_node& list, std::span<const polycodec_node> items) {
  const auto plain = [&](const polycodec_node& n) { return is_plain(n); };
  const auto tied = [&](const polycodec_node& n) { return is_tied(n); };
  if (!std::ranges::all_of(items, plain)) not_plain_.insert(&list);
  if (std::ranges::any_of(items, tied)) tied_.insert(&list);
}

void Survey::forget(std::span<const polycodec_node> nodes) {
  for (const polycodec_node& n : nodes) {
    not_plain_.erase(&n);
    tied_.erase(&n);
  }
}

}  // namespace polycodec::awkward
