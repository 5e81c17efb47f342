// SPDX-License-Identifier: MIT
// What documents mostly consist of: records of one shape, short strings, numbers, short containers.
#include <base/utf8.hpp>
#include <polycodec/byte_order.hpp>

#include "decode.hpp"
#include "node_words.hpp"
#include "quick_items.hpp"
#include "short_text.hpp"

#include <algorithm>
#include <cstring>

// A lambda that is not inlined would force all that it captures out of the registers.
#define POLYCODEC_INLINE_LAMBDA __attribute__((always_inline))

namespace polycodec::msgpack_ndarray {
namespace {

using Byte = std::uint8_t;

}  // namespace

// What it works on is in local variables, which the compiler keeps in registers. Where the next
// item begins hangs on the length of this one, and the processor cannot go ahead. So keys are
// compared with those of the record before, whose lengths are known already, and the first byte of
// a number is compared with that of the number before it.
void Decoder::quick() {
  if (call_.limits().max_elements < 15) return;
  constexpr auto node_size = sizeof(polycodec_node);
  polycodec_arena* const arena = out_.arena();
  const std::uintptr_t misaligned = reinterpret_cast<std::uintptr_t>(arena->cursor) % node_size;
  const auto padding = misaligned == 0 ? 0 : node_size - misaligned;
  const auto free = static_cast<std::uint64_t>(arena->limit - arena->cursor);
  if (free < padding) return;
  auto* const memory = reinterpret_cast<polycodec_node*>(arena->cursor + padding);
  const std::uint64_t nodes = std::min(nodes_left_, (free - padding) / node_size);
  const std::uint64_t levels = std::min<std::uint64_t>({deepest_, max_depth_, frames_.size()});
  polycodec_node* const used = quick(memory, memory + nodes, frames_.data() + levels);
  nodes_left_ -= static_cast<std::uint64_t>(used - memory);
  arena->cursor = reinterpret_cast<Byte*>(used);
}

polycodec_node* Decoder::quick(polycodec_node* const memory_begin, polycodec_node* const memory_end,
                               const Frame* const top) {
  polycodec_node* memory = memory_begin;
  const Byte* p = at_;
  const Byte* const end = end_;
  const Byte* const safe = end - quick_window - 1;
  polycodec_node* cursor = here_.cursor;
  polycodec_node* last = stop_;
  const polycodec_node* like = here_.like;
  const Byte* bound = here_.bound - (here_.end - stop_);
  Frame* const frames = frames_.data();
  Frame* const base = frames + depth_;
  Frame* frame = base;
  const bool strict = !settings_.lenient_utf8;
  const std::uint64_t text_head = text_word(0, strict);
  // No container that is opened here is longer than a slice.
  const std::uint64_t most = std::min<std::uint64_t>(call_.limits().max_elements, decode_slice / 2);

  const auto text = [&]() POLYCODEC_INLINE_LAMBDA {
    const std::uint64_t size = *p & 31u;
    if (strict && !is_short_utf8(p + 1, size)) [[unlikely]]
      return false;
    put_data(cursor++, text_head + node_word(0, 0, size), p + 1);
    p += 1 + size;
    return true;
  };
  const auto put_double = [&]() POLYCODEC_INLINE_LAMBDA {
    put(cursor++, real64_word, load_be<std::uint64_t>(p + 1));
    p += 9;
  };
  // What is neither a container nor a short string nor a double. False: left to long_item(). Where
  // the next item begins, a branch says rather than a sum: it is foreseen where types come in an
  // order, and a sum is waited for. The statement without code keeps it from becoming one. In
  // records the keys are foreseen, and types may change: there it is a sum.
  const auto number = [&](bool is_branch) POLYCODEC_INLINE_LAMBDA {
    const auto pass = [&](int length) POLYCODEC_INLINE_LAMBDA {
      p += length;
      asm("" : "+r"(p));
    };
    const NumberForm& form = number_forms[number_form(*p)];
    if (is_branch && *p < 0x80) {
      put(cursor++, signed_word, *p);
      pass(1);
      return true;
    }
    if (form.length == 0) [[unlikely]] {
      if (*p != 0xcf) return false;
      const auto value = load_be<std::uint64_t>(p + 1);
      put(cursor++, (value >> 63) != 0 ? unsigned_word : signed_word, value);
      pass(9);
      return true;
    }
    put(cursor++, form.head, form.payload(p));
    if (!is_branch)
      p += form.length;
    else if (form.length == 3)
      pass(3);
    else if (form.length == 5)
      pass(5);
    else if (form.length == 2)
      pass(2);
    else if (form.length == 1)
      pass(1);
    else
      pass(9);
    return true;
  };
  // Numbers of one type come in runs: their length is in a register then.
  const auto run_of_numbers = [&](Byte first) POLYCODEC_INLINE_LAMBDA {
    if (first < 0x80) {
      for (; cursor != last && p <= safe && *p < 0x80; ++p) put(cursor++, signed_word, *p);
    } else if (first != 0xcf && cursor != last && p <= safe && *p == first) {
      const NumberForm form = number_forms[number_form(first)];
      do {
        put(cursor++, form.head, form.payload(p));
        p += form.length;
      } while (cursor != last && p <= safe && *p == first);
    }
  };
  // The container of `count` items or entries at `p`, which may be like `pattern`. False: left to
  // open().
  const auto open_long = [&](std::uint64_t kind, std::uint64_t count, std::ptrdiff_t head_size,
                             const polycodec_node* pattern) POLYCODEC_INLINE_LAMBDA {
    const auto items =
        static_cast<std::ptrdiff_t>(kind == POLYCODEC_KIND_OBJECT ? 2 * count : count);
    const Byte* const bound_within = bound - (last - cursor - 1);
    if (bound_within - p < items + head_size || frame == top || memory_end - memory < items ||
        count == 0) [[unlikely]]
      return false;
    polycodec_node* const nodes_end = memory + items;
    const std::uint64_t head = node_word(kind, 0, count);
    put_data(cursor++, head, memory);
    frame->cursor = cursor;
    frame->end = last;
    frame->bound = bound;
    frame->like = like;
    ++frame;
    bound = bound_within;
    like = pattern != nullptr && word_of(pattern) == head ? pattern->as.nodes : nullptr;
    cursor = memory;
    last = memory = nodes_end;
    p += head_size;
    return true;
  };
  const auto open = [&](std::uint64_t kind, const polycodec_node* pattern)
                        POLYCODEC_INLINE_LAMBDA { return open_long(kind, *p & 15u, 1, pattern); };

  if (owner(depth_)->kind != POLYCODEC_KIND_OBJECT) goto item;
  if ((cursor - owner(depth_)->as.nodes) % 2 != 0) {
    if (p > safe) return memory;
    goto value;
  }

key:
  if (cursor == last) goto close;
  if (p > safe) [[unlikely]]
    goto leave;
  if (like != nullptr) {
    const std::uint64_t size = like->size_lo;
    const auto* const before = static_cast<const Byte*>(like->as.data);
    if (common_bytes(p, before - 1) > size && *p >= 0xa0) [[likely]] {
      put_data(cursor++, word_of(like), p + 1);
      p += 1 + size;
      like += 2;
      goto value;
    }
  }
  if ((*p & 0xe0) != 0xa0) [[unlikely]]
    goto other_key;
  if (!text()) [[unlikely]]
    goto leave;
  if (like != nullptr) like += 2;
value:
  if (*p == 0xcb) {
    put_double();
  } else if ((*p & 0xe0) == 0xa0) {
    if (!text()) [[unlikely]]
      goto leave;
  } else if ((*p & 0xe0) != 0x80) {
    if (!number(like == nullptr)) [[unlikely]]
      goto rare;
  } else {
    const polycodec_node* const pattern = like == nullptr ? like : like - 1;
    if ((*p & 0x10) != 0) {
      if (!open(POLYCODEC_KIND_LIST, pattern)) [[unlikely]]
        goto leave;
      goto item;
    }
    if (!open(POLYCODEC_KIND_OBJECT, pattern)) [[unlikely]]
      goto leave;
  }
  goto key;

item:
  if (cursor == last) goto close;
  if (p > safe) [[unlikely]]
    goto leave;
  if (*p == 0xcb) {
    do put_double();
    while (cursor != last && p <= safe && *p == 0xcb);
  } else if ((*p & 0xe0) == 0xa0) {
    if (!text()) [[unlikely]]
      goto leave;
  } else if ((*p & 0xe0) != 0x80) {
    const Byte first = *p;
    if (!number(true)) [[unlikely]]
      goto rare;
    run_of_numbers(first);
  } else if ((*p & 0x10) == 0) {
    if (!open(POLYCODEC_KIND_OBJECT, like)) [[unlikely]]
      goto leave;
    goto key;
  } else if (!open(POLYCODEC_KIND_LIST, like)) [[unlikely]] {
    goto leave;
  }
  goto item;

close:
  if (frame == base) goto leave;
  --frame;
  cursor = frame->cursor;
  last = frame->end;
  bound = frame->bound;
  like = frame->like;
  if (frame[-1].cursor[-1].kind == POLYCODEC_KIND_OBJECT) goto key;
  like = cursor - 1;
  goto item;

other_key:
  if (*p >= 0xd9 && *p <= 0xdb) goto leave;  // a long text
  // No object, but a map with keys of any kind.
  frame[-1].cursor[-1].kind = POLYCODEC_KIND_MAP;
  like = nullptr;
  goto item;

rare:
  if ((*p & 0xfc) == 0xdc) {
    const bool is_map = (*p & 2) != 0;
    const bool is_wide = (*p & 1) != 0;
    const std::uint64_t count =
        is_wide ? load_be<std::uint32_t>(p + 1) : load_be<std::uint16_t>(p + 1);
    const bool is_member = frame[-1].cursor[-1].kind == POLYCODEC_KIND_OBJECT;
    if (count > most || !open_long(is_map ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_LIST, count,
                                   is_wide ? 5 : 3, is_member && like != nullptr ? like - 1 : like))
      goto leave;
    if (is_map) goto key;
    goto item;
  }
  if (const Byte* const next = long_item(p, end, cursor, strict); next != nullptr) {
    p = next;
    ++cursor;
    if (frame[-1].cursor[-1].kind == POLYCODEC_KIND_OBJECT) goto key;
    goto item;
  }

leave:
  at_ = p;
  if (frame == base) {
    // Containers are paid for by their bytes: what follows the last one is a new slice.
    stop_ = cursor == last && memory != memory_begin ? slice_end(cursor, here_.end) : last;
    here_.cursor = cursor;
    here_.like = like;
    return memory;
  }
  base->start = here_.start;
  base->end = here_.end;
  base->bound = here_.bound;
  here_ = {cursor, last, nullptr, bound, like};
  stop_ = last;
  depth_ = static_cast<std::size_t>(frame - frames);
  return memory;
}

}  // namespace polycodec::msgpack_ndarray
