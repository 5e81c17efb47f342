// SPDX-License-Identifier: MIT
// What documents mostly consist of: short keys and strings, numbers, containers.
#include <polycodec/byte_order.hpp>

#include "encode.hpp"
#include "heads.hpp"
#include "ndarray.hpp"
#include "node_words.hpp"
#include "number_heads.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

// A lambda that is not inlined would force all that it captures out of the registers.
#define POLYCODEC_INLINE_LAMBDA __attribute__((always_inline))

namespace polycodec::msgpack_ndarray {
namespace {

// A key and the value that follows it, or the head of a container, are written into so many bytes.
constexpr std::ptrdiff_t pair_room = 80;
// Strings of so many bytes have a head of one byte. Lenient ones are left to step().
inline bool is_short(const polycodec_node& text) noexcept {
  return text.size_lo < 32 && (text.size_hi | text.dtype) == 0;
}

// A date that a timestamp of msgpack holds as it is.
inline bool is_exact(const polycodec_time& time) noexcept {
  return time.count != INT64_MIN && time.nanoseconds <= 999'999'999 &&
         time.unit >= POLYCODEC_UNIT_SECOND && time.unit <= POLYCODEC_UNIT_NANOSECOND;
}

// Copies 0 to 31 bytes. `foreseen`: the lengths come in the same order again and again, as those of
// keys do. Otherwise those of 4 to 16 bytes, as most names are, take the same path.
template <bool foreseen>
[[gnu::always_inline]] inline void copy_short(std::uint8_t* o, const void* data,
                                              std::uint64_t size) noexcept {
  const auto* p = static_cast<const std::uint8_t*>(data);
  const auto part = [&](std::uint64_t at, auto type)
                        POLYCODEC_INLINE_LAMBDA { std::memcpy(o + at, p + at, sizeof type); };
  const auto ends = [&](auto type) POLYCODEC_INLINE_LAMBDA {
    part(0, type);
    part(size - sizeof type, type);
  };
  if (foreseen && size - 4 < 4) {
    ends(std::uint32_t{});
  } else if (foreseen && size - 8 <= 8) {
    ends(std::uint64_t{});
  } else if (size - 4 <= 12) {
    const std::uint64_t step = size < 8 ? 0 : 4;
    ends(std::uint32_t{});
    part(step, std::uint32_t{});
    part(size - 4 - step, std::uint32_t{});
  } else if (size > 16) {
    std::memcpy(o, p, 16);
    std::memcpy(o + size - 16, p + size - 16, 16);
  } else if (size != 0) {
    o[0] = p[0];
    o[size / 2] = p[size / 2];
    o[size - 1] = p[size - 1];
  }
}

}  // namespace

void Encoder::quick(Walk& walk, const Frame* const top) const {
  const polycodec_node* cursor = walk.here.cursor;
  const polycodec_node* last = walk.here.end;
  std::uint8_t* o = walk.o;
  const std::uint8_t* const limit = walk.limit;
  if (limit - o < pair_room) return;
  const std::uint8_t* const safe = limit - pair_room;
  Frame* const base = walk.frames.data() + walk.depth;
  Frame* frame = base;
  const std::uint8_t list_kind =
      settings_.pack_lists ? std::uint8_t{POLYCODEC_KIND_TUPLE} : std::uint8_t{POLYCODEC_KIND_LIST};

  const auto short_text = [&](auto foreseen) POLYCODEC_INLINE_LAMBDA {
    const std::uint64_t size = cursor->size_lo;
    *o = static_cast<std::uint8_t>(0xa0 | size);
    copy_short<foreseen>(o + 1, cursor->as.data, size);
    o += 1 + size;
    ++cursor;
  };
  // False: left to step().
  const auto real = [&]() POLYCODEC_INLINE_LAMBDA {
    std::uint8_t* const next = write_real(o, *cursor);
    if (next == nullptr) return false;
    o = next;
    ++cursor;
    return true;
  };

  goto item;

pair:
  if (cursor == last) goto close;
  if (o > safe) [[unlikely]]
    goto leave;
  if (cursor->kind != POLYCODEC_KIND_STRING || !is_short(*cursor)) [[unlikely]]
    goto any;
  short_text(std::true_type());
  if (cursor->kind == POLYCODEC_KIND_STRING) {
    if (!is_short(*cursor)) [[unlikely]]
      goto long_bytes;
    short_text(std::false_type());
  } else if (cursor->kind == POLYCODEC_KIND_FLOAT) {
    if (!real()) [[unlikely]]
      goto leave;
  } else if (cursor->kind <= POLYCODEC_KIND_UNSIGNED) {
    o = write_number_node(o, cursor->kind, cursor->as.u64);
    ++cursor;
  } else {
    goto container;
  }
  goto pair;

item:
  if (cursor == last) goto close;
  if (o > safe) [[unlikely]]
    goto leave;
any:
  if (cursor->kind == POLYCODEC_KIND_STRING) {
    if (!is_short(*cursor)) [[unlikely]]
      goto long_bytes;
    short_text(std::false_type());
  } else if (cursor->kind == POLYCODEC_KIND_FLOAT) {
    const std::uint64_t head = word_of(cursor);
    if (!real()) [[unlikely]]
      goto leave;
    // Numbers of one type come in runs, and most are doubles.
    if (head != real64_word) {
      while (cursor != last && o <= safe && word_of(cursor) == head) real();
    } else if (cursor != last && word_of(cursor) == head) {
      const polycodec_node* const stop = cursor + std::min(last - cursor, (limit - o) / 9);
      for (; cursor != stop && word_of(cursor) == real64_word; ++cursor, o += 9) {
        *o = 0xcb;
        store_be(o + 1, cursor->as.u64);
      }
    }
  } else if (cursor->kind == POLYCODEC_KIND_SIGNED) {
    o = write_signed(o, cursor->as.i64);
    ++cursor;
  } else if (cursor->kind == POLYCODEC_KIND_UNSIGNED) {
    o = write_unsigned(o, cursor->as.u64);
    ++cursor;
  } else if (cursor->kind == POLYCODEC_KIND_BOOLEAN) {
    *o++ = static_cast<std::uint8_t>(0xc2 + (cursor->as.u64 != 0));
    ++cursor;
  } else if (cursor->kind == POLYCODEC_KIND_NULL) {
    *o++ = 0xc0;
    ++cursor;
  } else {
    goto container;
  }
  goto item;

container : {
  if (cursor->kind == POLYCODEC_KIND_BINARY) goto long_bytes;
  if (cursor->kind == POLYCODEC_KIND_TIMESTAMP && is_exact(*cursor->as.time)) {
    o += write_timestamp({cursor->as.time->count, cursor->as.time->nanoseconds}, o);
    ++cursor;
    goto next;
  }
  const std::uint64_t size = polycodec_node_size(cursor);
  const bool is_map = cursor->kind >= POLYCODEC_KIND_OBJECT;
  if (cursor->kind < list_kind || cursor->kind > POLYCODEC_KIND_MAP || size > UINT32_MAX ||
      frame == top) [[unlikely]]
    goto leave;
  if (size < 16) [[likely]]
    *o++ = static_cast<std::uint8_t>((is_map ? 0x80 : 0x90) | size);
  else if (shares_ && size >= many_items)
    goto leave;
  else
    o = is_map ? write_map_head(o, size) : write_list_head(o, size);
  if (size == 0) {
    ++cursor;
    goto next;
  }
  const polycodec_node* const nodes = cursor->as.nodes;
  *frame++ = {cursor + 1, last};
  const bool is_object = cursor->kind == POLYCODEC_KIND_OBJECT;
  cursor = nodes;
  last = nodes + (is_map ? 2 * size : size);
  if (is_object) goto pair;
  goto item;
}

long_bytes : {
  const std::uint64_t size = polycodec_node_size(cursor);
  if (size >= reference_size || static_cast<std::uint64_t>(limit - o) < size + pair_room ||
      cursor->dtype != 0)
    goto leave;
  o = cursor->kind == POLYCODEC_KIND_STRING ? write_text_head(o, size) : write_binary_head(o, size);
  copy_text(o, cursor->as.data, size);  // No bytes may have no address.
  o += size;
  ++cursor;
  goto item;
}

close:
  if (frame == base) goto leave;
  --frame;
  cursor = frame->cursor;
  last = frame->end;
next:
  // A container in an object is a value, so that a key comes next; in others any item comes.
  if (frame[-1].cursor[-1].kind == POLYCODEC_KIND_OBJECT) goto pair;
  goto item;

leave:
  walk.here = {cursor, last};
  walk.o = o;
  walk.depth = static_cast<std::size_t>(frame - walk.frames.data());
}

}  // namespace polycodec::msgpack_ndarray
