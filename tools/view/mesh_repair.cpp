// SPDX-License-Identifier: MIT
// `polycodec mesh repair`: changes a mesh as it was asked to, and says what changed.
#include "mesh_commands.hpp"
#include "mesh_file.hpp"
#include "mesh_value.hpp"
#include "tools/common/terminal.hpp"
#include "surface/repair.hpp"

#include <cmath>
#include <memory>
#include <utility>

namespace polycodec::cli {
namespace {

struct RepairWish {
  std::string file, drop, normals;
  bool merge = false;
  double merge_within = 0;
  Repairs repairs;
};

void read_drop(const std::string& list, Repairs& repairs) {
  for (std::size_t at = 0, end = 0; at <= list.size() && !list.empty(); at = end + 1) {
    end = std::min(list.find(',', at), list.size());
    const std::string word = list.substr(at, end - at);
    if (word == "degenerate")
      repairs.drop_degenerate = true;
    else if (word == "unreferenced")
      repairs.drop_unreferenced = true;
    else if (word == "duplicate-faces")
      repairs.drop_duplicate_faces = true;
    else
      throw Error(Status::option, "invalid --drop '" + word +
                                      "': must be degenerate, unreferenced or duplicate-faces, or "
                                      "several of them with commas");
  }
}

Repairs repairs_of(const RepairWish& wish) {
  Repairs repairs = wish.repairs;
  if (!(wish.merge_within >= 0) || !std::isfinite(wish.merge_within))
    throw Error(Status::option, "invalid --merge-within: must be a distance of at least 0");
  if (wish.merge || wish.merge_within > 0) repairs.merge = wish.merge_within;
  read_drop(wish.drop, repairs);
  if (!wish.normals.empty())
    repairs.normals = wish.normals == "area" ? NormalWeight::area : NormalWeight::angle;
  if (repairs.empty())
    throw Error(Status::option,
                "no repair was asked for: use --merge, --merge-within, --drop, --orient, "
                "--triangulate, --normals or --split-seams");
  return repairs;
}

/// Lets losses pass that --lossy or their class allows, and throws for the others.
void settle(Context& context, const Losses& losses) {
  const CallOptions call = context.call_options();
  std::string refused;
  std::size_t count = 0;
  std::string path;
  for (const Loss& loss : losses.all()) {
    if ((call.losses & losses_of(loss.loss_class)) != 0) {
      call.on_loss(loss.loss_class, loss.path, loss.what);
      continue;
    }
    if (count == 0) path = loss.path;
    if (count++ < 8) refused += (count == 1 ? "" : "; ") + loss.path + " (" + loss.what + ")";
  }
  if (count == 0) return;
  if (count > 8) refused += "; and " + std::to_string(count - 8) + " more";
  throw Error(Status::unsupported, "the repair would lose " + refused + "; use --lossy to omit " +
                                       (count == 1 ? "it" : "them"))
      .detail("mesh.lossy")
      .path(path);
}

/// The mesh in the form that the value had, with the attributes that say how its file was written.
polycodec_node in_form_of(const View& before, MeshValue& value, Losses& losses) {
  if (mesh::is_elements(before)) {
    polycodec_node made = mesh::to_elements(value.mesh, value.out, losses);
    std::vector<Member> attributes;
    if (const polycodec_node* own = before.metadata())
      for (const char* name : {"format", "line_ending", "types", "comments"})
        if (const auto found = View(own).find(name)) attributes.push_back({name, *found->node()});
    return value.out.annotated(made, value.out.object(std::span<const Member>(attributes)));
  }
  if (mesh::is_statements(before)) return mesh::to_statements(value.mesh, value.out, losses);
  return mesh::to_value(value.mesh, value.out);
}

std::string changes_text(const std::vector<Change>& changes) {
  std::string text;
  for (const Change& change : changes) {
    if (change.count == 0) continue;
    text += "\n  " + std::string(change.operation) + ": " + std::to_string(change.count) + " " +
            std::string(change.text);
    for (const std::string& example : change.examples) text += "\n      " + example;
    if (change.count > change.examples.size() && !change.examples.empty()) text += "\n      ...";
  }
  return text.empty() ? "\n  nothing had to be changed" : text;
}

Json changes_json(const std::vector<Change>& changes) {
  Json list = Json::list();
  for (const Change& change : changes) {
    Json examples = Json::list();
    for (const std::string& example : change.examples) examples.push_back(example);
    list.push_back({{"operation", change.operation},
                    {"text", change.text},
                    {"count", change.count},
                    {"examples", std::move(examples)}});
  }
  return list;
}

int run_repair(Context& context, const RepairWish& wish) {
  const Repairs wanted = repairs_of(wish);
  const Source source = context.open_input(wish.file);
  const Read decoded = context.read(source);
  const auto mesh = read_as_mesh(context, source, decoded);
  const NodeView root = (mesh ? mesh->value : decoded.value).view();
  HostMeter meter(root, context.limits());
  MeshValue value(root, context.limits(), meter, false);
  Losses losses = value.losses;
  if (mesh)
    for (const Loss& loss : mesh->losses) losses.add(loss);
  const std::vector<Change> changes = repair(value.mesh, wanted, value.points, value.out, meter);
  const polycodec_node made = in_form_of(View(root), value, losses);
  settle(context, losses);
  const std::string& output = context.options.output;
  const std::string format = context.output_format(output, NodeView(&made));
  const std::uint64_t bytes = context.encode_to(NodeView(&made), format, output);
  const Json object{{"ok", true},
                    {"in", {{"file", wish.file}, {"codec", std::string(decoded.codec_name())}}},
                    {"out", {{"file", output}, {"codec", format}, {"bytes", bytes}}},
                    {"changes", changes_json(changes)}};
  if (context.options.json)
    context.print_json(object, output == "-");
  else
    context.note(wish.file + " -> " + output + changes_text(changes));
  return exit_done;
}

}  // namespace

void describe_mesh_repair(Command& command, Context& context) {
  command.help = "Change a mesh as the options ask for, and report each change";
  auto wish = std::make_shared<RepairWish>();
  command.add("FILE", &wish->file, "The file; - is standard input").required();
  command.add("--merge", &wish->merge, "Make equal positions with equal attributes one");
  command.add("--merge-within DISTANCE", &wish->merge_within,
              "The same for positions within this distance");
  command.add("--drop LIST", &wish->drop,
              "Leave out degenerate, unreferenced, duplicate-faces (with commas)");
  command.add("--orient", &wish->repairs.orient,
              "Turn faces so that neighbors agree and closed shells look outward");
  command.add("--triangulate", &wish->repairs.triangulate, "Make triangles of all faces");
  command
      .add("--normals WEIGHT", &wish->normals,
           "Make normals from the faces around, weighted by area or angle")
      .one_of({"area", "angle"});
  command.add("--split-seams", &wish->repairs.split_seams,
              "Repeat positions so that each has one normal and one texture coordinate");
  context.add_input_options(command);
  context.add_output_options(command, "The repaired mesh; - is standard output");
  command.options.back().required();
  context.add_loss_option(command);
  context.add_sync_option(command);
  context.add_common_options(command);
  command.run = [&context, wish] { return run_repair(context, *wish); };
}

}  // namespace polycodec::cli
