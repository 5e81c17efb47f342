// SPDX-License-Identifier: MIT
// Leaves, and the blobs that hold their elements.
#include <base/byte_slices.hpp>
#include <base/contiguous.hpp>
#include <polycodec/dtype.hpp>

#include "encode.hpp"
#include "extras.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace polycodec::awkward {

Picked Picked::from(std::vector<std::int64_t> index, std::uint64_t length) {
  Picked picked;
  picked.index = std::move(index);
  const bool rising =
      std::ranges::adjacent_find(picked.index, std::greater_equal<>()) == picked.index.end() &&
      (picked.index.empty() || picked.index.front() >= 0);
  if (rising) {
    for (std::size_t i = 0; i < picked.index.size(); ++i) {
      picked.rows.add(static_cast<std::uint64_t>(picked.index[i]));
      picked.index[i] = static_cast<std::int64_t>(i);
    }
    return picked;
  }
  picked.in_order = false;
  if (length / 4 <= picked.index.size()) {
    // Most rows may be picked: a place for each of them tells the new number.
    std::vector<std::int64_t> place(static_cast<std::size_t>(length), -1);
    for (const std::int64_t row : picked.index)
      if (row >= 0) place[static_cast<std::size_t>(row)] = 0;
    std::int64_t next = 0;
    for (std::size_t row = 0; row < place.size(); ++row) {
      if (place[row] < 0) continue;
      place[row] = next++;
      picked.rows.add(row);
    }
    for (std::int64_t& row : picked.index)
      if (row >= 0) row = place[static_cast<std::size_t>(row)];
    return picked;
  }
  std::vector<std::int64_t> used(picked.index);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (!used.empty() && used.front() < 0) used.erase(used.begin());
  for (const std::int64_t row : used) picked.rows.add(static_cast<std::uint64_t>(row));
  for (std::int64_t& row : picked.index)
    if (row >= 0) row = std::ranges::lower_bound(used, row) - used.begin();
  return picked;
}

namespace {

std::uint64_t row_size(const polycodec_array& leaf) noexcept {
  std::uint64_t size = leaf.item_size;
  for (std::uint32_t axis = 1; axis < leaf.ndim; ++axis)
    size *= static_cast<std::uint64_t>(leaf.shape[axis]);
  return size;
}

}  // namespace

void Encoder::begin_blob(std::uint64_t id) {
  write_compressed();
  out_.begin_blob(prefix_ + std::to_string(id) + settings_.names.suffix, name_);
}

void Encoder::frombuffer(const NumpyDtype& dtype, std::span<const std::int64_t> inner,
                         std::uint64_t count, const CompressionRule* rule, std::uint64_t id) {
  call({"awkward0", "numpy", "frombuffer"});
  if (rule != nullptr) {
    schema_.begin("{\"call\": [");
    for (const std::string& part : rule->decompressor) schema_.begin().string(part);
    schema_.raw("], \"args\": [");
  }
  schema_.begin("{\"read\": ").string(std::to_string(id) + settings_.names.suffix).raw("}");
  if (rule != nullptr) schema_.raw("]}");
  schema_.begin("{\"dtype\": ");
  if (inner.empty()) {
    schema_.string(dtype.name);
  } else {
    schema_.raw("[").string(dtype.name).begin("[");
    for (const std::int64_t extent : inner)
      schema_.begin().number(static_cast<std::uint64_t>(extent));
    schema_.raw("]]");
  }
  schema_.raw("}, {\"json\": ").number(count).raw("}");
}

void Encoder::compress_later(std::uint64_t id, const CompressionRule& rule, std::string_view bytes,
                             std::vector<std::byte> owned) {
  constexpr std::uint64_t most_waiting = std::uint64_t{64} << 20;
  if (owned.empty() && bytes.size() < Writer::reference_threshold) {
    // What is short may lie on the stack.
    const auto all = std::as_bytes(std::span(bytes));
    owned.assign(all.begin(), all.end());
    bytes = bytes_of(std::span<const std::byte>(owned));
  }
  waiting_.push_back({id, &rule, bytes, std::move(owned)});
  waiting_bytes_ += bytes.size();
  if (waiting_bytes_ >= most_waiting) write_compressed();
}

