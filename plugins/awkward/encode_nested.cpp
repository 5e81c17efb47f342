// SPDX-License-Identifier: MIT
// Columnar arrays that choose among others: options, indices, unions, chunks.
#include "encode.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::awkward {
namespace {

/// Rows of one chunk.
struct Piece {
  std::uint32_t chunk;
  Rows rows;
};

/// The chosen rows as pieces of chunks, in order. Stops when there are more than `most`.
std::vector<Piece> pieces_of(const polycodec_array& a, const Rows& rows, std::size_t most) {
  std::vector<std::uint64_t> starts{0};
  for (std::uint32_t i = 0; i < a.n_children; ++i)
    starts.push_back(starts.back() + a.children[i]->length);
  std::vector<Piece> pieces;
  for (Run run : rows.runs()) {
    while (run.count != 0) {
      const auto after = std::upper_bound(starts.begin(), starts.end(), run.begin);
      const auto chunk = static_cast<std::uint32_t>(after - starts.begin() - 1);
      const std::uint64_t count = std::min(run.count, *after - run.begin);
      if (pieces.empty() || pieces.back().chunk != chunk) pieces.push_back({chunk, {}});
      if (pieces.size() > most) return pieces;
      pieces.back().rows.add(run.begin - starts[chunk], count);
      run = {run.begin + count, run.count - count};
    }
  }
  return pieces;
}

}  // namespace

void put_masked(Encoder& e, const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  const ArrayView view(a);
  std::vector<std::uint8_t> missing;
  missing.reserve(static_cast<std::size_t>(rows.count()));
  for_each_row(rows, [&](std::uint64_t i) { missing.push_back(view.is_present(i) ? 0 : 1); });
  e.begin_call({"awkward0", "MaskedArray"});
  put_made_leaf(e, std::move(missing), "MaskedArray.mask", POLYCODEC_DTYPE_BOOLEAN);
  put_column(e, *a.children[0], rows, "MaskedArray.content");
  e.schema.begin("{\"json\": true}");
  end_call(e, id, {}, a.metadata);
}

void put_bit_masked(Encoder& e, const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  // Bits that do not start a byte would have to be shifted: bytes instead.
  if (rows.count() == 0 || rows.runs().size() != 1 || rows.runs()[0].begin % 8 != 0)
    return put_masked(e, a, rows, id);
  const ArrayView view(a);
  const Run run = rows.runs()[0];
  const bool lsb = (a.flags & POLYCODEC_ARRAY_BITS_LSB) != 0;
  const bool valid = (a.flags & POLYCODEC_ARRAY_MASK_VALID) != 0;
  std::vector<std::uint8_t> bits;
  for (std::uint64_t i = 0; i < (run.count + 7) / 8; ++i)
    bits.push_back(static_cast<std::uint8_t>(view.index()[run.begin / 8 + i]));
  if (const auto rest = static_cast<unsigned>(run.count % 8); rest != 0) {
    // What is after the last row is nobody's, and the same value gives the same bytes.
    const unsigned used = lsb ? (1u << rest) - 1 : 0xff00u >> rest;
    bits.back() = static_cast<std::uint8_t>(bits.back() & used);
  }
  e.begin_call({"awkward0", "BitMaskedArray"});
  put_made_leaf(e, std::move(bits), "BitMaskedArray.mask");
  put_column(e, *a.children[0], rows, "BitMaskedArray.content");
  e.schema.begin(valid ? "{\"json\": false}" : "{\"json\": true}");
  e.schema.begin(lsb ? "{\"json\": true}" : "{\"json\": false}");
  end_call(e, id, {}, a.metadata);
}

void put_indexed(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
                 std::uint64_t id) {
  const ArrayView view(a);
  std::vector<std::int64_t> index;
  // One index may stand for more rows than memory is there to number.
  if (rows.count() > e.call.limits().max_memory_bytes / sizeof(std::int64_t))
    e.refuse(std::to_string(rows.count()) +
                 " indices take more memory than the limits allow (max_memory_bytes)",
             Status::limit);
  index.reserve(static_cast<std::size_t>(rows.count()));
  bool missing = false;
  for_each_row(rows, [&](std::uint64_t i) {
    index.push_back(std::max<std::int64_t>(view.index()[i], -1));
    missing = missing || index.back() < 0;
  });
  Picked picked = Picked::from(std::move(index), a.children[0]->length);
  const polycodec_array& content = *a.children[0];
  if (picked.in_order && a.metadata == nullptr && content.layout != POLYCODEC_LAYOUT_DOCUMENT)
    return put_column_as(e, content, picked.rows, context, id);
  const std::string_view name = missing ? "IndexedMaskedArray" : "IndexedArray";
  e.begin_call({"awkward0", name});
  put_made_leaf(e, std::move(picked.index),
                missing ? "IndexedMaskedArray.mask" : "IndexedArray.index");
  put_column(e, content, picked.rows,
             missing ? "IndexedMaskedArray.content" : "IndexedArray.content");
  if (missing) e.schema.begin("{\"json\": -1}");
  end_call(e, id, {}, a.metadata);
}

