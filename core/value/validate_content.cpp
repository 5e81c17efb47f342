// SPDX-License-Identifier: MIT
// What the buffers and structure columns of one array hold.
#include <base/column_read.hpp>
#include <base/contiguous.hpp>
#include <base/fixed_text.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "core/call/call_scope.hpp"
#include "core/value/validate_array.hpp"
#include "core/value/validation_work.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::detail {
namespace {

[[noreturn]] void throw_item(const char* what, std::uint64_t i, std::int64_t value,
                             const std::string& rule) {
  throw_invalid(std::string(what) + " " + std::to_string(i) + " is " + std::to_string(value) +
                ", " + rule);
}

// The loops below collect sign bits instead of branching, so that they become vector code; a second
// loop finds the culprit. If no item is negative, no difference of two of them overflows, and its
// sign bit is exact.
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

constexpr std::uint64_t minus(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

/// All bits that look(from, to) finds in parts of [0, items). Items take `width` bytes.
template <class Look>
std::uint64_t bits_of(std::uint64_t items, std::uint64_t width, const Look& look) {
  constexpr std::uint64_t slice = std::uint64_t{1} << 20;
  std::atomic<std::uint64_t> found = 0;
  for_each_host_slice(items * width, slice, [&](std::uint64_t from, std::uint64_t to) {
    found.fetch_or(look(from / width, to / width), std::memory_order_relaxed);
  });
  return found;
}

/// Of columns of numbers.
template <class Look>
std::uint64_t bits_of(std::uint64_t items, const Look& look) {
  return bits_of(items, 8, look);
}

/// How many items of a list or union differ in their columns. Columns of stride 0 have one item,
/// however many the array has.
std::uint64_t distinct_items(const polycodec_array& a) noexcept {
  switch (a.layout) {
    case POLYCODEC_LAYOUT_LIST_FIXED:
      return a.list_size == 0 ? 0 : a.length;
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
      return a.index.stride == 0 ? std::min<std::uint64_t>(a.length, 1) : a.length;
    default:
      return a.index.stride == 0 && a.stops.stride == 0 ? std::min<std::uint64_t>(a.length, 1)
                                                        : a.length;
  }
}

void check_offsets(const polycodec_array& a) {
  const std::uint64_t content = a.children[0]->length;
  const std::uint64_t length = distinct_items(a);
  with_column(a.index, [&](auto offsets) {
    const std::uint64_t bad = bits_of(length, [&](std::uint64_t from, std::uint64_t to) {
      std::uint64_t bits = static_cast<std::uint64_t>(offsets[from]);
      for (std::uint64_t i = from; i < to; ++i)
        bits |= static_cast<std::uint64_t>(offsets[i + 1]) | minus(offsets[i + 1], offsets[i]);
      return bits;
    });
    if ((bad & sign_bit) == 0 && static_cast<std::uint64_t>(offsets[length]) <= content) return;
    for (std::uint64_t i = 0; i <= length; ++i) {
      const std::int64_t offset = offsets[i];
      if (offset < 0) throw_item("offset", i, offset, "which is negative");
      if (i != 0 && offset < offsets[i - 1])
        throw_item("offset", i, offset,
                   "less than the one before, " + std::to_string(offsets[i - 1]));
      if (static_cast<std::uint64_t>(offset) > content)
        throw_item("offset", i, offset,
                   "beyond the content of " + std::to_string(content) + " items");
    }
  });
}

void check_views(const polycodec_array& a) {
  const auto content = static_cast<std::int64_t>(a.children[0]->length);
  const std::uint64_t length = distinct_items(a);
  if (length == 0) return;
  with_column(a.index, [&](auto starts) {
    with_column(a.stops, [&](auto stops) {
      const std::uint64_t bad = bits_of(length, [&](std::uint64_t from, std::uint64_t to) {
        std::uint64_t bits = 0;
        for (std::uint64_t i = from; i < to; ++i)
          bits |= static_cast<std::uint64_t>(starts[i]) | static_cast<std::uint64_t>(stops[i]) |
                  minus(stops[i], starts[i]) | minus(content, stops[i]);
        return bits;
      });
      if ((bad & sign_bit) == 0) return;
      for (std::uint64_t i = 0; i < length; ++i) {
        if (starts[i] < 0) throw_item("start", i, starts[i], "which is negative");
        if (stops[i] < starts[i])
          throw_item("stop", i, stops[i], "less than its start, " + std::to_string(starts[i]));
        if (stops[i] > content)
          throw_item("stop", i, stops[i],
                     "beyond the content of " + std::to_string(content) + " items");
      }
    });
  });
}

void check_indices(const polycodec_array& a) {
  const auto content = static_cast<std::int64_t>(a.children[0]->length);
  if (a.length == 0) return;
  // A column of stride 0 has one index, however many items there are.
  const std::uint64_t count = a.index.stride == 0 ? 1 : a.length;
  with_column(a.index, [&](auto indices) {
    const std::uint64_t bad = bits_of(count, [&](std::uint64_t from, std::uint64_t to) {
      std::int64_t greatest = -1;
      for (std::uint64_t i = from; i < to; ++i) greatest = std::max(greatest, indices[i]);
      return std::uint64_t{greatest >= content};
    });
    if (bad == 0) return;
    for (std::uint64_t i = 0; i < a.length; ++i)
      if (indices[i] >= content)
        throw_item("index", i, indices[i],
                   "beyond the content of " + std::to_string(content) + " items");
  });
}

void check_union(const polycodec_array& a) {
  const ColumnView indices(a.index);
  const std::uint64_t length = distinct_items(a);
  with_column(a.tags, [&](auto tags) {
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::int64_t tag = tags[i];
      if (tag < 0 || tag >= static_cast<std::int64_t>(a.n_children))
        throw_item("tag", i, tag, "but the union has " + std::to_string(a.n_children) + " members");
      const auto member = static_cast<std::size_t>(tag);
      const auto content = static_cast<std::int64_t>(a.children[member]->length);
      const std::int64_t index = indices[i];
      if (index < 0 || index >= content)
        throw_item(
            "index", i, index,
            "but member " + std::to_string(tag) + " has " + std::to_string(content) + " items");
    }
  });
}

void check_names(const polycodec_array& a) {
  if (a.names == nullptr) return;
  std::vector<std::string_view> names(a.n_children);
  for (std::uint32_t i = 0; i < a.n_children; ++i) names[i] = to_string_view(a.names[i]);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) throw_invalid("two columns are called " + quote(*twice));
}

