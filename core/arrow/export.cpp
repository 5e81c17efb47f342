// SPDX-License-Identifier: MIT
#include <base/depth.hpp>
#include <model/type/type.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/error.hpp>
#include <polycodec/view.hpp>

#include "core/arrow/arrow.hpp"
#include "core/arrow/leaf_export.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/take.hpp"
#include "core/value/value.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

// What a column costs beside its items: two structs with their strings and lists, twice.
constexpr std::uint64_t units_of_column = 128;
constexpr std::uint64_t bytes_of_column = 1024;
constexpr std::uint64_t most_items = static_cast<std::uint64_t>(INT64_MAX);

/// What the arrays need that the value does not hold.
struct Kept {
  std::shared_ptr<const Value> value;
  Value scratch;  // its arena
};

class Exporter : private LeafExport {
 public:
  Exporter(Value& scratch, const ArrowOptions& options, HostMeter& meter)
      : LeafExport(Builder(scratch.prepare(UINT64_MAX)), options.limits, meter),
        sparse_unions_(options.sparse_unions) {
    meter_.charge(out_);
  }

  Pair export_root(NodeView what) {
    if (!what.is_array() && !what.is_list()) {
      auto list = polycodec_node_make(POLYCODEC_KIND_LIST, 0, 1);
      list.as.nodes = what.raw();
      what = NodeView(out_.root(list));
    }
    const polycodec_array& array =
        what.is_array() ? what.as_array() : *to_columns(what, out_, limits_);
    Pair pair = export_rows(array, array.length, nullptr, 0);
    if (const auto metadata = what.metadata()) add_attributes(pair, metadata->node());
    return pair;
  }

 private:
  Pair export_rows(const polycodec_array& array, std::uint64_t length, Valid valid,
                   std::uint32_t depth) {
    Pair pair = rows(array, length, valid, depth);
    add_attributes(pair, array.metadata);
    return pair;
  }

  /// Adds attributes (an OBJECT, or null) to those of the field. Layouts that Arrow has not, such
  /// as chunks, have attributes of their own and of their content, and are one field.
  void add_attributes(Pair& pair, const polycodec_node* outer) {
    if (outer == nullptr || outer == pair.attributes) return;
    if (pair.attributes != nullptr) {
      const NodeView inner(pair.attributes), all(outer);
      std::vector<Member> members;
      for (std::uint64_t i = 0; i < all.size(); ++i)
        members.push_back({all.key(i).as_string(), *all.value(i).raw()});
      for (std::uint64_t i = 0; i < inner.size(); ++i) {
        const std::string_view name = inner.key(i).as_string();
        const auto same = all.find(name);
        if (!same) members.push_back({name, *inner.value(i).raw()});
        if (same && !equal(*same, inner.value(i)))
          fail(Status::unsupported, "Arrow's fields have one attribute " + quote(name) +
                                        ", and the value has two: remove one");
      }
      outer = out_.root(out_.object(std::span<const Member>(members)));
    }
    pair.attributes = outer;
    auto& metadata = pair.schema.metadata;
    auto& format = pair.schema.format;
    if (const auto zone = NodeView(outer).find(zone_key);
        zone && zone->is_string() && format.starts_with("ts") && format.ends_with(":"))
      format += zone->as_string();
    std::erase_if(metadata, [](const auto& m) { return m.first == attributes_key; });
    add_plain(metadata, NodeView(outer));
    metadata.emplace_back(attributes_key, to_text(NodeView(outer)));
    meter_.take(2 * metadata.back().second.size());
  }

  /// Adds attributes that are text as other programs write them, beside those of ours.
  void add_plain(std::vector<std::pair<std::string, std::string>>& metadata, NodeView attributes) {
    for (std::uint64_t i = 0; i < attributes.size(); ++i) {
      const NodeView value = attributes.value(i);
      const std::string_view key = attributes.key(i).as_string();
      const auto is_known = [&](const auto& pair) { return pair.first == key; };
      if (!value.is_string() || key == zone_key || key.starts_with("ARROW:") ||
          key.starts_with("polycodec.") || key == "pandas" ||
          std::any_of(metadata.begin(), metadata.end(), is_known))
        continue;
      meter_.take(key.size() + value.as_string().size());
      metadata.emplace_back(key, value.as_string());
    }
  }