void put_union(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
               std::uint64_t id) {
  // The Python library makes no union without items.
  if (rows.count() == 0) {
    if (a.n_children == 0 || a.children[0]->layout == POLYCODEC_LAYOUT_DOCUMENT)
      return put_nothing(e, id);
    return put_column_as(e, *a.children[0], Rows(), context, id);
  }
  if (a.n_children > 65536) e.refuse("the union has more than 65536 alternatives");
  const ArrayView view(a);
  std::vector<std::uint16_t> tags;
  std::vector<std::vector<std::int64_t>> wanted(a.n_children);
  for_each_row(rows, [&](std::uint64_t i) {
    const auto tag = static_cast<std::size_t>(view.tags()[i]);
    tags.push_back(static_cast<std::uint16_t>(tag));
    wanted[tag].push_back(view.index()[i]);
  });
  std::vector<Picked> picked;
  for (std::uint32_t tag = 0; tag < a.n_children; ++tag)
    picked.push_back(Picked::from(std::move(wanted[tag]), a.children[tag]->length));
  const bool in_order = std::ranges::all_of(picked, &Picked::in_order);
  std::vector<std::int64_t> index;
  std::vector<std::size_t> used(a.n_children);
  if (!in_order)
    for (const std::uint16_t tag : tags) index.push_back(picked[tag].index[used[tag]++]);
  in_order ? e.begin_call({"awkward0", "UnionArray", "fromtags"})
           : e.begin_call({"awkward0", "UnionArray"});
  if (a.n_children <= 256) {
    put_made_leaf(e, std::vector<std::uint8_t>(tags.begin(), tags.end()), "UnionArray.tags");
  } else {
    put_made_leaf(e, std::move(tags), "UnionArray.tags");
  }
  if (!in_order) {
    put_made_leaf(e, std::move(index), "UnionArray.index");
  }
  e.schema.begin("{\"list\": [");
  for (std::uint32_t tag = 0; tag < a.n_children; ++tag)
    put_column(e, *a.children[tag], picked[tag].rows, "UnionArray.contents");
  e.schema.raw("]}");
  end_call(e, id, {}, a.metadata);
}

void put_chunked(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
                 std::uint64_t id) {
  const std::size_t most = 2 * std::size_t{a.n_children};
  std::vector<Piece> pieces = pieces_of(a, rows, most);
  if (pieces.size() > most) {
    // Rows of all chunks in turn: the chunks as they are, and an index.
    std::vector<std::int64_t> wanted;
    for_each_row(rows, [&](std::uint64_t i) { wanted.push_back(static_cast<std::int64_t>(i)); });
    Picked picked = Picked::from(std::move(wanted), a.length);
    e.begin_call({"awkward0", "IndexedArray"});
    put_made_leaf(e, std::move(picked.index), "IndexedArray.index");
    put_chunked(e, a, picked.rows, "IndexedArray.content", e.next_id());
    return end_call(e, id);
  }
  const auto plain = [&](std::uint32_t chunk) {
    return a.metadata == nullptr && a.children[chunk]->layout != POLYCODEC_LAYOUT_DOCUMENT;
  };
  if (pieces.empty()) {
    if (a.n_children == 0 || !plain(0)) return put_nothing(e, id);
    return put_column_as(e, *a.children[0], Rows(), context, id);
  }
  if (pieces.size() == 1 && plain(pieces[0].chunk))
    return put_column_as(e, *a.children[pieces[0].chunk], pieces[0].rows, context, id);
  e.begin_call({"awkward0", "ChunkedArray"});
  e.schema.begin("{\"list\": [");
  for (std::size_t i = 0; i < pieces.size(); ++i)
    put_column(e, *a.children[pieces[i].chunk], pieces[i].rows, "ChunkedArray.chunk");
  e.schema.raw("]}, {\"json\": [");
  for (std::size_t i = 0; i < pieces.size(); ++i) e.schema.begin().number(pieces[i].rows.count());
  e.schema.raw("]}");
  end_call(e, id, {}, a.metadata);
}

}  // namespace polycodec::awkward
