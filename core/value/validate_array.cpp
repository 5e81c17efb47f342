// SPDX-License-Identifier: MIT
#include "core/value/validate_array.hpp"

#include <polycodec/array_view.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "core/value/validation_work.hpp"
#include "core/value/value_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace polycodec::detail {
namespace {

constexpr std::uint64_t largest = static_cast<std::uint64_t>(INT64_MAX);

void check_count(std::uint64_t count, const Limits& limits) {
  if (count > limits.max_elements)
    throw_limit(std::to_string(count) + " elements, more than max_elements (" +
                std::to_string(limits.max_elements) + ")");
  if (count > largest) throw_invalid(std::to_string(count) + " elements can't be indexed");
}

/// The first column of an array, or the second one. All items are going to be read.
void check_column(ValueMemory& memory, const polycodec_array& a, bool second = false) {
  const polycodec_column& column = second ? a.tags : a.index;
  const std::uint64_t count =
      polycodec_column_length(a.layout, a.length, a.n_children, second ? 1 : 0);
  const auto name = [&] {
    const ColumnNames names = column_names(a.layout);
    return second ? names.second : names.first;
  };
  const auto fail = [&](const std::string& before, const std::string& after) {
    throw_invalid(before + "the column '" + std::string(name()) + "' " + after);
  };
  if (column.data == nullptr) {
    if (count != 0) fail("", "is absent");
    return;
  }
  const std::uint32_t d = column.dtype;
  const bool single_bytes = a.layout == POLYCODEC_LAYOUT_OPTION_BITS;
  const bool integer = (is_integer(d) && dtype_size(d) <= 8) || d == POLYCODEC_DTYPE_BOOLEAN;
  if (!integer || (single_bytes && dtype_size(d) != 1))
    fail("",
         "has dtype " + std::to_string(d) +
             (single_bytes ? ", not one of single bytes" : ", not an integer of at most 64 bits"));
  std::int64_t span = 0;
  if (count > largest ||
      __builtin_mul_overflow(static_cast<std::int64_t>(count), column.stride, &span))
    fail("the stride of ", "overflows");
  memory.check_column(column, count, name().data());
}

/// Calls `visit(ArrayFields of, const char* name, std::uint64_t value)` for the fields that some
/// layouts do not use: a value that is not 0 is one that is set.
template <class Visit>
void for_each_field(const polycodec_array& a, const Visit& visit) {
  using enum ArrayFields;
  const auto number = [](const auto* p) {
    return std::uint64_t{reinterpret_cast<std::uintptr_t>(p)};
  };
  visit(elements, "data", number(a.data));
  visit(elements, "buffer", number(a.buffer));
  visit(elements, "shape", number(a.shape));
  visit(elements, "strides", number(a.strides));
  visit(elements, "buffer_size", a.buffer_size);
  visit(elements, "ndim", std::uint64_t{a.ndim});
  visit(elements, "item_size", std::uint64_t{a.item_size});
  visit(elements, "unit", std::uint64_t{a.unit});
  visit(elements, "dtype", std::uint64_t{a.dtype});
  visit(first_column, "index", number(a.index.data));
  visit(second_column, "tags", number(a.tags.data));
  visit(list_size, "list_size", a.list_size);
  visit(children, "children", std::uint64_t{a.n_children});  // of 0 items nobody reads the pointer
  visit(names, "names", number(a.names));
  visit(nodes, "nodes", number(a.nodes));
}

[[noreturn, gnu::cold]] void throw_unused(const polycodec_array& a) {
  for_each_field(a, [&](ArrayFields of, const char* name, std::uint64_t value) {
    if (value != 0 && !uses(a.layout, of))
      throw_invalid("field " + quote(name) + " of an array is set: the layout " +
                    quote(layout_names[a.layout]) + " does not use it; leave it NULL or 0");
  });
  __builtin_unreachable();
}

std::string layout_text(const polycodec_array& a) {
  return "an array of the layout " + (a.layout < POLYCODEC_LAYOUT_COUNT
                                          ? quote(layout_names[a.layout])
                                          : std::to_string(a.layout));
}

void check_children(const polycodec_array& a, std::uint32_t wanted) {
  if (a.n_children != wanted)
    throw_invalid(layout_text(a) + " has " + std::to_string(a.n_children) +
                  " children instead of " + std::to_string(wanted));
}

void check_child_pointers(const polycodec_array& a, ValueMemory& memory) {
  if (a.children == nullptr) throw_invalid("the array has no children pointer");
  memory.check_struct(a.children, a.n_children * sizeof *a.children, "children");
  for (std::uint32_t i = 0; i < a.n_children; ++i) {
    if (a.children[i] == nullptr)
      throw_invalid("child " + std::to_string(i) + " of the array is NULL");
    memory.check_array(a.children[i]);
  }
}

/// Unused fields, and the pointers to children where there are some. The layout is known when this
/// is compiled, so it is a chain of ORs: arrays may be many and small.
template <std::uint32_t Layout>
void check_fields(const polycodec_array& a, ValueMemory& memory) {
  std::uint64_t set = 0;
  for_each_field(a, [&](ArrayFields of, const char*, std::uint64_t value) {
    if (!uses(Layout, of)) set |= value;
  });
  if (set != 0) [[unlikely]]
    throw_unused(a);
  if (uses(Layout, ArrayFields::children) && a.n_children != 0) check_child_pointers(a, memory);
}

[[noreturn]] void throw_short(const char* what, std::uint64_t have, std::uint64_t need) {
  throw_invalid(std::string(what) + " has " + std::to_string(have) + " items, " +
                std::to_string(need) + " are needed");
}

void check_dtype(const polycodec_array& a) {
  if (a.dtype == POLYCODEC_DTYPE_NONE || a.dtype >= POLYCODEC_DTYPE_COUNT)
    throw_invalid("unknown dtype " + std::to_string(a.dtype));
  const std::uint32_t width = dtype_swap_width(a.dtype);
  if (is_fixed(a.dtype) ? a.item_size % width != 0 : a.item_size != dtype_size(a.dtype))
    throw_invalid("an item size of " + std::to_string(a.item_size) + " bytes does not fit dtype " +
                  std::to_string(a.dtype));
  if (a.byte_order != POLYCODEC_LITTLE_ENDIAN && a.byte_order != POLYCODEC_BIG_ENDIAN)
    throw_invalid("unknown byte order " + std::to_string(a.byte_order));
  if (is_time(a.dtype) && a.unit >= POLYCODEC_UNIT_COUNT)
    throw_invalid("unknown time unit " + std::to_string(a.unit));
}

// The product of the extents that are not 0 must fit even if one is 0, so that no reader has to
// think of it.
std::uint64_t check_shape(const polycodec_array& a, const Limits& limits, ValueMemory& memory) {
  if (a.ndim > POLYCODEC_MAX_NDIM) throw_invalid(std::to_string(a.ndim) + " dimensions");
  if (a.ndim != 0 && (a.shape == nullptr || a.strides == nullptr))
    throw_invalid("the array has no shape or strides");
  memory.check_extents(a.shape, a.ndim, "a shape");
  memory.check_extents(a.strides, a.ndim, "strides");
  std::uint64_t bytes = a.item_size == 0 ? 1 : a.item_size;
  std::uint64_t count = 1;
  for (std::uint32_t axis = 0; axis < a.ndim; ++axis) {
    if (a.shape[axis] < 0) throw_invalid("an extent of " + std::to_string(a.shape[axis]));
    const auto extent = static_cast<std::uint64_t>(a.shape[axis]);
    count *= extent;
    if (extent != 0 && (!checked_mul(bytes, extent, bytes) || bytes > largest))
      throw_invalid("the size of the array overflows");
  }
  if (a.length != (a.ndim == 0 ? 1 : static_cast<std::uint64_t>(a.shape[0])))
    throw_invalid("the length of the array, " + std::to_string(a.length) +
                  ", is not its first extent");
  check_count(count, limits);
  return count;
}

void check_bounds(const polycodec_array& a) {
  std::int64_t low = 0;
  std::int64_t high = static_cast<std::int64_t>(a.item_size);
  for (std::uint32_t axis = 0; axis < a.ndim; ++axis) {
    std::int64_t reach = 0;
    std::int64_t& end = a.strides[axis] < 0 ? low : high;
    if (__builtin_mul_overflow(a.shape[axis] - 1, a.strides[axis], &reach) ||
        __builtin_add_overflow(end, reach, &end))
      throw_invalid("stride " + std::to_string(a.strides[axis]) + " overflows");
  }
  if (low == high) return;
  if (a.data == nullptr || a.buffer == nullptr) throw_invalid("the array has elements but no data");
  // Integers, because pointers into different objects must not be compared. `low` and `high` are
  // less than 2^63 away.
  const auto data = reinterpret_cast<std::uintptr_t>(a.data);
  const auto buffer = reinterpret_cast<std::uintptr_t>(a.buffer);
  std::uint64_t end = 0;
  const bool before =
      data < buffer || data - buffer < std::uint64_t{0} - static_cast<std::uint64_t>(low);
  if (before || !checked_add(data - buffer, static_cast<std::uint64_t>(high), end) ||
      end > a.buffer_size)
    throw_invalid("elements lie outside of the buffer of " + std::to_string(a.buffer_size) +
                  " bytes");
}

void check_leaf(const polycodec_array& a, const Limits& limits, ValueMemory& memory) {
  check_dtype(a);
  if (check_shape(a, limits, memory) != 0) check_bounds(a);
  memory.check_bytes(a.buffer, a.buffer_size, "a buffer");
}

void check_text(const polycodec_array& a, const Limits& limits, ValueMemory& memory) {
  const polycodec_array& content = *a.children[0];
  // A string is read through the content's data pointer: it must be right before the content is
  // visited.
  if (content.layout == POLYCODEC_LAYOUT_NDARRAY) check_leaf(content, limits, memory);
  const bool bytes = content.layout == POLYCODEC_LAYOUT_NDARRAY &&
                     content.dtype == POLYCODEC_DTYPE_UINT8 && content.item_size == 1 &&
                     content.ndim == 1 && content.shape != nullptr && content.strides != nullptr &&
                     (content.length < 2 || content.strides[0] == 1);
  if (!bytes) throw_invalid("the content of a list of strings is not a contiguous array of uint8");
}

void check_record(const polycodec_array& a, ValueMemory& memory, ValidationWork& work) {
  for (std::uint32_t i = 0; i < a.n_children; ++i)
    if (a.children[i]->length < a.length)
      throw_short(("column " + std::to_string(i)).c_str(), a.children[i]->length, a.length);
  if (a.names == nullptr) return;
  memory.check_struct(a.names, a.n_children * sizeof *a.names, "names");
  for (std::uint32_t i = 0; i < a.n_children; ++i) {
    memory.check_name(a.names[i], "the name of a column");
    work.charge(units_of_bytes(a.names[i].size));  // names may share memory
    check_utf8(a.names[i], "the name of a column");
  }
}

void check_chunks(const polycodec_array& a, ValueMemory& memory) {
  if (a.index.data != nullptr || a.n_children > POLYCODEC_MAX_PLAIN_CHUNKS) check_column(memory, a);
  const ColumnView starts(a.index);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < a.n_children; ++i) {
    if (starts.present() && starts[i] != static_cast<std::int64_t>(sum))
      throw_invalid("chunk " + std::to_string(i) + " starts at " + std::to_string(sum) +
                    ", not at " + std::to_string(starts[i]));
    if (!checked_add(sum, a.children[i]->length, sum))
      throw_invalid("the lengths of the chunks overflow");
  }
  if (starts.present() && starts[a.n_children] != static_cast<std::int64_t>(sum))
    throw_invalid("the chunks end at " + std::to_string(sum) + ", not at " +
                  std::to_string(starts[a.n_children]));
  if (sum != a.length)
    throw_invalid("the chunks have " + std::to_string(sum) + " items together, not " +
                  std::to_string(a.length));
}

