// SPDX-License-Identifier: MIT
// Columnar arrays: lists, strings and records.
#include <base/seeded_hash.hpp>

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

// `made`: it was made for the purpose, and nothing else refers to it.
void put_list_content(Encoder& e, const polycodec_array& content, const Rows& rows,
                      bool made = false) {
  const PathStep step(e.path, Part::content);
  if (!made) return put_column(e, content, rows, "JaggedArray.content");
  put_column_as(e, content, rows, "JaggedArray.content", e.next_id());
}

void put_list_views(Encoder& e, const polycodec_array& a, const Rows& rows, std::uint64_t id) {
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
  e.begin_call({"awkward0", "JaggedArray"});
  put_made_leaf(e, std::move(starts), "JaggedArray.starts");
  put_made_leaf(e, std::move(stops), "JaggedArray.stops");
  put_list_content(e, *a.children[0],
                   Rows(static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high - low)));
  end_call(e, id, {}, a.metadata);
}

void put_list_column(Encoder& e, const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  std::vector<std::int64_t> counts;
  Rows content;
  if (rows.count() == 0 || !gather_lists(a, rows, counts, content))
    return put_list_views(e, a, rows, id);
  e.begin_call({"awkward0", "JaggedArray", "fromcounts"});
  put_made_leaf(e, std::move(counts), "JaggedArray.counts");
  put_list_content(e, *a.children[0], content);
  end_call(e, id, {}, a.metadata);
}

void put_text_column(Encoder& e, const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  std::vector<std::int64_t> counts;
  Rows content;
  const polycodec_array& bytes = *a.children[0];
  const std::string_view encoding =
      ArrayView(a).is_string() ? "{\"json\": \"utf-8\"}" : "{\"json\": null}";
  const bool gathered = gather_lists(a, rows, counts, content);
  if (gathered && rows.count() != 0) {
    e.begin_call({"awkward0", "StringArray", "fromcounts"});
    put_made_leaf(e, std::move(counts), "StringArray.counts");
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
    e.begin_call({"awkward0", "StringArray"});
    put_made_leaf(e, std::move(starts), "StringArray.starts");
    put_made_leaf(e, std::move(stops), "StringArray.stops");
  }
  put_leaf(e, bytes, content, "StringArray.content", e.next_id());
  e.schema.begin(encoding);
  end_call(e, id, {}, a.metadata);
}

void put_record_column(Encoder& e, const polycodec_array& a, const Rows& rows, std::uint64_t id) {
  SeededSet<std::string_view> names;
  begin_table(e, a.n_children == 0 ? rows.count() : 0);
  for (std::uint32_t i = 0; i < a.n_children; ++i) {
    const std::string number = std::to_string(i);
    const std::string_view name =
        a.names == nullptr ? std::string_view(number) : to_string_view(a.names[i]);
    e.check_name(name);
    if (a.names != nullptr && !names.insert(name).second)
      e.refuse("two columns have the same name");
    e.schema.begin("[").string(name);
    {
      const PathStep step(e.path, name);
      put_column(e, *a.children[i], rows, "Table.contents");
    }
    e.schema.raw("]");
  }
  const std::string extra =
      end_columns(e, a.names == nullptr, a.n_children == 0 ? rows.count() : 0);
  const std::string_view rowname = text_attribute(a, rowname_key);
  if (rowname.empty()) return end_call(e, id, extra, a.metadata);
  e.schema.raw("], ").string(rowname_key).raw(": ").string(rowname).raw(", \"id\": ").number(id);
  extra_of_array(e, extra, a.metadata, {rowname_key});
  e.schema.raw("}");
}

void put_document_column(Encoder& e, const polycodec_array& a, const Rows& rows,
                         std::string_view context) {
  std::vector<const polycodec_node*> items;
  items.reserve(static_cast<std::size_t>(rows.count()));
  for_each_row(rows, [&](std::uint64_t i) { items.push_back(&a.nodes[i]); });
  put_column(e, items, context);
}

}  // namespace

void put_array(Encoder& e, const polycodec_array& a, const polycodec_node* attributes) {
  if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) {
    polycodec_node items = polycodec_node_make(POLYCODEC_KIND_LIST, 0, a.length);
    items.as.nodes = a.nodes;
    if (a.length > POLYCODEC_MAX_NODE_SIZE) e.refuse("too many items", Status::limit);
    // The list in place of the array is not a part of the value.
    e.survey.mark(items, {a.nodes, static_cast<std::size_t>(a.length)});
    put_list(e, items, attributes != nullptr ? attributes : a.metadata);
    e.survey.forget({&items, 1});
    return;
  }
  if (attributes == nullptr && a.ndim + a.layout != 0)
    return put_column(e, a, Rows(0, a.length), {});
  polycodec_array outer = a;
  if (attributes != nullptr) outer.metadata = attributes;
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0)
    return put_leaf(e, outer, Rows(0, 1), {}, e.next_id(),
                    SchemaText().string(extra::axes).raw(": 0").text());
  put_column_as(e, outer, Rows(0, a.length), {}, e.next_id());
}