  Pair rows(const polycodec_array& array, std::uint64_t length, Valid valid, std::uint32_t depth) {
    check_depth(depth, limits_.max_depth);
    meter_.tick(units_of_column);
    meter_.take(bytes_of_column);
    const ArrayView view(array);
    if (length > most_items) fail(Status::limit, "too many items");
    switch (view.layout()) {
      case POLYCODEC_LAYOUT_NDARRAY:
        return leaf(view, length, valid);
      case POLYCODEC_LAYOUT_LIST_OFFSETS:
        return view.is_string() || view.is_binary() ? texts(view, length, valid)
                                                    : lists(view, length, valid, depth);
      case POLYCODEC_LAYOUT_LIST_FIXED:
        return view.is_string() || view.is_binary() ? taken(array, length, valid, depth)
                                                    : fixed_lists(view, length, valid, depth);
      case POLYCODEC_LAYOUT_RECORD:
        return record(view, length, valid, depth);
      case POLYCODEC_LAYOUT_UNION:
        return tagged(view, length, valid, depth);
      case POLYCODEC_LAYOUT_OPTION_BYTES:
      case POLYCODEC_LAYOUT_OPTION_BITS:
        return option(view, length, valid, depth);
      case POLYCODEC_LAYOUT_INDEXED:
        return indexed(view, length, valid, depth);
      case POLYCODEC_LAYOUT_LIST_VIEW:
        return taken(array, length, valid, depth);
      case POLYCODEC_LAYOUT_DOCUMENT:
        return documents(view, length, valid, depth);
      default:
        if (view.child_count() == 0) return draft("n", 0);  // no chunks
        return export_rows(*materialize(array, out_, limits_), length, valid, depth + 1);
    }
  }

  // -- lists --

  /// Offsets as Arrow has them, and whether they are wide.
  std::pair<const void*, bool> offsets_of(ArrayView view, std::uint64_t length) {
    if (const auto narrow = view.index().contiguous<std::int32_t>(length + 1))
      return {narrow->data(), false};
    return {column<std::int64_t, std::uint64_t>(view.index(), length + 1), true};
  }

  Pair texts(ArrayView view, std::uint64_t length, Valid valid) {
    const auto [offsets, wide] = offsets_of(view, length);
    Pair pair = draft(view.is_string() ? (wide ? "U" : "u") : (wide ? "Z" : "z"), length);
    pair.array.buffers = {offsets, view.child().data()};
    set_validity(pair, length, valid);
    return pair;
  }

  Pair lists(ArrayView view, std::uint64_t length, Valid valid, std::uint32_t depth) {
    const auto [offsets, wide] = offsets_of(view, length);
    Pair pair = draft(wide ? "+L" : "+l", length);
    pair.array.buffers = {offsets};
    set_validity(pair, length, valid);
    add_child(pair, "item", view.child().raw(), static_cast<std::uint64_t>(view.index()[length]),
              nullptr, depth);
    return pair;
  }

  Pair fixed_lists(ArrayView view, std::uint64_t length, Valid valid, std::uint32_t depth) {
    return fixed_list_of(
        export_rows(view.child().raw(), length * view.list_size(), nullptr, depth + 1),
        view.list_size(), length, valid);
  }

  void add_child(Pair& pair, std::string name, const polycodec_array& array, std::uint64_t length,
                 Valid valid, std::uint32_t depth) {
    try {
      Pair child = export_rows(array, length, valid, depth + 1);
      child.schema.name = std::move(name);
      pair.schema.children.push_back(std::move(child.schema));
      pair.array.children.push_back(std::move(child.array));
    } catch (Error& e) {
      throw Error(e).path(
          (pair.schema.format[1] == 's' || pair.schema.format[1] == 'u' ? "." + name : "[*]") +
          e.path());
    }
  }

  Pair record(ArrayView view, std::uint64_t length, Valid valid, std::uint32_t depth) {
    Pair pair = draft("+s", length);
    set_validity(pair, length, valid);
    if (!view.has_names()) pair.schema.metadata.emplace_back(extension_key, "polycodec.tuple");
    for (std::uint32_t i = 0; i < view.child_count(); ++i)
      add_child(pair, view.has_names() ? std::string(view.name(i)) : std::to_string(i),
                view.child(i).raw(), length, nullptr, depth);
    return pair;
  }

