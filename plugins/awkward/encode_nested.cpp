// SPDX-License-Identifier: MIT
// Columnar arrays that choose among others: options, indices, unions, chunks, documents.
#include "encode.hpp"
#include "extras.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::awkward {
namespace {

template <class Visit>
void for_each_row(const Rows& rows, Visit visit) {
  for (const Run& run : rows.runs())
    for (std::uint64_t i = run.begin; i < run.begin + run.count; ++i) visit(i);
}

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

void Encoder::masked_column(const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  const ArrayView view(a);
  std::vector<std::uint8_t> missing;
  missing.reserve(static_cast<std::size_t>(rows.count()));
  for_each_row(rows, [&](std::uint64_t i) { missing.push_back(view.is_present(i) ? 0 : 1); });
  call({"awkward0", "MaskedArray"});
  made_leaf(std::move(missing), "MaskedArray.mask", POLYCODEC_DTYPE_BOOLEAN);
  schema_.raw(", ");
  column(*a.children[0], rows, "MaskedArray.content");
  schema_.raw(", {\"json\": true}");
  end_call(id, {}, a.metadata);
}

void Encoder::bit_masked_column(const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  // Bits that do not start a byte would have to be shifted: bytes instead.
  if (rows.count() == 0 || rows.runs().size() != 1 || rows.runs()[0].begin % 8 != 0)
    return masked_column(a, rows, id);
  const ArrayView view(a);
  const Run run = rows.runs()[0];
  const bool lsb = (a.flags & POLYCODEC_ARRAY_BITS_LSB) != 0;
  const bool valid = (a.flags & POLYCODEC_ARRAY_MASK_VALID) != 0;
  std::vector<std::uint8_t> bits;
  for (std::uint64_t i = 0; i < (run.count + 7) / 8; ++i)
    bits.push_back(static_cast<std::uint8_t>(view.index()[run.begin / 8 + i]));
  if (const auto rest = static_cast<unsigned>(run.count % 8); rest != 0) {
    // What stands behind the last row is nobody's, and the same value gives the same bytes.
    const unsigned used = lsb ? (1u << rest) - 1 : 0xff00u >> rest;
    bits.back() = static_cast<std::uint8_t>(bits.back() & used);
  }
  call({"awkward0", "BitMaskedArray"});
  made_leaf(std::move(bits), "BitMaskedArray.mask");
  schema_.raw(", ");
  column(*a.children[0], rows, "BitMaskedArray.content");
  schema_.raw(valid ? ", {\"json\": false}" : ", {\"json\": true}");
  schema_.raw(lsb ? ", {\"json\": true}" : ", {\"json\": false}");
  end_call(id, {}, a.metadata);
}

void Encoder::indexed_column(const polycodec_array& a, const Rows& rows, std::string_view context,
                             std::uint64_t id) {
  const ArrayView view(a);
  std::vector<std::int64_t> index;
  // One index may stand for more rows than memory is there to number.
  if (rows.count() > call_.limits().max_memory_bytes / sizeof(std::int64_t))
    refuse(std::to_string(rows.count()) +
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
    return column_as(content, picked.rows, context, id);
  const std::string_view name = missing ? "IndexedMaskedArray" : "IndexedArray";
  call({"awkward0", name});
  made_leaf(std::move(picked.index), missing ? "IndexedMaskedArray.mask" : "IndexedArray.index");
  schema_.raw(", ");
  column(content, picked.rows, missing ? "IndexedMaskedArray.content" : "IndexedArray.content");
  if (missing) schema_.raw(", {\"json\": -1}");
  end_call(id, {}, a.metadata);
}

void Encoder::union_column(const polycodec_array& a, const Rows& rows, std::string_view context,
                           std::uint64_t id) {
  // The Python library makes no union without items.
  if (rows.count() == 0) {
    if (a.n_children == 0 || a.children[0]->layout == POLYCODEC_LAYOUT_DOCUMENT) return nothing(id);
    return column_as(*a.children[0], Rows(), context, id);
  }
  if (a.n_children > 65536) refuse("the union has more than 65536 alternatives");
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
  in_order ? call({"awkward0", "UnionArray", "fromtags"}) : call({"awkward0", "UnionArray"});
  if (a.n_children <= 256) {
    made_leaf(std::vector<std::uint8_t>(tags.begin(), tags.end()), "UnionArray.tags");
  } else {
    made_leaf(std::move(tags), "UnionArray.tags");
  }
  if (!in_order) {
    schema_.raw(", ");
    made_leaf(std::move(index), "UnionArray.index");
  }
  schema_.raw(", {\"list\": [");
  for (std::uint32_t tag = 0; tag < a.n_children; ++tag) {
    if (tag != 0) schema_.raw(", ");
    column(*a.children[tag], picked[tag].rows, "UnionArray.contents");
  }
  schema_.raw("]}");
  end_call(id, {}, a.metadata);
}

void Encoder::chunked_column(const polycodec_array& a, const Rows& rows, std::string_view context,
                             std::uint64_t id) {
  const std::size_t most = 2 * std::size_t{a.n_children};
  std::vector<Piece> pieces = pieces_of(a, rows, most);
  if (pieces.size() > most) {
    // Rows of all chunks in turn: the chunks as they are, and an index.
    std::vector<std::int64_t> wanted;
    for_each_row(rows, [&](std::uint64_t i) { wanted.push_back(static_cast<std::int64_t>(i)); });
    Picked picked = Picked::from(std::move(wanted), a.length);
    call({"awkward0", "IndexedArray"});
    made_leaf(std::move(picked.index), "IndexedArray.index");
    schema_.raw(", ");
    chunked_column(a, picked.rows, "IndexedArray.content", next_id());
    return end_call(id);
  }
  const auto plain = [&](std::uint32_t chunk) {
    return a.metadata == nullptr && a.children[chunk]->layout != POLYCODEC_LAYOUT_DOCUMENT;
  };
  if (pieces.empty()) {
    if (a.n_children == 0 || !plain(0)) return nothing(id);
    return column_as(*a.children[0], Rows(), context, id);
  }
  if (pieces.size() == 1 && plain(pieces[0].chunk))
    return column_as(*a.children[pieces[0].chunk], pieces[0].rows, context, id);
  call({"awkward0", "ChunkedArray"});
  schema_.raw("{\"list\": [");
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i != 0) schema_.raw(", ");
    column(*a.children[pieces[i].chunk], pieces[i].rows, "ChunkedArray.chunk");
  }
  schema_.raw("]}, {\"json\": [");
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i != 0) schema_.raw(", ");
    schema_.number(pieces[i].rows.count());
  }
  schema_.raw("]}");
  end_call(id, {}, a.metadata);
}

void Encoder::document_column(const polycodec_array& a, const Rows& rows,
                              std::string_view context) {
  std::vector<const polycodec_node*> items;
  items.reserve(static_cast<std::size_t>(rows.count()));
  for_each_row(rows, [&](std::uint64_t i) { items.push_back(&a.nodes[i]); });
  column(items, context);
}

}  // namespace polycodec::awkward
