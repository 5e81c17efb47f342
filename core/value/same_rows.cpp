// SPDX-License-Identifier: MIT
#include "core/value/same_rows.hpp"

#include <base/depth.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/bytes.hpp>
#include <polycodec/dtype.hpp>

#include "core/value/compare_number.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

namespace polycodec::detail {
namespace {

using Array = polycodec_array;
using Node = polycodec_node;

/// Deeper items are left to the other path, which knows the limits.
constexpr std::uint32_t most_levels = 64;
/// Rows of a record that are compared for one column after another: what they share stays in the
/// cache.
constexpr std::uint64_t block = 256;

bool is_plain_list(const Array& a) noexcept {
  return a.layout >= POLYCODEC_LAYOUT_LIST_OFFSETS && a.layout <= POLYCODEC_LAYOUT_LIST_FIXED;
}

/// The bytes that follow each other in one item of a leaf's first axis; 0: they do not.
std::uint64_t row_bytes(const Array& leaf) noexcept {
  std::int64_t size = leaf.item_size;
  for (std::uint32_t axis = leaf.ndim; axis-- > 1;) {
    if (leaf.shape[axis] != 1 && leaf.strides[axis] != size) return 0;
    size *= leaf.shape[axis];
  }
  return static_cast<std::uint64_t>(size);
}

const std::byte* item(const Array& leaf, std::uint64_t i) noexcept {
  return static_cast<const std::byte*>(leaf.data) +
         static_cast<std::int64_t>(i) * (leaf.ndim == 0 ? 0 : leaf.strides[0]);
}

/// True if the array has attributes, or what it chooses from may have some.
bool may_have_attributes(const Array* array) noexcept {
  for (; array != nullptr; array = array->n_children != 0 ? array->children[0] : nullptr) {
    if (array->metadata != nullptr || array->layout == POLYCODEC_LAYOUT_CHUNKED) return true;
    if (polycodec_is_choice(array) == 0) return false;
  }
  return false;
}

/// The step to a column; the items of tuples count as those of lists.
Step column_step(const Array& record, std::uint32_t c, const Step* at) noexcept {
  return record.names == nullptr
             ? Step{at, nullptr, c, Step::part, {}, Part::field}
             : Step{at, nullptr, c, Step::column, to_string_view(record.names[c])};
}

template <class T>
bool same_strided(const std::byte* p, std::int64_t s, const std::byte* q, std::int64_t t,
                  std::uint64_t n) noexcept {
  T any = 0;
  for (std::uint64_t i = 0; i < n; ++i, p += s, q += t) {
    T v, w;
    std::memcpy(&v, p, sizeof v);
    std::memcpy(&w, q, sizeof w);
    any = static_cast<T>(any | (v ^ w));
  }
  return any == 0;
}

/// `n` items of `size` bytes each.
bool same_bytes(const std::byte* p, std::int64_t s, const std::byte* q, std::int64_t t,
                std::uint64_t size, std::uint64_t n) noexcept {
  if (s == 0 && t == 0) n = 1;  // one number many times
  if (s == t && s == static_cast<std::int64_t>(size))
    return std::memcmp(p, q, static_cast<std::size_t>(n * size)) == 0;
  if (size == 4) return same_strided<std::uint32_t>(p, s, q, t, n);
  if (size == 8) return same_strided<std::uint64_t>(p, s, q, t, n);
  if (size == 1) return same_strided<std::uint8_t>(p, s, q, t, n);
  if (size == 2) return same_strided<std::uint16_t>(p, s, q, t, n);
  for (; n != 0; --n, p += s, q += t)
    if (std::memcmp(p, q, static_cast<std::size_t>(size)) != 0) return false;
  return true;
}

bool same_text(const void* a, std::uint64_t m, const void* b, std::uint64_t n) noexcept {
  return m == n && (m == 0 || std::memcmp(a, b, static_cast<std::size_t>(m)) == 0);
}
bool same_text(const Node& a, polycodec_bytes b) noexcept {
  return same_text(a.as.data, polycodec_node_size(&a), b.data, b.size);
}

/// A number of at most 64 bits as the walk over nodes has it: integers extended, floats as they
/// are.
template <class T>
std::uint64_t bits_of(T v) noexcept {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(v);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(v);
  else
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(v));
}

/// True for the types that the loops of numbers know.
bool is_known(std::uint32_t dtype) noexcept {
  return dtype == POLYCODEC_DTYPE_BOOLEAN || dtype == POLYCODEC_DTYPE_FLOAT32 ||
         dtype == POLYCODEC_DTYPE_FLOAT64 || (is_integer(dtype) && dtype_size(dtype) <= 8);
}

template <class T>
void load_bits(const std::byte* p, std::int64_t stride, std::uint64_t n, bool swap,
               std::uint64_t* to) noexcept {
  for (std::uint64_t i = 0; i < n; ++i, p += stride) {
    T v;
    std::memcpy(&v, p, sizeof v);
    if constexpr (sizeof(T) > 1)
      if (swap)
        v = load<T>(
            p, host_byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::little : std::endian::big);
    to[i] = bits_of(v);
  }
}

void load_leaf(const Array& a, const std::byte* p, std::int64_t stride, std::uint64_t n,
               std::uint64_t* to) noexcept {
  const bool swap = a.byte_order != host_byte_order;
  switch (a.dtype) {
    case POLYCODEC_DTYPE_INT8:
      return load_bits<std::int8_t>(p, stride, n, swap, to);
    case POLYCODEC_DTYPE_INT16:
      return load_bits<std::int16_t>(p, stride, n, swap, to);
    case POLYCODEC_DTYPE_INT32:
      return load_bits<std::int32_t>(p, stride, n, swap, to);
    case POLYCODEC_DTYPE_INT64:
      return load_bits<std::int64_t>(p, stride, n, swap, to);
    case POLYCODEC_DTYPE_UINT16:
      return load_bits<std::uint16_t>(p, stride, n, swap, to);
    case POLYCODEC_DTYPE_UINT32:
      return load_bits<std::uint32_t>(p, stride, n, swap, to);
    case POLYCODEC_DTYPE_UINT64:
      return load_bits<std::uint64_t>(p, stride, n, swap, to);
    case POLYCODEC_DTYPE_FLOAT32:
      return load_bits<float>(p, stride, n, swap, to);
    case POLYCODEC_DTYPE_FLOAT64:
      return load_bits<double>(p, stride, n, swap, to);
    default:
      return load_bits<std::uint8_t>(p, stride, n, swap, to);
  }
}

bool is_unsigned(std::uint32_t dtype) noexcept {
  return is_unsigned_integer(dtype);
}
double double_of(std::uint64_t bits, std::uint32_t dtype) noexcept {
  return dtype == POLYCODEC_DTYPE_FLOAT32
             ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
             : std::bit_cast<double>(bits);
}

/// True if numbers of two types are surely the same by value.
bool same_values(const std::uint64_t* a, std::uint32_t d, const std::uint64_t* b, std::uint32_t e,
                 std::uint64_t n) noexcept {
  if (is_integer(d) && is_integer(e)) {
    std::uint64_t any = 0;
    // Of different signs only numbers that both can hold.
    const std::uint64_t high = is_unsigned(d) != is_unsigned(e) ? ~std::uint64_t{0} : 0;
    for (std::uint64_t i = 0; i < n; ++i) any |= (a[i] ^ b[i]) | ((a[i] & high) >> 63);
    return any == 0;
  }
  if (is_float(d) && is_float(e)) {
    unsigned differ = 0;
    for (std::uint64_t i = 0; i < n; ++i) differ |= double_of(a[i], d) != double_of(b[i], e);
    return differ == 0;
  }
  if (is_integer(d) && is_float(e)) return same_values(b, e, a, d, n);
  if (!is_float(d) || !is_integer(e)) return false;
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  unsigned differ = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto v = static_cast<std::int64_t>(b[i]);
    differ |= v > exact;
    differ |= v < (is_unsigned(e) ? 0 : -exact);
    differ |= double_of(a[i], d) != static_cast<double>(v);
  }
  return differ == 0;
}

