// SPDX-License-Identifier: MIT
// Tables, and views of them.
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "array_parts.hpp"
#include "deferred.hpp"
#include "frame.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::awkward {
namespace {

struct Columns {
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> arrays;
};

polycodec_node table_of(Frame& frame, const Columns& columns) {
  std::uint64_t length = columns.arrays.empty() ? 0 : UINT64_MAX;
  for (const auto* column : columns.arrays) length = std::min(length, column->length);
  auto sorted = columns.names;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    frame.fail(0, Status::malformed, "table.duplicate_column",
               "two columns are called " + quote(*twice));
  polycodec_array* a = frame.out.record(length, columns.names, columns.arrays);
  // A record without columns has names all the same: it is not a tuple.
  if (columns.names.empty()) a->names = frame.out.allocate<polycodec_bytes>(1);
  return Builder::array(a);
}

void add_members(Frame& frame, NodeView object, std::size_t param, Columns& columns) {
  const auto entries = object.entries();
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    const std::string_view name = NodeView(&entries[i]).as_string();
    columns.names.push_back(name);
    columns.arrays.push_back(&frame.to_array(NodeView(&entries[i + 1]), POLYCODEC_DTYPE_FLOAT64,
                                             param, ".dict." + std::string(name.substr(0, 80))));
  }
}

// Table({name: column}, ..) or Table(column, .., name=column): columns without a name are called
// "0", "1", ..
polycodec_node table_from(Frame& frame, std::size_t first) {
  const auto args = frame.arguments();
  Columns columns;
  std::vector<std::string> numbers(args.size());
  for (std::size_t i = first; i < args.size(); ++i) {
    const NodeView v(&args[i]);
    if (i == first && v.is_object()) {
      add_members(frame, v, i, columns);
      continue;
    }
    numbers[i] = std::to_string(columns.names.size());
    columns.names.push_back(frame.out.copy_text(numbers[i]));
    columns.arrays.push_back(&frame.to_array(v, POLYCODEC_DTYPE_FLOAT64, i, {}));
  }
  const auto keywords = frame.keywords();
  for (std::size_t i = 0; i < keywords.size(); i += 2) {
    const std::string_view name = NodeView(&keywords[i]).as_string();
    if (name.starts_with(reserved)) continue;
    columns.names.push_back(name);
    columns.arrays.push_back(
        &frame.to_array(NodeView(&keywords[i + 1]), POLYCODEC_DTYPE_FLOAT64, args.size(), {}));
  }
  return table_of(frame, columns);
}

[[noreturn]] void fail_range(Frame& frame, std::int64_t row, std::uint64_t at,
                             const polycodec_array& table) {
  frame.fail(0, Status::malformed, "table.view_range",
             "row " + std::to_string(at) + " of the view is row " + std::to_string(row) +
                 " of a table of " + shown_length(table) + " rows");
}

const polycodec_array* view_by_step(Frame& frame, NodeView view, const polycodec_array& base) {
  std::int64_t parts[3];
  for (std::size_t i = 0; i < 3; ++i) {
    if (view[i].kind() != POLYCODEC_KIND_SIGNED)
      frame.fail_type(0, "three integers (start, step, length)");
    parts[i] = view[i].as_int64();
  }
  const auto [start, step, declared] = parts;
  const std::int64_t length = std::max<std::int64_t>(declared, 0);
  if (length == 0) return stride(frame.out, base, 0, 1, 0);
  if (start < 0 || static_cast<std::uint64_t>(start) >= base.length)
    fail_range(frame, start, 0, base);
  std::int64_t last = 0;
  if (__builtin_mul_overflow(length - 1, step, &last) || __builtin_add_overflow(last, start, &last))
    last = step < 0 ? INT64_MIN : INT64_MAX;
  if (last < 0 || static_cast<std::uint64_t>(last) >= base.length) {
    // The first row that is not there.
    const std::int64_t rows =
        step < 0 ? start / -(step + (step == INT64_MIN ? 1 : 0)) + 1
                 : (static_cast<std::int64_t>(std::min<std::uint64_t>(base.length, INT64_MAX)) - 1 -
                    start) /
                           step +
                       1;
    fail_range(frame, last, static_cast<std::uint64_t>(rows), base);
  }
  if (step == 0) {
    auto* same = frame.out.store(start);
    return indexed(frame.out, {same, 0, POLYCODEC_DTYPE_INT64, 0},
                   static_cast<std::uint64_t>(length), base);
  }
  return stride(frame.out, base, start, step, static_cast<std::uint64_t>(length));
}

