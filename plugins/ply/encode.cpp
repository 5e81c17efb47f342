// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <base/text_block.hpp>
#include <model/loss_search.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/operations.hpp>
#include <model/mesh/whole.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include "codec.hpp"
#include "columns.hpp"

#include <algorithm>
#include <bit>

namespace polycodec::ply {
namespace {

template <class T>
char* print_run(char* to, const Run& run, std::endian order) noexcept {
  const std::byte* p = run.data;
  for (std::uint64_t i = 0; i < run.count; ++i, p += run.stride) {
    to = print_decimal(to, load<T>(p, order));
    *to++ = ' ';
  }
  return to;
}

// Numbers with a space after each.
char* print_numbers(char* to, const Run& run, std::uint32_t dtype, std::endian order) noexcept {
  return with_type(dtype, [&](auto type) { return print_run<decltype(type)>(to, run, order); });
}

void print_row(TextBlock& text, const ElementSource& e, std::uint64_t row,
               std::string_view newline) {
  constexpr std::uint64_t run_items = 1024;
  for (const Source& s : e.sources) {
    const auto order =
        s.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
    Run run = s.row(row);
    if (s.kind != Source::Kind::scalar) {
      char* to = print_decimal(text.reserve(max_decimal_size + 1), run.count);
      *to++ = ' ';
      text.commit(to);
    }
    while (run.count != 0) {
      const Run part{run.data, std::min(run.count, run_items), run.stride};
      text.commit(
          print_numbers(text.reserve(part.count * (max_decimal_size + 1)), part, s.dtype, order));
      run.data += static_cast<std::int64_t>(part.count) * run.stride;
      run.count -= part.count;
    }
  }
  text.replace_last(newline);
}

// The rows of an element as text, one row a line, on several threads if there are many.
void encode_ascii_element(const Call& call, const ElementSource& element, LineEnding ending,
                          Writer& out) {
  const std::string_view newline = line_ending_text(ending);
  write_text_blocks(call, out, element.element.count,
                    [&](TextBlock& text, std::uint64_t first, std::uint64_t last) {
                      for (std::uint64_t row = first; row < last; ++row)
                        print_row(text, element, row, newline);
                    });
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
  add_attribute_losses(value, losses, call, {"comments", "material_libraries"});
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
    const polycodec_node* elements = out.root(mesh::statements_to_elements(root, out, losses));
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
