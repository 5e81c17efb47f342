// SPDX-License-Identifier: MIT
// Values that view a part of another value.
#include <polycodec/bytes.hpp>

#include "core/value/arena.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/rows.hpp"
#include "core/value/value_parts.hpp"
#include "registry/c/find_part.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace polycodec::c {
namespace {

/// One item of an array as a node: a record as its members, a list as an array.
class Item {
 public:
  explicit Item(Builder& out) : out_(out) {}

  polycodec_node operator()(const polycodec_array& array, std::uint64_t index,
                            std::uint32_t depth = 0) {
    if (depth > limits_.max_depth) throw Error(Status::limit, "an item nests too deep");
    const polycodec_item item = polycodec_item_at(&array, index);
    if (item.node != nullptr) return *item.node;
    if (item.array == nullptr) return Builder::null();
    const polycodec_array& a = *item.array;
    const std::uint64_t i = item.index;
    const View view = View::element(a, i);
    switch (view.kind()) {
      case POLYCODEC_KIND_TIMESTAMP: {
        // It keeps its unit, and the attributes that may name a time zone.
        if (a.layout != POLYCODEC_LAYOUT_NDARRAY) return to_document(view, out_, limits_);
        polycodec_array* const time = inner(a, i);
        if (time->metadata == nullptr) time->metadata = array.metadata;
        return Builder::array(time);
      }
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_TUPLE:
        return record(a, i, depth);
      case POLYCODEC_KIND_UNION: {
        std::int64_t tag = 0;
        const polycodec_item member = polycodec_union_item(&a, i, &tag);
        return out_.tagged(tag, (*this)(*member.array, member.index, depth + 1));
      }
      case POLYCODEC_KIND_LIST: {
        if (a.layout == POLYCODEC_LAYOUT_NDARRAY) return Builder::array(inner(a, i));
        const polycodec_range range = polycodec_list_range(&a, i);
        return Builder::array(
            rows(*a.children[0], range.begin, range.end - range.begin, out_, limits_));
      }
      default:
        return to_document(view, out_, limits_);
    }
  }

 private:
  polycodec_array* inner(const polycodec_array& a, std::uint64_t i) {
    polycodec_array* const row = out_.store(a);
    if (a.data != nullptr)
      row->data =
          static_cast<const std::byte*>(a.data) + static_cast<std::int64_t>(i) * a.strides[0];
    row->ndim = a.ndim - 1;
    row->shape = a.shape + 1;
    row->strides = a.strides + 1;
    row->length = row->ndim == 0 ? 1 : static_cast<std::uint64_t>(row->shape[0]);
    return row;
  }

  polycodec_node record(const polycodec_array& a, std::uint64_t i, std::uint32_t depth) {
    polycodec_node* nodes = nullptr;
    if (a.names == nullptr) {
      std::vector<polycodec_node> items;
      for (std::uint32_t k = 0; k < a.n_children; ++k)
        items.push_back((*this)(*a.children[k], i, depth + 1));
      return out_.tuple(std::span<const polycodec_node>(items));
    }
    const polycodec_node object = out_.object(a.n_children, &nodes);
    for (std::uint32_t k = 0; k < a.n_children; ++k) {
      nodes[2 * k] = Builder::string_view(to_string_view(a.names[k]));
      nodes[2 * k + 1] = (*this)(*a.children[k], i, depth + 1);
    }
    return object;
  }