const polycodec_array* view_by_index(Frame& frame, const polycodec_array& base) {
  const Integers rows = frame.integers(0, POLYCODEC_DTYPE_INT64, "the view");
  bool negative = false;
  for (std::uint64_t i = 0; i < rows.count; ++i) {
    const std::int64_t row = rows[i];
    negative = negative || row < 0;
    if (row < 0 && has_unknown_length(base))
      frame.fail(0, Status::unsupported, "expression.cycle",
                 "a cyclic reference has no end to count from");
    const std::int64_t from_start = row < 0 ? row + static_cast<std::int64_t>(base.length) : row;
    if (from_start < 0 || static_cast<std::uint64_t>(from_start) >= base.length)
      fail_range(frame, row, i, base);
  }
  polycodec_column column = rows.column;
  if (negative) {
    auto* copy = frame.out.allocate<std::int64_t>(rows.count);
    for (std::uint64_t i = 0; i < rows.count; ++i)
      copy[i] = rows[i] < 0 ? rows[i] + static_cast<std::int64_t>(base.length) : rows[i];
    column = Builder::column(std::span<const std::int64_t>(copy, rows.count));
  }
  return nested(frame.out, rows.shape, indexed(frame.out, column, rows.count, base));
}

}  // namespace

polycodec_node table(Frame& frame) {
  return table_from(frame, 0);
}

// Table.named(rowname, columns..)
polycodec_node table_named(Frame& frame) {
  const auto args = frame.arguments();
  if (args.empty() || !NodeView(&args[0]).is_string())
    throw Error(Status::type, "the first argument must be the name of the rows")
        .detail("function.argument_kind")
        .path("$.args[0]");
  const polycodec_node table = table_from(frame, 1);
  return Builder::array(with_attribute(frame.out, *table.as.array, "rowname", args[0]));
}

polycodec_node table_from_pairs(Frame& frame) {
  if (!frame[0].is_list()) frame.fail_type(0, "pairs of name and column");
  if (frame.has(1))
    static_cast<void>(
        frame.integer(1));  // where the printed row numbers start: says nothing about data
  Columns columns;
  for (const polycodec_node& item : frame[0].items()) {
    const NodeView pair(&item);
    if (!(pair.kind() == POLYCODEC_KIND_TUPLE || pair.is_list()) || pair.size() != 2 ||
        !pair[0].is_string())
      frame.fail_type(0, "pairs of name and column");
    columns.names.push_back(pair[0].as_string());
    columns.arrays.push_back(
        &frame.to_array(pair[1], POLYCODEC_DTYPE_FLOAT64, 0,
                        ".pairs[" + std::to_string(columns.arrays.size()) + "][1]"));
  }
  return table_of(frame, columns);
}

polycodec_node table_from_view(Frame& frame) {
  const polycodec_array& base = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  if (base.layout != POLYCODEC_LAYOUT_RECORD && !is_deferred(base) &&
      base.layout != POLYCODEC_LAYOUT_INDEXED)
    frame.fail(1, Status::type, "function.argument_kind", "'base' must be a table");
  const NodeView view = frame[0];
  if (view.is_null()) return Builder::array(&base);
  // A list is an array of rows, also if it has three items.
  if (view.kind() != POLYCODEC_KIND_TUPLE) return Builder::array(view_by_index(frame, base));
  if (view.size() != 3) frame.fail_type(0, "(start, step, length)");
  return Builder::array(view_by_step(frame, view, base));
}

polycodec_node table_from_record(Frame& frame) {
  const polycodec_array& base = frame.array(0, POLYCODEC_DTYPE_FLOAT64);
  if (base.layout != POLYCODEC_LAYOUT_RECORD)
    frame.fail(0, Status::type, "function.argument_kind", "'recarray' must have fields");
  return Builder::array(&base);
}

}  // namespace polycodec::awkward
