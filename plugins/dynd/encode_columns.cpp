// SPDX-License-Identifier: MIT
// Columns to bytes: runs of items are written without looking at each of them where their form
// allows it.
#include <base/contiguous.hpp>
#include <base/varint.hpp>

#include "encode.hpp"
#include "fault.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace polycodec::dynd {

namespace {

constexpr std::uint64_t block = 65536;  // bytes that are gathered at once

bool is_number(const Plan& plan) noexcept {
  return plan.op == Op::scalar || plan.op == Op::fixed_bytes;
}

/// The contiguous little-endian elements of a 1-d leaf, or NULL.
const std::uint8_t* contiguous(const Plan& element, const polycodec_array& a) noexcept {
  if (!is_number(element) || !is_leaf_of(element, a, 1)) return nullptr;
  const bool right_order =
      a.byte_order == POLYCODEC_LITTLE_ENDIAN || dtype_swap_width(a.dtype) == 1;
  const bool dense = a.length < 2 || a.strides[0] == static_cast<std::int64_t>(a.item_size);
  return right_order && dense ? static_cast<const std::uint8_t*>(a.data) : nullptr;
}

bool has_names(const Plan& plan, const polycodec_array& a) noexcept {
  if (plan.items.size() != a.n_children || plan.named != (a.names != nullptr)) return false;
  for (std::uint32_t i = 0; plan.named && i < a.n_children; ++i)
    if (to_string_view(a.names[i]) != plan.type.names()[i]) return false;
  return true;
}

/// Where item `i` of the first axis starts. NULL if the array has no bytes: then there is nothing
/// to advance.
const std::byte* item_start(const polycodec_array& leaf, std::uint64_t i) noexcept {
  const auto* data = static_cast<const std::byte*>(leaf.data);
  return data == nullptr ? nullptr : data + static_cast<std::int64_t>(i) * leaf.strides[0];
}

}  // namespace

bool is_leaf_of(const Plan& plan, const polycodec_array& leaf, std::uint32_t axis) noexcept {
  if (leaf.layout != POLYCODEC_LAYOUT_NDARRAY) return false;
  const Plan* inner = &plan;
  for (; axis < leaf.ndim; ++axis) {
    if (inner->op != Op::fixed_dim || inner->count != static_cast<std::uint64_t>(leaf.shape[axis]))
      return false;
    inner = &inner->element();
  }
  return is_number(*inner) && leaf.dtype == inner->dtype && leaf.item_size == inner->item_size;
}

void Encoder::leaf_block(const polycodec_array& leaf) {
  put_elements(call_, out_, leaf, POLYCODEC_LITTLE_ENDIAN);
}

void Encoder::list_items(const Plan& element, const View& list) {
  if (element.op == Op::nothing || list.size() == 0) {
    // Nothing is written, but what is there must fit.
    for (std::uint64_t i = 0; i < list.size(); ++i) value(element, list.child(i));
    return;
  }
  if (const polycodec_array* a = list.array()) return items(element, *a, 0, list.size());
  if (const auto run = list.elements(); run && is_number(element) && run->dtype == element.dtype &&
                                        run->item_size == element.item_size) {
    polycodec_array leaf{};
    const auto shape = static_cast<std::int64_t>(run->count);
    leaf.layout = POLYCODEC_LAYOUT_NDARRAY;
    leaf.dtype = static_cast<std::uint8_t>(run->dtype);
    leaf.byte_order = run->byte_order;
    leaf.length = run->count;
    leaf.data = run->data;
    leaf.ndim = 1;
    leaf.item_size = run->item_size;
    leaf.shape = &shape;
    leaf.strides = &run->stride;
    return leaf_block(leaf);
  }
  each_item(list.size(), [&](std::uint64_t i) { value(element, list.child(i)); });
}

void Encoder::generic(const Plan& element, const polycodec_array& a, std::uint64_t begin,
                      std::uint64_t count) {
  each_item(count, [&](std::uint64_t i) { value(element, View::element(a, begin + i)); });
}