  Builder& out_;
  const Limits limits_;
};

/// Whether nothing in an array is shared by more than its own children: what is made of it then is
/// no more than it is.
bool is_flat(const polycodec_array& array) noexcept {
  for (std::uint32_t i = 0; i < array.n_children; ++i) {
    const polycodec_array& child = *array.children[i];
    if (child.n_children > 1 || (child.n_children == 1 && child.children[0]->n_children != 0))
      return false;
  }
  return true;
}

/// Up to `n` items from `first` on, of a list or an array.
polycodec_node narrowed(const polycodec_node& node, std::uint64_t first, std::uint64_t n,
                        Builder& out) {
  if (first == 0 && n == UINT64_MAX) return node;
  const polycodec_node& proper = *polycodec_node_proper(&node);
  const auto count_of = [&](std::uint64_t length) { return std::min(n, length - first); };
  if (proper.kind == POLYCODEC_KIND_ARRAY) {
    const polycodec_array& array = *proper.as.array;
    first = std::min(first, array.length);
    const std::uint64_t count = count_of(array.length);
    if (count == array.length) return node;
    if (array.layout == POLYCODEC_LAYOUT_NDARRAY && array.ndim == 0)
      throw_argument("item", "has no rows");
    return Builder::array(rows(array, first, count, out, Limits{}));
  }
  if (proper.kind != POLYCODEC_KIND_LIST && proper.kind != POLYCODEC_KIND_TUPLE)
    throw_argument("item", "is not a list or array: 'first' must be 0 and 'n' UINT64_MAX");
  first = std::min(first, polycodec_node_size(&proper));
  polycodec_node part =
      polycodec_node_make(proper.kind, proper.dtype, count_of(polycodec_node_size(&proper)));
  part.as.nodes = proper.as.nodes + first;
  return part;
}

/// Makes a value that keeps `of`, which has the item.
std::unique_ptr<polycodec_value> make_part(polycodec_value& of, const polycodec_item* item,
                                           std::uint64_t first, std::uint64_t n) {
  check_item(of, item);
  std::optional<ValueBudget> walk;
  if (item != nullptr && item->array != nullptr && !is_flat(*item->array)) walk.emplace(of.value);
  auto made = std::make_unique<polycodec_value>();
  Builder out(made->value.prepare(UINT64_MAX, walk ? &walk->budget() : nullptr));
  const Settling settling(made->value.arena());
  const std::shared_ptr<const Value> owner = share(of);
  made->value.keep(owner);
  if (item != nullptr && item->array != nullptr &&
      of.columns.contains(item->array, sizeof *item->array))
    made->value.arena().keep(owner, {}, &of.columns);
  if (const Origin* const origin = of.value.origin()) made->value.arena().set_origin(*origin);
  polycodec_node root = Builder::null();
  if (item == nullptr)
    root = *of.value.root();
  else if (item->node != nullptr)
    root = *item->node;
  else if (item->array != nullptr)
    root = item->index == POLYCODEC_WHOLE ? Builder::array(item->array)
                                          : Item(out)(*item->array, item->index);
  made->value.set_root(out.root(narrowed(root, first, n, out)), of.value.is_partial());
  return made;
}

/// A value that another one refers to, and where its memory is. An imported value views memory that
/// only its pointers tell.
struct Kept {
  explicit Kept(std::shared_ptr<const Value> of)
      : value(std::move(of)),
        regions([this] { return parts_of(value->view(), Limits{}.max_depth); }) {
    regions.region_of(value->root(), sizeof(polycodec_node));  // for all threads from now on
  }
  std::shared_ptr<const Value> value;
  LazyRegions regions;
};

void keep_all(Value& value, polycodec_value& other) {
  const auto kept = std::make_shared<const Kept>(share(other));
  value.arena().keep(kept, {}, &kept->regions);
}

}  // namespace

void check_item(const polycodec_value& of, const polycodec_item* item) {
  if (item == nullptr) return;
  if (item->node != nullptr) {
    if (!of.value.contains(item->node, sizeof *item->node))
      throw_argument("item", "has a node that is not of the value");
  } else if (item->array != nullptr) {
    if (!of.value.contains(item->array, sizeof *item->array) &&
        !of.columns.contains(item->array, sizeof *item->array))
      throw_argument("item", "has an array that is not of the value");
    if (item->index != POLYCODEC_WHOLE && item->index >= item->array->length)
      throw_no_item(item->index, item->array->length);
  }
}

std::shared_ptr<const Value> part_of(const polycodec_value& of, const polycodec_item* item) {
  auto& handle = const_cast<polycodec_value&>(of);  // a holder more
  if (item == nullptr) return share(handle);
  std::shared_ptr<polycodec_value> part = make_part(handle, item, 0, UINT64_MAX);
  return {part, &part->value};
}

void select_part(std::unique_ptr<polycodec_value>& decoded, std::string_view path) {
  const polycodec_item item = find_part(*decoded, path);
  std::unique_ptr<polycodec_value> part = make_part(*decoded, &item, 0, UINT64_MAX);
  release(decoded.release());  // the part has it
  decoded = std::move(part);
}

std::shared_ptr<const Value> read_part(const polycodec_value& of, const polycodec_item* item) {
  if (item != nullptr) return part_of(of, item);
  return {std::shared_ptr<const Value>(), &of.value};
}

}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_value_part(polycodec_value* value, const polycodec_item* item, uint64_t first,
                             uint64_t n, polycodec_value** part, polycodec_error* error) {
  return c::enter(error, [&] {
    auto& of = c::need(value, "value");
    c::place(part, "part");
    *part = c::make_part(of, item, first, n).release();
  });
}

int32_t polycodec_value_keep(polycodec_value* value, polycodec_value* other,
                             polycodec_error* error) {
  return c::enter(error, [&] {
    auto& to = c::need(value, "value");
    auto& kept = c::need(other, "other");
    if (!to.building) c::throw_argument("value", "is not one that is being built");
    if (kept.building || value == other) c::throw_argument("other", "is not complete");
    c::keep_all(to.value, kept);
  });
}
