// SPDX-License-Identifier: MIT
#include "forms.hpp"

#include <model/loss.hpp>
#include <model/mesh/dictionary.hpp>
#include <model/mesh/statements.hpp>
#include <model/mesh/triangulate.hpp>

#include "dictionary.hpp"

#include <span>
#include <vector>

namespace polycodec::obj {

const polycodec_node* other_form(const Settings& settings, const Call& call, View root,
                                 Builder& out) {
  Losses losses;
  polycodec_node made = Builder::null();
  const char* holder = "a mesh";
  if (settings.form == mesh::Form::mesh || settings.triangulate) {
    mesh::Mesh mesh = mesh::from_statements(root, out, losses);
    if (settings.triangulate)
      mesh::triangulate(mesh, out, [&] { call.tick(mesh::units_per_check); });
    made = settings.form == mesh::Form::mesh ? mesh::to_value(mesh, out)
                                             : mesh::to_statements(mesh, out, losses);
    root = View(out.root(made));
  }
  if (settings.form == mesh::Form::list) {
    made = to_list(root, out);
  } else if (settings.form == mesh::Form::dict || settings.form == mesh::Form::array_dict) {
    holder = "a dictionary";
    std::vector<Member> members = to_dictionary(root, out, losses);
    if (settings.form == mesh::Form::array_dict)
      members = mesh::array_dictionary(members, out, losses);
    made = out.object(std::span<const Member>(members));
  }
  losses.settle(call, holder, "obj.lossy");
  return out.root(made);
}

}  // namespace polycodec::obj
