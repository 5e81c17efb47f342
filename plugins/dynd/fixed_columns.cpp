// SPDX-License-Identifier: MIT
// Columns of values that all take the same number of bytes: views of the bytes.
#include <polycodec/checked.hpp>

#include "decode.hpp"

#include <cstring>
#include <utility>

namespace polycodec::dynd {

const polycodec_array* sequence_array(Builder& build, const Plan& plan, std::uint64_t count,
                                      std::span<const polycodec_array* const> columns) {
  std::vector<const polycodec_array*> kept;
  // Also without fields: names that are there tell {} from ().
  auto* names = plan.named ? build.allocate<polycodec_bytes>(plan.items.size() + 1) : nullptr;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i] == nullptr) continue;
    if (plan.named) names[kept.size()] = to_bytes(build.copy_text(plan.type.names()[i]));
    kept.push_back(columns[i]);
  }
  polycodec_array* record = build.with_children(POLYCODEC_LAYOUT_RECORD, count, kept);
  record->names = names;
  return record;
}

const polycodec_array* Decoder::nothing_column(std::uint64_t count) {
  static constexpr std::int64_t first = 0;
  polycodec_array* one = build.new_array(POLYCODEC_LAYOUT_DOCUMENT, 1);
  one->nodes = build.store(Builder::null());
  const polycodec_array* const child = one;
  polycodec_array* all = build.with_children(POLYCODEC_LAYOUT_INDEXED, count, {&child, 1});
  all->index = {&first, 0, POLYCODEC_DTYPE_INT64, 0};
  return all;
}

const polycodec_array* Decoder::fixed_leaf(const Plan& plan, std::string_view buffer,
                                           const std::uint8_t* data, std::uint64_t count,
                                           std::uint64_t stride) {
  return build.strided(buffer, data, count, static_cast<std::int64_t>(stride), plan.dtype,
                       plan.item_size, POLYCODEC_LITTLE_ENDIAN);
}

const polycodec_array* Decoder::missing_column(const Plan& plan, std::string_view buffer,
                                               const std::uint8_t* data, std::uint64_t count,
                                               std::uint64_t stride) {
  std::uint8_t missing[16];
  sentinel(plan.dtype, missing);
  auto* mask = build.allocate<std::uint8_t>(count);
  const std::size_t size = plan.item_size;
  pace.step(count);
  for (std::uint64_t i = 0; i < count; ++i)
    mask[i] = std::memcmp(data + i * stride, missing, size) == 0 ? 1 : 0;
  const polycodec_array* content = nullptr;
  if (plan.dtype == POLYCODEC_DTYPE_BOOLEAN) {
    // The sentinel is not a boolean: no view can hold it.
    auto* values = build.allocate<std::byte>(count);
    for (std::uint64_t i = 0; i < count; ++i) values[i] = std::byte{data[i * stride] == 1};
    content = fixed_leaf(plan.element(), to_string_view(values, count),
                         reinterpret_cast<const std::uint8_t*>(values), count, 1);
  } else {
    content = fixed_leaf(plan.element(), buffer, data, count, stride);
  }
  polycodec_array* option =
      build.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, count, {&content, 1});
  option->mask = {mask, 1, POLYCODEC_DTYPE_UINT8, 0};
  return option;
}

const polycodec_array* Decoder::fixed_dim_column(const Plan& plan, std::string_view buffer,
                                                 const std::uint8_t* data, std::uint64_t count,
                                                 std::uint64_t stride) {
  std::vector<std::int64_t> shape{static_cast<std::int64_t>(count)};
  std::uint64_t bytes = count;
  bool fits = true;
  const Plan* inner = &plan;
  for (; inner->op == Op::fixed_dim; inner = &inner->element()) {
    shape.push_back(static_cast<std::int64_t>(inner->count));
    if (inner->count != 0) fits = fits && checked_mul(bytes == 0 ? 1 : bytes, inner->count, bytes);
  }
  const bool leaf =
      inner->op == Op::scalar || inner->op == Op::fixed_bytes || inner->op == Op::fixed_string;
  fits = fits && leaf && checked_mul(bytes == 0 ? 1 : bytes, inner->item_size, bytes) &&
         bytes <= INT64_MAX;
  if (fits && shape.size() <= POLYCODEC_MAX_NDIM) {
    polycodec_array* array =
        build.ndarray(buffer, inner->dtype, inner->item_size, shape, POLYCODEC_LITTLE_ENDIAN);
    array->data = data;
    *const_cast<std::int64_t*>(array->strides) = static_cast<std::int64_t>(stride);
    return array;
  }
  const Plan& element = plan.element();
  if (stride != plan.width && count > 1) {
    // Items of items at uneven distances: only a copy can be a column.
    auto* packed = build.allocate<std::byte>(plan.width * count);
    for (std::uint64_t i = 0; i < count; ++i)
      std::memcpy(packed + i * plan.width, data + i * stride, static_cast<std::size_t>(plan.width));
    buffer = to_string_view(packed, plan.width * count);
    data = reinterpret_cast<const std::uint8_t*>(packed);
  }
  const std::uint64_t items = count == 0 ? 0 : count * plan.count;
  const polycodec_array* const child =
      element.fixed ? fixed_column(element, buffer, data, items, element.width)
                    : column(element, 0);
  polycodec_array* list = build.with_children(POLYCODEC_LAYOUT_LIST_FIXED, count, {&child, 1});
  list->list_size = plan.count;
  return list;
}

const polycodec_array* Decoder::fixed_column(const Plan& plan, std::string_view buffer,
                                             const std::uint8_t* data, std::uint64_t count,
                                             std::uint64_t stride) {
  switch (plan.op) {
    case Op::nothing:
      return nothing_column(count);
    case Op::fixed_dim:
      return fixed_dim_column(plan, buffer, data, count, stride);
    case Op::sentinel_option:
      return missing_column(plan, buffer, data, count, stride);
    case Op::sequence: {
      std::vector<const polycodec_array*> columns;
      columns.reserve(plan.items.size());
      for (const Plan& field : plan.items) {
        columns.push_back(fixed_column(field, buffer, data, count, stride));
        if (data != nullptr) data += field.width;  // null only where there are no rows
      }
      return sequence_array(build, plan, count, columns);
    }
    default:
      return fixed_leaf(plan, buffer, data, count, stride);
  }
}

}  // namespace polycodec::dynd