void Encoder::leaf_items(const Plan& element, const polycodec_array& a, std::uint64_t begin,
                         std::uint64_t count) {
  if (a.ndim == 0 || !is_leaf_of(element, a, 1)) return generic(element, a, begin, count);
  if (const std::uint8_t* p = contiguous(element, a))
    return out_.reference(p + begin * a.item_size, count * a.item_size);
  Extents shape;
  leaf_block(part_of(a, shape, begin, count));
}

void Encoder::texts(const polycodec_array& a, std::uint64_t begin, std::uint64_t count) {
  const ArrayView view(a);
  for (std::uint64_t i = begin; i < begin + count; ++i) {
    const std::string_view text = view.text(i);
    pace_.step(text.size());
    if (text.size() > 4096) {
      write_varint(out_, text.size());
      out_.reference(text.data(), text.size());
      continue;
    }
    std::uint8_t* to = out_.reserve(text.size() + max_varint_size);
    const std::uint32_t head = encode_varint(text.size(), to);
    if (!text.empty()) std::memcpy(to + head, text.data(), text.size());
    out_.commit(head + text.size());
  }
}

void Encoder::lists(const Plan& element, const polycodec_array& a, std::uint64_t begin,
                    std::uint64_t count) {
  const ArrayView view(a);
  const Plan& inner = element.element();
  const polycodec_array& content = *a.children[0];
  const std::uint8_t* const data = contiguous(inner, content);
  if (data == nullptr)
    return each_item(count, [&](std::uint64_t i) {
      const ArrayView::Range r = view.range(begin + i);
      write_varint(out_, r.end - r.begin);
      items(inner, content, r.begin, r.end - r.begin);
    });
  const std::uint64_t width = inner.item_size;
  each_item(count, [&](std::uint64_t i) {
    const ArrayView::Range r = view.range(begin + i);
    const std::uint64_t n = r.end - r.begin;
    const std::uint64_t size = n * width;
    pace_.step(size);
    if (size > 4096) {
      write_varint(out_, n);
      return out_.reference(data + r.begin * width, size);
    }
    std::uint8_t* to = out_.reserve(size + max_varint_size + 64);
    const std::uint32_t head = encode_varint(n, to);
    const std::uint8_t* from = data + r.begin * width;
    if (size <= 64 && r.begin * width + 64 <= content.length * width) {
      // A copy of known size is cheaper than one that asks how much.
      std::memcpy(to + head, from, 64);
    } else if (size != 0) {
      std::memcpy(to + head, from, static_cast<std::size_t>(size));
    }
    out_.commit(head + size);
  });
}

bool Encoder::packed_rows(const Plan& element, const polycodec_array& a, std::uint64_t begin,
                          std::uint64_t count) {
  struct Field {
    const std::uint8_t* data;
    std::int64_t stride;
    std::size_t at;
    std::size_t size;
    std::size_t swap;
  };
  std::vector<Field> fields;
  std::size_t width = 0;
  bool rows_in_place = true;
  for (std::uint32_t i = 0; i < a.n_children; ++i) {
    const polycodec_array& column = *a.children[i];
    const Plan& plan = element.items[i];
    if (column.layout != POLYCODEC_LAYOUT_NDARRAY || column.ndim == 0 ||
        !is_leaf_of(plan, column, 1))
      return false;
    polycodec_array one = column;
    one.ndim = column.ndim - 1;
    one.shape = column.shape + 1;
    one.strides = column.strides + 1;
    const bool right_order =
        column.byte_order == POLYCODEC_LITTLE_ENDIAN || dtype_swap_width(column.dtype) == 1;
    const std::size_t swap = right_order ? 1 : dtype_swap_width(column.dtype);
    if (!ArrayView(one).is_contiguous() || plan.width > block) return false;
    if (plan.width == 0) continue;
    const auto* data = reinterpret_cast<const std::uint8_t*>(item_start(column, begin));
    fields.push_back({data, column.strides[0], width, static_cast<std::size_t>(plan.width), swap});
    rows_in_place = rows_in_place && swap == 1 && data == fields.front().data + width;
    width += static_cast<std::size_t>(plan.width);
  }
  if (fields.empty()) return true;
  for (const Field& f : fields)
    rows_in_place = rows_in_place && f.stride == static_cast<std::int64_t>(width);
  if (rows_in_place) {
    // The columns are views of rows as they are to be written.
    out_.reference(fields.front().data, count * width);
    return true;
  }
  if (width > block) return false;
  const std::uint64_t rows = std::max<std::uint64_t>(1, block / width);
  for (std::uint64_t at = 0; at < count; at += rows) {
    const std::uint64_t n = std::min(rows, count - at);
    pace_.step(n * width);
    std::uint8_t* const to = out_.reserve(n * width);
    for (const Field& f : fields) {
      const std::uint8_t* from = f.data + static_cast<std::int64_t>(at) * f.stride;
      std::uint8_t* p = to + f.at;
      const auto copy_each = [&](auto copy) {
        for (std::uint64_t i = 0; i < n; ++i, from += f.stride, p += width) copy();
      };
      if (f.swap != 1) {
        copy_each([&] { swap_copy(p, from, f.size / f.swap, f.swap); });
      } else if (f.size == 8) {
        copy_each([&] { std::memcpy(p, from, 8); });
      } else if (f.size == 4) {
        copy_each([&] { std::memcpy(p, from, 4); });
      } else {
        copy_each([&] { std::memcpy(p, from, f.size); });
      }
    }
    out_.commit(n * width);
  }
  return true;
}

