// SPDX-License-Identifier: MIT
// What documents mostly consist of: records of one shape, short strings, numbers, short containers.
#include <polycodec/byte_order.hpp>
#include <polycodec/utf.hpp>

#include "decode.hpp"
#include "ndarray.hpp"
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

// Where the items of the container at `frame` end at the latest, if `bound` is that of `outer`.
// Those of the levels between them are stored on the way.
const std::uint8_t* Decoder::bound_within(const std::uint8_t* bound, Frame* outer,
                                          const Frame* frame) noexcept {
  for (; outer != frame; ++outer) {
    outer->bound = bound;
    bound -= outer->end - outer->cursor;
  }
  return bound;
}

// What it works on is in local variables, which the compiler keeps in registers. Where the next
// item begins hangs on the length of this one, and the processor cannot go ahead. So keys are
// compared with those of the record before, whose lengths are known already, and for items without
// such a pattern a branch, which is foreseen, says how long they are.
//
// In the tail of the input, items are read from a copy of it that zeros follow, and each is checked
// against the end. Keys are not compared there: that would read beyond the copy.
template <bool is_tail>
polycodec_node* Decoder::quick(polycodec_node* const memory_begin,
                               polycodec_node* const memory_end) {
  if (is_tail && tail_begin_ == nullptr) copy_tail();
  polycodec_node* memory = memory_begin;
  std::uint64_t times = 0;
  const Byte* p = is_tail ? tail_ + (at_ - tail_begin_) : at_;
  const Byte* const end = is_tail ? tail_ + (end_ - tail_begin_) : end_;
  // Where items end that are read without a look at the end.
  const Byte* const safe = is_tail ? end - 1 : end - quick_window - 1;
  polycodec_node* cursor = here_.cursor;
  polycodec_node* last = stop_;
  const polycodec_node* like = is_tail ? nullptr : here_.like;
  const Byte* bound = here_.bound - (here_.end - stop_);
  Frame* const frames = frames_.data();
  Frame* base = frames + depth_;
  Frame* frame = base;
  // How deep containers have been, and how deep they may be.
  const std::uint64_t levels = std::min<std::uint64_t>(max_depth_, frames_.size());
  const Frame* const highest = frames + levels;
  const Frame* top = frames + std::min(deepest_, levels);
  const bool strict = !settings_.lenient_utf8;
  const std::uint64_t text_head = text_word(0, strict);
  // No container that is opened here is longer than a slice.
  const std::uint64_t most = std::min<std::uint64_t>(call_.limits().max_elements, decode_slice / 2);

  const auto in_input = [&](const Byte* at) POLYCODEC_INLINE_LAMBDA {
    return is_tail ? tail_begin_ + (at - tail_) : at;
  };
  // So many bytes are left of the tail.
  const auto fits = [](std::ptrdiff_t left, std::ptrdiff_t size)
                        POLYCODEC_INLINE_LAMBDA { return !is_tail || size <= left; };
  const auto text = [&]() POLYCODEC_INLINE_LAMBDA {
    const std::uint64_t size = *p & 31u;
    if (!fits(end - p, 1 + static_cast<std::ptrdiff_t>(size))) return false;
    if (strict && !is_short_utf8(p + 1, size)) [[unlikely]]
      return false;
    put_data(cursor++, text_head + node_word(0, 0, size), in_input(p + 1));
    p += 1 + size;
    return true;
  };
  const auto put_double = [&]() POLYCODEC_INLINE_LAMBDA {
    put(cursor++, real64_word, load_be<std::uint64_t>(p + 1));
    p += 9;
  };
  // What is neither a container nor a string nor a double. False: left to what is rare. Where the
  // next item begins, a branch says rather than a sum: it is foreseen where types come in an order,
  // and a sum is waited for. The statement without code keeps it from becoming one. In records the
  // keys are foreseen, and types may change: there it is a sum.
  const auto number = [&](bool is_branch) POLYCODEC_INLINE_LAMBDA {
    const auto pass = [&](int length) POLYCODEC_INLINE_LAMBDA {
      p += length;
      asm("" : "+r"(p));
    };
    const NumberForm& form = number_forms[*p];
    if (form.length == 0 || !fits(end - p, form.length)) [[unlikely]] {
      if (*p != 0xcf || !fits(end - p, 9)) return false;
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
    if (is_tail || first < 0xca || first > 0xd3 || first == 0xcf || cursor == last || p > safe ||
        *p != first)
      return;
    const NumberForm form = number_forms[first];
    do {
      put(cursor++, form.head, form.payload(p));
      p += form.length;
    } while (cursor != last && p <= safe && *p == first);
  };
  const auto bytes = [&](bool is_text, int head_size, std::uint64_t size) POLYCODEC_INLINE_LAMBDA {
    const Byte* const data = p + head_size;
    if (end - data < static_cast<std::ptrdiff_t>(size) ||
        (is_text && strict && validate_utf8(data, size) != utf8_npos)) [[unlikely]]
      return false;
    const std::uint64_t head = is_text ? text_head : node_word(POLYCODEC_KIND_BINARY, 0, 0);
    put_data(cursor++, head + node_word(0, 0, size), in_input(data));
    p = data + size;
    return true;
  };
  // A node of a container has as many bytes as a time.
  const auto timestamp = [&](int size) POLYCODEC_INLINE_LAMBDA {
    if (!fits(end - p, 2 + size)) return false;
    const auto time = read_timestamp(to_string_view(p + 2, static_cast<std::uint64_t>(size)));
    if (!time) [[unlikely]]
      return false;
    const polycodec_time stored{time->seconds, time->nanoseconds, POLYCODEC_UNIT_NANOSECOND};
    static_assert(sizeof stored == sizeof *memory);
    std::memcpy(static_cast<void*>(memory), &stored, sizeof stored);
    put_data(cursor++, time_word, memory++);
    ++times;
    p += 2 + size;
    return true;
  };
  // Before this place, short containers fit on all levels, whatever those around them wait for.
  const auto roomy_from = [levels](const Byte* at, std::ptrdiff_t spare) POLYCODEC_INLINE_LAMBDA {
    spare -= 31 * static_cast<std::ptrdiff_t>(levels + 1);
    return is_tail || spare < 0 ? at : at + spare;
  };
  const Byte* roomy = roomy_from(p, bound - in_input(p) - (last - cursor));
  // The container of `count` items or entries at `p`, which may be like the one `back` nodes before
  // `like`. False: left to open().
  const auto open_any = [&](std::uint64_t kind, std::uint64_t count, std::ptrdiff_t head_size,
                            bool is_short, std::ptrdiff_t back) POLYCODEC_INLINE_LAMBDA {
    const auto items =
        static_cast<std::ptrdiff_t>(kind == POLYCODEC_KIND_OBJECT ? 2 * count : count);
    if (memory_end - memory < items) [[unlikely]]
      return false;
    polycodec_node* const nodes_end = memory + items;
    if ((!is_short || p >= roomy) && bound_within(bound, base, frame) - in_input(p) <
                                         items + head_size + (last - cursor - 1)) [[unlikely]]
      return false;
    if (frame == top) [[unlikely]] {
      if (top == highest) return false;
      ++top;
    }
    const std::uint64_t head = node_word(kind, 0, count);
    put_data(cursor++, head, memory);
    frame->cursor = cursor;
    frame->end = last;
    frame->like = like;
    ++frame;
    like = like != nullptr && word_of(like - back) == head ? like[-back].as.nodes : nullptr;
    cursor = memory;
    last = memory = nodes_end;
    p += head_size;
    if (!is_short)
      roomy = roomy_from(p, bound_within(bound, base, frame) - in_input(p) - (last - cursor));
    return true;
  };
  const auto open = [&](std::uint64_t kind, std::ptrdiff_t back)
                        POLYCODEC_INLINE_LAMBDA { return open_any(kind, *p & 15u, 1, true, back); };
  const auto empty = [&]() POLYCODEC_INLINE_LAMBDA {
    const bool is_list = (*p & 0x10) != 0;
    put_data(cursor++, node_word(is_list ? POLYCODEC_KIND_LIST : POLYCODEC_KIND_OBJECT, 0, 0),
             nullptr);
    ++p;
  };
  const auto is_object = [](const Frame* inner) POLYCODEC_INLINE_LAMBDA {
    return inner[-1].cursor[-1].kind == POLYCODEC_KIND_OBJECT;
  };

  if (!is_object(frame)) goto item;
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
  if (is_tail && p > safe) goto leave;
value:
  if (*p == 0xcb && fits(end - p, 9)) {
    put_double();
  } else if ((*p & 0xe0) == 0xa0) {
    if (!text()) [[unlikely]]
      goto leave;
  } else if ((*p & 0xe0) != 0x80) {
    if (!number(like == nullptr)) [[unlikely]]
      goto rare;
  } else {
    if ((*p & 0x0f) == 0) {
      empty();
      goto key;
    }
    if ((*p & 0x10) != 0) {
      if (!open(POLYCODEC_KIND_LIST, 1)) [[unlikely]]
        goto leave;
      goto item;
    }
    if (!open(POLYCODEC_KIND_OBJECT, 1)) [[unlikely]]
      goto leave;
  }
  goto key;

item:
  if (cursor == last) goto close;
  if (p > safe) [[unlikely]]
    goto leave;
  if ((*p & 0xe0) == 0xa0) {
    if (!text()) [[unlikely]]
      goto leave;
  } else if (*p < 0x80) {
    do put(cursor++, signed_word, *p++);
    while (cursor != last && p <= safe && *p < 0x80);
  } else if (*p == 0xcb && fits(end - p, 9)) {
    do put_double();
    while (cursor != last && p <= safe && *p == 0xcb && fits(end - p, 9));
  } else if (*p >= 0xc4) {
    if (*p == 0xc4 || *p == 0xd9) {
      if (!bytes(*p == 0xd9, 2, p[1])) [[unlikely]]
        goto leave;
      goto item;
    }
    const Byte first = *p;
    if (!number(true)) [[unlikely]]
      goto rare;
    run_of_numbers(first);
  } else if (*p >= 0xc0) {
    if (*p == 0xc1) [[unlikely]]
      goto leave;
    put(cursor++, *p == 0xc0 ? null_word : boolean_word, *p & 1u);
    ++p;
  } else if ((*p & 0x0f) == 0) {
    empty();
  } else if ((*p & 0x10) == 0) {
    if (!open(POLYCODEC_KIND_OBJECT, 0)) [[unlikely]]
      goto leave;
    goto key;
  } else if (!open(POLYCODEC_KIND_LIST, 0)) [[unlikely]] {
    goto leave;
  }
  goto item;

close:
  if (frame != base) {
    --frame;
    cursor = frame->cursor;
    last = frame->end;
    like = frame->like;
  } else {
    // On in the container around the one where this began, but for the document itself.
    if (depth_ < 2 || last != here_.end) goto leave;
    here_ = frames[--depth_];
    base = frame = frames + depth_;
    cursor = here_.cursor;
    last = slice_end(cursor, here_.end);
    bound = here_.bound - (here_.end - last);
    roomy = roomy_from(p, bound - in_input(p) - (last - cursor));
    like = is_tail ? nullptr : here_.like;
  }
  if (is_object(frame)) goto key;
  like = is_tail ? nullptr : cursor - 1;
  goto item;

other_key:
  if (*p >= 0xd9 && *p <= 0xdb) goto leave;  // a long text
  // No object, but a map with keys of any kind.
  frame[-1].cursor[-1].kind = POLYCODEC_KIND_MAP;
  like = nullptr;
  goto item;

rare:
  if ((*p >= 0xc4 && *p <= 0xc6) || (*p >= 0xd9 && *p <= 0xdb)) {
    const bool is_text = *p >= 0xd9;
    if (!(*p == 0xc4 || *p == 0xd9   ? bytes(is_text, 2, p[1])
          : *p == 0xc5 || *p == 0xda ? bytes(is_text, 3, load_be<std::uint16_t>(p + 1))
                                     : bytes(is_text, 5, load_be<std::uint32_t>(p + 1))))
      goto leave;
  } else if ((*p & 0xfc) == 0xdc) {
    const bool is_map = (*p & 2) != 0;
    const bool is_wide = (*p & 1) != 0;
    const std::uint64_t count =
        is_wide ? load_be<std::uint32_t>(p + 1) : load_be<std::uint16_t>(p + 1);
    if (count == 0 || count > most ||
        !open_any(is_map ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_LIST, count, is_wide ? 5 : 3,
                  false, is_object(frame) ? 1 : 0))
      goto leave;
  } else if ((*p & 0xfe) == 0xd6 && p[1] == 0xff && memory != memory_end) {
    if (!((*p & 1) == 0 ? timestamp(4) : timestamp(8))) goto leave;
  } else {
    goto leave;
  }
  if (is_object(frame)) goto key;
  goto item;

leave:
  at_ = in_input(p);
  times_ = times;
  deepest_ = std::max(deepest_, static_cast<std::uint64_t>(top - frames));
  if (frame == base) {
    // Containers are paid for by their bytes: what follows the last one is a new slice.
    const bool has_containers = memory != memory_begin + times;
    stop_ = cursor == last && has_containers ? slice_end(cursor, here_.end) : last;
    here_.cursor = cursor;
    here_.like = like;
    return memory;
  }
  const Byte* const inner_bound = bound_within(bound, base, frame);
  base->start = here_.start;
  base->end = here_.end;
  base->bound = here_.bound;
  here_ = {cursor, last, nullptr, inner_bound, like};
  stop_ = last;
  depth_ = static_cast<std::size_t>(frame - frames);
  return memory;
}

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
  const bool is_tail = this->is_tail();
  times_ = 0;
  polycodec_node* const used =
      is_tail ? quick<true>(memory, memory + nodes) : quick<false>(memory, memory + nodes);
  nodes_left_ -= static_cast<std::uint64_t>(used - memory) - times_;
  arena->cursor = reinterpret_cast<Byte*>(used);
  if (!is_tail && this->is_tail() && has_usual()) quick();
}

// The last bytes of the input, with zeros after them, so that more may be read than an item has.
void Decoder::copy_tail() {
  const auto size =
      std::min<std::uint64_t>(quick_window, static_cast<std::uint64_t>(end_ - begin_));
  tail_begin_ = end_ - size;
  std::memset(tail_, 0, sizeof tail_);
  std::memcpy(tail_, tail_begin_, size);
}

}  // namespace polycodec::msgpack_ndarray
