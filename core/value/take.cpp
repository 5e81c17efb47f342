// SPDX-License-Identifier: MIT
#include "core/value/take.hpp"

#include <base/depth.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/error.hpp>

#include "core/value/host_meter.hpp"
#include "core/value/value.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec {
namespace {

class Taking {
 public:
  Taking(Builder& out, const Limits& limits, HostMeter& meter)
      : out_(out), limits_(limits), meter_(meter) {}

  const polycodec_array* rows(const polycodec_array& array, std::span<const std::int64_t> index,
                              std::uint32_t depth) {
    check_depth(depth, limits_.max_depth);
    meter_.tick(4 + index.size() / 2);
    const ArrayView view(array);
    polycodec_array* result = nullptr;
    switch (view.layout()) {
      case POLYCODEC_LAYOUT_NDARRAY:
        result = leaf(view, index);
        break;
      case POLYCODEC_LAYOUT_LIST_OFFSETS:
      case POLYCODEC_LAYOUT_LIST_VIEW:
        result = lists(view, index, depth);
        break;
      case POLYCODEC_LAYOUT_LIST_FIXED:
        result = out_.with_children(
            POLYCODEC_LAYOUT_LIST_FIXED, index.size(),
            {{rows(view.child().raw(), blocks(view.list_size(), index), depth + 1)}});
        result->list_size = view.list_size();
        break;
      case POLYCODEC_LAYOUT_RECORD:
        result = columns(view, index, depth);
        break;
      case POLYCODEC_LAYOUT_UNION:
        result = copy(array, index.size());
        result->index = pick(view.index(), view.length(), index);
        result->tags = pick(view.tags(), view.length(), index);
        break;
      case POLYCODEC_LAYOUT_OPTION_BYTES:
      case POLYCODEC_LAYOUT_OPTION_BITS:
        result = option(view, index, depth);
        break;
      case POLYCODEC_LAYOUT_INDEXED: {
        const polycodec_column inner = pick(view.index(), view.length(), index);
        const std::span<const std::int64_t> composed(static_cast<const std::int64_t*>(inner.data),
                                                     index.size());
        if (std::none_of(composed.begin(), composed.end(), [](std::int64_t i) { return i < 0; }))
          return rows(view.child().raw(), composed, depth + 1);
        auto* valid = out_.allocate<std::uint8_t>(index.size());
        for (std::size_t i = 0; i < index.size(); ++i) valid[i] = composed[i] >= 0;
        result = out_.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, index.size(),
                                    {{rows(view.child().raw(), composed, depth + 1)}});
        result->index = Builder::column(std::span<const std::uint8_t>(valid, index.size()));
        result->flags = POLYCODEC_ARRAY_MASK_VALID;
        break;
      }
      case POLYCODEC_LAYOUT_DOCUMENT: {
        meter_.tick(index.size());
        auto* nodes = out_.allocate<polycodec_node>(index.size());
        for (std::size_t i = 0; i < index.size(); ++i)
          nodes[i] = index[i] < 0 ? Builder::null() : array.nodes[index[i]];
        result = copy(array, index.size());
        result->nodes = nodes;
        break;
      }
      default:
        return rows(*materialize(array, out_, limits_), index, depth + 1);
    }
    result->metadata = array.metadata;
    return result;
  }

 private:
  polycodec_array* copy(const polycodec_array& array, std::uint64_t length) {
    auto* result = out_.store(array);
    result->length = length;
    return result;
  }

  /// Items of a structure column as int64; 0 where the index is negative.
  polycodec_column pick(ColumnView column, std::uint64_t length,
                        std::span<const std::int64_t> index) {
    auto* items = out_.allocate<std::int64_t>(index.size());
    for (std::size_t i = 0; i < index.size(); ++i)
      items[i] = index[i] < 0 || length == 0 ? 0 : column[static_cast<std::uint64_t>(index[i])];
    return Builder::column(std::span<const std::int64_t>(items, index.size()));
  }

  polycodec_array* leaf(ArrayView view, std::span<const std::int64_t> index) {
    const std::uint64_t count = view.length() == 0 ? 0 : view.element_count() / view.length();
    const polycodec_array& whole = *make_contiguous(view.raw(), out_);
    const std::uint64_t row =
        view.length() == 0 ? row_of_nothing(view) : checked_mul(count, view.item_size()).value();
    const auto total = checked_mul(row, index.size());
    if (!total || *total > limits_.memory_for(UINT64_MAX))
      throw Error(Status::limit, "too many rows");
    meter_.tick(units_of_bytes(*total));
    auto* data = out_.allocate<std::byte>(*total);
    for (std::size_t i = 0; i < index.size(); ++i) {
      std::byte* to = data + i * row;
      if (index[i] < 0 || view.length() == 0)
        std::memset(to, 0, row);
      else
        std::memcpy(
            to,
            static_cast<const std::byte*>(whole.data) + static_cast<std::uint64_t>(index[i]) * row,
            row);
    }
    auto* shape = out_.store_all(view.shape());
    if (view.ndim() != 0) shape[0] = static_cast<std::int64_t>(index.size());
    polycodec_array* result = out_.ndarray(to_string_view(data, *total), view.dtype(),
                                           view.item_size(), {shape, view.ndim()}, host_byte_order);
    result->unit = view.unit();
    return result;
  }
  static std::uint64_t row_of_nothing(ArrayView view) {
    std::uint64_t bytes = view.item_size();
    for (std::size_t axis = 1; axis < view.ndim(); ++axis)
      bytes =
          checked_mul(bytes, static_cast<std::uint64_t>(view.shape()[axis])).value_or(UINT64_MAX);
    return bytes;
  }

