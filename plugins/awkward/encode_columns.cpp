// SPDX-License-Identifier: MIT
// Columnar arrays: lists, strings and records.
#include "encode.hpp"
#include "extras.hpp"

#include <algorithm>
#include <utility>

namespace polycodec::awkward {
namespace {

/// Lengths of the lists at `rows`, and where their items are. False if items occur in several
/// lists, so often that gathering them would take more room than the content has.
bool gather_lists(const polycodec_array& a, const Rows& rows, std::vector<std::int64_t>& counts,
                  Rows& content) {
  const ArrayView view(a);
  counts.resize(static_cast<std::size_t>(rows.count()));
  auto to = counts.begin();
  if (a.layout == POLYCODEC_LAYOUT_LIST_OFFSETS) {
    const auto offsets = view.index().contiguous<std::int64_t>(a.length + 1);
    for (const Run& run : rows.runs()) {
      const auto begin = static_cast<std::uint64_t>(view.index()[run.begin]);
      content.add(begin, static_cast<std::uint64_t>(view.index()[run.begin + run.count]) - begin);
      if (offsets) {
        const std::int64_t* from = offsets->data() + run.begin;
        for (std::uint64_t i = 0; i < run.count; ++i)
          to[static_cast<std::ptrdiff_t>(i)] = from[i + 1] - from[i];
        to += static_cast<std::ptrdiff_t>(run.count);
      } else {
        for (std::uint64_t i = run.begin; i < run.begin + run.count; ++i)
          *to++ = view.index()[i + 1] - view.index()[i];
      }
    }
  } else {
    for (const Run& run : rows.runs()) {
      for (std::uint64_t i = run.begin; i < run.begin + run.count; ++i) {
        const ArrayView::Range r = view.range(i);
        *to++ = static_cast<std::int64_t>(r.end - r.begin);
        content.add(r.begin, r.end - r.begin);
        if (content.count() > a.children[0]->length) return false;
      }
    }
  }
  return content.count() <= a.children[0]->length;
}

std::string_view text_attribute(const polycodec_array& a, std::string_view name) {
  if (a.metadata == nullptr) return {};
  const auto found = NodeView(a.metadata).find(name);
  return found && found->is_string() && is_json_scalar(*found->raw()) ? found->as_string()
                                                                      : std::string_view();
}

}  // namespace

void Encoder::array(const polycodec_array& a, const polycodec_node* attributes) {
  if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) {
    polycodec_node items = polycodec_node_make(POLYCODEC_KIND_LIST, 0, a.length);
    items.as.nodes = a.nodes;
    if (a.length > POLYCODEC_MAX_NODE_SIZE) refuse("too many items", Status::limit);
    const auto items_of = [&](const std::unordered_set<const polycodec_node*>& marked) {
      return std::any_of(a.nodes, a.nodes + a.length,
                         [&](const polycodec_node& n) { return marked.contains(&n); });
    };
    const auto plain = [&](const polycodec_node& n) { return is_plain(n); };
    // The list that stands for the array is none of the value: it is marked here as survey() would
    // have done.
    if (!std::all_of(a.nodes, a.nodes + a.length, plain)) not_plain_.insert(&items);
    if (items_of(tied_)) tied_.insert(&items);
    list(items, attributes != nullptr ? attributes : a.metadata);
    not_plain_.erase(&items);
    tied_.erase(&items);
    return;
  }
  if (attributes == nullptr && a.ndim + a.layout != 0) return column(a, Rows(0, a.length), {});
  polycodec_array outer = a;
  if (attributes != nullptr) outer.metadata = attributes;
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0)
    return leaf(outer, Rows(0, 1), {}, next_id(), true_extra(extra::scalar));
  column_as(outer, Rows(0, a.length), {}, next_id());
}

void Encoder::column(const polycodec_array& a, const Rows& rows, std::string_view context) {
  const bool whole = rows.is_all(a.length);
  if (const auto seen = written_.find(&a); whole && seen != written_.end()) {
    schema_.begin("{\"ref\": ").number(seen->second).raw("}");
    return;
  }
  if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) return document_column(a, rows, context);
  const std::uint64_t id = next_id();
  column_as(a, rows, context, id);
  if (whole) written_.emplace(&a, id);
}

