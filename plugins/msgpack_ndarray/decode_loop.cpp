// SPDX-License-Identifier: MIT
#include <base/utf8.hpp>
#include <polycodec/byte_order.hpp>

#include "decode.hpp"
#include "short_text.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

// A lambda that is not inlined would force all that it captures out of the registers.
#define POLYCODEC_INLINE_LAMBDA __attribute__((always_inline))

namespace polycodec::msgpack_ndarray {
namespace {

// Items of one container between two looks at whether the host wants to cancel.
constexpr std::ptrdiff_t slice = 65536;

// The first eight bytes of a node, to be stored as one word. Sizes of msgpack have 32 bits.
constexpr std::uint64_t word(std::uint64_t kind, std::uint64_t dtype, std::uint64_t size) noexcept {
  if constexpr (std::endian::native == std::endian::little) return kind | dtype << 8 | size << 32;
  return kind << 56 | dtype << 48 | size;
}

constexpr std::uint64_t null_word = word(POLYCODEC_KIND_NULL, 0, 0);
constexpr std::uint64_t boolean_word = word(POLYCODEC_KIND_BOOLEAN, POLYCODEC_DTYPE_BOOLEAN, 0);
constexpr std::uint64_t signed_word = word(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT64, 0);
constexpr std::uint64_t unsigned_word = word(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_UINT64, 0);
constexpr std::uint64_t real32_word = word(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT32, 0);
constexpr std::uint64_t real64_word = word(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT64, 0);

inline void put(polycodec_node* node, std::uint64_t head, std::uint64_t payload) noexcept {
  std::memcpy(node, &head, sizeof head);
  node->as.u64 = payload;
}
inline void put_signed(polycodec_node* node, std::int64_t value) noexcept {
  put(node, signed_word, static_cast<std::uint64_t>(value));
}
inline void put_data(polycodec_node* node, std::uint64_t head, const void* data) noexcept {
  std::memcpy(node, &head, sizeof head);
  node->as.data = data;
}

}  // namespace

// The loop that everything else serves. What it works on is in local variables, which the compiler
// keeps in registers; the members are brought up to date only for what happens rarely.
//
// Memory is safe from declared counts: `due` is how many items all open containers still wait for.
// Every item takes a byte at least, so a container is refused unless all that is due fits in the
// bytes that are left; and each byte of input then makes one node of 16 bytes at most.
void Decoder::run(polycodec_node* const root) {
  const std::uint8_t* p = at_;
  const std::uint8_t* const end = end_;
  polycodec_node* cursor = root;
  polycodec_node* stop = root + 1;  // after the last item of this slice
  polycodec_node* last = root + 1;  // after the last item of the container
  polycodec_node* owner = nullptr;
  const std::uint8_t* start = p;
  std::size_t depth = 0;
  std::uint64_t due = 0;  // items that the containers around this one wait for
  const bool strict = !settings_.lenient_utf8;
  const std::uint64_t max_depth = max_depth_;
  const std::uint64_t max_elements = call_.limits().max_elements;
  polycodec_arena* const arena = out_.arena();
  std::uint8_t* memory = nullptr;  // a copy of the arena's window
  std::uint8_t* memory_end = nullptr;

  const auto load_arena = [&]() POLYCODEC_INLINE_LAMBDA {
    const auto misaligned =
        reinterpret_cast<std::uintptr_t>(arena->cursor) % alignof(polycodec_node);
    const auto padding = misaligned == 0 ? 0 : alignof(polycodec_node) - misaligned;
    memory = memory_end = nullptr;
    if (static_cast<std::size_t>(arena->limit - arena->cursor) < padding) return;
    memory = arena->cursor + padding;
    memory_end = arena->limit;
  };
  const auto save_arena = [&]() POLYCODEC_INLINE_LAMBDA {
    if (memory != nullptr) arena->cursor = memory;
  };
  const auto save = [&]() POLYCODEC_INLINE_LAMBDA {
    here_ = {cursor, last, owner, start};
    depth_ = depth;
    save_arena();
  };
  const auto left = [&]() POLYCODEC_INLINE_LAMBDA { return static_cast<std::uint64_t>(end - p); };
  const auto truncated = [&](const char* what, std::uint64_t bytes, const std::uint8_t* where)
                             POLYCODEC_INLINE_LAMBDA {
                               save();
                               fail(Status::truncated, "msgpack.end_of_input",
                                    std::string(what) + " needs " + std::to_string(bytes) +
                                        " bytes, " + std::to_string(left()) + " are left",
                                    where);
                             };
  const auto need = [&](std::uint64_t bytes, const char* what) POLYCODEC_INLINE_LAMBDA {
    if (left() < bytes) [[unlikely]]
      truncated(what, bytes, end);
  };
  // The items of a container follow: `n` items, or entries of two.
  const auto open = [&](std::uint64_t kind, std::uint64_t n,
                        std::uint64_t head_size) POLYCODEC_INLINE_LAMBDA {
    const std::uint8_t* const at = p;
    p += head_size;
    const std::uint64_t items = kind == POLYCODEC_KIND_OBJECT ? 2 * n : n;
    if (n == 0) {
      put_data(cursor, word(kind, 0, 0), nullptr);
      ++cursor;
      return;
    }
    const std::uint64_t due_now = due + static_cast<std::uint64_t>(last - cursor - 1);
    if (items > left() || due_now > left() - items) [[unlikely]] {
      save();
      fail(Status::truncated, "msgpack.end_of_input",
           "a container of " + std::to_string(n) + " items cannot fit in the " +
               std::to_string(left()) + " bytes that are left",
           at);
    }
    if (depth >= max_depth) [[unlikely]] {
      save();
      fail_depth(at);
    }
    if (n > max_elements || items > nodes_left_) [[unlikely]] {
      save();
      fail(Status::limit, "", "a container of " + std::to_string(n) + " items exceeds the limits",
           at);
    }
    nodes_left_ -= items;
    polycodec_node* nodes;
    const std::uint64_t bytes = items * sizeof(polycodec_node);
    if (bytes <= static_cast<std::uint64_t>(memory_end - memory)) [[likely]] {
      nodes = reinterpret_cast<polycodec_node*>(memory);
      memory += bytes;
    } else {
      save();
      try {
        nodes = out_.allocate<polycodec_node>(items);
      } catch (Error& e) {
        fail_within(e, at);
      }
      load_arena();
    }
    put_data(cursor, word(kind, 0, n), nodes);
    if (depth == frames_.size()) [[unlikely]]
      frames_.grow();
    frames_[depth++] = {cursor + 1, last, owner, start};
    if (depth > deepest_) [[unlikely]]
      deepest_ = depth;
    due = due_now;
    owner = cursor;
    start = at;
    cursor = nodes;
    last = nodes + items;
    stop = cursor + std::min<std::ptrdiff_t>(last - cursor, slice);
  };
  const auto text = [&](std::uint64_t head_size, std::uint64_t size) POLYCODEC_INLINE_LAMBDA {
    if (left() - head_size < size) [[unlikely]]
      truncated("a string", head_size + size, p);
    const std::uint8_t* const data = p + head_size;
    std::uint64_t head = word(POLYCODEC_KIND_STRING, 0, size);
    if (strict) {
      const bool is_short =
          size < short_window && static_cast<std::uint64_t>(end - data) >= short_window;
      if (!is_short || !is_short_utf8(data, size)) {
        const std::size_t bad = validate_utf8(data, static_cast<std::size_t>(size));
        if (bad != utf8_npos) [[unlikely]] {
          save();
          fail(Status::malformed, "msgpack.bad_utf8", "a string is not valid UTF-8", data + bad);
        }
      }
    } else {
      head |= word(0, POLYCODEC_STRING_LENIENT, 0);
    }
    put_data(cursor, head, data);
    ++cursor;
    p = data + size;
  };
  const auto binary = [&](std::uint64_t head_size, std::uint64_t size) POLYCODEC_INLINE_LAMBDA {
    if (left() - head_size < size) [[unlikely]]
      truncated("a binary", head_size + size, p);
    put_data(cursor, word(POLYCODEC_KIND_BINARY, 0, size), p + head_size);
    ++cursor;
    p += head_size + size;
  };
  // `head_size` includes the type code, which is before the body.
  const auto extension = [&](std::uint64_t head_size, std::uint64_t size) POLYCODEC_INLINE_LAMBDA {
    if (left() - head_size < size) [[unlikely]]
      truncated("an ext", head_size + size, p);
    save();
    ext(cursor, static_cast<std::int8_t>(p[head_size - 1]),
        {reinterpret_cast<const char*>(p + head_size), static_cast<std::size_t>(size)}, p);
    load_arena();
    ++cursor;
    p += head_size + size;
  };

  load_arena();
  for (;;) {
    while (cursor != stop) {
      if (p == end) [[unlikely]]
        truncated("an item", 1, end);
      const std::uint8_t first = *p;
      if ((first & 0xe0) == 0xa0) {
        text(1, first & 31u);
        continue;
      }
      if (first < 0x80) {
        put_signed(cursor++, first);
        ++p;
        continue;
      }
      switch (first) {
        // clang-format off
        case 0x80: case 0x81: case 0x82: case 0x83: case 0x84: case 0x85: case 0x86: case 0x87:
        case 0x88: case 0x89: case 0x8a: case 0x8b: case 0x8c: case 0x8d: case 0x8e: case 0x8f:
          // clang-format on
          open(POLYCODEC_KIND_OBJECT, first & 15u, 1);
          break;
        // clang-format off
        case 0x90: case 0x91: case 0x92: case 0x93: case 0x94: case 0x95: case 0x96: case 0x97:
        case 0x98: case 0x99: case 0x9a: case 0x9b: case 0x9c: case 0x9d: case 0x9e: case 0x9f:
          // clang-format on
          open(POLYCODEC_KIND_LIST, first & 15u, 1);
          break;
        case 0xc0:
          put(cursor++, null_word, 0);
          ++p;
          break;
        case 0xc1:
          save();
          fail(Status::malformed, "msgpack.reserved_byte", "byte 0xc1 is never used in msgpack", p);
        case 0xc2:
        case 0xc3:
          put(cursor++, boolean_word, first & 1);
          ++p;
          break;
        case 0xc4:
          need(2, "a binary");
          binary(2, p[1]);
          break;
        case 0xc5:
          need(3, "a binary");
          binary(3, load_be<std::uint16_t>(p + 1));
          break;
        case 0xc6:
          need(5, "a binary");
          binary(5, load_be<std::uint32_t>(p + 1));
          break;
        case 0xc7:
          need(3, "an ext");
          extension(3, p[1]);
          break;
        case 0xc8:
          need(4, "an ext");
          extension(4, load_be<std::uint16_t>(p + 1));
          break;
        case 0xc9:
          need(6, "an ext");
          extension(6, load_be<std::uint32_t>(p + 1));
          break;
        case 0xca:
          need(5, "a float");
          put(cursor, real32_word, 0);
          cursor->as.f32 = load_be<float>(p + 1);
          ++cursor;
          p += 5;
          break;
        case 0xcb:
          // Numbers of one type come in runs: go on here as long as they do.
          do {
            need(9, "a float");
            put(cursor++, real64_word, load_be<std::uint64_t>(p + 1));
            p += 9;
          } while (cursor != stop && p != end && *p == 0xcb);
          break;
        case 0xcc:
          need(2, "an integer");
          put_signed(cursor++, p[1]);
          p += 2;
          break;
        case 0xcd:
          need(3, "an integer");
          put_signed(cursor++, load_be<std::uint16_t>(p + 1));
          p += 3;
          break;
        case 0xce:
          need(5, "an integer");
          put_signed(cursor++, load_be<std::uint32_t>(p + 1));
          p += 5;
          break;
        case 0xcf: {
          need(9, "an integer");
          const auto value = load_be<std::uint64_t>(p + 1);
          put(cursor++, (value >> 63) != 0 ? unsigned_word : signed_word, value);
          p += 9;
          break;
        }
        case 0xd0:
          need(2, "an integer");
          put_signed(cursor++, static_cast<std::int8_t>(p[1]));
          p += 2;
          break;
        case 0xd1:
          need(3, "an integer");
          put_signed(cursor++, load_be<std::int16_t>(p + 1));
          p += 3;
          break;
        case 0xd2:
          need(5, "an integer");
          put_signed(cursor++, load_be<std::int32_t>(p + 1));
          p += 5;
          break;
        case 0xd3:
          need(9, "an integer");
          put_signed(cursor++, load_be<std::int64_t>(p + 1));
          p += 9;
          break;
        case 0xd4:
        case 0xd5:
        case 0xd6:
        case 0xd7:
        case 0xd8:
          need(2, "an ext");
          extension(2, std::uint64_t{1} << (first - 0xd4));
          break;
        case 0xd9:
          need(2, "a string");
          text(2, p[1]);
          break;
        case 0xda:
          need(3, "a string");
          text(3, load_be<std::uint16_t>(p + 1));
          break;
        case 0xdb:
          need(5, "a string");
          text(5, load_be<std::uint32_t>(p + 1));
          break;
        case 0xdc:
          need(3, "an array");
          open(POLYCODEC_KIND_LIST, load_be<std::uint16_t>(p + 1), 3);
          break;
        case 0xdd:
          need(5, "an array");
          open(POLYCODEC_KIND_LIST, load_be<std::uint32_t>(p + 1), 5);
          break;
        case 0xde:
          need(3, "a map");
          open(POLYCODEC_KIND_OBJECT, load_be<std::uint16_t>(p + 1), 3);
          break;
        case 0xdf:
          need(5, "a map");
          open(POLYCODEC_KIND_OBJECT, load_be<std::uint32_t>(p + 1), 5);
          break;
        default:  // 0xe0 to 0xff: the first byte is the number
          put_signed(cursor++, static_cast<std::int8_t>(first));
          ++p;
          break;
      }
    }
    if (stop != last) {
      call_.tick(slice);
      stop = cursor + std::min<std::ptrdiff_t>(last - cursor, slice);
      continue;
    }
    if (depth == 0) break;
    polycodec_node* const done = owner;
    const std::uint8_t* const done_start = start;
    const Frame& outer = frames_[--depth];
    cursor = outer.cursor;
    last = outer.end;
    owner = outer.owner;
    start = outer.start;
    due -= static_cast<std::uint64_t>(last - cursor);
    stop = cursor + std::min<std::ptrdiff_t>(last - cursor, slice);
    if (done->kind == POLYCODEC_KIND_OBJECT) {
      const polycodec_node* key = done->as.nodes;
      const polycodec_node* const keys_end = key + 2 * polycodec_node_size(done);
      while (key != keys_end && key->kind == POLYCODEC_KIND_STRING) key += 2;
      if (key != keys_end) done->kind = POLYCODEC_KIND_MAP;
      if (settings_.numpy_maps) [[unlikely]] {
        --cursor;  // the map is still the current item
        save();
        finish_map(*done, done_start);
        load_arena();
        ++cursor;
      }
    }
  }
  save();
  at_ = p;
}

}  // namespace polycodec::msgpack_ndarray
