// SPDX-License-Identifier: MIT
#include "core/value/kept.hpp"

#include <polycodec/path.hpp>

#include "core/value/compare_text.hpp"
#include "core/value/step.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::detail {
namespace {

bool is_item(const Step& step) {
  return step.kind == Step::item && step.parent != nullptr && step.parent->is_list();
}

/// The steps to members alone, from the root.
std::vector<const Step*> members(const Step* at) {
  std::vector<const Step*> steps;
  for (; at != nullptr; at = at->up)
    if (!is_item(*at) && at->kind != Step::part) steps.push_back(at);
  std::ranges::reverse(steps);
  return steps;
}

std::string_view name_of(const Step& step) {
  if (step.kind == Step::column) return step.name;
  return step.kind == Step::item && step.parent->is_object() ? step.parent->name(step.i)
                                                             : std::string_view();
}

std::string member_path(const Step* at) {
  std::string text(path_root);
  for (const Step* step : members(at)) {
    if (text.size() > 4096) break;
    if (step->kind == Step::key)
      append_part(text, Part::key);
    else if (step->kind == Step::item && step->parent->is_map())
      append_part(text, Part::value);
    else
      append_step(text, *step);
  }
  return text;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t more) {
  return (hash ^ more) * 0x9E3779B97F4A7C15u;
}

/// A number for a member and its types, the same for all rows.
std::uint64_t number_of(const Step* at, std::uint64_t types) {
  std::uint64_t hash = mixed(types, 1);
  for (; at != nullptr; at = at->up) {
    if (is_item(*at) || at->kind == Step::part) continue;
    const std::string_view name = name_of(*at);
    hash = mixed(hash, name.empty() ? std::uint64_t{at->kind} : std::uint64_t{SeededHash()(name)});
  }
  return hash;
}

}  // namespace

bool KeptNotes::is_new(const Step* at, std::uint64_t types, Kept kept) {
  lower(kept);
  return found_.retyped.size() < max_retyped && seen_.insert(number_of(at, types)).second;
}

void KeptNotes::types(const Step* at, std::uint32_t from, std::uint32_t to) {
  if (is_new(at, std::uint64_t{from} << 32 | to, Kept::same_numbers))
    found_.retyped.push_back({member_path(at), dtype_text(from), dtype_text(to)});
}

void KeptNotes::types(const Step* at, std::string_view from, std::string_view to, Kept kept) {
  const SeededHash number;
  if (from == to) return lower(kept);
  if (is_new(at, mixed(number(from), number(to)), kept))
    found_.retyped.push_back({member_path(at), std::string(from), std::string(to)});
}

bool KeptNotes::difference(std::string path, bool is_missing,
                           const std::function<std::string()>& reason) {
  lower(Kept::different);
  const bool is_covered = covers_(path, is_missing);
  if (!found_.difference || !is_covered) found_.difference = {std::move(path), reason()};
  found_.is_covered = is_covered;
  return is_covered;
}

}  // namespace polycodec::detail