void Encoder::write_compressed() {
  if (waiting_.empty()) return;
  std::vector<Waiting> blobs = std::exchange(waiting_, {});
  const auto pack = [&](const Call& call, Waiting& blob) {
    call.tick(blob.bytes.size() / 16 + 4);
    blob.owned = compress(*blob.rule, blob.bytes);
  };
  if (std::exchange(waiting_bytes_, 0) < parallel_bytes) {
    for (Waiting& blob : blobs) pack(call_, blob);
  } else {
    call_.parallel_for(blobs.size(), 1, [&](Call& own, std::uint64_t i, std::uint64_t) {
      pack(own, blobs[static_cast<std::size_t>(i)]);
    });
  }
  for (const Waiting& blob : blobs) {
    begin_blob(blob.id);
    out_.put_bytes(blob.owned.data(), blob.owned.size());
  }
}

void Encoder::flat_leaf(std::string_view bytes, std::uint32_t dtype, std::uint32_t item_size,
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
  leaf(a, Rows(0, a.length), context, id, extra);
}

void Encoder::leaf(const polycodec_array& a, const Rows& rows, std::string_view context,
                   std::uint64_t id, std::string_view extra) {
  if (a.ndim == 0) {
    // Among columns an array without axes is one of one row.
    const std::int64_t one = 1;
    const std::int64_t stride = a.item_size;
    polycodec_array row = a;
    row.ndim = 1;
    row.shape = &one;
    row.strides = &stride;
    return leaf(row, rows, context, id, extra);
  }
  const std::span<const std::int64_t> inner(a.shape + 1, a.ndim - 1);
  if (a.item_size == 0 || std::ranges::find(inner, 0) != inner.end())
    return without_elements(a, rows, id);
  const NumpyDtype dtype = numpy_dtype(a);
  const std::uint64_t size = rows.count() * row_size(a);
  const CompressionRule* rule =
      settings_.compression.choose({size, a.dtype, a.item_size, a.unit, context});
  frombuffer(dtype, inner, rows.count(), rule, id);
  if (rule == nullptr) {
    begin_blob(id);
    elements(a, rows, dtype.byte_order);
  } else {
    Extents shape;
    std::vector<std::byte> gathered;
    std::string_view bytes;
    const bool swapped = a.byte_order != dtype.byte_order && dtype_swap_width(a.dtype) != 1;
    const auto one = rows.runs().size() == 1
                         ? part_of(a, shape, rows.runs()[0].begin, rows.runs()[0].count)
                         : polycodec_array{};
    if (rows.runs().size() == 1 && !swapped && ArrayView(one).is_contiguous()) {
      bytes = to_string_view(one.data, size);
    } else {
      gathered.resize(static_cast<std::size_t>(size));
      std::span<std::byte> rest(gathered);
      for (const Run& run : rows.runs()) {
        const polycodec_array part = part_of(a, shape, run.begin, run.count);
        const auto here = static_cast<std::size_t>(contiguous_size(ArrayView(part)));
        copy_elements(ArrayView(part), dtype.byte_order, rest.first(here));
        rest = rest.subspan(here);
      }
      bytes = bytes_of(std::span<const std::byte>(gathered));
    }
    compress_later(id, *rule, bytes, std::move(gathered));
  }
  SchemaText all;
  all.raw(extra);
  if (!dtype.type.empty()) all.begin().string(extra::type).raw(": ").string(dtype.type);
  if (dtype.kept) return end_call(id, all.text(), a.metadata, {"dtype", "reason"});
  end_call(id, all.text(), a.metadata);
}

void Encoder::elements(const polycodec_array& a, const Rows& rows, std::uint8_t byte_order) {
  Extents shape;
  for (const Run& run : rows.runs())
    put_elements(call_, out_, part_of(a, shape, run.begin, run.count), byte_order);
}

void Encoder::without_elements(const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  if (a.ndim == 1) {
    // Strings and byte strings of no bytes: numpy has none.
    call({"awkward0", "StringArray", "fromcounts"});
    made_leaf(std::vector<std::int64_t>(static_cast<std::size_t>(rows.count())),
              "StringArray.counts");
    made_leaf(std::vector<std::uint8_t>(), "StringArray.content");
    schema_.begin(a.dtype == POLYCODEC_DTYPE_FIXED_BYTES ? "{\"json\": null}"
                                                         : "{\"json\": \"utf-8\"}");
    return end_call(id, {}, a.metadata);
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
    refuse("the number of rows overflows", Status::range);
  shape[0] = static_cast<std::int64_t>(items);
  content.length = items;
  fixed_lists(a, content, size, Rows(0, rows.count()), id);
}

void Encoder::nothing(std::uint64_t id) {
  flat_leaf({}, POLYCODEC_DTYPE_FLOAT64, 8, 0, {}, id);
}

}  // namespace polycodec::awkward
