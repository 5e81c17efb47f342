// SPDX-License-Identifier: MIT
// `polycodec mesh repair`: changes a mesh as it was asked to, and says what changed.
#include "common/terminal.hpp"
#include "mesh_commands.hpp"
#include "mesh_file.hpp"
#include "mesh_value.hpp"
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
void settle(const Run& run, const std::vector<Loss>& losses) {
  std::vector<Loss> none;
  const std::uint32_t allowed = run.call(none).losses;
  std::string refused;
  std::size_t count = 0;
  std::string path;
  for (const Loss& loss : losses) {
    if ((allowed & POLYCODEC_LOSSES_OF(static_cast<std::uint32_t>(loss.loss_class))) != 0) continue;
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
Node in_form_of(const View& before, MeshValue& value, Builder& out) {
  const MeshForm form = mesh_form(before);
  const auto on_loss = [&value](LossClass of, std::string_view path, std::string_view what) {
    value.losses.push_back({std::string(path), std::string(what), of});
  };
  const Node made = make_mesh(value.mesh, form, on_loss, out);
  if (form != MeshForm::elements) return made;
  std::vector<Member> attributes;
  if (const polycodec_node* own = before.metadata())
    for (const char* name : {"format", "line_ending", "types", "comments"})
      if (const auto found = View(own).find(name)) attributes.push_back({name, *found->node()});
  return out.annotated(made, out.object(std::span<const Member>(attributes)));
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
  Json list = Json::array();
  for (const Change& change : changes) {
    Json examples = Json::array();
    for (const std::string& example : change.examples) examples.push_back(example);
    list.push_back({{"operation", change.operation},
                    {"text", change.text},
                    {"count", change.count},
                    {"examples", std::move(examples)}});
  }
  return list;
}

int run_repair(const Run& run, const RepairWish& wish) {
  const Repairs wanted = repairs_of(wish);
  const Input input = run.open_input(wish.file);
  const Read decoded = run.read(input);
  const auto mesh = read_as_mesh(run, input, decoded);
  const Value& before = mesh ? mesh->value : decoded.value;
  const std::uint64_t max_memory = run.limits().max_memory_bytes;
  Meter meter(decoded.budget);
  std::vector<Change> changes;
  std::vector<Loss> losses;
  const Value made = Value::build(
      [&](Builder& out) {
        MeshValue value(before.view(), out, meter, false);
        value.expect_positions();
        if (mesh) value.losses.insert(value.losses.end(), mesh->losses.begin(), mesh->losses.end());
        changes = repair(value.mesh, wanted, value.points, out, meter);
        const Node root = in_form_of(before.view(), value, out);
        losses = std::move(value.losses);
        return root;
      },
      {before}, max_memory);
  settle(run, losses);
  const std::string& output = run.options.output;
  const Written written = run.write(made, output, decoded.budget);
  const Json object{{"ok", true},
                    {"in", {{"file", wish.file}, {"codec", decoded.codec_name()}}},
                    {"out", {{"file", output}, {"codec", written.codec}, {"bytes", written.bytes}}},
                    {"changes", changes_json(changes)}};
  if (run.out.is_json())
    run.out.print_json(object, output == "-");
  else
    run.out.note(wish.file + " -> " + output + changes_text(changes));
  run.out.note_losses(losses);
  return exit_done;
}

}  // namespace

void describe_mesh_repair(Command& command, CommonOptions& options) {
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
  add_input_options(command, options);
  add_output_options(command, options, "The repaired mesh; - is standard output");
  command.options.back().required();
  add_loss_option(command, options);
  add_sync_option(command, options);
  add_common_options(command, options);
  command.run = [wish](const Run& run) { return run_repair(run, *wish); };
}

}  // namespace polycodec::cli
