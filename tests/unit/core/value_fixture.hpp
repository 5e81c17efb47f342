// SPDX-License-Identifier: MIT
// Shared by the tests of values: an arena with a builder, and short names for small arrays.
#pragma once

#include <polycodec/builder.hpp>

#include "core/value/arena.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Makes values that live as long as the test.
class ValueTest : public ::testing::Test {
 protected:
  template <class T>
  polycodec_array* leaf(std::initializer_list<T> items) {
    return b.vector(stored(items));
  }
  template <class T>
  std::span<const T> stored(std::initializer_list<T> items) {
    return {b.store_all(std::span<const T>(items.begin(), items.size())), items.size()};
  }
  polycodec_array* offsets(std::initializer_list<std::int64_t> items,
                           const polycodec_array* content, std::uint8_t flags = 0) {
    return b.list_offsets(stored(items), content, flags);
  }
  polycodec_array* texts(std::initializer_list<std::string_view> items,
                         std::uint8_t flags = POLYCODEC_ARRAY_STRING) {
    auto* ends = b.allocate<std::int32_t>(items.size() + 1);
    std::string all;
    ends[0] = 0;
    std::size_t i = 0;
    for (const std::string_view item : items) {
      all += item;
      ends[++i] = static_cast<std::int32_t>(all.size());
    }
    const std::string_view kept = b.copy_text(all);
    return b.list_offsets(
        std::span<const std::int32_t>(ends, items.size() + 1),
        b.vector(std::span(reinterpret_cast<const std::uint8_t*>(kept.data()), kept.size())),
        flags);
  }
  polycodec_array* wrap(polycodec_layout form, std::uint64_t length,
                        std::initializer_list<const polycodec_array*> children) {
    return b.with_children(form, length, std::span(children.begin(), children.size()));
  }
  template <class T>
  polycodec_array* indexed(std::initializer_list<T> indices, const polycodec_array* content) {
    auto* a = wrap(POLYCODEC_LAYOUT_INDEXED, indices.size(), {content});
    a->index = Builder::column(stored(indices));
    return a;
  }
  polycodec_array* masked(std::initializer_list<std::int8_t> mask, const polycodec_array* content,
                          bool valid) {
    auto* a = wrap(POLYCODEC_LAYOUT_OPTION_BYTES, mask.size(), {content});
    a->index = Builder::column(stored(mask));
    a->flags = valid ? POLYCODEC_ARRAY_MASK_VALID : 0;
    return a;
  }
  polycodec_array* record(std::uint64_t length, std::initializer_list<std::string_view> names,
                          std::initializer_list<const polycodec_array*> columns) {
    return b.record(length, std::span(names.begin(), names.size()),
                    std::span(columns.begin(), columns.size()));
  }
  polycodec_array* chunked(std::initializer_list<const polycodec_array*> chunks) {
    std::uint64_t length = 0;
    for (const polycodec_array* chunk : chunks) length += chunk->length;
    return wrap(POLYCODEC_LAYOUT_CHUNKED, length, chunks);
  }

  Arena arena;
  Builder b{arena.abi()};
};

}  // namespace polycodec
