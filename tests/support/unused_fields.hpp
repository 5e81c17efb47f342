// SPDX-License-Identifier: MIT
// Arrays with a pointer in a field that their layout does not use. It leads to a page that nobody
// can read, so a walker that follows it ends the test.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/detail/layout_fields.hpp>

#include "core/value/value.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

/// The page. It has the size of a large buffer.
inline const void* forbidden_page() {
  static const void* const page =
      ::mmap(nullptr, 1 << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page;
}

struct UnusedField {
  const char* name;
  ArrayFields of;
  void (*set)(polycodec_array& array, const void* page);
};

/// All fields that some layout does not use. Those that count something make a walker read more.
inline constexpr UnusedField unused_fields[] = {
    {"data", ArrayFields::elements, [](auto& a, auto* page) { a.data = page; }},
    {"buffer", ArrayFields::elements,
     [](auto& a, auto* page) { a.buffer = page, a.buffer_size = 1 << 16; }},
    {"shape", ArrayFields::elements,
     [](auto& a, auto* page) { a.shape = static_cast<const std::int64_t*>(page), a.ndim = 3; }},
    {"strides", ArrayFields::elements,
     [](auto& a, auto* page) { a.strides = static_cast<const std::int64_t*>(page), a.ndim = 3; }},
    {"dtype", ArrayFields::elements, [](auto& a, auto*) { a.dtype = POLYCODEC_DTYPE_FLOAT64; }},
    {"buffer_size", ArrayFields::elements, [](auto& a, auto*) { a.buffer_size = 1 << 16; }},
    {"ndim", ArrayFields::elements, [](auto& a, auto*) { a.ndim = 3; }},
    {"item_size", ArrayFields::elements, [](auto& a, auto*) { a.item_size = 8; }},
    {"unit", ArrayFields::elements, [](auto& a, auto*) { a.unit = POLYCODEC_UNIT_SECOND; }},
    {"index", ArrayFields::first_column,
     [](auto& a, auto* page) {
       a.index = {page, 8, POLYCODEC_DTYPE_INT64, 0};
     }},
    {"tags", ArrayFields::second_column,
     [](auto& a, auto* page) {
       a.tags = {page, 8, POLYCODEC_DTYPE_INT64, 0};
     }},
    {"list_size", ArrayFields::list_size, [](auto& a, auto*) { a.list_size = 1 << 16; }},
    {"children", ArrayFields::children,
     [](auto& a, auto* page) {
       a.children = static_cast<const polycodec_array* const*>(page), a.n_children = 3;
     }},
    {"names", ArrayFields::names,
     [](auto& a, auto* page) { a.names = static_cast<const polycodec_bytes*>(page); }},
    {"nodes", ArrayFields::nodes,
     [](auto& a, auto* page) { a.nodes = static_cast<const polycodec_node*>(page); }},
};

/// A valid array of each layout, of two items.
inline polycodec_array* array_of_layout(Builder& out, std::uint32_t layout) {
  const auto kept = [&]<class T>(std::initializer_list<T> items) {
    return std::span<const T>(out.store_all(std::span<const T>(items.begin(), items.size())),
                              items.size());
  };
  const auto column = [&](std::initializer_list<std::int64_t> items) {
    return Builder::column(kept(items));
  };
  polycodec_array* const numbers = out.vector(kept({1.5, 2.5}));
  if (layout == POLYCODEC_LAYOUT_NDARRAY) return numbers;
  if (layout == POLYCODEC_LAYOUT_DOCUMENT) {
    polycodec_array* const a = out.new_array(POLYCODEC_LAYOUT_DOCUMENT, 2);
    a->nodes = out.store_all(
        std::span<const polycodec_node>(std::vector{Builder::integer(1), out.string_copy("two")}));
    return a;
  }
  polycodec_array* const a =
      out.with_children(static_cast<polycodec_layout>(layout), 2, {{numbers}});
  switch (layout) {
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_CHUNKED:
      a->offsets = layout == POLYCODEC_LAYOUT_CHUNKED ? column({0, 2}) : column({0, 1, 2});
      break;
    case POLYCODEC_LAYOUT_LIST_VIEW:
      a->starts = column({1, 0}), a->stops = column({2, 2});
      break;
    case POLYCODEC_LAYOUT_LIST_FIXED:
      a->list_size = 1;
      break;
    case POLYCODEC_LAYOUT_UNION:
      a->tags = column({0, 0}), a->index = column({1, 0});
      break;
    case POLYCODEC_LAYOUT_INDEXED:
      a->index = column({1, -1});
      break;
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
      a->mask = Builder::column(kept({std::uint8_t{1}, std::uint8_t{0}}));
      break;
    default:
      break;
  }
  return a;
}

/// Calls `look(const Value& stray, const Value& right)` for each layout and each field that it does
/// not use: two values of one array, which differ in that field.
template <class Look>
void for_each_unused_field(const Look& look) {
  for (std::uint32_t layout = 0; layout < POLYCODEC_LAYOUT_COUNT; ++layout)
    for (const UnusedField& field : unused_fields) {
      if (uses(layout, field.of)) continue;
      SCOPED_TRACE(std::string(layout_names[layout]) + " with " + field.name);
      const auto made = [&](bool is_set) {
        return Value::build([&](Builder& out) {
          polycodec_array* const array = array_of_layout(out, layout);
          if (is_set) field.set(*array, forbidden_page());
          return out.list({Builder::array(array), Builder::integer(7)});
        });
      };
      look(made(true), made(false), layout, field);
    }
}

}  // namespace polycodec::test