bool is_number_node(const Node& n) noexcept {
  return n.kind >= POLYCODEC_KIND_BOOLEAN && n.kind <= POLYCODEC_KIND_FLOAT;
}
std::uint32_t dtype_of_node(const Node& n) noexcept {
  return n.kind == POLYCODEC_KIND_BOOLEAN ? std::uint32_t{POLYCODEC_DTYPE_BOOLEAN} : n.dtype;
}

}  // namespace

bool are_same_columns(const Array& a, const Array& b) noexcept {
  if (a.layout != b.layout || a.n_children != b.n_children ||
      (a.names == nullptr) != (b.names == nullptr))
    return false;
  for (std::uint32_t c = 0; a.names != nullptr && c < a.n_children; ++c)
    if (to_string_view(a.names[c]) != to_string_view(b.names[c])) return false;
  return true;
}

/// Up to `block` numbers of one dtype.
struct SameRows::Numbers {
  std::uint64_t bits[block];
  std::uint32_t dtype = 0;

  /// Loads the next numbers of one type, at most `most`. 0: the next item is none of them.
  std::uint64_t load(const Rows& from, std::uint64_t i, std::uint64_t most) noexcept {
    most = std::min(most, block);
    if (from.array != nullptr) {
      const Array& a = *from.array;
      dtype = a.dtype;
      load_leaf(a, item(a, from.at + i), a.strides[0], most, bits);
      return most;
    }
    const Node& first = from.node(i);
    dtype = dtype_of_node(first);
    if (!is_number_node(first) || !is_known(dtype)) return 0;
    std::uint64_t n = 0;
    for (; n < most; ++n) {
      const Node& next = from.node(i + n);
      if (next.kind != first.kind || next.dtype != first.dtype) break;
      bits[n] = next.kind == POLYCODEC_KIND_FLOAT && next.dtype == POLYCODEC_DTYPE_FLOAT32
                    ? bits_of(next.as.f32)
                    : next.as.u64;
    }
    return n;
  }
};