  /// Unions have no validity of their own in Arrow: missing items are members of a further
  /// alternative of nulls.
  Pair tagged(ArrayView view, std::uint64_t length, Valid valid, std::uint32_t depth) {
    const std::uint32_t members = view.child_count();
    if (members > 126) fail(Status::unsupported, "Arrow's unions have at most 127 alternatives");
    meter_.tick(length);
    auto* tags = out_.allocate<std::int8_t>(length);
    auto* places = out_.allocate<std::int32_t>(length);
    std::vector<std::uint64_t> used(members, 0);
    std::vector<std::uint8_t> falls(members, 0);  // places of an alternative must not
    std::vector<std::int32_t> last(members, 0);
    for (std::uint64_t i = 0; i < length; ++i) {
      const bool there = valid == nullptr || valid[i] != 0;
      const std::int64_t tag = there ? view.tags()[i] : members,
                         place = there ? view.index()[i] : 0;
      if (place > INT32_MAX)
        fail(Status::unsupported, "Arrow's unions hold at most 2^31 items of an alternative");
      tags[i] = static_cast<std::int8_t>(tag);
      places[i] = static_cast<std::int32_t>(place);
      if (!there) continue;
      const auto member = static_cast<std::size_t>(tag);
      used[member] = std::max(used[member], static_cast<std::uint64_t>(place) + 1);
      if (places[i] < last[member]) falls[member] = 1;
      last[member] = places[i];
    }
    std::string ids;
    for (std::uint32_t i = 0; i < members + (valid == nullptr ? 0u : 1u); ++i)
      ids += (i == 0 ? "" : ",") + std::to_string(i);
    Pair pair = draft((sparse_unions_ ? "+us:" : "+ud:") + ids, length);
    pair.array.buffers = {tags};
    if (!sparse_unions_) pair.array.buffers.push_back(places);
    const bool takes = sparse_unions_ || std::count(falls.begin(), falls.end(), 1) != 0;
    auto* index = takes ? out_.allocate<std::int64_t>(length) : nullptr;
    for (std::uint32_t i = 0; i < members; ++i) {
      if (!sparse_unions_ && falls[i] == 0) {
        add_child(pair, std::to_string(i), view.child(i).raw(), used[i], nullptr, depth);
        continue;
      }
      meter_.tick(length);
      std::size_t count = 0;
      for (std::uint64_t k = 0; k < length; ++k) {
        const bool is_here = tags[k] == static_cast<std::int8_t>(i);
        if (!is_here && !sparse_unions_) continue;
        index[count] = is_here ? places[k] : -1;
        if (!sparse_unions_) places[k] = static_cast<std::int32_t>(count);  // in the order of rows
        ++count;
      }
      const polycodec_array* rows = take(view.child(i).raw(), {index, count}, out_, limits_);
      add_child(pair, std::to_string(i), *rows, count, nullptr, depth);
    }
    if (valid != nullptr) {
      const std::uint64_t nulls = sparse_unions_ ? length : 1;
      Pair nothing = draft("n", nulls);
      nothing.array.null_count = static_cast<std::int64_t>(nulls);
      nothing.schema.name = "null";
      nothing.schema.nullable = true;
      pair.schema.children.push_back(std::move(nothing.schema));
      pair.array.children.push_back(std::move(nothing.array));
    }
    return pair;
  }

  // -- what is missing, shared, or not columnar --

  Pair option(ArrayView view, std::uint64_t length, Valid valid, std::uint32_t depth) {
    meter_.tick(length);
    auto* there = out_.allocate<std::uint8_t>(length);
    for (std::uint64_t i = 0; i < length; ++i)
      there[i] = view.is_present(i) && (valid == nullptr || valid[i] != 0);
    return export_rows(view.child().raw(), length, there, depth + 1);
  }

  Pair indexed(ArrayView view, std::uint64_t length, Valid valid, std::uint32_t depth) {
    const ArrayView content = view.child();
    meter_.tick(length);
    bool missing = false;
    for (std::uint64_t i = 0; i < length && !missing; ++i) missing = view.index()[i] < 0;
    if (missing) {
      auto* there = out_.allocate<std::uint8_t>(length);
      for (std::uint64_t i = 0; i < length; ++i)
        there[i] = view.index()[i] >= 0 && (valid == nullptr || valid[i] != 0);
      valid = there;
    }
    const bool dictionary =
        content.length() != 0 && (content.layout() == POLYCODEC_LAYOUT_LIST_OFFSETS
                                      ? content.is_string() || content.is_binary()
                                      : content.layout() == POLYCODEC_LAYOUT_NDARRAY &&
                                            content.ndim() == 1 && !is_complex(content.dtype()));
    if (!dictionary) return taken(view.raw(), length, valid, depth);
    const auto narrow = view.index().contiguous<std::int32_t>(length);
    Pair pair = draft(narrow && !missing ? "i" : "l", length);
    if (narrow && !missing) {
      pair.array.buffers = {narrow->data()};
    } else if (!missing) {
      pair.array.buffers = {column<std::int64_t, std::uint64_t>(view.index(), length)};
    } else {
      auto* places = out_.allocate<std::int64_t>(length);
      for (std::uint64_t i = 0; i < length; ++i)
        places[i] = std::max<std::int64_t>(view.index()[i], 0);
      pair.array.buffers = {places};
    }
    set_validity(pair, length, valid);
    Pair items = export_rows(content.raw(), content.length(), nullptr, depth + 1);
    pair.schema.dictionary.push_back(std::move(items.schema));
    pair.array.dictionary.push_back(std::move(items.array));
    return pair;
  }

