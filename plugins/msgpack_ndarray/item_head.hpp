// SPDX-License-Identifier: MIT
// One msgpack item at a time: for the places where clarity counts and speed does not.
#pragma once

#include <polycodec/byte_order.hpp>

#include <cstdint>
#include <string_view>

namespace polycodec::msgpack_ndarray {

enum class ItemKind : std::uint8_t {
  nil,
  boolean,
  integer,
  real32,
  real64,
  text,
  binary,
  list,
  map,
  ext,
  reserved
};

/// The head of an item, and its body where that is bytes.
struct ItemHead {
  ItemKind kind = ItemKind::reserved;
  bool above_int64 = false;            ///< integer: `number` is to be read as unsigned
  std::int8_t code = 0;                ///< ext: the type code
  std::int64_t number = 0;             ///< boolean, integer; real: the bits
  std::uint64_t size = 0;              ///< text, binary, ext: bytes; list: items; map: entries
  const std::uint8_t* body = nullptr;  ///< text, binary, ext: the bytes
  const std::uint8_t* next =
      nullptr;  ///< behind the head and the bytes; items of containers follow there

  std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(body), static_cast<std::size_t>(size)};
  }
};

/// Reads the item head at `p`, which must lie before `end`. Returns 0, or, if the window ends too
/// early, how many bytes from `p` on the item needs at least (the head of a container, or all of
/// another item).
inline std::uint64_t read_head(const std::uint8_t* p, const std::uint8_t* end,
                               ItemHead& head) noexcept {
  const std::uint8_t first = *p;
  const auto left = static_cast<std::uint64_t>(end - p);
  head = ItemHead{};

  const auto simple = [&](ItemKind kind, std::int64_t number) -> std::uint64_t {
    head.kind = kind;
    head.number = number;
    head.next = p + 1;
    return 0;
  };
  const auto big_endian = [&](std::uint64_t width) {
    std::uint64_t value = 0;
    for (std::uint64_t i = 1; i <= width; ++i) value = value << 8 | p[i];
    return value;
  };
  const auto fixed = [&](ItemKind kind, std::uint64_t width, bool is_signed) -> std::uint64_t {
    if (left < 1 + width) return 1 + width;
    const std::uint64_t bits = big_endian(width);
    head.kind = kind;
    const auto shift = static_cast<unsigned>(64 - 8 * width);
    head.number = is_signed ? static_cast<std::int64_t>(bits << shift) >> shift
                            : static_cast<std::int64_t>(bits);
    head.above_int64 = !is_signed && kind == ItemKind::integer && (bits >> 63) != 0;
    head.next = p + 1 + width;
    return 0;
  };
  const auto container = [&](ItemKind kind, std::uint64_t width,
                             std::uint64_t size) -> std::uint64_t {
    if (left < 1 + width) return 1 + width;
    head.kind = kind;
    head.size = width == 0 ? size : big_endian(width);
    head.next = p + 1 + width;
    return 0;
  };
  // `extra`: bytes between the size and the body (the type code of an ext).
  const auto blob = [&](ItemKind kind, std::uint64_t width, std::uint64_t size,
                        std::uint64_t extra) -> std::uint64_t {
    const std::uint64_t prefix = 1 + width + extra;
    if (left < prefix) return prefix;
    head.kind = kind;
    head.size = width == 0 ? size : big_endian(width);
    if (extra != 0) head.code = static_cast<std::int8_t>(p[1 + width]);
    head.body = p + prefix;
    if (left - prefix < head.size) return prefix + head.size;
    head.next = head.body + head.size;
    return 0;
  };

  if (first < 0x80) return simple(ItemKind::integer, first);
  if (first >= 0xe0) return simple(ItemKind::integer, static_cast<std::int8_t>(first));
  if (first < 0x90) return container(ItemKind::map, 0, first & 15u);
  if (first < 0xa0) return container(ItemKind::list, 0, first & 15u);
  if (first < 0xc0) return blob(ItemKind::text, 0, first & 31u, 0);
  switch (first) {
    case 0xc0:
      return simple(ItemKind::nil, 0);
    case 0xc2:
    case 0xc3:
      return simple(ItemKind::boolean, first & 1);
    case 0xc4:
    case 0xc5:
    case 0xc6:
      return blob(ItemKind::binary, std::uint64_t{1} << (first - 0xc4), 0, 0);
    case 0xc7:
    case 0xc8:
    case 0xc9:
      return blob(ItemKind::ext, std::uint64_t{1} << (first - 0xc7), 0, 1);
    case 0xca:
      return fixed(ItemKind::real32, 4, false);
    case 0xcb:
      return fixed(ItemKind::real64, 8, false);
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
      return fixed(ItemKind::integer, std::uint64_t{1} << (first - 0xcc), false);
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
      return fixed(ItemKind::integer, std::uint64_t{1} << (first - 0xd0), true);
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
      return blob(ItemKind::ext, 0, std::uint64_t{1} << (first - 0xd4), 1);
    case 0xd9:
    case 0xda:
    case 0xdb:
      return blob(ItemKind::text, std::uint64_t{1} << (first - 0xd9), 0, 0);
    case 0xdc:
    case 0xdd:
      return container(ItemKind::list, std::uint64_t{2} << (first - 0xdc), 0);
    case 0xde:
    case 0xdf:
      return container(ItemKind::map, std::uint64_t{2} << (first - 0xde), 0);
    default:
      return simple(ItemKind::reserved, 0);
  }
}

/// What scan() found.
struct Scan {
  enum State { complete, incomplete, reserved_byte } state;
  std::uint64_t size;  ///< complete: bytes of the document; reserved_byte: the offset of that byte
  std::uint64_t wanted;  ///< incomplete: bytes that the document has at least
};

/// Finds the end of the document at `data` without looking into it: no memory, no recursion.
inline Scan scan(const std::uint8_t* data, std::uint64_t size) noexcept {
  const std::uint8_t* p = data;
  const std::uint8_t* const end = data + size;
  std::uint64_t pending = 1;
  while (pending != 0) {
    const auto left = static_cast<std::uint64_t>(end - p);
    const auto at = static_cast<std::uint64_t>(p - data);
    if (pending > left) return {Scan::incomplete, 0, at + pending};
    ItemHead head;
    if (const std::uint64_t need = read_head(p, end, head))
      return {Scan::incomplete, 0, at + need + pending - 1};
    if (head.kind == ItemKind::reserved) return {Scan::reserved_byte, at, 0};
    --pending;
    if (head.kind == ItemKind::list) pending += head.size;
    if (head.kind == ItemKind::map) pending += 2 * head.size;
    p = head.next;
  }
  return {Scan::complete, static_cast<std::uint64_t>(p - data), 0};
}

}  // namespace polycodec::msgpack_ndarray