void Encoder::column_as(const polycodec_array& a, const Rows& rows, std::string_view context,
                        std::uint64_t id) {
  const Level level(*this);
  work(sizeof a);
  if (const polycodec_node* generator = generator_of(a))
    return object_column(a, *generator, rows, id);
  switch (a.layout) {
    case POLYCODEC_LAYOUT_NDARRAY:
      return leaf(a, rows, context, id);
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED:
      if (ArrayView(a).is_string() || ArrayView(a).is_binary()) return text_column(a, rows, id);
      if (a.layout == POLYCODEC_LAYOUT_LIST_FIXED)
        return fixed_lists(a, *a.children[0], a.list_size, rows, id);
      return list_column(a, rows, id);
    case POLYCODEC_LAYOUT_RECORD:
      return record_column(a, rows, id);
    case POLYCODEC_LAYOUT_UNION:
      return union_column(a, rows, context, id);
    case POLYCODEC_LAYOUT_OPTION_BYTES:
      return masked_column(a, rows, id);
    case POLYCODEC_LAYOUT_OPTION_BITS:
      return bit_masked_column(a, rows, id);
    case POLYCODEC_LAYOUT_INDEXED:
      return indexed_column(a, rows, context, id);
    case POLYCODEC_LAYOUT_CHUNKED:
      return chunked_column(a, rows, context, id);
    default:
      refuse("an array of unknown form " + std::to_string(a.layout), Status::invalid);
  }
}

// `made`: it was made for the purpose, and nothing else refers to it.
void Encoder::list_content(const polycodec_array& content, const Rows& rows, bool made) {
  const PathStep step(path_, Part::content);
  if (!made) return column(content, rows, "JaggedArray.content");
  column_as(content, rows, "JaggedArray.content", next_id());
}

void Encoder::list_column(const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  std::vector<std::int64_t> counts;
  Rows content;
  if (rows.count() == 0 || !gather_lists(a, rows, counts, content)) return list_views(a, rows, id);
  call({"awkward0", "JaggedArray", "fromcounts"});
  made_leaf(std::move(counts), "JaggedArray.counts");
  list_content(*a.children[0], content);
  end_call(id, {}, a.metadata);
}

void Encoder::list_views(const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  const ArrayView view(a);
  std::vector<std::int64_t> starts, stops;
  std::int64_t low = INT64_MAX;
  std::int64_t high = 0;
  for (const Run& run : rows.runs()) {
    for (std::uint64_t i = run.begin; i < run.begin + run.count; ++i) {
      const ArrayView::Range r = view.range(i);
      const bool empty = r.begin == r.end;
      starts.push_back(empty ? -1 : static_cast<std::int64_t>(r.begin));
      stops.push_back(empty ? -1 : static_cast<std::int64_t>(r.end));
      if (empty) continue;
      low = std::min(low, starts.back());
      high = std::max(high, stops.back());
    }
  }
  low = std::min(low, high);
  // Empty lists may be anywhere: at the start of what is written.
  for (std::int64_t& start : starts) start = std::max<std::int64_t>(start - low, 0);
  for (std::int64_t& stop : stops) stop = std::max<std::int64_t>(stop - low, 0);
  call({"awkward0", "JaggedArray"});
  made_leaf(std::move(starts), "JaggedArray.starts");
  made_leaf(std::move(stops), "JaggedArray.stops");
  list_content(*a.children[0],
               Rows(static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high - low)));
  end_call(id, {}, a.metadata);
}