bool SameRows::numbers(const Rows& a, const Rows& b, std::uint64_t n, const Step* at) {
  Numbers x, y;
  std::uint32_t from = 0, to = 0;  // the last pair of types that was noted
  for (std::uint64_t i = 0; i < n;) {
    std::uint64_t count = x.load(a, i, n - i);
    if (count == 0) return false;
    count = y.load(b, i, count);
    if (count == 0) return false;
    meter_.tick(count / 2 + 1);
    if (x.dtype == y.dtype) {
      if (std::memcmp(x.bits, y.bits, static_cast<std::size_t>(count) * sizeof *x.bits) != 0)
        return false;
    } else {
      if (!options_.numbers_by_value || !same_values(x.bits, x.dtype, y.bits, y.dtype, count))
        return false;
      if (notes_ != nullptr && (from != x.dtype || to != y.dtype))
        notes_->types(at, from = x.dtype, to = y.dtype);
    }
    i += count;
  }
  return true;
}

std::optional<SameRows::Apart> SameRows::apart(const Rows& a, const Rows& b, std::uint64_t n) {
  const Array &x = *a.array, &y = *b.array;
  if (x.layout != POLYCODEC_LAYOUT_NDARRAY || y.layout != POLYCODEC_LAYOUT_NDARRAY || x.ndim != 1 ||
      y.ndim != 1 || x.dtype != y.dtype || x.dtype == POLYCODEC_DTYPE_BOOLEAN ||
      !is_known(x.dtype) || (options_.metadata && (x.metadata != nullptr || y.metadata != nullptr)))
    return std::nullopt;
  const bool by_value =
      is_float(x.dtype) && (options_.numbers_by_value || options_.floats_by_value);
  const auto real = [&](std::uint64_t bits) {
    return is_float(x.dtype)      ? double_of(bits, x.dtype)
           : is_unsigned(x.dtype) ? static_cast<double>(bits)
                                  : static_cast<double>(static_cast<std::int64_t>(bits));
  };
  Apart found;
  Numbers p, q;
  for (std::uint64_t i = 0; i < n;) {
    const std::uint64_t count = p.load(a, i, n - i);
    q.load(b, i, count);
    meter_.tick(count);
    for (std::uint64_t k = 0; k < count; ++k) {
      if (p.bits[k] == q.bits[k]) continue;
      const Deviation between = deviation(real(p.bits[k]), real(q.bits[k]));
      if ((by_value && between.absolute == 0) || is_tolerated(between, tolerance_)) continue;
      ++found.count;
      found.most = std::max(found.most, between.absolute);
    }
    i += count;
  }
  return found;
}

