// SPDX-License-Identifier: MIT
// Random arrays of every layout, whose columns of structure are of every dtype, stride and
// alignment, from a fixed seed.
#pragma once

#include <polycodec/builder.hpp>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

namespace polycodec {

/// Makes valid arrays, which nest up to `depth` levels: of all layouts, or of choices alone. Items
/// may be chosen twice, or never.
class RandomArrays {
 public:
  RandomArrays(Builder& builder, std::uint32_t seed, bool only_choices)
      : b_(builder), random_(seed), only_choices_(only_choices) {}

  const polycodec_array* array(std::uint64_t length, int depth) {
    switch (depth == 0 ? below(3) : only_choices_ ? 8 + below(6) : below(14)) {
      case 0:
        return leaf(length);
      case 1:
        return text(length);
      case 2:
        return document(length);
      case 3:
        return lists(length, depth);
      case 4:
        return list_view(length, depth);
      case 5: {
        const std::uint64_t size = below(4);
        polycodec_array* a =
            wrap(POLYCODEC_LAYOUT_LIST_FIXED, length, {array(length * size + below(2), depth - 1)});
        a->list_size = size;
        return a;
      }
      case 6:
        return b_.record(length, {},
                         std::vector{array(length, depth - 1), array(length + below(3), 0)});
      case 7:
        return unions(length, depth);
      case 8:
      case 9:
        return option(length, depth);
      case 10:
      case 11:
        return indexed(length, depth);
      default:
        return chunked(length, depth);
    }
  }

 private:
  using Integers = std::vector<std::int64_t>;

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::int64_t whole(std::uint64_t n) { return static_cast<std::int64_t>(below(n)); }

  /// A column of these integers, of a dtype that holds them all.
  polycodec_column column(const Integers& items) {
    const std::uint32_t dtypes[] = {POLYCODEC_DTYPE_INT8,   POLYCODEC_DTYPE_INT16,
                                    POLYCODEC_DTYPE_INT32,  POLYCODEC_DTYPE_INT64,
                                    POLYCODEC_DTYPE_UINT8,  POLYCODEC_DTYPE_UINT16,
                                    POLYCODEC_DTYPE_UINT32, POLYCODEC_DTYPE_UINT64};
    std::uint32_t dtype = 0;
    const auto fits = [&](std::int64_t item) {
      const std::uint32_t bits = 8 * dtype_size(dtype);
      if (!is_signed_integer(dtype)) return item >= 0 && (bits == 64 || item >> bits == 0);
      return bits == 64 || item >> (bits - 1) == 0 || item >> (bits - 1) == -1;
    };
    do {
      dtype = dtypes[below(std::size(dtypes))];
    } while (!std::all_of(items.begin(), items.end(), fits));
    return column(items, dtype);
  }
  /// A column of bits or bytes that say what is present.
  polycodec_column mask_column(const Integers& items, bool by_bit) {
    const std::uint32_t dtypes[] = {POLYCODEC_DTYPE_INT8, POLYCODEC_DTYPE_UINT8,
                                    POLYCODEC_DTYPE_BOOLEAN};
    return column(items, dtypes[below(by_bit ? 2 : 3)]);
  }
  /// Forwards or backwards, unaligned.
  polycodec_column column(const Integers& items, std::uint32_t dtype) {
    const std::uint32_t size = dtype_size(dtype);
    const std::uint64_t step = size + below(3), count = items.size();
    std::byte* data = b_.allocate<std::byte>(count * step + 9) + below(2);
    const bool backwards = below(3) == 0;
    for (std::uint64_t i = 0; i < count; ++i)
      std::memcpy(data + (backwards ? count - 1 - i : i) * step, &items[i], size);
    if (backwards && count != 0) data += (count - 1) * step;
    const auto stride = static_cast<std::int64_t>(step);
    return {data, backwards ? -stride : stride, dtype, 0};
  }

  polycodec_array* wrap(polycodec_layout layout, std::uint64_t length,
                        std::initializer_list<const polycodec_array*> children) {
    return b_.with_children(layout, length, std::span(children.begin(), children.size()));
  }