/// True if `text` is UTF-8. Each part ends where a character begins: at most three bytes later.
bool is_all_utf8(std::string_view text) {
  const auto cut = [&](std::uint64_t at) {
    auto i = static_cast<std::size_t>(at);
    const std::size_t most = std::min(text.size(), i + 3);
    while (i != 0 && i < most && (static_cast<unsigned char>(text[i]) & 0xc0u) == 0x80u) ++i;
    return i;
  };
  return bits_of(text.size(), 1, [&](std::uint64_t from, std::uint64_t to) {
           return std::uint64_t{!is_utf8(text.substr(cut(from), cut(to) - cut(from)))};
         }) == 0;
}

void check_texts(const polycodec_array& a, ValidationWork& work) {
  const ArrayView list(a);
  const std::uint64_t content = a.children[0]->length;
  const auto* bytes = reinterpret_cast<const char*>(list.child().data());
  // Where all of the content is UTF-8, an item is iff it starts and ends at characters: true for
  // all that writers make.
  work.take(content);
  const bool all_valid = is_all_utf8({bytes, static_cast<std::size_t>(content)});
  const auto at_character = [&](std::uint64_t at) {
    return at == content || (static_cast<unsigned char>(bytes[at]) & 0xc0u) != 0x80u;
  };
  for (std::uint64_t i = 0, n = distinct_items(a); i < n; ++i) {
    const ArrayView::Range r = list.range(i);
    if (all_valid ? at_character(r.begin) && at_character(r.end) : r.begin == r.end) continue;
    if (r.begin == r.end) continue;
    work.take(r.end - r.begin);
    if (!is_utf8({bytes + r.begin, static_cast<std::size_t>(r.end - r.begin)}))
      throw_content("text " + std::to_string(i) + " of the array is not UTF-8");
  }
}

