// SPDX-License-Identifier: MIT
// Random values of every kind and form, from a fixed seed.
#pragma once

#include <polycodec/array_view.hpp>
#include <polycodec/builder.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace polycodec {

/// Makes valid values. Nodes and arrays nest up to `depth` levels. Every item of a column is part
/// of the value: what nothing selects would have a say in the type, and the text does not show it.
class RandomValue {
 public:
  RandomValue(Builder& builder, std::uint32_t seed) : b_(builder), random_(seed) {}

  polycodec_node node(int depth) {
    switch (below(depth > 0 ? 20 : 10)) {
      case 0:
        return Builder::null();
      case 1:
        return Builder::boolean(below(2) == 0);
      case 2:
      case 3:
        return integer();
      case 4:
        return real();
      case 5:
        return wide();
      case 6:
      case 7:
        return b_.string_copy(text());
      case 8:
        return bytes();
      case 9:
        return time();
      case 10:
      case 11:
        return list(depth);
      case 12:
        return b_.tuple(nodes(depth, below(4)));
      case 13:
        return object(depth);
      case 14:
        return map(depth);
      case 15:
        return b_.extension("x." + text(), node(depth - 1));
      case 16:
        return b_.annotated(bare(node(depth - 1)), attributes());
      case 17:
        return b_.tagged(static_cast<std::int64_t>(below(4)), node(depth - 1));
      default:
        return Builder::array(array(below(6), depth));
    }
  }

  /// An array of `length` items.
  polycodec_array* array(std::uint64_t length, int depth) {
    switch (below(depth > 0 ? 15 : 3)) {
      case 0:
      case 1:
        return leaf(length);
      case 2:
        return texts(length);
      case 3:
      case 4:
        return lists(length, depth);
      case 5: {
        std::vector<std::int32_t> starts, stops{0};
        for (std::uint64_t i = 0; i < length; ++i) {
          starts.push_back(stops.back());
          stops.push_back(stops.back() + static_cast<std::int32_t>(below(3)));
        }
        const auto total = static_cast<std::uint64_t>(stops.back());
        stops.erase(stops.begin());
        polycodec_array* a = wrap(POLYCODEC_LAYOUT_LIST_VIEW, length, {array(total, depth - 1)});
        a->index = column(starts);
        a->stops = column(stops);
        return a;
      }
      case 6: {
        const std::uint64_t size = below(3);
        polycodec_array* a =
            wrap(POLYCODEC_LAYOUT_LIST_FIXED, length, {array(length * size, depth - 1)});
        a->list_size = size;
        return a;
      }
      case 7:
      case 8:
        return record(length, depth);
      case 9:
        return unions(length, depth);
      case 10:
        return masked(length);
      case 11: {
        std::vector<std::int64_t> index;
        std::int64_t present = 0;
        const bool missing = below(2) == 0;
        for (std::uint64_t i = 0; i < length; ++i)
          index.push_back(missing && below(3) == 0 ? -1 : present++);
        polycodec_array* a = wrap(POLYCODEC_LAYOUT_INDEXED, length,
                                  {array(static_cast<std::uint64_t>(present), depth - 1)});
        a->index = column(index);
        return a;
      }
      case 12: {
        const std::uint64_t before = below(length + 1);
        return wrap(POLYCODEC_LAYOUT_CHUNKED, length,
                    {chunk(before, depth), chunk(length - before, depth)});
      }
      case 13:
        return documents(length, depth);
      default:
        return fixed(length);
    }
  }

 private:
  polycodec_array* documents(std::uint64_t length, int depth) {
    polycodec_array* a = b_.new_array(POLYCODEC_LAYOUT_DOCUMENT, length);
    a->nodes = b_.store_all(std::span<const polycodec_node>(nodes(depth, length)));
    return a;
  }