bool SameRows::rows(const Rows& a, const Rows& b, std::uint64_t n, const Step* at,
                    std::uint32_t depth) {
  if (depth > most_levels || depth > options_.max_depth) return false;
  check_stack(depth);
  if (options_.metadata && (may_have_attributes(a.array) || may_have_attributes(b.array)))
    return false;
  const auto is_choice = [](const Rows& rows) {
    return rows.array != nullptr && polycodec_is_choice(rows.array) != 0;
  };
  if (!is_choice(a) && !is_choice(b)) return run(a, b, n, at, depth);
  polycodec_rows first = polycodec_rows_of(a.array, a.at);
  polycodec_rows second = polycodec_rows_of(b.array, b.at);
  polycodec_run x{}, y{};
  for (std::uint64_t i = 0; i < n;) {
    // Nodes are one run, as what is missing is.
    if (x.count == 0) x = polycodec_rows_next(&first, n - i);
    if (y.count == 0) y = polycodec_rows_next(&second, n - i);
    const std::uint64_t count = std::min(x.count, y.count);
    meter_.tick();
    const bool no_a = a.array != nullptr && x.array == nullptr;
    const bool no_b = b.array != nullptr && y.array == nullptr;
    const Rows p = a.array != nullptr ? Rows{.array = x.array, .at = x.at} : a.from(i);
    const Rows q = b.array != nullptr ? Rows{.array = y.array, .at = y.at} : b.from(i);
    if (no_a || no_b) {
      if (!(no_a && no_b)) {
        const Rows& other = no_a ? q : p;
        if (other.array != nullptr) return false;
        for (std::uint64_t k = 0; k < count; ++k)
          if (other.node(k).kind != POLYCODEC_KIND_NULL) return false;
      }
    } else if (!run(p, q, count, at, depth)) {
      return false;
    }
    x.at += count, x.count -= count, y.at += count, y.count -= count, i += count;
  }
  return true;
}

/// Items that no choice is in front of.
bool SameRows::run(const Rows& a, const Rows& b, std::uint64_t n, const Step* at,
                   std::uint32_t depth) {
  const auto documents = [](const Rows& rows) {
    return rows.array == nullptr || rows.array->layout != POLYCODEC_LAYOUT_DOCUMENT
               ? rows
               : Rows{.nodes = rows.array->nodes, .at = rows.at};
  };
  const Rows x = documents(a), y = documents(b);
  if (x.array != nullptr && y.array != nullptr)
    return arrays(*x.array, x.at, *y.array, y.at, n, at, depth);
  if (x.array != nullptr) return with_nodes(*x.array, x.at, y, n, false, at, depth);
  if (y.array != nullptr) return with_nodes(*y.array, y.at, x, n, true, at, depth);
  return nodes(x, y, n, at, depth);
}

// -- arrays --

bool SameRows::arrays(const Array& a, std::uint64_t x, const Array& b, std::uint64_t y,
                      std::uint64_t n, const Step* at, std::uint32_t depth) {
  if (a.layout == POLYCODEC_LAYOUT_RECORD && b.layout == POLYCODEC_LAYOUT_RECORD)
    return records(a, x, b, y, n, at, depth);
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY && b.layout == POLYCODEC_LAYOUT_NDARRAY)
    return leaves(a, x, b, y, n, at);
  if (is_plain_list(a) && is_plain_list(b) && a.flags == b.flags)
    return lists(a, x, b, y, n, at, depth);
  return false;
}

bool SameRows::records(const Array& a, std::uint64_t x, const Array& b, std::uint64_t y,
                       std::uint64_t n, const Step* at, std::uint32_t depth) {
  if (!are_same_columns(a, b)) return false;
  meter_.tick(a.n_children);
  for (std::uint64_t from = 0; from < n; from += 4 * block)
    for (std::uint32_t c = 0; c < a.n_children; ++c) {
      const Step step = column_step(a, c, at);
      if (!rows({.array = a.children[c], .at = x + from}, {.array = b.children[c], .at = y + from},
                std::min(4 * block, n - from), &step, depth + 1))
        return false;
    }
  return true;
}