void check_flags(const polycodec_array& a) {
  unsigned allowed = 0;
  if (a.layout >= POLYCODEC_LAYOUT_LIST_OFFSETS && a.layout <= POLYCODEC_LAYOUT_LIST_FIXED)
    allowed = POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY;
  if (a.layout == POLYCODEC_LAYOUT_OPTION_BYTES) allowed = POLYCODEC_ARRAY_MASK_VALID;
  if (a.layout == POLYCODEC_LAYOUT_OPTION_BITS)
    allowed = POLYCODEC_ARRAY_MASK_VALID | POLYCODEC_ARRAY_BITS_LSB;
  const unsigned both = POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY;
  if ((a.flags & ~allowed) != 0 || (a.flags & both) == both)
    throw_invalid("flags " + std::to_string(a.flags) + " on " + layout_text(a));
}

void check_list(const polycodec_array& a, const Limits& limits, ValueMemory& memory) {
  check_children(a, 1);
  const std::uint64_t content = a.children[0]->length;
  std::uint64_t need = 0;
  if (a.layout == POLYCODEC_LAYOUT_LIST_OFFSETS) {
    check_column(memory, a);
  } else if (a.layout == POLYCODEC_LAYOUT_LIST_VIEW) {
    check_column(memory, a);
    check_column(memory, a, true);
  } else {
    if (!checked_mul(a.length, a.list_size, need)) throw_invalid("the size of the lists overflows");
    if (need > content) throw_short("the content of the lists", content, need);
  }
  if ((a.flags & (POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY)) != 0)
    check_text(a, limits, memory);
}