  /// Chunks without attributes: those of unlike chunks would be said of each item.
  polycodec_array* chunk(std::uint64_t length, int depth) {
    if (below(2) == 0) return documents(length, depth);
    polycodec_array* a = leaf(length);
    a->metadata = nullptr;
    return a;
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::uint64_t bits() { return std::uint64_t{random_()} << 32 | random_(); }

  /// Numbers of all sizes, and those at the edges.
  std::uint64_t whole() {
    const std::uint64_t edges[] = {0,     1,         127,        128,       255,       32767,
                                   65535, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    return below(2) == 0 ? edges[below(std::size(edges))] : bits() >> below(64);
  }

  polycodec_node integer() {
    const std::uint64_t value = below(2) == 0 ? whole() : std::uint64_t{0} - whole();
    switch (below(8)) {
      case 0:
        return Builder::integer(static_cast<std::int8_t>(value), POLYCODEC_DTYPE_INT8);
      case 1:
        return Builder::integer(static_cast<std::int16_t>(value), POLYCODEC_DTYPE_INT16);
      case 2:
        return Builder::integer(static_cast<std::int32_t>(value), POLYCODEC_DTYPE_INT32);
      case 3:
        return Builder::unsigned_integer(static_cast<std::uint8_t>(value), POLYCODEC_DTYPE_UINT8);
      case 4:
        return Builder::unsigned_integer(static_cast<std::uint32_t>(value), POLYCODEC_DTYPE_UINT32);
      case 5:
        return Builder::unsigned_integer(value);
      default:
        return Builder::integer(static_cast<std::int64_t>(value));
    }
  }

  polycodec_node real() {
    switch (below(5)) {
      case 0:
        return Builder::real16(static_cast<std::uint16_t>(bits()));
      case 1:
        return Builder::real32(std::bit_cast<float>(static_cast<std::uint32_t>(bits())));
      case 2:
        return Builder::real(static_cast<double>(static_cast<std::int64_t>(whole())));
      case 3:
        return Builder::real(static_cast<double>(random_() % 1000) / 100 - 5);
      default:
        return Builder::real(std::bit_cast<double>(bits()));
    }
  }

  polycodec_node wide() {
    const std::uint64_t parts[] = {below(2) == 0 ? 0 : bits(), below(2) == 0 ? 0 : whole()};
    const std::uint8_t dtypes[] = {POLYCODEC_DTYPE_INT128,    POLYCODEC_DTYPE_UINT128,
                                   POLYCODEC_DTYPE_FLOAT128,  POLYCODEC_DTYPE_COMPLEX32,
                                   POLYCODEC_DTYPE_COMPLEX64, POLYCODEC_DTYPE_COMPLEX128};
    return b_.wide(dtypes[below(std::size(dtypes))], parts);
  }

  std::string text() {
    const char* pieces[] = {"a",  "b",    "$x",       "\"",       "\\",
                            "\n", "\x7f", "\xc2\x85", "\xc3\xa9", "\xf0\x9f\x98\x80",
                            " ",  ""};
    std::string all;
    for (std::uint64_t i = below(4); i > 0; --i) all += pieces[below(std::size(pieces))];
    return all;
  }

  polycodec_node bytes() {
    const std::uint64_t data = bits();
    return b_.bytes_copy(bytes_of(std::span(&data, 1)).substr(0, below(9)));
  }

  polycodec_node time() {
    const auto unit = static_cast<std::uint32_t>(1 + below(POLYCODEC_UNIT_COUNT - 1));
    const auto count = static_cast<std::int64_t>(below(2) == 0 ? bits() : whole());
    if (below(2) == 0) return b_.duration(count, unit);
    const bool fine = is_subsecond_unit(unit) && count != INT64_MIN;
    return b_.timestamp(
        count, fine && below(2) == 0 ? static_cast<std::uint32_t>(below(1000000000)) : 0, unit);
  }

  /// A node that may be annotated.
  static polycodec_node bare(const polycodec_node& n) {
    return n.kind == POLYCODEC_KIND_ANNOTATED ? *n.as.annotated->node : n;
  }

  polycodec_node attributes() {
    switch (below(3)) {
      case 0:
        return b_.object({{"units", b_.string_copy("cm")}});
      case 1:
        return b_.object(
            {{"title", b_.string_copy(text())}, {"n", Builder::integer(3)}, {"x", real()}});
      default:
        return b_.object(
            {{"$flags", b_.list({Builder::boolean(true), integer()})}, {"units", Builder::null()}});
    }
  }

  std::vector<polycodec_node> nodes(int depth, std::uint64_t count) {
    std::vector<polycodec_node> all;
    for (; count > 0; --count) all.push_back(node(depth - 1));
    return all;
  }

  polycodec_node list(int depth) {
    if (below(2) == 0) return b_.list(nodes(depth, below(4)));
    // Items of one kind, with nulls, sometimes more than a tuple takes.
    std::vector<polycodec_node> items;
    const polycodec_node item = node(depth - 1);
    for (std::uint64_t i = below(20); i > 0; --i)
      items.push_back(below(4) == 0 ? Builder::null() : item);
    return b_.list(items);
  }

  polycodec_node object(int depth) {
    std::vector<polycodec_node> all;
    const std::uint64_t count = below(4);
    for (std::uint64_t i = 0; i < count; ++i) {
      all.push_back(b_.string_copy(text() + static_cast<char>('0' + i)));
      all.push_back(node(depth - 1));
    }
    polycodec_node* out;
    const polycodec_node n = b_.object(count, &out);
    std::copy(all.begin(), all.end(), out);
    return n;
  }

  polycodec_node map(int depth) {
    const bool strings = below(2) == 0;
    const std::uint64_t count = below(4);
    std::vector<polycodec_node> all;
    for (std::uint64_t i = 0; i < count; ++i) {
      all.push_back(strings ? b_.string_copy(text()) : node(depth - 1));
      all.push_back(node(depth - 1));
    }
    polycodec_node* out;
    const polycodec_node n = b_.map(count, &out);
    std::copy(all.begin(), all.end(), out);
    return n;
  }

  template <class T>
  polycodec_column column(const std::vector<T>& items) {
    return Builder::column(
        std::span<const T>(b_.store_all(std::span<const T>(items)), items.size()));
  }

  polycodec_array* wrap(polycodec_layout form, std::uint64_t length,
                        std::initializer_list<const polycodec_array*> items) {
    polycodec_array* a = b_.with_children(form, length, std::span(items.begin(), items.size()));
    return annotated(a);
  }

  polycodec_array* annotated(polycodec_array* a) {
    if (below(8) == 0) a->metadata = b_.store(attributes());
    return a;
  }

  /// Elements of any dtype, in one to three dimensions, in either byte order, forwards or
  /// backwards.
  polycodec_array* leaf(std::uint64_t length) {
    const auto dtype =
        static_cast<std::uint32_t>(POLYCODEC_DTYPE_BOOLEAN + below(POLYCODEC_DTYPE_DURATION64));
    const std::uint32_t size = dtype_size(dtype);
    std::vector<std::int64_t> shape{static_cast<std::int64_t>(length)};
    while (shape.size() < 3 && below(3) == 0) shape.push_back(static_cast<std::int64_t>(below(4)));
    std::uint64_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
    auto* data = b_.allocate<std::byte>(count * size);
    for (std::uint64_t i = 0; i < count * size; ++i) data[i] = static_cast<std::byte>(random_());
    for (std::uint64_t i = 0; dtype == POLYCODEC_DTYPE_BOOLEAN && i < count; ++i)
      data[i] &= std::byte{1};
    const bool big = dtype_swap_width(dtype) > 1 && below(2) == 0;
    polycodec_array* a = b_.ndarray(to_string_view(data, count * size), dtype, size, shape,
                                    big ? POLYCODEC_BIG_ENDIAN : POLYCODEC_LITTLE_ENDIAN);
    if (is_time(dtype)) a->unit = static_cast<std::uint32_t>(1 + below(POLYCODEC_UNIT_COUNT - 1));
    if (count > 0 && below(3) == 0) {
      const auto strides = const_cast<std::int64_t*>(a->strides);
      a->data = data + (shape[0] - 1) * strides[0];
      strides[0] = -strides[0];
    }
    return annotated(a);
  }

  polycodec_array* fixed(std::uint64_t length) {
    const bool raw = below(2) == 0;
    const std::uint32_t dtypes[] = {POLYCODEC_DTYPE_FIXED_UTF8, POLYCODEC_DTYPE_FIXED_UTF16,
                                    POLYCODEC_DTYPE_FIXED_UTF32};
    const std::uint32_t which = static_cast<std::uint32_t>(below(3)), unit = 1u << which;
    auto* data = b_.allocate<std::byte>(length * 3 * unit);
    std::memset(data, 0, length * 3 * unit);
    for (std::uint64_t i = 0; i < length * 3; ++i)
      if (below(2) == 0) data[i * unit] = static_cast<std::byte>('a' + below(26));
    const std::int64_t shape[] = {static_cast<std::int64_t>(length)};
    return b_.ndarray(to_string_view(data, length * 3 * unit),
                      raw ? std::uint32_t{POLYCODEC_DTYPE_FIXED_BYTES} : dtypes[which], 3 * unit,
                      shape, POLYCODEC_LITTLE_ENDIAN);
  }

  polycodec_array* texts(std::uint64_t length) {
    std::string all;
    std::vector<std::int64_t> ends{0};
    for (std::uint64_t i = 0; i < length; ++i) {
      all += text();
      ends.push_back(static_cast<std::int64_t>(all.size()));
    }
    const std::string_view kept = b_.copy_text(all);
    return annotated(b_.list_offsets(
        std::span<const std::int64_t>(b_.store_all(std::span<const std::int64_t>(ends)),
                                      ends.size()),
        b_.vector(std::span(reinterpret_cast<const std::uint8_t*>(kept.data()), kept.size())),
        below(3) == 0 ? POLYCODEC_ARRAY_BINARY : POLYCODEC_ARRAY_STRING));
  }

  polycodec_array* lists(std::uint64_t length, int depth) {
    std::vector<std::int32_t> ends{0};
    for (std::uint64_t i = 0; i < length; ++i)
      ends.push_back(ends.back() + static_cast<std::int32_t>(below(3)));
    polycodec_array* a = wrap(POLYCODEC_LAYOUT_LIST_OFFSETS, length,
                              {array(static_cast<std::uint64_t>(ends.back()), depth - 1)});
    a->index = column(ends);
    return a;
  }

  polycodec_array* record(std::uint64_t length, int depth) {
    std::vector<const polycodec_array*> columns;
    std::vector<std::string> names;
    const std::uint64_t count = 1 + below(3);
    for (std::uint64_t i = 0; i < count; ++i) {
      columns.push_back(array(length, depth - 1));
      names.push_back(text() + static_cast<char>('0' + i));
    }
    std::vector<std::string_view> views(names.begin(), names.end());
    if (below(3) == 0) views.clear();
    return annotated(b_.record(length, views, columns));
  }

  polycodec_array* unions(std::uint64_t length, int depth) {
    std::vector<std::int8_t> tags;
    std::vector<std::int64_t> index;
    std::int64_t counts[2] = {0, 0};
    for (std::uint64_t i = 0; i < length; ++i) {
      tags.push_back(static_cast<std::int8_t>(below(2)));
      index.push_back(counts[tags.back()]++);
    }
    polycodec_array* a = wrap(POLYCODEC_LAYOUT_UNION, length,
                              {array(static_cast<std::uint64_t>(counts[0]), depth - 1),
                               array(static_cast<std::uint64_t>(counts[1]), depth - 1)});
    a->tags = column(tags);
    a->index = column(index);
    return a;
  }

  polycodec_array* masked(std::uint64_t length) {
    const bool by_bit = below(2) == 0;
    polycodec_array* a = wrap(by_bit ? POLYCODEC_LAYOUT_OPTION_BITS : POLYCODEC_LAYOUT_OPTION_BYTES,
                              length, {array(length, 0)});
    std::vector<std::uint8_t> mask;
    for (std::uint64_t i = 0; i < length; ++i)
      mask.push_back(static_cast<std::uint8_t>(by_bit ? bits() : below(2)));
    a->index = column(mask);
    a->flags = static_cast<std::uint8_t>((below(2) == 0 ? POLYCODEC_ARRAY_MASK_VALID : 0) |
                                         (by_bit && below(2) == 0 ? POLYCODEC_ARRAY_BITS_LSB : 0));
    // An item is present, so that the type of the content is that of an item.
    if (length > 0 && !ArrayView(*a).is_present(0)) a->flags ^= POLYCODEC_ARRAY_MASK_VALID;
    return a;
  }

  Builder& b_;
  std::mt19937 random_;
};

}  // namespace polycodec
