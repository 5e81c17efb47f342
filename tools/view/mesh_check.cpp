// SPDX-License-Identifier: MIT
// `polycodec mesh check`: what is wrong with a mesh.
#include "assets.hpp"
#include "common/terminal.hpp"
#include "mesh_commands.hpp"
#include "mesh_file.hpp"
#include "mesh_value.hpp"
#include "surface/check.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace polycodec::cli {
namespace {

/// Files and materials that are named and are not there.
void add_missing(std::vector<Finding>& findings, const Mesh& m, const View& root,
                 const std::vector<NamedFile>& files,
                 const std::map<std::string, std::string>& textures) {
  Finding missing{"missing_files", true, 0, "files that are named and cannot be read"};
  const auto add = [](Finding& finding, const std::string& example) {
    if (finding.count++ < Finding::most_examples) finding.examples.push_back(example);
  };
  bool libraries = root.find("materials").has_value();
  for (const NamedFile& file : files) {
    if (file.problem.empty()) continue;
    add(missing, std::string(file.kind) + " '" + file.name + "': " + file.problem);
    if (file.kind == "material library") libraries = false;
  }
  Finding unknown{"missing_materials", true, 0, "materials that no library has"};
  if (libraries && !m.material_libraries.empty())
    for (const std::string_view word : m.materials)
      if (const std::string name(word); !textures.contains(name)) add(unknown, "'" + name + "'");
  for (Finding* finding : {&missing, &unknown})
    if (finding->count != 0) findings.push_back(std::move(*finding));
}

std::string check_text(const MeshCheck& check) {
  std::string text;
  for (const bool problems : {true, false}) {
    for (const Finding& finding : check.findings) {
      if (finding.is_problem != problems) continue;
      text += "  " + styled(problems ? Style::bad : Style::dim, problems ? "problem" : "note   ") +
              "  " + std::to_string(finding.count) + " " + std::string(finding.text) + "\n";
      for (const std::string& example : finding.examples) text += "             " + example + "\n";
      if (finding.count > finding.examples.size() && !finding.examples.empty())
        text += "             ...\n";
    }
  }
  return text;
}

Json check_json(const MeshCheck& check) {
  Json findings = Json::array();
  for (const Finding& finding : check.findings) {
    Json examples = Json::array();
    for (const std::string& example : finding.examples) examples.push_back(example);
    findings.push_back({{"name", finding.name},
                        {"severity", finding.is_problem ? "problem" : "note"},
                        {"count", finding.count},
                        {"text", finding.text},
                        {"examples", std::move(examples)}});
  }
  return findings;
}

int run_check(const Run& run, const std::string& file) {
  const Input input = run.open_input(file);
  const Read decoded = read_with_materials(run, input, file);
  const auto mesh = read_as_mesh(run, input, decoded);
  const View root = (mesh ? mesh->value : decoded.value).view();
  const Activity activity("Checking " + file, !run.out.is_quiet());
  Meter meter(decoded.budget);
  Draft scratch(run.limits().max_memory_bytes);
  const MeshValue value(root, scratch.out(), meter, true);
  value.expect_positions();
  MeshCheck check = check_mesh(value.mesh, value.problems, value.points, meter);
  const auto textures = textures_of(root);
  const Companions companions(run, file);
  add_missing(check.findings, value.mesh, root, named_files(value.mesh, textures, companions),
              textures);

  const std::string& codec = decoded.codec_name();
  const bool clean = check.is_clean();
  const Json shells{{"count", check.shells}, {"closed", check.closed_shells}};
  run.out.print_result(Json{{"ok", clean},
                            {"file", file},
                            {"codec", codec},
                            {"shells", shells},
                            {"findings", check_json(check)}},
                       styled(Style::bold, file) + ": " + styled(Style::name, codec) + ", " +
                           std::to_string(value.mesh.face_count()) + " faces in " +
                           std::to_string(check.shells) + " shells (" +
                           std::to_string(check.closed_shells) + " closed)\n" + check_text(check) +
                           (clean ? styled(Style::good, "  no problems") + "\n" : ""));
  return clean ? exit_done : exit_refused;
}

}  // namespace

void describe_mesh_check(Command& command, CommonOptions& options) {
  command.help = "List what is wrong with a mesh; exit status 1 if there are problems";
  auto file = std::make_shared<std::string>();
  command.add("FILE", file.get(), "The file; - is standard input").required();
  add_input_options(command, options);
  add_common_options(command, options);
  command.run = [file](const Run& run) { return run_check(run, *file); };
}

}  // namespace polycodec::cli
