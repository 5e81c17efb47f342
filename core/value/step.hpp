// SPDX-License-Identifier: MIT
// Where a walk over a value is, kept on the stack: it becomes text only when somebody asks.
#pragma once

#include <polycodec/path.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::detail {

/// One step of the path from the root of a walk.
struct Step {
  enum Kind : std::uint8_t { item, key, part, column };
  const Step* up;
  const View* parent;
  std::uint64_t i;
  Kind kind;
  std::string_view name;  // where kind is column
  Part which{};           // where kind is part
};

/// With `any`, `[*]` stands for the index of a list's item.
inline void append_step(std::string& text, const Step& step, bool any = false) {
  if (step.kind == Step::part) return append_part(text, step.which);
  if (step.kind == Step::key) return append_part(text, Part::key, step.i);
  if (step.kind == Step::column)
    return step.name.empty() ? append_part(text, Part::field, step.i) : append_key(text, step.name);
  if (step.parent->kind() == POLYCODEC_KIND_OBJECT)
    return append_key(text, step.parent->name(step.i));
  if (step.parent->kind() == POLYCODEC_KIND_MAP) return append_part(text, Part::value, step.i);
  if (any)
    text += "[*]";
  else
    append_index(text, step.i);
}

/// The steps as text after `prefix`; a long path is cut. `any`: see append_step().
inline std::string path_of(const Step* at, std::string prefix = std::string(path_root),
                           bool any = false) {
  std::vector<const Step*> steps;
  for (; at != nullptr; at = at->up) steps.push_back(at);
  std::string text = std::move(prefix);
  for (std::size_t i = steps.size(); i-- > 0 && text.size() < 4096;)
    append_step(text, *steps[i], any);
  return text;
}

}  // namespace polycodec::detail