void check_option(const polycodec_array& a, ValueMemory& memory) {
  check_children(a, 1);
  check_column(memory, a);
  if (a.children[0]->length < a.length)
    throw_short("the content of the option", a.children[0]->length, a.length);
}

// Layouts with the first column alone, and with both.

constexpr bool use_the_same(std::initializer_list<std::uint32_t> layouts) {
  return std::all_of(layouts.begin(), layouts.end(), [&](std::uint32_t layout) {
    return fields_of(layout) == fields_of(*layouts.begin());
  });
}
static_assert(use_the_same({POLYCODEC_LAYOUT_LIST_OFFSETS, POLYCODEC_LAYOUT_OPTION_BYTES,
                            POLYCODEC_LAYOUT_OPTION_BITS, POLYCODEC_LAYOUT_INDEXED,
                            POLYCODEC_LAYOUT_CHUNKED}));
static_assert(use_the_same({POLYCODEC_LAYOUT_LIST_VIEW, POLYCODEC_LAYOUT_UNION}));

void check_one_column(const polycodec_array& a, const Limits& limits, ValueMemory& memory) {
  check_fields<POLYCODEC_LAYOUT_LIST_OFFSETS>(a, memory);
  if (a.layout == POLYCODEC_LAYOUT_LIST_OFFSETS) return check_list(a, limits, memory);
  if (a.layout == POLYCODEC_LAYOUT_CHUNKED) return check_chunks(a, memory);
  if (a.layout != POLYCODEC_LAYOUT_INDEXED) return check_option(a, memory);
  check_children(a, 1);
  check_column(memory, a);
}

