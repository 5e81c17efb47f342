// SPDX-License-Identifier: MIT
// Leaves.
#include <base/byte_slices.hpp>
#include <base/contiguous.hpp>
#include <polycodec/dtype.hpp>

#include "encode.hpp"
#include "extras.hpp"
#include "numpy.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace polycodec::awkward {

namespace {

/// From this size on, elements that are copied lie in the arena of the call, the large part of
/// which may be in a file. A sink has what it copies in memory.
constexpr std::uint64_t least_gathered = std::uint64_t{1} << 20;

std::uint64_t row_size(const polycodec_array& leaf) noexcept {
  std::uint64_t size = leaf.item_size;
  for (std::uint32_t axis = 1; axis < leaf.ndim; ++axis)
    size *= static_cast<std::uint64_t>(leaf.shape[axis]);
  return size;
}

void frombuffer(Encoder& e, const NumpyDtype& dtype, std::span<const std::int64_t> inner,
                std::uint64_t count, const CompressionRule* rule, std::uint64_t id) {
  e.begin_call({"awkward0", "numpy", "frombuffer"});
  if (rule != nullptr) {
    e.schema.begin("{\"call\": [");
    for (const std::string& part : rule->decompressor) e.schema.begin().string(part);
    e.schema.raw("], \"args\": [");
  }
  e.schema.begin("{\"read\": ").string(e.blobs.short_name(id)).raw("}");
  if (rule != nullptr) e.schema.raw("]}");
  e.schema.begin("{\"dtype\": ");
  if (inner.empty()) {
    e.schema.string(dtype.name);
  } else {
    e.schema.raw("[").string(dtype.name).begin("[");
    for (const std::int64_t extent : inner)
      e.schema.begin().number(static_cast<std::uint64_t>(extent));
    e.schema.raw("]]");
  }
  e.schema.raw("}, {\"json\": ").number(count).raw("}");
}

void without_elements(Encoder& e, const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  if (a.ndim == 1) {
    // Strings and byte strings of no bytes: numpy has none.
    e.begin_call({"awkward0", "StringArray", "fromcounts"});
    put_made_leaf(e, std::vector<std::int64_t>(static_cast<std::size_t>(rows.count())),
                  "StringArray.counts");
    put_made_leaf(e, std::vector<std::uint8_t>(), "StringArray.content");
    e.schema.begin(a.dtype == POLYCODEC_DTYPE_FIXED_BYTES ? "{\"json\": null}"
                                                          : "{\"json\": \"utf-8\"}");
    return end_call(e, id, {}, a.metadata);
  }
  // numpy takes no dtype without bytes: the dimensions become lists of a fixed length, of which no
  // item is read.
  polycodec_array content = a;
  content.ndim = a.ndim - 1;
  content.shape = a.shape + 1;
  content.strides = a.strides + 1;
  content.metadata = nullptr;
  Extents shape;
  std::copy_n(content.shape, content.ndim, shape.begin());
  content.shape = shape.data();
  std::uint64_t items = 0;
  const auto size = static_cast<std::uint64_t>(a.shape[1]);
  if (__builtin_mul_overflow(rows.count(), size, &items) ||
      items > static_cast<std::uint64_t>(INT64_MAX))
    e.refuse("the number of rows overflows", Status::range);
  shape[0] = static_cast<std::int64_t>(items);
  content.length = items;
  put_fixed_lists(e, a, content, size, Rows(0, rows.count()), id);
}

}  // namespace

void put_flat_leaf(Encoder& e, std::string_view bytes, std::uint32_t dtype, std::uint32_t item_size,
                   std::uint32_t unit, std::string_view context, std::uint64_t id,
                   std::string_view extra, const polycodec_node* attributes) {
  polycodec_array a{};
  a.dtype = static_cast<std::uint8_t>(dtype);
  a.item_size = item_size;
  a.unit = unit;
  a.byte_order = host_byte_order;
  const auto count = static_cast<std::int64_t>(bytes.size() / item_size);
  const std::int64_t stride = item_size;
  a.length = static_cast<std::uint64_t>(count);
  a.data = bytes.data();
  a.ndim = 1;
  a.shape = &count;
  a.strides = &stride;
  a.metadata = attributes;
  put_leaf(e, a, Rows(0, a.length), context, id, extra);
}

void put_leaf(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
              std::uint64_t id, std::string_view extra) {
  if (a.ndim == 0) {
    // Among columns an array without axes is one of one row.
    const std::int64_t one = 1;
    const std::int64_t stride = a.item_size;
    polycodec_array row = a;
    row.ndim = 1;
    row.shape = &one;
    row.strides = &stride;
    return put_leaf(e, row, rows, context, id, extra);
  }
  const std::span<const std::int64_t> inner(a.shape + 1, a.ndim - 1);
  if (a.item_size == 0 || std::ranges::find(inner, 0) != inner.end())
    return without_elements(e, a, rows, id);
  const NumpyDtype dtype = numpy_dtype(a);
  const std::uint64_t size = rows.count() * row_size(a);
  const CompressionRule* rule =
      e.settings.compression.choose({size, a.dtype, a.item_size, a.unit, context});
  frombuffer(e, dtype, inner, rows.count(), rule, id);
  Extents shape;
  const bool swapped = a.byte_order != dtype.byte_order && dtype_swap_width(a.dtype) != 1;
  const auto one = rows.runs().size() == 1
                       ? part_of(a, shape, rows.runs()[0].begin, rows.runs()[0].count)
                       : polycodec_array{};
  const bool is_whole = rows.runs().size() == 1 && !swapped && ArrayView(one).is_contiguous();
  const auto gather = [&](std::span<std::byte> to) {
    Extents of_part;
    for (const Run& run : rows.runs()) {
      const polycodec_array part = part_of(a, of_part, run.begin, run.count);
      const auto here = static_cast<std::size_t>(contiguous_size(ArrayView(part)));
      copy_elements(ArrayView(part), dtype.byte_order, to.first(here));
      to = to.subspan(here);
    }
  };
  if (rule == nullptr && !is_whole && size >= least_gathered) {
    e.call.tick(size / 16 + 1);
    auto* const to = Builder(e.call).allocate<std::byte>(size);
    gather({to, static_cast<std::size_t>(size)});
    e.blobs.begin(id).reference(to_string_view(to, size));
  } else if (rule == nullptr) {
    Writer& out = e.blobs.begin(id);
    for (const Run& run : rows.runs())
      put_elements(e.call, out, part_of(a, shape, run.begin, run.count), dtype.byte_order);
  } else {
    std::vector<std::byte> gathered;
    std::string_view bytes;
    if (is_whole) {
      bytes = to_string_view(one.data, size);
    } else {
      gathered.resize(static_cast<std::size_t>(size));
      gather(gathered);
      bytes = bytes_of(std::span<const std::byte>(gathered));
    }
    e.blobs.compress_later(id, *rule, bytes, std::move(gathered));
  }
  SchemaText all;
  all.raw(extra);
  if (!dtype.type.empty()) all.begin().string(extra::type).raw(": ").string(dtype.type);
  if (dtype.kept) return end_call(e, id, all.text(), a.metadata, {"dtype", "reason"});
  end_call(e, id, all.text(), a.metadata);
}

}  // namespace polycodec::awkward