bool SameRows::lists(const Array& a, std::uint64_t x, const Array& b, std::uint64_t y,
                     std::uint64_t n, const Step* at, std::uint32_t depth) {
  const Array &content = *a.children[0], &other = *b.children[0];
  meter_.tick(n / 4 + 1);
  // The types of elements count also where there are none.
  const bool may_be_empty = content.layout != POLYCODEC_LAYOUT_NDARRAY ||
                            other.layout != POLYCODEC_LAYOUT_NDARRAY ||
                            content.dtype == other.dtype;
  // Lists whose contents follow each other on both sides are compared as one.
  polycodec_range p{0, 0}, q{0, 0};
  const auto flush = [&] {
    if (p.begin == p.end) return true;
    const Rows first{.array = &content, .at = p.begin}, second{.array = &other, .at = q.begin};
    if (polycodec_is_text(&a) != 0) return text(first, second, p.end - p.begin);
    return rows(first, second, p.end - p.begin, at, depth + 1);
  };
  for (std::uint64_t i = 0; i < n; ++i) {
    const polycodec_range r = polycodec_list_range(&a, x + i);
    const polycodec_range s = polycodec_list_range(&b, y + i);
    if (r.end - r.begin != s.end - s.begin) return false;
    if (r.begin == r.end) {
      if (!may_be_empty) return false;
      continue;
    }
    if (r.begin != p.end || s.begin != q.end) {
      if (!flush()) return false;
      p.begin = r.begin, q.begin = s.begin;
    }
    p.end = r.end, q.end = s.end;
  }
  return flush();
}

/// The bytes of strings, which no tolerance makes equal.
bool SameRows::text(const Rows& a, const Rows& b, std::uint64_t n) {
  const Array &x = *a.array, &y = *b.array;
  if (x.layout != POLYCODEC_LAYOUT_NDARRAY || y.layout != POLYCODEC_LAYOUT_NDARRAY || x.ndim != 1 ||
      y.ndim != 1 || dtype_size(x.dtype) != 1 || x.dtype != y.dtype ||
      (options_.metadata && (may_have_attributes(&x) || may_have_attributes(&y))))
    return false;
  meter_.tick(n / 16 + 1);
  return same_bytes(item(x, a.at), x.strides[0], item(y, b.at), y.strides[0], 1, n);
}

bool SameRows::leaves(const Array& a, std::uint64_t x, const Array& b, std::uint64_t y,
                      std::uint64_t n, const Step* at) {
  if (a.ndim != b.ndim || a.ndim == 0 || !std::equal(a.shape + 1, a.shape + a.ndim, b.shape + 1) ||
      is_time(a.dtype) || is_time(b.dtype) || is_fixed(a.dtype) || is_fixed(b.dtype))
    return false;
  const std::uint64_t size = row_bytes(a);
  if (a.dtype == b.dtype && (a.byte_order == b.byte_order || dtype_swap_width(a.dtype) == 1)) {
    if (size == 0 || row_bytes(b) != size) return false;
    meter_.tick(n * size / 16 + 1);
    if (same_bytes(item(a, x), a.strides[0], item(b, y), b.strides[0], size, n)) return true;
    if (tolerance_.absolute == 0 && tolerance_.relative == 0) return false;
    const auto found = apart({.array = &a, .at = x}, {.array = &b, .at = y}, n);
    return found && found->count == 0;
  }
  return a.ndim == 1 && is_known(a.dtype) && is_known(b.dtype) &&
         numbers({.array = &a, .at = x}, {.array = &b, .at = y}, n, at);
}

// -- arrays and nodes --