void check_two_columns(const polycodec_array& a, const Limits& limits, ValueMemory& memory) {
  check_fields<POLYCODEC_LAYOUT_LIST_VIEW>(a, memory);
  if (a.layout == POLYCODEC_LAYOUT_LIST_VIEW) return check_list(a, limits, memory);
  check_column(memory, a, true);
  check_column(memory, a);
}

}  // namespace

void throw_invalid(std::string message) {
  throw Error(Status::invalid, std::move(message));
}
void throw_content(std::string message) {
  throw Error(Status::invalid, std::move(message)).detail("value.content");
}
void throw_limit(std::string message) {
  throw Error(Status::limit, std::move(message));
}

void check_utf8(const polycodec_bytes& text, const char* what) {
  if (text.data == nullptr && text.size != 0) throw_invalid(std::string(what) + " has no data");
  if (!is_utf8(to_string_view(text))) throw_content(std::string(what) + " is not UTF-8");
}

void check_array_structure(const polycodec_array& a, const Limits& limits, ValueMemory& memory,
                           ValidationWork& work) {
  check_count(a.length, limits);
  check_flags(a);
  switch (a.layout) {
    case POLYCODEC_LAYOUT_NDARRAY:
      check_fields<POLYCODEC_LAYOUT_NDARRAY>(a, memory);
      return check_leaf(a, limits, memory);
    case POLYCODEC_LAYOUT_LIST_FIXED:
      check_fields<POLYCODEC_LAYOUT_LIST_FIXED>(a, memory);
      return check_list(a, limits, memory);
    case POLYCODEC_LAYOUT_RECORD:
      check_fields<POLYCODEC_LAYOUT_RECORD>(a, memory);
      return check_record(a, memory, work);
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_UNION:
      return check_two_columns(a, limits, memory);
    case POLYCODEC_LAYOUT_DOCUMENT:
      check_fields<POLYCODEC_LAYOUT_DOCUMENT>(a, memory);
      if (a.length != 0 && a.nodes == nullptr) throw_invalid("the array has no nodes");
      return;
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
    case POLYCODEC_LAYOUT_INDEXED:
    case POLYCODEC_LAYOUT_CHUNKED:
      return check_one_column(a, limits, memory);
    default:
      throw_invalid("unknown layout of an array: " + std::to_string(a.layout));
  }
}

}  // namespace polycodec::detail