void Encoder::records(const Plan& element, const polycodec_array& a, std::uint64_t begin,
                      std::uint64_t count) {
  if (element.fixed && packed_rows(element, a, begin, count)) return;
  each_item(count, [&](std::uint64_t i) {
    each_field(element, [&](std::uint64_t field) {
      one_item([&] { items(element.items[field], *a.children[field], begin + i, 1); });
    });
  });
}

void Encoder::options(const Plan& element, const polycodec_array& a, std::uint64_t begin,
                      std::uint64_t count) {
  const ArrayView view(a);
  const Plan& inner = element.element();
  const polycodec_array* content = a.children[0];
  each_item(count, [&](std::uint64_t i) {
    const bool present = view.is_present(begin + i);
    pace_.step();
    out_.put_u8(present ? 1 : 0);
    if (present) one_item([&] { items(inner, *content, begin + i, 1); });
  });
}

void Encoder::items(const Plan& element, const polycodec_array& a, std::uint64_t begin,
                    std::uint64_t count) {
  if (count == 0) return;  // also: arrays without items may have no data to point into
  pace_.step();
  const ArrayView view(a);
  switch (a.layout) {
    case POLYCODEC_LAYOUT_NDARRAY:
      return leaf_items(element, a, begin, count);
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
      if ((element.op == Op::text && view.is_string()) ||
          (element.op == Op::bytes && view.is_binary()))
        return texts(a, begin, count);
      if (element.op == Op::var_dim && a.flags == 0) return lists(element, a, begin, count);
      break;
    case POLYCODEC_LAYOUT_LIST_FIXED:
      if (element.op == Op::fixed_dim && element.count == a.list_size && a.flags == 0 &&
          count <= UINT64_MAX / (a.list_size + 1)) {
        const Plan& inner = element.element();
        if (is_leaf_of(inner, *a.children[0], 1))
          return items(inner, *a.children[0], begin * a.list_size, count * a.list_size);
        return each_item(count, [&](std::uint64_t i) {
          items(inner, *a.children[0], (begin + i) * a.list_size, a.list_size);
        });
      }
      break;
    case POLYCODEC_LAYOUT_RECORD:
      if (element.op == Op::sequence && has_names(element, a))
        return records(element, a, begin, count);
      break;
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
      // An option over one that may be null itself tells them apart by a union, or is looked
      // through by View.
      if (element.op == Op::prefix_option && !element.element().nullable &&
          !ArrayView(*a.children[0]).is_option() &&
          a.children[0]->layout != POLYCODEC_LAYOUT_INDEXED)
        return options(element, a, begin, count);
      break;
    default:
      break;
  }
  return generic(element, a, begin, count);
}

}  // namespace polycodec::dynd