void put_column(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context) {
  const bool whole = rows.is_all(a.length);
  if (const auto seen = e.written.find(&a); whole && seen != e.written.end()) {
    e.schema.begin("{\"ref\": ").number(seen->second).raw("}");
    return;
  }
  if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) return put_document_column(e, a, rows, context);
  const std::uint64_t id = e.next_id();
  put_column_as(e, a, rows, context, id);
  if (whole) e.written.emplace(&a, id);
}

void put_column_as(Encoder& e, const polycodec_array& a, const Rows& rows, std::string_view context,
                   std::uint64_t id) {
  const Level level(e);
  e.work(sizeof a);
  if (const polycodec_node* generator = generator_of(a))
    return put_objects(e, a, *generator, rows, id);
  if (const polycodec_node* name = class_of(a)) return put_class(e, a, *name, rows, id);
  switch (a.layout) {
    case POLYCODEC_LAYOUT_NDARRAY:
      return put_leaf(e, a, rows, context, id);
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED:
      if (ArrayView(a).is_string() || ArrayView(a).is_binary())
        return put_text_column(e, a, rows, id);
      if (a.layout == POLYCODEC_LAYOUT_LIST_FIXED)
        return put_fixed_lists(e, a, *a.children[0], a.list_size, rows, id);
      return put_list_column(e, a, rows, id);
    case POLYCODEC_LAYOUT_RECORD:
      return put_record_column(e, a, rows, id);
    case POLYCODEC_LAYOUT_UNION:
      return put_union(e, a, rows, context, id);
    case POLYCODEC_LAYOUT_OPTION_BYTES:
      return put_masked(e, a, rows, id);
    case POLYCODEC_LAYOUT_OPTION_BITS:
      return put_bit_masked(e, a, rows, id);
    case POLYCODEC_LAYOUT_INDEXED:
      return put_indexed(e, a, rows, context, id);
    case POLYCODEC_LAYOUT_CHUNKED:
      return put_chunked(e, a, rows, context, id);
    default:
      e.refuse("an array of unknown form " + std::to_string(a.layout), Status::invalid);
  }
}

void put_fixed_lists(Encoder& e, const polycodec_array& a, const polycodec_array& content,
                     std::uint64_t size, const Rows& rows, std::uint64_t id) {
  if (size > static_cast<std::uint64_t>(INT64_MAX))
    e.refuse("the lists are too long", Status::range);
  Rows items;
  for (const Run& run : rows.runs()) items.add(run.begin * size, run.count * size);
  const auto length = static_cast<std::int64_t>(size);
  if (rows.count() == 0) {
    e.begin_call({"awkward0", "JaggedArray"});
    put_made_leaf(e, std::vector<std::int64_t>(), "JaggedArray.starts");
    put_made_leaf(e, std::vector<std::int64_t>(), "JaggedArray.stops");
  } else {
    e.begin_call({"awkward0", "JaggedArray", "fromcounts"});
    put_made_leaf(e, std::vector<std::int64_t>(static_cast<std::size_t>(rows.count()), length),
                  "JaggedArray.counts");
  }
  put_list_content(e, content, items, a.layout != POLYCODEC_LAYOUT_LIST_FIXED);
  end_call(e, id, "\"" + std::string(extra::size) + "\": " + std::to_string(size), a.metadata);
}

// To the Python library a table without columns has no rows, and a view of it as many as it says.
void begin_table(Encoder& e, std::uint64_t bare_rows) {
  if (bare_rows != 0) {
    e.begin_call({"awkward0", "Table", "fromview"});
    e.schema.begin("{\"tuple\": [{\"json\": 0}, {\"json\": 1}, {\"json\": ");
    e.schema.number(bare_rows).raw("}]}");
  }
  e.begin_call({"awkward0", "Table", "frompairs"});
  e.schema.begin("{\"pairs\": [");
}

std::string end_columns(Encoder& e, bool tuple, std::uint64_t bare_rows) {
  e.schema.raw("]}, {\"json\": 0}");
  SchemaText text;
  if (tuple) text.string(extra::tuple).raw(": true");
  if (bare_rows == 0) return text.take();
  text.begin().string(extra::length).raw(": ").number(bare_rows);
  e.schema.raw("]");
  extra_member(e, text.take(), nullptr);
  e.schema.raw("}");
  return {};
}

}  // namespace polycodec::awkward