void Encoder::text_column(const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  std::vector<std::int64_t> counts;
  Rows content;
  const polycodec_array& bytes = *a.children[0];
  const std::string_view encoding =
      ArrayView(a).is_string() ? "{\"json\": \"utf-8\"}" : "{\"json\": null}";
  const bool gathered = gather_lists(a, rows, counts, content);
  if (gathered && rows.count() != 0) {
    call({"awkward0", "StringArray", "fromcounts"});
    made_leaf(std::move(counts), "StringArray.counts");
  } else {
    // Also strings that are views of each other: starts and stops in the bytes as they are.
    const ArrayView view(a);
    std::vector<std::int64_t> starts, stops;
    for (const Run& run : rows.runs()) {
      for (std::uint64_t i = run.begin; i < run.begin + run.count; ++i) {
        const ArrayView::Range r = view.range(i);
        starts.push_back(static_cast<std::int64_t>(r.begin));
        stops.push_back(static_cast<std::int64_t>(r.end));
      }
    }
    content = Rows(0, rows.count() == 0 ? 0 : bytes.length);
    call({"awkward0", "StringArray"});
    made_leaf(std::move(starts), "StringArray.starts");
    made_leaf(std::move(stops), "StringArray.stops");
  }
  leaf(bytes, content, "StringArray.content", next_id());
  schema_.begin(encoding);
  end_call(id, {}, a.metadata);
}

void Encoder::fixed_lists(const polycodec_array& a, const polycodec_array& content,
                          std::uint64_t size, const Rows& rows, std::uint64_t id) {
  if (size > static_cast<std::uint64_t>(INT64_MAX)) refuse("the lists are too long", Status::range);
  Rows items;
  for (const Run& run : rows.runs()) items.add(run.begin * size, run.count * size);
  const auto length = static_cast<std::int64_t>(size);
  if (rows.count() == 0) {
    call({"awkward0", "JaggedArray"});
    made_leaf(std::vector<std::int64_t>(), "JaggedArray.starts");
    made_leaf(std::vector<std::int64_t>(), "JaggedArray.stops");
  } else {
    call({"awkward0", "JaggedArray", "fromcounts"});
    made_leaf(std::vector<std::int64_t>(static_cast<std::size_t>(rows.count()), length),
              "JaggedArray.counts");
  }
  list_content(content, items, a.layout != POLYCODEC_LAYOUT_LIST_FIXED);
  end_call(id, "\"" + std::string(extra::size) + "\": " + std::to_string(size), a.metadata);
}

void Encoder::record_column(const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  std::unordered_set<std::string_view> names;
  begin_table(a.n_children == 0 ? rows.count() : 0);
  for (std::uint32_t i = 0; i < a.n_children; ++i) {
    const std::string number = std::to_string(i);
    const std::string_view name =
        a.names == nullptr ? std::string_view(number) : to_string_view(a.names[i]);
    check_name(name);
    if (a.names != nullptr && !names.insert(name).second) refuse("two columns have the same name");
    schema_.begin("[").string(name);
    {
      const PathStep step(path_, name);
      column(*a.children[i], rows, "Table.contents");
    }
    schema_.raw("]");
  }
  const std::string extra = end_columns(a.names == nullptr, a.n_children == 0 ? rows.count() : 0);
  const std::string_view rowname = text_attribute(a, rowname_key);
  if (rowname.empty()) return end_call(id, extra, a.metadata);
  schema_.raw("], ").string(rowname_key).raw(": ").string(rowname).raw(", \"id\": ").number(id);
  extra_of_array(extra, a.metadata, {rowname_key});
  schema_.raw("}");
}

// To the Python library a table without columns has no rows, and a view of it as many as it says.
void Encoder::begin_table(std::uint64_t bare_rows) {
  if (bare_rows != 0) {
    call({"awkward0", "Table", "fromview"});
    schema_.begin("{\"tuple\": [{\"json\": 0}, {\"json\": 1}, {\"json\": ");
    schema_.number(bare_rows).raw("}]}");
  }
  call({"awkward0", "Table", "frompairs"});
  schema_.begin("{\"pairs\": [");
}

std::string Encoder::end_columns(bool tuple, std::uint64_t bare_rows) {
  schema_.raw("]}, {\"json\": 0}");
  SchemaText text;
  if (tuple) text.string(extra::tuple).raw(": true");
  if (bare_rows == 0) return text.take();
  text.begin().string(extra::length).raw(": ").number(bare_rows);
  schema_.raw("]");
  extra_member(text.take(), nullptr);
  schema_.raw("}");
  return {};
}

}  // namespace polycodec::awkward
