// SPDX-License-Identifier: MIT
#include "core/text/references.hpp"

#include <base/depth.hpp>

#include <algorithm>
#include <unordered_set>

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
  // An array counts each time that something has it, and is entered once.
  const auto count = [&](const polycodec_array& a) { return ++shared_[&a] == 1; };
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
    for_each_inside(n, meter, visit, count);
  });
  std::erase_if(shared_, [](const auto& array) { return array.second == 1; });
  for (auto& [array, number] : shared_) number = 0;
  if (found_.empty()) return;
  if (Target* target = find(&root)) target->inside = true;
  std::unordered_set<const polycodec_array*> entered;
  const auto enter = [&](const polycodec_array& a) {
    return !shared_.contains(&a) || entered.insert(&a).second;
  };
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
      for_each_inside(n, meter, visit, enter);
    });
  }
}

bool Targets::has_cycle(const polycodec_node& root, HostMeter& meter) const {
  if (found_.empty()) return false;
  // What is known of targets and shared arrays: false while the walk is inside of them.
  std::unordered_map<const void*, bool> done;
  struct Open {
    const polycodec_node* node;
    const polycodec_array* array;
    const void* end;  // the walk leaves it here
  };
  std::vector<Open> open{{&root, nullptr, nullptr}};
  bool cycle = false;
  const auto is_new = [&](const void* part) {
    const auto [at, fresh] = done.try_emplace(part, false);
    if (fresh) open.push_back({nullptr, nullptr, part});
    cycle = cycle || (!fresh && !at->second);
    return fresh;
  };
  const auto visit = [&](const polycodec_node& n) {
    if (has_parts(n)) open.push_back({&n, nullptr, nullptr});
  };
  while (!open.empty() && !cycle) {
    const Open next = open.back();
    open.pop_back();
    meter.tick(1);
    if (next.end != nullptr) {
      done[next.end] = true;
    } else if (const polycodec_array* a = next.array) {
      if (shared_.contains(a) && !is_new(a)) continue;
      for (const polycodec_array* child : children_of(*a))
        open.push_back({nullptr, child, nullptr});
      for (std::uint64_t i = 0; a->layout == POLYCODEC_LAYOUT_DOCUMENT && i < a->length; ++i)
        visit(a->nodes[i]);
    } else {
      const polycodec_node& n = *next.node;
      if (found_.contains(&n) && !is_new(&n)) continue;
      if (n.kind == POLYCODEC_KIND_ARRAY)
        open.push_back({nullptr, n.as.array, nullptr});
      else if (n.kind == POLYCODEC_KIND_REFERENCE)
        visit(*n.as.node);
      else
        for_each_inside(n, meter, visit, [](const polycodec_array&) { return true; });
    }
  }
  return cycle;
}

bool Targets::has_shared(const polycodec_array& a, std::uint32_t depth) {
  if (shared_.empty()) return false;
  const auto [at, is_new] = has_shared_.try_emplace(&a, false);
  if (!is_new) return at->second;
  check_stack(depth);
  return has_shared_[&a] = std::ranges::any_of(children_of(a), [&](const polycodec_array* child) {
           return shared_.contains(child) || has_shared(*child, depth + 1);
         });
}

bool Labels::resolve(polycodec_node& root, HostMeter& meter) {
  std::unordered_set<const polycodec_array*> entered;
  const auto enter = [&](const polycodec_array& a) { return entered.insert(&a).second; };
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
    for_each_inside(n, meter, visit, enter);
  }
  for (polycodec_node* n : references) {
    const auto id = ids_.find(n->as.node);
    if (id == ids_.end()) continue;  // of a target that is not a part of the value
    const auto target = targets_.find(id->second);
    if (target == targets_.end() || target->second == nullptr) return false;
    n->as.node = target->second;
  }
  return true;
}

}  // namespace polycodec::text
