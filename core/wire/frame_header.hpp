// SPDX-License-Identifier: MIT
// The header of frames, byte by byte as docs/frames.md describes it.
#pragma once

#include <polycodec/abi.h>

#include <bit>
#include <cstdint>
#include <string_view>

namespace polycodec::wire {

// Tables are copied as they are, and columns of structure are in the order of the machine.
static_assert(std::endian::native == std::endian::little);

inline constexpr std::string_view magic{"\x89PCF\r\n\x1a\n", 8};
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint32_t flag_partial = 1;
/// An address or index of nothing.
inline constexpr std::uint64_t none = UINT64_MAX;
/// Shorter runs of bytes are copied into the header.
inline constexpr std::uint64_t least_frame = 4096;

/// The numbers of entries are those of the tables, which follow in this order.
struct Head {
  char magic[8];
  std::uint32_t version;
  std::uint32_t flags;
  std::uint64_t size;  // of the header
  std::uint64_t root;  // index of a node
  std::uint64_t frames, nodes, times, extensions, annotations, variants, arrays, children, names,
      numbers;
  std::uint64_t bytes;  // of the short runs, at the end
  std::uint64_t reserved;
};
static_assert(sizeof(Head) == 128);

struct ExtensionRecord {
  std::uint64_t name, name_size, payload;
};
struct AnnotationRecord {
  std::uint64_t node, metadata;
};
struct VariantRecord {
  std::int64_t tag;
  std::uint64_t node;
};
struct NameRecord {
  std::uint64_t at, size;
};
struct ColumnRecord {
  std::uint64_t at;
  std::int64_t stride;
  std::uint32_t dtype;
  std::uint32_t reserved;
};
struct ArrayRecord {
  std::uint8_t layout, dtype, byte_order, flags;
  std::uint32_t ndim;
  std::uint32_t item_size;
  std::uint32_t unit;
  std::uint32_t n_children;
  std::uint32_t has_names;
  std::uint64_t length;
  std::uint64_t buffer;
  std::uint64_t buffer_size;
  std::int64_t data;      // bytes from the buffer to the first element
  std::uint64_t numbers;  // shape, then strides
  std::uint64_t children;
  std::uint64_t names;
  std::uint64_t list_size;
  std::uint64_t nodes;
  std::uint64_t metadata;
  ColumnRecord first, second;
};
static_assert(sizeof(ArrayRecord) == 152);
static_assert(sizeof(polycodec_node) == 16 && sizeof(polycodec_time) == 16);

}  // namespace polycodec::wire
