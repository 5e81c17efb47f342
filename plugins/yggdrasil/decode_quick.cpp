// SPDX-License-Identifier: MIT
// What documents mostly consist of: strings without escapes, short numbers, small containers.
#include "decode.hpp"
#include "usual_token.hpp"

#include <algorithm>

namespace polycodec::yggdrasil {

// What is unusual, and all that is wrong, is left to Decoder::parse().
void read_usual(Place& place, Decoding& state, JsonIndex& index, const bool typed,
                const std::size_t base_frames) {
  using Index = JsonIndex::Place;
  using Next = Place::Next;
  const char* const base = index.base();
  const Index* at = index.next();
  polycodec_node* const stack = state.stack.begin();
  polycodec_node* top = place.top;
  polycodec_node* first = stack + place.first;
  // Each place makes a node at most.
  const Index* const low = at + std::min(index.low() - at, place.limit - top);
  std::uint32_t depth = place.depth;
  const auto outermost = depth - static_cast<std::uint32_t>(state.frames.size() - base_frames - 1);
  std::uint32_t deepest = state.deepest;
  polycodec_arena* const arena = state.out.arena();
  auto* memory = arena->cursor +
                 (-reinterpret_cast<std::uintptr_t>(arena->cursor) & (alignof(polycodec_node) - 1));
  if (arena->limit - arena->cursor < static_cast<std::ptrdiff_t>(sizeof *top)) return;
  const auto most =
      static_cast<std::size_t>(std::min<std::uint64_t>(state.call.limits().max_elements, 1u << 16));
  const char* p = place.p;
  Next next = Next::after_value;
  bool object = place.object;
  std::size_t count = 0;
  // Makes a node of the string, number or word at `p`, which is the place `at`. False: it is not of
  // the usual kind. In line twice: the branches of items and of members are foreseen apart.
  const auto scalar = [&]() __attribute__((always_inline)) {
    if (*p != '"') {
      p = usual_scalar(base, at, *p, top);
      if (p == nullptr) [[unlikely]]
        return false;
      ++at;
    } else {
      const char* const end = base + at[1];
      if (*end != '"' || (typed && p[1] == '-')) [[unlikely]]
        return false;
      put_text(top, p + 1, static_cast<std::size_t>(end - p - 1));
      at += 2;
      p = end + 1;
    }
    ++top;
    return true;
  };
  if (object) goto after_member;
  goto after_item;

item:
  p = base + *at;
  if (at >= low) [[unlikely]]
    goto leave_value;
  if (*p == '[') goto open_list;
  if (*p == '{') goto open_object;
  if (!scalar()) [[unlikely]]
    goto leave_value;
after_item:
  if (*p <= ' ' && is_json_space(*p) && is_json_space(base[*at - 1])) p = base + *at;
  if (*p == ',') {
    if (p == base + *at) {
      ++at;
      if (!is_json_space(base[*at - 1])) [[unlikely]]
        goto wrong_value;
    }
    goto item;
  }
  if (*p != ']') [[unlikely]]
    goto leave;
  count = static_cast<std::size_t>(top - first);
  if (at >= low || depth == outermost || count > most || count > state.nodes_left ||
      (count != 0 && first->kind >= POLYCODEC_KIND_ARRAY) ||
      arena->limit - memory < static_cast<std::ptrdiff_t>((count + 1) * sizeof *top)) [[unlikely]]
    goto leave;
  copy_nodes(reinterpret_cast<polycodec_node*>(memory), first, count);
  top = first;
  put_data(top++, node_word(POLYCODEC_KIND_LIST, 0, count), count == 0 ? nullptr : memory);
  goto closed;

open_list:
  if (depth >= state.max_depth) [[unlikely]]
    goto leave_value;
  ++depth;
  first = top;
  state.frames.push_back(
      {static_cast<std::size_t>(top - stack), false, nullptr, nullptr, nullptr, p});
  object = false;
  ++at;
  if (p + 1 != base + *at && !is_json_space(base[*at - 1])) [[unlikely]]
    goto wrong_value;
  if (base[*at] != ']') goto item;
  p = base + *at;
  goto after_item;

name:
  p = base + *at;
  if (at >= low || *p != '"' || two(base + at[1]) != two("\":")) [[unlikely]] {
    next = Next::name;
    goto leave;
  }
  put_text(top++, p + 1, static_cast<std::size_t>(at[1] - at[0]) - 1);
  at += 2;
  if (*at == at[-1] + 1) {
    ++at;
    if (!is_json_space(base[*at - 1])) [[unlikely]] {
      p = base + at[-1];
      goto wrong_value;
    }
  }
  p = base + *at;
  if (*p == '[') goto open_list;
  if (*p == '{') goto open_object;
  if (!scalar()) [[unlikely]]
    goto leave_value;
after_member:
  if (*p <= ' ' && is_json_space(*p) && is_json_space(base[*at - 1])) p = base + *at;
  if (*p == ',') {
    if (p == base + *at) {
      ++at;
      if (!is_json_space(base[*at - 1])) [[unlikely]]
        goto wrong_name;
    }
    goto name;
  }
  if (*p != '}') [[unlikely]]
    goto leave;
  count = static_cast<std::size_t>(top - first);
  if (at >= low || depth == outermost || count > most || count > state.nodes_left ||
      state.settings.duplicates != Duplicates::keep ||
      arena->limit - memory < static_cast<std::ptrdiff_t>((count + 1) * sizeof *top)) [[unlikely]]
    goto leave;
  copy_nodes(reinterpret_cast<polycodec_node*>(memory), first, count);
  top = first;
  put_data(top++, node_word(POLYCODEC_KIND_OBJECT, 0, count / 2), count == 0 ? nullptr : memory);
closed:
  memory += count * sizeof *top;
  state.nodes_left -= count;
  deepest = std::max(deepest, depth--);
  ++at;
  ++p;
  state.frames.pop_back();
  first = stack + state.frames.back().first;
  object = state.frames.back().object;
  if (object) goto after_member;
  goto after_item;

open_object:
  if (depth >= state.max_depth) [[unlikely]]
    goto leave_value;
  ++depth;
  first = top;
  state.frames.push_back(
      {static_cast<std::size_t>(top - stack), true, nullptr, nullptr, nullptr, p});
  object = true;
  ++at;
  if (p + 1 != base + *at && !is_json_space(base[*at - 1])) [[unlikely]]
    goto wrong_name;
  if (base[*at] != '}') goto name;
  p = base + *at;
  goto after_member;

// A comma or colon follows the token at `p` and is not a place.
wrong_name:
  ++p;
  next = Next::name;
  goto leave;
wrong_value:
  ++p;
  next = Next::value;
  goto leave;
leave_value:
  p = base + *at;
  next = Next::value;
leave:
  index.take_until(at);
  arena->cursor = memory;
  state.deepest = std::max(deepest, depth);
  place.p = p;
  place.top = top;
  place.first = static_cast<std::size_t>(first - stack);
  place.depth = depth;
  place.object = object;
  place.next = next;
}

}  // namespace polycodec::yggdrasil