bool SameRows::with_nodes(const Array& a, std::uint64_t x, const Rows& b, std::uint64_t n,
                          bool is_second, const Step* at, std::uint32_t depth) {
  if (a.layout == POLYCODEC_LAYOUT_RECORD) return record_nodes(a, x, b, n, is_second, at, depth);
  if (is_plain_list(a) && polycodec_is_text(&a) == 0)
    return list_nodes(a, x, b, n, is_second, at, depth);
  if (is_plain_list(a)) {
    const bool is_string = (a.flags & POLYCODEC_ARRAY_STRING) != 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      const Node& node = b.node(i);
      const polycodec_range r = polycodec_list_range(&a, x + i);
      meter_.tick(1 + (r.end - r.begin) / 16);
      if (node.kind != (is_string ? POLYCODEC_KIND_STRING : POLYCODEC_KIND_BINARY) ||
          !same_text(node, {static_cast<const std::byte*>(a.children[0]->data) + r.begin,
                            r.end - r.begin}))
        return false;
    }
    return true;
  }
  if (a.layout != POLYCODEC_LAYOUT_NDARRAY || a.ndim == 0 || a.ndim > 2 || !is_known(a.dtype))
    return false;
  const Rows leaf{.array = &a, .at = x};
  if (a.ndim == 1) return is_second ? numbers(b, leaf, n, at) : numbers(leaf, b, n, at);
  // Rows of a matrix against lists of numbers.
  const auto columns = static_cast<std::uint64_t>(a.shape[1]);
  if (columns == 0) return false;
  Array row = a;
  row.ndim = 1;
  row.shape = a.shape + 1;
  row.strides = a.strides + 1;
  row.length = columns;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Node& node = b.node(i);
    if (node.kind != POLYCODEC_KIND_LIST || polycodec_node_size(&node) != columns) return false;
    row.data = item(a, x + i);
    const Rows p{.array = &row}, q{.nodes = node.as.nodes};
    if (!(is_second ? numbers(q, p, columns, at) : numbers(p, q, columns, at))) return false;
  }
  return true;
}

bool SameRows::record_nodes(const Array& a, std::uint64_t x, const Rows& b, std::uint64_t n,
                            bool is_second, const Step* at, std::uint32_t depth) {
  const Node* members[block];
  const bool named = a.names != nullptr;
  for (std::uint64_t from = 0; from < n; from += block) {
    const std::uint64_t count = std::min(block, n - from);
    meter_.tick(count * (1 + std::uint64_t{a.n_children}));
    for (std::uint64_t i = 0; i < count; ++i) {
      const Node& row = b.node(from + i);
      if (row.kind != (named ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_TUPLE) ||
          polycodec_node_size(&row) != a.n_children)
        return false;
      members[i] = row.as.nodes;
      for (std::uint32_t c = 0; named && c < a.n_children; ++c)
        if (!same_text(row.as.nodes[2 * c], a.names[c])) return false;
    }
    for (std::uint32_t c = 0; c < a.n_children; ++c) {
      const Step step = column_step(a, c, at);
      if (!in_order(is_second, {.array = a.children[c], .at = x + from},
                    {.picked = members, .at = named ? 2 * std::uint64_t{c} + 1 : c}, count, &step,
                    depth + 1))
        return false;
    }
  }
  return true;
}

bool SameRows::list_nodes(const Array& a, std::uint64_t x, const Rows& b, std::uint64_t n,
                          bool is_second, const Step* at, std::uint32_t depth) {
  const Array& content = *a.children[0];
  const Node* picked[block];
  std::uint64_t begin = 0, held = 0;  // items of the content from `begin` on, and their nodes
  const auto flush = [&] {
    const std::uint64_t count = std::exchange(held, 0);
    return count == 0 || in_order(is_second, {.array = &content, .at = begin}, {.picked = picked},
                                  count, at, depth + 1);
  };
  for (std::uint64_t i = 0; i < n; ++i) {
    const Node& list = b.node(i);
    const polycodec_range r = polycodec_list_range(&a, x + i);
    const std::uint64_t size = r.end - r.begin;
    meter_.tick(1 + size / 4);
    if (list.kind != POLYCODEC_KIND_LIST || polycodec_node_size(&list) != size) return false;
    if (held != 0 && (r.begin != begin + held || held + size > block) && !flush()) return false;
    if (size > block) {  // no need to gather
      if (!in_order(is_second, {.array = &content, .at = r.begin}, {.nodes = list.as.nodes}, size,
                    at, depth + 1))
        return false;
      continue;
    }
    if (held == 0) begin = r.begin;
    for (std::uint64_t k = 0; k < size; ++k) picked[held++] = &list.as.nodes[k];
  }
  return flush();
}