  /// Forms that Arrow has not: the rows themselves, copied.
  Pair taken(const polycodec_array& array, std::uint64_t length, Valid valid, std::uint32_t depth) {
    meter_.tick(length);
    auto* index = out_.allocate<std::int64_t>(length);
    const ArrayView view(array);
    const bool through = view.layout() == POLYCODEC_LAYOUT_INDEXED;
    for (std::uint64_t i = 0; i < length; ++i) {
      const std::int64_t at = through ? view.index()[i] : static_cast<std::int64_t>(i);
      index[i] = valid == nullptr || valid[i] != 0 ? at : -1;
    }
    const polycodec_array* rows = take(through ? view.child().raw() : array,
                                       {index, static_cast<std::size_t>(length)}, out_, limits_);
    return export_rows(*rows, length, valid, depth + 1);
  }

  Pair documents(ArrayView view, std::uint64_t length, Valid valid, std::uint32_t depth) {
    auto list = polycodec_node_make(POLYCODEC_KIND_LIST, 0, length);
    list.as.nodes = view.raw().nodes;
    const bool all_null =
        std::all_of(list.as.nodes, list.as.nodes + length,
                    [](const polycodec_node& n) { return n.kind == POLYCODEC_KIND_NULL; });
    if (all_null) {
      Pair pair = draft("n", length);
      pair.array.null_count = static_cast<std::int64_t>(length);
      pair.schema.nullable = true;
      return pair;
    }
    const polycodec_array* columns = to_columns(NodeView(out_.root(list)), out_, limits_);
    if (columns->layout == POLYCODEC_LAYOUT_DOCUMENT)
      fail(Status::unsupported,
           "the items have no common Arrow type; use a union or a list of strings");
    return export_rows(*columns, length, valid, depth + 1);
  }

  bool sparse_unions_;
};

struct Stream {
  SchemaDraft schema;
  ArrayDraft array;
  std::shared_ptr<const void> kept;
  bool done = false;
  std::string error;
};

/// Runs a callback of the C interface.
template <class Body>
int answer(ArrowArrayStream* stream, Body&& body) {
  auto& self = *static_cast<Stream*>(stream->private_data);
  try {
    body(self);
    return 0;
  } catch (const std::exception& e) {
    self.error = e.what();
    return ENOMEM;
  }
}

Pair make(const std::shared_ptr<Kept>& kept, NodeView what, const ArrowOptions& options) {
  HostMeter meter(what, options.limits);
  Exporter exporter(kept->scratch, options, meter);
  try {
    return exporter.export_root(what);
  } catch (Error& e) {
    throw Error(e).path("$" + e.path());
  }
}

}  // namespace

void export_arrow(std::shared_ptr<const Value> value, NodeView what, ArrowSchema& schema,
                  ArrowArray& array, const ArrowOptions& options) {
  schema.release = nullptr;
  array.release = nullptr;
  const auto kept = std::make_shared<Kept>();
  kept->value = std::move(value);
  Pair pair = make(kept, what, options);
  finish_schema(std::move(pair.schema), schema);
  try {
    finish_array(std::move(pair.array), kept, array);
  } catch (...) {
    schema.release(&schema);
    throw;
  }
}

void export_arrow_stream(std::shared_ptr<const Value> value, NodeView what,
                         ArrowArrayStream& stream, const ArrowOptions& options) {
  stream.release = nullptr;
  const auto kept = std::make_shared<Kept>();
  kept->value = std::move(value);
  Pair pair = make(kept, what, options);
  auto mine = std::make_unique<Stream>();
  mine->kept = kept;
  if (pair.schema.format == "+s" && pair.array.null_count == 0) {
    mine->schema = std::move(pair.schema);
    mine->array = std::move(pair.array);
  } else {
    mine->schema.format = "+s";
    mine->array.length = pair.array.length;
    mine->array.buffers = {nullptr};
    pair.schema.name = "value";
    mine->schema.children.push_back(std::move(pair.schema));
    mine->array.children.push_back(std::move(pair.array));
  }
  stream.get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    return answer(self, [out](Stream& s) { finish_schema(s.schema, *out); });
  };
  stream.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    return answer(self, [out](Stream& s) {
      *out = {};  // released: the end of the stream
      if (!s.done) finish_array(s.array, s.kept, *out);
      s.done = true;
    });
  };
  stream.get_last_error = [](ArrowArrayStream* self) -> const char* {
    const auto& error = static_cast<Stream*>(self->private_data)->error;
    return error.empty() ? nullptr : error.c_str();
  };
  stream.release = [](ArrowArrayStream* self) {
    delete static_cast<Stream*>(self->private_data);
    self->release = nullptr;
  };
  stream.private_data = mine.release();
}

}  // namespace polycodec
