// SPDX-License-Identifier: MIT
// `polycodec mesh`: counts, bounds and wrong indices of a mesh; its checks and repairs.
#include "common/program.hpp"
#include "common/terminal.hpp"
#include "mesh_commands.hpp"
#include "mesh_file.hpp"
#include "mesh_report.hpp"

#include <array>
#include <cstdio>
#include <memory>

namespace polycodec::cli {
namespace {

std::string triple(const std::array<double, 3>& v) {
  char text[120];
  std::snprintf(text, sizeof text, "%.6g %.6g %.6g", v[0], v[1], v[2]);
  return text;
}

std::string mesh_text(const MeshReport& mesh) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, count] : mesh.counts) rows.push_back({name, std::to_string(count), ""});
  std::string text = styled(Style::bold, "Mesh") + "\n" + text_table(rows);
  if (mesh.bounds)
    text +=
        "  bounds  " + triple(mesh.bounds->least) + "  to  " + triple(mesh.bounds->greatest) + "\n";
  std::string sizes;
  std::size_t shown = 0;
  for (const auto& [corners, faces] : mesh.face_sizes) {
    if (++shown > 12) break;
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(faces) + " x " + std::to_string(corners);
  }
  if (!sizes.empty()) text += "  faces x corners  " + sizes + (shown > 12 ? ", ..." : "") + "\n";
  char area[60];
  std::snprintf(area, sizeof area, "  area  %.6g\n", mesh.area.value_or(0));
  if (mesh.area) text += area;
  if (mesh.degenerate_faces != 0)
    text += "  " +
            styled(Style::bad,
                   std::to_string(mesh.degenerate_faces) + " faces of fewer than 3 corners") +
            "\n";
  if (mesh.problems.count == 0) return text + "  indices  all in range\n";
  text += "  " + styled(Style::bad, std::to_string(mesh.problems.count) + " indices out of range") +
          "\n";
  for (const std::string& problem : mesh.problems.shown) text += "    " + problem + "\n";
  return text;
}

Json mesh_json(const MeshReport& mesh) {
  Json object{{"counts", Json::object()}, {"face_sizes", Json::object()}};
  for (const auto& [name, count] : mesh.counts) object["counts"][name] = count;
  for (const auto& [corners, faces] : mesh.face_sizes)
    object["face_sizes"][std::to_string(corners)] = faces;
  if (mesh.bounds)
    object["bounds"] = Json{{"least", mesh.bounds->least}, {"greatest", mesh.bounds->greatest}};
  if (mesh.area) object["area"] = *mesh.area;
  object["index_problems"] = Json{{"count", mesh.problems.count}, {"first", mesh.problems.shown}};
  return object;
}

int run_mesh(const Run& run, const std::string& file) {
  const Input input = run.open_input(file);
  const Read decoded = run.read(input);
  const auto read = read_as_mesh(run, input, decoded);
  Meter meter(decoded.budget);
  const MeshReport mesh = report_mesh((read ? read->value : decoded.value).view(),
                                      run.limits().max_memory_bytes, meter);
  const std::string& codec = decoded.codec_name();
  run.out.print_result(
      Json{{"file", file}, {"codec", codec}, {"mesh", mesh_json(mesh)}},
      styled(Style::bold, file) + ": " + styled(Style::name, codec) + "\n" + mesh_text(mesh));
  return exit_done;
}

void describe_report(Command& command, CommonOptions& options) {
  auto file = std::make_shared<std::string>();
  command.add("FILE", file.get(), "The file; - is standard input").required();
  add_input_options(command, options);
  add_common_options(command, options);
  command.run = [file](const Run& run) { return run_mesh(run, *file); };
}

/// `polycodec mesh FILE` is the report; a file called `check` is `./check`.
void define(Command& program, CommonOptions& options, std::string_view only) {
  program.example = "polycodec mesh scan.ply";
  const bool names_command = only == "check" || only == "repair";
  if (!names_command) describe_report(program, options);
  if (only.empty() || only == "check")
    describe_mesh_check(program.add_command("check", {}), options);
  if (only.empty() || only == "repair")
    describe_mesh_repair(program.add_command("repair", {}), options);
}

}  // namespace
}  // namespace polycodec::cli

int main(int argc, char** argv) {
  return polycodec::cli::run_program("polycodec mesh", "Describe, check and repair meshes", argc,
                                     argv, polycodec::cli::define);
}