bool is_boolean(const std::byte* p, std::size_t count) {
  return bits_of(count, 1, [&](std::uint64_t from, std::uint64_t to) {
           unsigned any = 0;
           for (std::uint64_t i = from; i < to; ++i) any |= static_cast<unsigned>(p[i]);
           return std::uint64_t{any};
         }) <= 1;
}

// Axes of stride 0 repeat the same elements: one of them is looked at.
void check_elements(const polycodec_array& a, ValidationWork& work) {
  const bool text = a.dtype >= POLYCODEC_DTYPE_FIXED_UTF8;
  if ((a.dtype != POLYCODEC_DTYPE_BOOLEAN && !text) || a.item_size == 0 ||
      ArrayView(a).element_count() == 0)
    return;
  std::int64_t shape[POLYCODEC_MAX_NDIM] = {};
  std::uint64_t count = 1;
  for (std::uint32_t axis = 0; axis < a.ndim; ++axis) {
    shape[axis] = a.strides[axis] == 0 ? 1 : a.shape[axis];
    count *= static_cast<std::uint64_t>(shape[axis]);
  }
  work.take(count * a.item_size);
  polycodec_array distinct = a;
  distinct.shape = shape;
  distinct.length = a.ndim == 0 ? 1 : static_cast<std::uint64_t>(shape[0]);
  const auto order = a.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  std::uint64_t done = 0;
  for_each_run(
      ArrayView(distinct), [&](const std::byte* p, std::uint64_t items, std::int64_t stride) {
        if (!text && stride == 1) {
          if (!is_boolean(p, static_cast<std::size_t>(items)))
            throw_content("a boolean is neither 0 nor 1");
          done += items;
          return;
        }
        for (std::uint64_t i = 0; i < items; ++i, p += stride, ++done) {
          if (!text && !is_boolean(p, 1)) throw_content("a boolean is neither 0 nor 1");
          if (text && !is_fixed_text(p, a.dtype, a.item_size, order))
            throw_content("element " + std::to_string(done) + " of the array is not a valid text");
        }
      });
}

}  // namespace

/// Charges the structure columns that are read: 8 bytes an item.
void charge_columns(const polycodec_array& a, ValidationWork& work) {
  const bool two = uses(a.layout, ArrayFields::second_column);
  const bool one =
      a.layout == POLYCODEC_LAYOUT_LIST_OFFSETS || a.layout == POLYCODEC_LAYOUT_INDEXED;
  if (one || two) work.charge(a.index.stride == 0 ? 1 : a.length / (two ? 1 : 2));
}

void check_array_content(const polycodec_array& a, ValidationWork& work) {
  charge_columns(a, work);
  switch (a.layout) {
    case POLYCODEC_LAYOUT_NDARRAY:
      return check_elements(a, work);
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
      check_offsets(a);
      break;
    case POLYCODEC_LAYOUT_LIST_VIEW:
      check_views(a);
      break;
    case POLYCODEC_LAYOUT_RECORD:
      return check_names(a);
    case POLYCODEC_LAYOUT_UNION:
      return check_union(a);
    case POLYCODEC_LAYOUT_INDEXED:
      return check_indices(a);
    default:
      break;
  }
  if ((a.flags & POLYCODEC_ARRAY_STRING) != 0) check_texts(a, work);
}

}  // namespace polycodec::detail