  const polycodec_array* leaf(std::uint64_t length) {
    const std::int64_t shape[] = {static_cast<std::int64_t>(length), 2};
    auto* data = b_.allocate<std::int32_t>(2 * length + 1);
    for (std::uint64_t i = 0; i < 2 * length; ++i) data[i] = static_cast<std::int32_t>(random_());
    return b_.ndarray(bytes_of(std::span<const std::int32_t>(data, 2 * length)),
                      POLYCODEC_DTYPE_INT32, 4, std::span(shape, 1 + below(2)));
  }
  const polycodec_array* text(std::uint64_t length) {
    Integers ends{0};
    for (std::uint64_t i = 0; i < length; ++i) ends.push_back(ends.back() + whole(4));
    const auto size = static_cast<std::uint64_t>(ends.back());
    auto* bytes = b_.allocate<std::uint8_t>(size + 1);
    for (std::uint64_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>('a' + below(26));
    polycodec_array* a = wrap(POLYCODEC_LAYOUT_LIST_OFFSETS, length,
                              {b_.vector(std::span<const std::uint8_t>(bytes, size))});
    a->offsets = column(ends);
    a->flags = below(2) == 0 ? POLYCODEC_ARRAY_STRING : POLYCODEC_ARRAY_BINARY;
    return a;
  }
  const polycodec_array* document(std::uint64_t length) {
    polycodec_array* a = b_.new_array(POLYCODEC_LAYOUT_DOCUMENT, length);
    std::vector<polycodec_node> nodes;
    for (std::uint64_t i = 0; i < length; ++i) nodes.push_back(Builder::integer(whole(1000)));
    a->nodes = b_.store_all(std::span<const polycodec_node>(nodes));
    return a;
  }

  const polycodec_array* lists(std::uint64_t length, int depth) {
    Integers ends{whole(2)};
    for (std::uint64_t i = 0; i < length; ++i) ends.push_back(ends.back() + whole(4));
    polycodec_array* a =
        wrap(POLYCODEC_LAYOUT_LIST_OFFSETS, length,
             {array(static_cast<std::uint64_t>(ends.back()) + below(2), depth - 1)});
    a->offsets = column(ends);
    return a;
  }
  const polycodec_array* list_view(std::uint64_t length, int depth) {
    const std::uint64_t size = below(9);
    Integers starts, stops;
    for (std::uint64_t i = 0; i < length; ++i) {
      starts.push_back(whole(size + 1));
      stops.push_back(starts.back() + whole(size + 1 - static_cast<std::uint64_t>(starts.back())));
    }
    polycodec_array* a = wrap(POLYCODEC_LAYOUT_LIST_VIEW, length, {array(size, depth - 1)});
    a->starts = column(starts);
    a->stops = column(stops);
    return a;
  }

  const polycodec_array* unions(std::uint64_t length, int depth) {
    std::vector<const polycodec_array*> children;
    for (std::uint64_t n = 1 + below(3); n > 0; --n)
      children.push_back(array(1 + below(5), children.empty() ? depth - 1 : 0));
    Integers tags, index;
    for (std::uint64_t i = 0; i < length; ++i) {
      tags.push_back(whole(children.size()));
      index.push_back(whole(children[static_cast<std::size_t>(tags.back())]->length));
    }
    polycodec_array* a = b_.with_children(POLYCODEC_LAYOUT_UNION, length, children);
    a->tags = column(tags);
    a->index = column(index);
    return a;
  }
  const polycodec_array* option(std::uint64_t length, int depth) {
    const bool by_bit = below(2) == 0;
    polycodec_array* a = wrap(by_bit ? POLYCODEC_LAYOUT_OPTION_BITS : POLYCODEC_LAYOUT_OPTION_BYTES,
                              length, {array(length + below(2), depth - 1)});
    Integers mask;
    const std::uint64_t likely = below(4);  // also runs of items that are present or missing
    for (std::uint64_t i = 0; i < (by_bit ? (length + 7) / 8 : length); ++i)
      mask.push_back(by_bit ? whole(256) : below(4) < likely ? 1 : 0);
    a->mask = mask_column(mask, by_bit);
    if (by_bit && below(2) == 0) a->flags |= POLYCODEC_ARRAY_BITS_LSB;
    if (below(2) == 0) a->flags |= POLYCODEC_ARRAY_MASK_VALID;
    return a;
  }
  const polycodec_array* indexed(std::uint64_t length, int depth) {
    const std::uint64_t size = below(12);
    const bool may_miss = size == 0 || below(2) == 0;
    const std::uint64_t jumps = 1 + below(4);
    Integers index;
    std::int64_t next = 0;
    for (std::uint64_t i = 0; i < length; ++i) {
      if (below(jumps) == 0 || next >= static_cast<std::int64_t>(size))
        next = size == 0 ? 0 : whole(size);
      index.push_back(may_miss && (size == 0 || below(3) == 0) ? -1 - whole(2) : next++);
    }
    polycodec_array* a = wrap(POLYCODEC_LAYOUT_INDEXED, length, {array(size, depth - 1)});
    a->index = column(index);
    return a;
  }
  const polycodec_array* chunked(std::uint64_t length, int depth) {
    std::vector<const polycodec_array*> chunks;
    Integers starts{0};
    const bool many = below(4) == 0;
    for (std::uint64_t left = length; left != 0 || (many && chunks.size() < 20);) {
      const std::uint64_t taken = std::min(left, many ? below(2) : below(length + 1));
      chunks.push_back(array(taken, below(chunks.size() + 2) == 0 ? depth - 1 : 0));
      starts.push_back(starts.back() + static_cast<std::int64_t>(taken));
      left -= taken;
    }
    polycodec_array* a = b_.with_children(POLYCODEC_LAYOUT_CHUNKED, length, chunks);
    if (chunks.size() > POLYCODEC_MAX_PLAIN_CHUNKS || below(2) == 0) a->offsets = column(starts);
    return a;
  }

  Builder& b_;
  std::mt19937 random_;
  bool only_choices_;
};

}  // namespace polycodec