// -- nodes --

bool SameRows::nodes(const Rows& a, const Rows& b, std::uint64_t n, const Step* at,
                     std::uint32_t depth) {
  for (std::uint64_t i = 0; i < n; ++i)
    if (!node(a.node(i), b.node(i), at, depth)) return false;
  return true;
}

bool SameRows::node(const Node& a, const Node& b, const Step* at, std::uint32_t depth) {
  meter_.tick();
  if (a.kind != b.kind) {
    if (is_number_node(a) && is_number_node(b)) return numbers({.nodes = &a}, {.nodes = &b}, 1, at);
    // One of them may be an array.
    const Node& array = a.kind == POLYCODEC_KIND_ARRAY ? a : b;
    const Node& list = a.kind == POLYCODEC_KIND_ARRAY ? b : a;
    if (array.kind != POLYCODEC_KIND_ARRAY || list.kind != POLYCODEC_KIND_LIST ||
        options_.metadata || array.as.array->length != polycodec_node_size(&list) ||
        (array.as.array->layout == POLYCODEC_LAYOUT_NDARRAY && array.as.array->ndim == 0) ||
        array.as.array->length == 0)
      return false;
    return in_order(&array == &b, {.array = array.as.array}, {.nodes = list.as.nodes},
                    array.as.array->length, at, depth + 1);
  }
  switch (a.kind) {
    case POLYCODEC_KIND_NULL:
      return true;
    case POLYCODEC_KIND_BOOLEAN:
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
      if (a.dtype == b.dtype) return a.as.u64 == b.as.u64;
      return numbers({.nodes = &a}, {.nodes = &b}, 1, at);
    case POLYCODEC_KIND_FLOAT:
      return numbers({.nodes = &a}, {.nodes = &b}, 1, at);
    case POLYCODEC_KIND_STRING:
    case POLYCODEC_KIND_BINARY:
      meter_.tick(polycodec_node_size(&a) / 16);
      return same_text(a, {b.as.data, polycodec_node_size(&b)});
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE: {
      const std::uint64_t n = polycodec_node_size(&a);
      return n == polycodec_node_size(&b) &&
             rows({.nodes = a.as.nodes}, {.nodes = b.as.nodes}, n, at, depth + 1);
    }
    case POLYCODEC_KIND_OBJECT:
      return objects(a, b, at, depth);
    case POLYCODEC_KIND_ARRAY: {
      const Array &x = *a.as.array, &y = *b.as.array;
      const auto scalar = [](const Array& of) {
        return of.layout == POLYCODEC_LAYOUT_NDARRAY && of.ndim == 0;
      };
      return !options_.metadata && !scalar(x) && !scalar(y) && x.length == y.length &&
             x.length != 0 && rows({.array = &x}, {.array = &y}, x.length, at, depth + 1);
    }
    default:
      return false;
  }
}

bool SameRows::objects(const Node& a, const Node& b, const Step* at, std::uint32_t depth) {
  const std::uint64_t n = polycodec_node_size(&a);
  if (n != polycodec_node_size(&b) || depth > most_levels || depth > options_.max_depth)
    return false;
  check_stack(depth);
  for (std::uint64_t i = 0; i < n; ++i) {
    const Node& key = a.as.nodes[2 * i];
    const Node& other = b.as.nodes[2 * i];
    if (!same_text(key, {other.as.data, polycodec_node_size(&other)})) return false;
    const Step step{at, nullptr, i, Step::column,
                    to_string_view({key.as.data, polycodec_node_size(&key)})};
    const Node& x = a.as.nodes[2 * i + 1];
    const Node& y = b.as.nodes[2 * i + 1];
    if (options_.metadata &&
        (x.kind == POLYCODEC_KIND_ANNOTATED || y.kind == POLYCODEC_KIND_ANNOTATED))
      return false;
    if (!node(*polycodec_node_proper(&x), *polycodec_node_proper(&y), &step, depth + 1))
      return false;
  }
  return true;
}

}  // namespace polycodec::detail
