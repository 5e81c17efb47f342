// SPDX-License-Identifier: MIT
// Columnar arrays that choose among others: options, indices, unions, chunks, documents. What
// reading has turned into something inert goes back to what it was in the file.
#include "encode.hpp"
#include "extras.hpp"
#include "frame.hpp"
#include "numpy.hpp"

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
  column(*a.children[0], rows, "MaskedArray.content");
  schema_.begin("{\"json\": true}");
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
    // What is after the last row is nobody's, and the same value gives the same bytes.
    const unsigned used = lsb ? (1u << rest) - 1 : 0xff00u >> rest;
    bits.back() = static_cast<std::uint8_t>(bits.back() & used);
  }
  call({"awkward0", "BitMaskedArray"});
  made_leaf(std::move(bits), "BitMaskedArray.mask");
  column(*a.children[0], rows, "BitMaskedArray.content");
  schema_.begin(valid ? "{\"json\": false}" : "{\"json\": true}");
  schema_.begin(lsb ? "{\"json\": true}" : "{\"json\": false}");
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
  column(content, picked.rows, missing ? "IndexedMaskedArray.content" : "IndexedArray.content");
  if (missing) schema_.begin("{\"json\": -1}");
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
    made_leaf(std::move(index), "UnionArray.index");
  }
  schema_.begin("{\"list\": [");
  for (std::uint32_t tag = 0; tag < a.n_children; ++tag)
    column(*a.children[tag], picked[tag].rows, "UnionArray.contents");
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
  schema_.begin("{\"list\": [");
  for (std::size_t i = 0; i < pieces.size(); ++i)
    column(*a.children[pieces[i].chunk], pieces[i].rows, "ChunkedArray.chunk");
  schema_.raw("]}, {\"json\": [");
  for (std::size_t i = 0; i < pieces.size(); ++i) schema_.begin().number(pieces[i].rows.count());
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

namespace {

bool is_function_name(NodeView v) {
  if (!v.is_list() || v.size() < 2) return false;
  const auto parts = v.items();
  return std::all_of(parts.begin(), parts.end(), [](const polycodec_node& part) {
    return part.kind == POLYCODEC_KIND_STRING && is_json_scalar(part);
  });
}

bool is_dtype(NodeView v) {
  try {
    static_cast<void>(parse_numpy_type(v));
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

const polycodec_node* Encoder::generator_of(const polycodec_array& a) {
  if (a.metadata == nullptr) return nullptr;
  const NodeView attributes(a.metadata);
  const auto name = attributes.find(object::generator);
  if (!name || !is_function_name(*name)) return nullptr;
  const auto args = attributes.find(object::args);
  if (args && args->kind() != POLYCODEC_KIND_TUPLE) return nullptr;
  const auto kwargs = attributes.find(object::kwargs);
  if (kwargs && !kwargs->is_object()) return nullptr;
  return name->raw();
}

void Encoder::object_column(const polycodec_array& a, const polycodec_node& generator,
                            const Rows& rows, std::uint64_t id) {
  const NodeView attributes(a.metadata);
  // Everything else that is said of the array is said of its content.
  std::vector<polycodec_node> kept;
  for (std::uint64_t i = 0; i < attributes.size(); ++i) {
    const std::string_view name = attributes.key(i).as_string();
    const polycodec_node* entry = a.metadata->as.nodes + 2 * i;
    const NodeView value(entry + 1);
    if (name == object::content && value.is_object() && value.find(object::generator))
      kept.insert(kept.end(), value.entries().begin(), value.entries().end());
    else if (name == object::content || !object::is_attribute(name))
      kept.insert(kept.end(), entry, entry + 2);
  }
  polycodec_node rest = polycodec_node_make(POLYCODEC_KIND_OBJECT, 0, kept.size() / 2);
  rest.as.nodes = kept.data();
  polycodec_array content = a;
  content.metadata = kept.empty() ? nullptr : &rest;

  call({"awkward0", "ObjectArray"});
  column_as(content, rows, "ObjectArray.content", next_id());
  schema_.begin("{\"function\": ");
  json(generator);
  schema_.raw("}");
  const auto part = [&](std::string_view name, std::string_view nothing) {
    const auto value = attributes.find(name);
    if (!value) return static_cast<void>(schema_.begin(nothing));
    const std::size_t targets = targets_.size();
    survey(*value->raw());
    if (targets_.size() != targets) refuse("the attributes of an array have a reference");
    const PathStep attribute(path_, Part::attributes);
    const PathStep step(path_, name);
    node(*value->raw());
  };
  part(object::args, "{\"tuple\": []}");
  part(object::kwargs, "{\"dict\": {}}");
  end_call(id);
}

bool Encoder::inert(const polycodec_node& n, const polycodec_node* attributes) {
  const polycodec_extension& extension = *n.as.extension;
  const std::string_view name = to_string_view(extension.name);
  const NodeView payload(extension.payload);
  const bool dtype = name == dtype_name_word && is_plain(*extension.payload) && is_dtype(payload);
  if (!dtype && !(name == function_name_word && is_function_name(payload))) return false;
  schema_.begin(dtype ? "{\"dtype\": " : "{\"function\": ");
  json(*extension.payload);
  end_node(n, {}, attributes);
  return true;
}

}  // namespace polycodec::awkward
