// SPDX-License-Identifier: MIT
#include "encode.hpp"

#include <model/loss_search.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/dictionary.hpp>
#include <model/mesh/triangulate.hpp>

namespace polycodec::ply {
namespace {

// An element of PLY has no texts, so nothing else than an OBJ value has statements with codes.
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

void encode(const Settings& settings, const Call& call, NodeView value, Writer& out) {
  Builder builder(call);
  const Table table = Table::from(settings, call, elements_of(settings, call, value, builder));
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
