// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <base/text_block.hpp>
#include <base/text_rows.hpp>
#include <model/loss_search.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/face_looks.hpp>
#include <model/mesh/operations.hpp>
#include <model/mesh/whole.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include "codec.hpp"
#include "columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

namespace polycodec::ply {
namespace {

// Writes numbers with a space after each, and returns the end.
using PrintRun = char* (*)(char* to, const Run& run);

template <class T, std::endian order>
char* print_run(char* to, const Run& run) noexcept {
  const std::byte* p = run.data;
  for (std::uint64_t i = 0; i < run.count; ++i, p += run.stride) {
    to = print_decimal(to, load<T>(p, order));
    *to++ = ' ';
  }
  return to;
}

PrintRun printer_of(const Source& source) {
  return with_type(source.dtype, [&](auto type) -> PrintRun {
    using T = decltype(type);
    return source.byte_order == POLYCODEC_BIG_ENDIAN ? &print_run<T, std::endian::big>
                                                     : &print_run<T, std::endian::little>;
  });
}

constexpr std::uint64_t number_size = max_decimal_size + 1;

// A list that is too long for one look at the memory: up to the last `most_items`.
constexpr std::uint64_t most_items = 1024;
void print_first_items(TextBlock& text, Run& run, PrintRun print) {
  for (; run.count > most_items; run.count -= most_items) {
    const Run part{run.data, most_items, run.stride};
    text.commit(print(text.reserve(most_items * number_size), part));
    run.data += static_cast<std::int64_t>(most_items) * run.stride;
  }
}

bool is_of_this_machine(const Source& source) noexcept {
  return (source.byte_order == POLYCODEC_BIG_ENDIAN) == (std::endian::native == std::endian::big);
}

bool are_plain_floats(const Source& source) noexcept {
  return source.kind == Source::Kind::scalar && source.dtype == POLYCODEC_DTYPE_FLOAT32 &&
         is_of_this_machine(source);
}

bool is_plain_integer(const Source& source) noexcept {
  return (source.dtype == POLYCODEC_DTYPE_INT32 || source.dtype == POLYCODEC_DTYPE_UINT32) &&
         is_of_this_machine(source);
}

// Fills in the numbers of a row of plain integers, and the length of each list before its items.
GatheredRows gather(const std::vector<Source>& sources, std::uint64_t last, std::uint64_t row,
                    std::uint32_t* numbers, std::size_t room) noexcept {
  constexpr std::uint32_t bound = IntegerTexts::greatest + 1;
  if (sources.size() == 1 && sources[0].kind == Source::Kind::fixed_list) {
    const auto count = static_cast<std::size_t>(sources[0].length);
    const std::uint64_t rows = std::min<std::uint64_t>(last - row, room / (count + 1));
    bool all = true;
    for (std::size_t i = 0; i < rows; ++i) {
      std::uint32_t* const line = numbers + i * (count + 1);
      const Run run = sources[0].row(row + i);
      line[0] = static_cast<std::uint32_t>(count);
      all &= fill_integers(line + 1, 1, run.data, run.stride, count, bound, 0);
    }
    if (all) return {static_cast<std::size_t>(rows), count + 1};
  }
  std::uint32_t* to = numbers;
  for (const Source& source : sources) {
    const Run run = source.row(row);
    if (run.count >= room) return {};
    room -= static_cast<std::size_t>(run.count);
    if (source.kind != Source::Kind::scalar) {
      *to++ = static_cast<std::uint32_t>(run.count);
      --room;
    }
    if (!fill_integers(to, 1, run.data, run.stride, run.count, bound, 0)) return {};
    to += run.count;
  }
  return {1, static_cast<std::size_t>(to - numbers)};
}

// The rows of an element as text, one row a line, on several threads if there are many.
void encode_ascii_element(const Call& call, const ElementSource& element, LineEnding ending,
                          Writer& out) {
  const std::string_view newline = line_ending_text(ending);
  std::vector<PrintRun> printers;
  for (const Source& source : element.sources) printers.push_back(printer_of(source));
  const auto print_row = [&](TextBlock& text, std::uint64_t row) {
    // Scalars, and the length of a list.
    const std::uint64_t room = element.sources.size() * number_size + 2;
    char* to = text.reserve(room);
    for (std::size_t i = 0; i < printers.size(); ++i) {
      const Source& source = element.sources[i];
      Run run = source.row(row);
      if (source.kind != Source::Kind::scalar) {
        if (run.count < 10)
          *to++ = static_cast<char>('0' + run.count);
        else
          to = print_decimal(to, run.count);
        *to++ = ' ';
        text.commit(to);
        print_first_items(text, run, printers[i]);
        to = text.reserve(run.count * number_size + room);
      }
      to = printers[i](to, run);
    }
    text.commit(put_short(to - 1, newline));  // in the place of the last space
  };
  const LineFrame frame({}, newline);
  const auto print_rows = [&](TextBlock& text, std::uint64_t first, std::uint64_t last) {
    const std::vector<Source>& all = element.sources;
    if (all.size() <= most_float_columns && std::ranges::all_of(all, are_plain_floats)) {
      std::array<FloatColumn, most_float_columns> columns;
      std::ranges::transform(all, columns.begin(), [](const Source& source) {
        return FloatColumn{source.data, source.row_stride};
      });
      return print_float_rows(text, std::span(columns.data(), all.size()), first, last, frame);
    }
    const bool are_plain_integers = std::ranges::all_of(all, is_plain_integer);
    for (std::uint64_t row = first;; print_row(text, row++)) {
      if (are_plain_integers)
        row = print_integer_rows<1>(text, frame, {" "}, row, last,
                                    [&](auto... of) { return gather(all, last, of...); });
      if (row == last) break;
    }
  };
  write_text_blocks(call, out, element.element.count, print_rows);
}

// An element of PLY has no strings, so nothing else than an OBJ value has statements with codes.
bool is_obj(const View& root) {
  const auto statements = root.find("statements");
  if (!statements || !root.find("v")) return false;
  const polycodec_array* array = statements->array();
  if (array != nullptr && array->layout == POLYCODEC_LAYOUT_RECORD)
    return ArrayView(*array).column("code").has_value();
  return statements->is_list() && (statements->size() == 0 || statements->child(0).find("code"));
}

// The value as elements: as it is, or what a mesh in another form is in a PLY file.
NodeView elements_of(const Settings& settings, const Call& call, NodeView value, Builder& out) {
  Losses losses;
  add_attribute_losses(value, losses, call, {"comments", "material_libraries", "looks"});
  View root(value);
  if (settings.form == mesh::Form::dict || settings.form == mesh::Form::array_dict) {
    value = NodeView(out.root(mesh::from_dictionary(root, out)));
    root = View(value);
  }
  if (root.kind() != POLYCODEC_KIND_OBJECT ||
      (!settings.triangulate && !mesh::is_mesh(root) && !is_obj(root))) {
    losses.settle(call, "PLY", "ply.lossy");
    return value;
  }
  if (!settings.triangulate && is_obj(root)) {
    const polycodec_node* elements = out.root(mesh::statements_to_elements(
        root, out, losses, mesh::face_columns_of_statements(root, out)));
    losses.settle(call, "PLY", "ply.lossy");
    return NodeView(elements);
  }
  std::optional<mesh::Mesh> mesh = mesh::mesh_of(root, out, losses);
  if (!mesh)
    throw Error(Status::type, "the value has no vertices and faces that could be made triangles")
        .detail("ply.no_elements");
  if (settings.triangulate)
    mesh::triangulate(*mesh, out, [&] { call.tick(mesh::units_per_check); });
  const polycodec_node* elements = out.root(mesh::to_elements(*mesh, out, losses));
  losses.settle(call, "PLY", "ply.lossy");
  return NodeView(elements);
}

}  // namespace

void Ply::encode(const Call& call, NodeView value, Writer& out) const {
  Builder builder(call);
  const Table table = Table::from(settings_, call, elements_of(settings_, call, value, builder));
  out.put_text(print_header(table.header));
  for (const ElementSource& element : table.elements) {
    if (element.element.count == 0 || element.sources.empty()) continue;
    if (table.header.format == Format::ascii) {
      encode_ascii_element(call, element, table.header.line_ending, out);
    } else {
      encode_binary_element(call, element, table.header.format, out);
    }
  }
}

}  // namespace polycodec::ply
