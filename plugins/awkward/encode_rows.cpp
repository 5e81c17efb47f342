// SPDX-License-Identifier: MIT
// Lists of like nodes, column by column.
#include <base/nodes.hpp>
#include <polycodec/utf.hpp>

#include "encode.hpp"
#include "extras.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace polycodec::awkward {
namespace {

/// What the items of a list have in common.
struct Shape {
  enum class Kind : std::uint8_t {
    nothing,
    nulls,
    number,
    time,
    text,
    bytes,
    list,
    record,
    tuple,
    option,
    variant,
    mixed
  };
  Kind kind = Kind::nothing;
  std::uint32_t dtype = POLYCODEC_DTYPE_NONE;  ///< number, time
  std::uint32_t unit = 0;                      ///< time
};

constexpr std::int64_t max_tag = 255;

std::uint64_t size_of(const polycodec_node& n) noexcept {
  return polycodec_node_size(&n);
}

bool is_integer_node(const polycodec_node& n) noexcept {
  return n.kind == POLYCODEC_KIND_SIGNED || n.kind == POLYCODEC_KIND_UNSIGNED;
}

bool is_number_node(const polycodec_node& n) noexcept {
  return n.kind >= POLYCODEC_KIND_BOOLEAN && n.kind <= POLYCODEC_KIND_WIDE;
}

std::uint32_t dtype_of_node(const polycodec_node& n) noexcept {
  return n.kind == POLYCODEC_KIND_BOOLEAN ? std::uint32_t{POLYCODEC_DTYPE_BOOLEAN} : n.dtype;
}

bool same_names(const polycodec_node& a, const polycodec_node& b) noexcept {
  if (size_of(a) != size_of(b)) return false;
  for (std::uint64_t i = 0; i < size_of(a); ++i)
    if (text_of(a.as.nodes[2 * i]) != text_of(b.as.nodes[2 * i])) return false;
  return true;
}

bool can_be_columns(const polycodec_node& object) {
  std::vector<std::string_view> names;
  for (std::uint64_t i = 0; i < size_of(object); ++i)
    names.push_back(text_of(object.as.nodes[2 * i]));
  if (!std::ranges::all_of(names, [](std::string_view name) { return is_utf8(name); }))
    return false;
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

// The common type of numbers that differ in width: the widest, if it holds all of them exactly.
std::uint32_t common_number(std::span<const polycodec_node* const> items) noexcept {
  const std::uint32_t first = dtype_of_node(*items[0]);
  if (std::ranges::all_of(items,
                          [&](const polycodec_node* n) { return dtype_of_node(*n) == first; }))
    return first;
  if (std::ranges::all_of(items, [](const polycodec_node* n) { return is_integer_node(*n); })) {
    const auto negative = [](const polycodec_node* n) {
      return n->kind == POLYCODEC_KIND_SIGNED && n->as.i64 < 0;
    };
    const auto large = [](const polycodec_node* n) {
      return n->kind == POLYCODEC_KIND_UNSIGNED &&
             n->as.u64 > static_cast<std::uint64_t>(INT64_MAX);
    };
    if (std::ranges::none_of(items, large)) return POLYCODEC_DTYPE_INT64;
    return std::ranges::any_of(items, negative) ? POLYCODEC_DTYPE_NONE : POLYCODEC_DTYPE_UINT64;
  }
  const bool real = std::ranges::all_of(
      items, [](const polycodec_node* n) { return n->kind == POLYCODEC_KIND_FLOAT; });
  return real ? POLYCODEC_DTYPE_FLOAT64 : POLYCODEC_DTYPE_NONE;
}

// The count of a time in its own unit; false if 64 bits do not hold it.
bool time_count(const polycodec_node& n, std::int64_t& count) noexcept {
  const polycodec_time& time = *n.as.time;
  count = time.count;
  if (n.kind == POLYCODEC_KIND_DURATION || !is_subsecond_unit(time.unit) || count == INT64_MIN)
    return true;
  std::int64_t in_second = 1;
  for (std::uint32_t unit = POLYCODEC_UNIT_SECOND; unit < time.unit; ++unit) in_second *= 1000;
  const std::int64_t step = 1000000000 / in_second;
  // Counted from the second above for negative times, so that the least count does not overflow on
  // the way.
  const std::int64_t up = count < 0 && time.nanoseconds != 0 ? 1 : 0;
  return time.nanoseconds % step == 0 && !__builtin_mul_overflow(count + up, in_second, &count) &&
         !__builtin_add_overflow(count, time.nanoseconds / step - up * in_second, &count) &&
         count != INT64_MIN;
}

std::vector<const polycodec_node*> flattened(std::span<const polycodec_node* const> lists) {
  std::vector<const polycodec_node*> all;
  for (const polycodec_node* list : lists)
    for (std::uint64_t i = 0; i < size_of(*list); ++i) all.push_back(&list->as.nodes[i]);
  return all;
}

Shape shape_of(Nodes items) {
  using Kind = Shape::Kind;
  if (items.empty()) return {};
  const auto all = [&](auto test) {
    return std::ranges::all_of(items, [&](const polycodec_node* n) { return test(*n); });
  };
  const bool nulls = std::ranges::any_of(
      items, [](const polycodec_node* n) { return n->kind == POLYCODEC_KIND_NULL; });
  const polycodec_node& first = *items[0];
  if (nulls)
    return {all([](const polycodec_node& n) { return n.kind == POLYCODEC_KIND_NULL; })
                ? Kind::nulls
                : Kind::option};
  if (all(is_number_node)) {
    const std::uint32_t dtype = common_number(items);
    return {dtype == POLYCODEC_DTYPE_NONE ? Kind::mixed : Kind::number, dtype};
  }
  if (!all([&](const polycodec_node& n) { return n.kind == first.kind; })) return {Kind::mixed};
  switch (first.kind) {
    case POLYCODEC_KIND_STRING:
      return {all([](const polycodec_node& n) { return is_json_scalar(n); }) ? Kind::text
                                                                             : Kind::mixed};
    case POLYCODEC_KIND_BINARY:
      return {Kind::bytes};
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION: {
      std::int64_t count = 0;
      const auto alike = [&](const polycodec_node& n) {
        return n.as.time->unit == first.as.time->unit && time_count(n, count);
      };
      return {all(alike) ? Kind::time : Kind::mixed, first.dtype, first.as.time->unit};
    }
    case POLYCODEC_KIND_LIST:
      return {Kind::list};
    case POLYCODEC_KIND_TUPLE:
      return {all([&](const polycodec_node& n) { return size_of(n) == size_of(first); })
                  ? Kind::tuple
                  : Kind::mixed};
    case POLYCODEC_KIND_OBJECT:
      return {all([&](const polycodec_node& n) { return same_names(n, first); }) &&
                      can_be_columns(first)
                  ? Kind::record
                  : Kind::mixed};
    case POLYCODEC_KIND_UNION:
      return {all([](const polycodec_node& n) {
        return n.as.tagged->tag >= 0 && n.as.tagged->tag <= max_tag;
      })
                  ? Kind::variant
                  : Kind::mixed};
    default:
      return {Kind::mixed};
  }
}

void put_numbers(Encoder& e, Nodes items, const Shape& shape, std::string_view context) {
  const std::uint32_t size = dtype_size(shape.dtype);
  auto* const bytes = Builder(e.call).allocate<std::byte>(items.size() * size);
  std::byte* to = bytes;
  for (const polycodec_node* n : items) {
    if (dtype_of_node(*n) == shape.dtype) {
      std::byte bits[16] = {};
      View(n).copy_bits(bits);
      std::memcpy(to, bits, size);
    } else if (n->kind == POLYCODEC_KIND_FLOAT) {
      const double value = float_value(*n);
      std::memcpy(to, &value, sizeof value);
    } else {
      std::memcpy(to, &n->as.u64, sizeof n->as.u64);
    }
    to += size;
  }
  put_flat_leaf(e, to_string_view(bytes, items.size() * size), shape.dtype, size, 0, context,
                e.next_id());
}

void put_times(Encoder& e, Nodes items, const Shape& shape, std::string_view context) {
  auto* const counts = Builder(e.call).allocate<std::int64_t>(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) time_count(*items[i], counts[i]);
  put_flat_leaf(e, bytes_of(std::span(counts, items.size())), shape.dtype, 8, shape.unit, context,
                e.next_id());
}

void put_texts(Encoder& e, Nodes items, bool binary) {
  const std::uint64_t id = e.next_id();
  std::vector<std::int64_t> counts;
  std::vector<std::uint8_t> bytes;
  for (const polycodec_node* n : items) {
    const std::string_view text = text_of(*n);
    counts.push_back(static_cast<std::int64_t>(text.size()));
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  e.begin_call({"awkward0", "StringArray", "fromcounts"});
  put_made_leaf(e, std::move(counts), "StringArray.counts");
  put_made_leaf(e, std::move(bytes), "StringArray.content");
  e.schema.begin(binary ? "{\"json\": null}" : "{\"json\": \"utf-8\"}");
  end_call(e, id);
}

void put_lists(Encoder& e, Nodes items) {
  const std::uint64_t id = e.next_id();
  std::vector<std::int64_t> counts;
  for (const polycodec_node* n : items) counts.push_back(static_cast<std::int64_t>(size_of(*n)));
  e.begin_call({"awkward0", "JaggedArray", "fromcounts"});
  put_made_leaf(e, std::move(counts), "JaggedArray.counts");
  const PathStep step(e.path, Part::content);
  put_column(e, flattened(items), "JaggedArray.content");
  end_call(e, id);
}

void put_records(Encoder& e, Nodes items, bool tuple) {
  const std::uint64_t id = e.next_id();
  const std::uint64_t size = size_of(*items[0]);
  begin_table(e, size == 0 ? items.size() : 0);
  std::vector<const polycodec_node*> parts(items.size());
  for (std::uint64_t i = 0; i < size; ++i) {
    const std::string name =
        tuple ? std::to_string(i) : std::string(text_of(items[0]->as.nodes[2 * i]));
    e.schema.begin("[").string(name);
    std::ranges::transform(items, parts.begin(), [&](const polycodec_node* n) {
      return &n->as.nodes[tuple ? i : 2 * i + 1];
    });
    const PathStep step(e.path, name);
    put_column(e, parts, "Table.contents");
    e.schema.raw("]");
  }
  end_call(e, id, end_columns(e, tuple, size == 0 ? items.size() : 0));
}

void put_options(Encoder& e, Nodes items) {
  const std::uint64_t id = e.next_id();
  std::vector<std::int64_t> index;
  std::vector<const polycodec_node*> present;
  for (const polycodec_node* n : items) {
    const bool missing = n->kind == POLYCODEC_KIND_NULL;
    index.push_back(missing ? -1 : static_cast<std::int64_t>(present.size()));
    if (!missing) present.push_back(n);
  }
  e.begin_call({"awkward0", "IndexedMaskedArray"});
  put_made_leaf(e, std::move(index), "IndexedMaskedArray.mask");
  put_column(e, present, "IndexedMaskedArray.content");
  e.schema.begin("{\"json\": -1}");
  end_call(e, id);
}

void put_tagged(Encoder& e, std::vector<std::uint8_t> tags,
                const std::vector<std::vector<const polycodec_node*>>& members,
                std::string_view extra) {
  const std::uint64_t id = e.next_id();
  e.begin_call({"awkward0", "UnionArray", "fromtags"});
  put_made_leaf(e, std::move(tags), "UnionArray.tags");
  e.schema.begin("{\"list\": [");
  for (std::size_t tag = 0; tag < members.size(); ++tag)
    put_column(e, members[tag], "UnionArray.contents");
  e.schema.raw("]}");
  end_call(e, id, extra);
}

void put_variants(Encoder& e, Nodes items) {
  std::vector<std::uint8_t> tags;
  std::vector<std::vector<const polycodec_node*>> members;
  for (const polycodec_node* n : items) {
    const auto tag = static_cast<std::size_t>(n->as.tagged->tag);
    if (tag >= members.size()) members.resize(tag + 1);
    tags.push_back(static_cast<std::uint8_t>(tag));
    members[tag].push_back(n->as.tagged->node);
  }
  put_tagged(e, std::move(tags), members, {});
}

void put_mixed(Encoder& e, Nodes items) {
  // Items that can share a column: of one kind, numbers of one type, times of one unit, objects
  // with the same names.
  const auto group = [&](const polycodec_node& n) {
    std::string key(1, static_cast<char>(n.kind));
    if (is_number_node(n)) key += static_cast<char>(n.dtype);
    if (n.kind == POLYCODEC_KIND_TIMESTAMP || n.kind == POLYCODEC_KIND_DURATION)
      key += static_cast<char>(n.as.time->unit);
    if (n.kind == POLYCODEC_KIND_TUPLE) key += std::to_string(size_of(n));
    for (std::uint64_t i = 0; n.kind == POLYCODEC_KIND_OBJECT && i < size_of(n); ++i) {
      const std::string_view name = text_of(n.as.nodes[2 * i]);
      key.append(std::to_string(name.size())).append(":").append(name);
    }
    return key;
  };
  std::map<std::string, std::size_t> numbers;
  std::vector<std::uint8_t> tags;
  std::vector<std::vector<const polycodec_node*>> members;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto [at, fresh] = numbers.emplace(group(*items[i]), numbers.size());
    if (fresh) members.emplace_back();
    if (members.size() > max_tag + 1) e.refuse("the items are of more than 256 types");
    tags.push_back(static_cast<std::uint8_t>(at->second));
    members[at->second].push_back(items[i]);
  }
  for (const auto& member : members) {
    if (shape_of(member).kind != Shape::Kind::mixed) continue;
    const std::string kind(kind_name(member[0]->kind));
    e.refuse("an item (" + kind + ") that no column can hold");
  }
  put_tagged(e, std::move(tags), members, true_extra(extra::any));
}

}  // namespace

bool is_columnar(Encoder& e, Nodes items) {
  const Level level(e);
  e.work(items.size_bytes());
  const Shape shape = shape_of(items);
  switch (shape.kind) {
    case Shape::Kind::nulls:
    case Shape::Kind::mixed:
      return false;
    case Shape::Kind::list:
      return is_columnar(e, flattened(items));
    case Shape::Kind::option: {
      std::vector<const polycodec_node*> present;
      std::ranges::copy_if(items, std::back_inserter(present),
                           [](const polycodec_node* n) { return n->kind != POLYCODEC_KIND_NULL; });
      return is_columnar(e, present);
    }
    case Shape::Kind::record:
    case Shape::Kind::tuple: {
      const std::uint64_t step = shape.kind == Shape::Kind::record ? 2 : 1;
      std::vector<const polycodec_node*> parts(items.size());
      for (std::uint64_t i = 0; i < size_of(*items[0]); ++i) {
        std::ranges::transform(items, parts.begin(), [&](const polycodec_node* n) {
          return &n->as.nodes[step * i + step - 1];
        });
        if (!is_columnar(e, parts)) return false;
      }
      return true;
    }
    case Shape::Kind::variant: {
      std::vector<std::vector<const polycodec_node*>> members(max_tag + 1);
      for (const polycodec_node* n : items)
        members[static_cast<std::size_t>(n->as.tagged->tag)].push_back(n->as.tagged->node);
      return std::ranges::all_of(members,
                                 [&](const auto& of_tag) { return is_columnar(e, of_tag); });
    }
    default:
      return true;
  }
}

void put_column(Encoder& e, Nodes items, std::string_view context) {
  const Level level(e);
  e.work(items.size_bytes());
  const Shape shape = shape_of(items);
  switch (shape.kind) {
    case Shape::Kind::nothing:
      return put_nothing(e, e.next_id());
    case Shape::Kind::number:
      return put_numbers(e, items, shape, context);
    case Shape::Kind::time:
      return put_times(e, items, shape, context);
    case Shape::Kind::text:
    case Shape::Kind::bytes:
      return put_texts(e, items, shape.kind == Shape::Kind::bytes);
    case Shape::Kind::list:
      return put_lists(e, items);
    case Shape::Kind::record:
    case Shape::Kind::tuple:
      return put_records(e, items, shape.kind == Shape::Kind::tuple);
    case Shape::Kind::nulls:
    case Shape::Kind::option:
      return put_options(e, items);
    case Shape::Kind::variant:
      return put_variants(e, items);
    case Shape::Kind::mixed:
      return put_mixed(e, items);
  }
}

void put_single(Encoder& e, const polycodec_node& n, const polycodec_node* attributes) {
  const std::string scalar = true_extra(extra::scalar);
  if (n.kind == POLYCODEC_KIND_TIMESTAMP || n.kind == POLYCODEC_KIND_DURATION) {
    std::int64_t count = 0;
    if (!time_count(n, count))
      e.refuse("the time does not fit in 64 bits of its unit", Status::range);
    return put_flat_leaf(e, bytes_of(std::span(&count, 1)), n.dtype, 8, n.as.time->unit, {},
                         e.next_id(), scalar, attributes);
  }
  std::byte bits[16] = {};
  const std::uint32_t size = View(&n).copy_bits(bits);
  put_flat_leaf(e, to_string_view(bits, size), n.dtype, size, 0, {}, e.next_id(), scalar,
                attributes);
}

}  // namespace polycodec::awkward
