// SPDX-License-Identifier: MIT
// Values that view a part of another value.
#include <polycodec/bytes.hpp>
#include <polycodec/items.h>

#include "core/value/arena.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/rows.hpp"
#include "core/value/value_parts.hpp"
#include "registry/c/handle.hpp"

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

  polycodec_node operator()(const polycodec_array& a, std::uint64_t i, std::uint32_t depth = 0) {
    if (depth > limits_.max_depth) throw Error(Status::limit, "an item nests too deep");
    switch (a.layout) {
      case POLYCODEC_LAYOUT_NDARRAY:
        return a.ndim > 1 ? Builder::array(inner(a, i)) : scalar(a, i);
      case POLYCODEC_LAYOUT_LIST_OFFSETS:
      case POLYCODEC_LAYOUT_LIST_VIEW:
      case POLYCODEC_LAYOUT_LIST_FIXED: {
        if (polycodec_is_text(&a) != 0) return scalar(a, i);
        const polycodec_range range = polycodec_list_range(&a, i);
        return Builder::array(
            rows(*a.children[0], range.begin, range.end - range.begin, out_, limits_));
      }
      case POLYCODEC_LAYOUT_RECORD:
        return record(a, i, depth);
      case POLYCODEC_LAYOUT_UNION: {
        std::int64_t tag = 0;
        const polycodec_item item = polycodec_union_item(&a, i, &tag);
        return out_.tagged(tag, (*this)(*item.array, item.index, depth + 1));
      }
      case POLYCODEC_LAYOUT_OPTION_BYTES:
      case POLYCODEC_LAYOUT_OPTION_BITS:
      case POLYCODEC_LAYOUT_INDEXED:
      case POLYCODEC_LAYOUT_CHUNKED: {
        const polycodec_array* const child = polycodec_chosen(&a, &i);
        return child == nullptr ? Builder::null() : (*this)(*child, i, depth + 1);
      }
      default:
        return a.nodes[i];
    }
  }

 private:
  polycodec_node scalar(const polycodec_array& a, std::uint64_t i) {
    const View whole(a);
    return to_document(a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0 ? whole : whole.child(i),
                       out_, limits_);
  }

  const polycodec_array* inner(const polycodec_array& a, std::uint64_t i) {
    polycodec_array* const row = out_.store(a);
    if (a.data != nullptr)
      row->data =
          static_cast<const std::byte*>(a.data) + static_cast<std::int64_t>(i) * a.strides[0];
    row->ndim = a.ndim - 1;
    row->shape = a.shape + 1;
    row->strides = a.strides + 1;
    row->length = static_cast<std::uint64_t>(row->shape[0]);
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

const polycodec_array& array_of(const polycodec_value& value, const polycodec_array* array) {
  place(array, "array");
  if (!value.value.contains(array, sizeof *array)) throw_argument("array", "is not of the value");
  return *array;
}

/// Makes a value that keeps `of`; `make(out)` gives its root, from a part of `array` (or null) that
/// may be many parts.
template <class Make>
void make_part(polycodec_value& of, const polycodec_array* array, polycodec_value** part,
               const Make& make) {
  place(part, "part");
  std::optional<ValueBudget> walk;
  if (array != nullptr && !is_flat(*array)) walk.emplace(of.value);
  auto made = std::make_unique<polycodec_value>();
  Builder out(made->value.prepare(UINT64_MAX, walk ? &walk->budget() : nullptr));
  const Settling settling(made->value.arena());
  made->value.keep(share(of));
  if (const Origin* const origin = of.value.origin()) made->value.arena().set_origin(*origin);
  made->value.set_root(out.root(make(out)), of.value.is_partial());
  *part = made.release();
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
}  // namespace polycodec::c

using namespace polycodec;

int32_t polycodec_value_part(polycodec_value* value, const polycodec_node* node,
                             polycodec_value** part, polycodec_error* error) {
  return c::enter(error, [&] {
    auto& of = c::need(value, "value");
    c::place(node, "node");
    if (!of.value.contains(node, sizeof *node)) c::throw_argument("node", "is not of the value");
    c::make_part(of, nullptr, part, [&](Builder&) { return *node; });
  });
}

int32_t polycodec_value_rows(polycodec_value* value, const polycodec_array* array, uint64_t first,
                             uint64_t n, polycodec_value** part, polycodec_error* error) {
  return c::enter(error, [&] {
    auto& of = c::need(value, "value");
    const polycodec_array& rows_of = c::array_of(of, array);
    const std::uint64_t begin = std::min(first, rows_of.length);
    const std::uint64_t count = std::min(n, rows_of.length - begin);
    c::make_part(of, &rows_of, part, [&](Builder& out) {
      if (count == rows_of.length) return Builder::array(&rows_of);
      if (rows_of.layout == POLYCODEC_LAYOUT_NDARRAY && rows_of.ndim == 0)
        c::throw_argument("array", "has no rows");
      return Builder::array(rows(rows_of, begin, count, out, Limits{}));
    });
  });
}

int32_t polycodec_value_item(polycodec_value* value, const polycodec_array* array, uint64_t i,
                             polycodec_value** part, polycodec_error* error) {
  return c::enter(error, [&] {
    auto& of = c::need(value, "value");
    const polycodec_array& items = c::array_of(of, array);
    if (i >= items.length)
      throw Error(Status::not_found,
                  "there is no item " + std::to_string(i) + " of " + std::to_string(items.length));
    c::make_part(of, &items, part, [&](Builder& out) { return c::Item(out)(items, i); });
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