  std::span<const std::int64_t> blocks(std::uint64_t size, std::span<const std::int64_t> index) {
    const auto total = checked_mul(size, index.size());
    if (!total || *total > limits_.max_elements) throw Error(Status::limit, "too many items");
    meter_.tick(*total / 2);
    auto* items = out_.allocate<std::int64_t>(*total);
    std::int64_t* next = items;
    for (const std::int64_t i : index)
      for (std::uint64_t k = 0; k < size; ++k)
        *next++ = i < 0 ? -1 : static_cast<std::int64_t>(static_cast<std::uint64_t>(i) * size + k);
    return {items, static_cast<std::size_t>(*total)};
  }

  polycodec_array* lists(ArrayView view, std::span<const std::int64_t> index, std::uint32_t depth) {
    auto* offsets = out_.allocate<std::int64_t>(index.size() + 1);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < index.size(); ++i) {
      offsets[i] = static_cast<std::int64_t>(total);
      if (index[i] < 0) continue;
      const auto range = view.range(static_cast<std::uint64_t>(index[i]));
      total += range.end - range.begin;
      if (total > limits_.max_elements) throw Error(Status::limit, "too many items");
    }
    offsets[index.size()] = static_cast<std::int64_t>(total);
    meter_.tick(total / 2);
    const bool text = view.is_string() || view.is_binary();
    const polycodec_array* content = nullptr;
    if (text) {
      auto* bytes = out_.allocate<std::uint8_t>(total);
      for (std::size_t i = 0; i < index.size(); ++i) {
        if (index[i] < 0) continue;
        const std::string_view from = view.text(static_cast<std::uint64_t>(index[i]));
        if (!from.empty()) std::memcpy(bytes + offsets[i], from.data(), from.size());
      }
      content = out_.vector(std::span<const std::uint8_t>(bytes, static_cast<std::size_t>(total)));
    } else {
      auto* items = out_.allocate<std::int64_t>(total);
      std::int64_t* next = items;
      for (const std::int64_t i : index) {
        if (i < 0) continue;
        const auto range = view.range(static_cast<std::uint64_t>(i));
        for (std::uint64_t k = range.begin; k < range.end; ++k)
          *next++ = static_cast<std::int64_t>(k);
      }
      content = rows(view.child().raw(), {items, static_cast<std::size_t>(total)}, depth + 1);
    }
    return out_.list_offsets(
        std::span<const std::int64_t>(offsets, index.size() + 1), content,
        static_cast<std::uint8_t>(view.raw().flags &
                                  (POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY)));
  }

  polycodec_array* columns(ArrayView view, std::span<const std::int64_t> index,
                           std::uint32_t depth) {
    auto** children = out_.allocate<const polycodec_array*>(view.child_count());
    for (std::uint32_t i = 0; i < view.child_count(); ++i)
      children[i] = rows(view.child(i).raw(), index, depth + 1);
    polycodec_array* result = copy(view.raw(), index.size());
    result->children = children;
    return result;
  }

  polycodec_array* option(ArrayView view, std::span<const std::int64_t> index,
                          std::uint32_t depth) {
    auto* valid = out_.allocate<std::uint8_t>(index.size());
    for (std::size_t i = 0; i < index.size(); ++i)
      valid[i] = index[i] >= 0 && view.is_present(static_cast<std::uint64_t>(index[i]));
    polycodec_array* result = out_.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, index.size(),
                                                 {{rows(view.child().raw(), index, depth + 1)}});
    result->index = Builder::column(std::span<const std::uint8_t>(valid, index.size()));
    result->flags = POLYCODEC_ARRAY_MASK_VALID;
    return result;
  }

  Builder& out_;
  const Limits& limits_;
  HostMeter& meter_;
};

}  // namespace

const polycodec_array* take(const polycodec_array& array, std::span<const std::int64_t> index,
                            Builder& out, const Limits& limits) {
  HostMeter meter(array, limits);
  meter.charge(out);
  return Taking(out, limits, meter).rows(array, index, 0);
}

}  // namespace polycodec
