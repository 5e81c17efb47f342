// SPDX-License-Identifier: MIT
#include "core/text/references.hpp"

namespace polycodec::text {

namespace {

bool has_parts(const polycodec_node& n) noexcept {
  return n.kind >= POLYCODEC_KIND_LIST && n.kind != POLYCODEC_KIND_TIMESTAMP &&
         n.kind != POLYCODEC_KIND_DURATION;
}

}  // namespace

Targets::Targets(const polycodec_node& root, HostMeter& meter) {
  // Explicit stacks: the printer, which comes after this, is what bounds the depth.
  std::vector<const polycodec_node*> open{&root};
  std::vector<const polycodec_node*> starts{&root};
  const auto walk = [&](auto&& each) {
    while (!open.empty()) {
      const polycodec_node* n = open.back();
      open.pop_back();
      each(*n);
    }
  };
  walk([&](const polycodec_node& n) {
    if (n.kind == POLYCODEC_KIND_REFERENCE) {
      const std::uint64_t id = found_.size() + 1;
      if (!found_.try_emplace(n.as.node, Target{id}).second) return;
      starts.push_back(n.as.node);
      open.push_back(n.as.node);
      return;
    }
    const auto visit = [&](const polycodec_node& inner) {
      if (has_parts(inner)) open.push_back(&inner);
    };
    for_each_inside(n, meter, visit);
  });
  if (found_.empty()) return;
  if (Target* target = find(&root)) target->inside = true;
  for (const polycodec_node* start : starts) {
    open.push_back(start);
    walk([&](const polycodec_node& n) {
      const auto visit = [&](const polycodec_node& inner) {
        if (Target* target = find(&inner)) {
          // It is a start itself.
          target->inside = true;
          return;
        }
        if (has_parts(inner)) open.push_back(&inner);
      };
      for_each_inside(n, meter, visit);
    });
  }
}

bool Labels::resolve(polycodec_node& root, HostMeter& meter) {
  std::vector<polycodec_node*> references;
  std::vector<polycodec_node*> open{&root};
  for (const auto& [id, target] : targets_)
    if (target != nullptr) open.push_back(const_cast<polycodec_node*>(target));
  while (!open.empty()) {
    polycodec_node& n = *open.back();
    open.pop_back();
    if (n.kind == POLYCODEC_KIND_ANNOTATED) {
      if (const auto at = originals_.find(n.as.annotated); at != originals_.end()) {
        n = at->second.node;
        targets_[at->second.id] = &n;
      }
    }
    if (n.kind == POLYCODEC_KIND_REFERENCE) references.push_back(&n);
    // All of them were made by the reader, in its arena.
    const auto visit = [&](const polycodec_node& inner) {
      if (has_parts(inner)) open.push_back(const_cast<polycodec_node*>(&inner));
    };
    for_each_inside(n, meter, visit);
  }
  for (polycodec_node* n : references) {
    const auto id = ids_.find(n->as.node);
    if (id == ids_.end()) continue;  // of a target that is no part of the value
    const auto target = targets_.find(id->second);
    if (target == targets_.end() || target->second == nullptr) return false;
    n->as.node = target->second;
  }
  return true;
}

}  // namespace polycodec::text
