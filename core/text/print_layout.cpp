// SPDX-License-Identifier: MIT
// `$layout`: arrays as their layouts and what these consist of.
#include <polycodec/array_view.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/items.h>

#include "core/text/layout_words.hpp"
#include "core/text/print.hpp"

namespace polycodec::text {
namespace {

void print_structure(Printer& printer, std::string_view name, const polycodec_column& column,
                     std::uint64_t count) {
  TextOut& out = printer.writer().out();
  out.put(", ");
  out.put_quoted(name);
  out.put(": ");
  const std::int64_t shape[] = {static_cast<std::int64_t>(count)};
  const std::int64_t strides[] = {column.stride};
  polycodec_array leaf{};
  leaf.struct_size = sizeof leaf;
  leaf.layout = POLYCODEC_LAYOUT_NDARRAY;
  leaf.dtype = static_cast<std::uint8_t>(column.dtype);
  leaf.byte_order = host_byte_order;
  leaf.length = count;
  leaf.data = leaf.buffer = column.data;
  leaf.buffer_size = UINT64_MAX;  // items may share bytes: there are no more than of the array
  leaf.ndim = 1;
  leaf.item_size = dtype_size(column.dtype);
  leaf.shape = shape;
  leaf.strides = strides;
  const polycodec_node n = Builder::array(&leaf);
  printer.typed(n);
}

void print_raw_leaf(TextWriter& writer, const polycodec_array& a) {
  TextOut& out = writer.out();
  out.put(", \"dtype\": ");
  out.put_with([&](char* p) { return write_unsigned(p, a.dtype); });
  out.put(", \"item_size\": ");
  out.put_with([&](char* p) { return write_unsigned(p, a.item_size); });
  out.put(", \"shape\": ");
  TextWriter::Bracket shape(writer, '[', ']', false);
  for (std::uint32_t axis = 0; axis < a.ndim; ++axis) {
    shape.next();
    out.put_with([&](char* p) { return write_signed(p, a.shape[axis]); });
  }
  shape.end();
}

}  // namespace

void print_layout(Printer& printer, const polycodec_array& a) {
  TextWriter& writer = printer.writer();
  TextOut& out = writer.out();
  const std::uint64_t count =
      a.layout == POLYCODEC_LAYOUT_NDARRAY ? ArrayView(a).element_count() : a.length;
  if (count > writer.options().limits.max_nodes) refuse_endless(count);
  TextWriter::Bracket bracket(writer, '{', '}', false);
  bracket.next();
  out.put("\"layout\": ");
  out.put_quoted(layout_names[a.layout]);
  out.put(", \"length\": ");
  out.put_with([&](char* p) { return write_unsigned(p, a.length); });
  if (a.flags != 0) {
    out.put(", \"flags\": ");
    TextWriter::Bracket flags(writer, '[', ']', false);
    for (unsigned bit = 0; bit < std::size(flag_names); ++bit) {
      if ((a.flags >> bit & 1u) == 0) continue;
      flags.next();
      out.put_quoted(flag_names[bit]);
    }
    flags.end();
  }
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY) {
    print_raw_leaf(writer, a);
    return bracket.end();
  }
  if (a.layout == POLYCODEC_LAYOUT_LIST_FIXED) {
    out.put(", \"size\": ");
    out.put_with([&](char* p) { return write_unsigned(p, a.list_size); });
  }
  const ColumnNames names = written_columns(a.layout);
  if (!names.first.empty() && a.index.data != nullptr)
    print_structure(printer, names.first, a.index,
                    polycodec_column_length(a.layout, a.length, a.n_children, 0));
  if (!names.second.empty()) print_structure(printer, names.second, a.tags, a.length);
  const auto children = children_of(a);
  if (const polycodec_bytes* const known = names_of(a)) {
    out.put(", \"names\": ");
    TextWriter::Bracket list(writer, '[', ']', false);
    for (std::size_t i = 0; i < children.size(); ++i) {
      list.next();
      put_text(out, to_string_view(known[i]));
    }
    list.end();
  }
  const bool documents = a.layout == POLYCODEC_LAYOUT_DOCUMENT;
  out.put(documents ? ", \"nodes\": " : ", \"children\": ");
  TextWriter::Bracket parts(writer, '[', ']', true);
  for (std::uint64_t i = 0; i < (documents ? a.length : children.size()); ++i) {
    parts.next();
    if (documents) {
      printer.any(a.nodes[i]);
      continue;
    }
    const polycodec_array& child = *children[i];
    if (child.metadata == nullptr && printer.repeat(child)) continue;
    const polycodec_node n = Builder::array(&child);
    printer.typed(n);
  }
  parts.end();
  bracket.end();
}

}  // namespace polycodec::text
