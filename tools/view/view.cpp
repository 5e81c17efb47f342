// SPDX-License-Identifier: MIT
// `polycodec view`: a file as one page for a browser.
#include "assets.hpp"
#include "common/program.hpp"
#include "common/terminal.hpp"
#include "mesh_file.hpp"
#include "page/blob.hpp"
#include "page/document.hpp"
#include "page/figures.hpp"
#include "page/materials.hpp"
#include "page/mesh_parts.hpp"
#include "page/outline.hpp"
#include "page/place.hpp"
#include "page/table.hpp"
#include "png.hpp"
#include "raster.hpp"
#include "scene.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

namespace polycodec::cli {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t frame_bytes = 2 * mebibyte;  // of a page, beside a mesh and its textures
constexpr std::size_t type_bytes = 4000;

struct Choices {
  std::string file, title;
  std::uint64_t most = 50;  // MiB
  bool no_open = false;
};

std::string address_text(const Run& run, const Value& value, Address kind) {
  try {
    return run.registry().address(value, kind);
  } catch (const Error& error) {
    if (error.code() == Status::cancelled) throw;
    return "none: " + error.message();
  }
}

std::string chosen_text(const Match& match) {
  return std::string(chosen_by_name(match.by)) + ": " + match.reason;
}

/// True if the codec can read the materials of a mesh from the files beside it, and nobody has said
/// how the file is to be read.
bool may_have_materials(const Run& run, const Read& decoded) {
  return run.options.from_options.empty() && decoded.match.by != ChosenBy::header &&
         reads_materials(run, decoded.codec_name());
}

/// What is known of the file before its value is looked at.
Json header_json(const Run& run, const Choices& choices, const Input& input, const Read& decoded,
                 const Match& match) {
  Json object = Json::object();
  object["file"] = choices.title;
  object["codec"] = decoded.codec_name();
  object["chosen"] = chosen_text(match);
  object["bytes"] =
      std::filesystem::is_directory(choices.file) ? Json() : Json(input.bytes().size());
  object["partial"] = decoded.value.is_partial();
  object["type"] = page::cut(decoded.value.type(), type_bytes);
  Json addresses = Json::object();
  addresses["exact"] = address_text(run, decoded.value, Address::exact);
  addresses["logical"] = address_text(run, decoded.value, Address::logical);
  object["addresses"] = std::move(addresses);
  if (match.by == ChosenBy::header) {
    const Value candidates = run.registry().candidates(input.source);
    for (const View candidate : candidates.view())
      for (const char* name : {"options", "filters"})
        if (const auto text = candidate.find(name)) object[name] = text->as_string();
  }
  object["program"] = "polycodec " + version_text();
  return object;
}

/// A picture of `triangles` for browsers without WebGL. It is smaller where a large one would take
/// too much work.
Json picture_json(const Run& run, const Value& value, bool is_y_up, std::uint64_t triangles,
                  std::vector<std::string>& notes) {
  // A million triangles that are small in the picture take less.
  Limits limits;
  limits.max_work =
      std::min(run.limits().max_work, (std::uint64_t{1} << 26) + std::uint64_t{256} * triangles);
  std::string problem;
  for (const std::size_t scale : {4u, 2u, 1u}) {
    try {
      Meter meter(Budget(run.registry(), limits, cancel_flag()));
      const Scene scene = scene_of(value.view(), run.limits().max_memory_bytes, meter);
      Camera camera;
      if (is_y_up) camera.up = Up::y;
      return "data:image/png;base64," +
             page::to_base64(to_png(draw(scene, camera, 180 * scale, 120 * scale, meter)));
    } catch (const Error& error) {
      if (error.code() == Status::cancelled) throw;
      problem = error.detail() == "limit.max_work"
                    ? "its " + std::to_string(triangles) +
                          " triangles take too much work; make one with polycodec render"
                    : error.message();
      if (error.code() != Status::limit) break;
    }
  }
  notes.push_back("there is no picture for browsers without WebGL: " + problem);
  return {};
}

/// The mesh of the page; null if the value is none. `input` (or null) may be read again for it.
/// `most` are the bytes that the page has left.
Json mesh_json(const Run& run, const Input* input, const Read& decoded, const Choices& choices,
               std::uint64_t most, std::vector<std::string>& notes) {
  std::optional<MeshRead> mesh;
  Value value = decoded.value;
  std::optional<page::Parts> parts;
  try {
    if (input != nullptr) mesh = read_as_mesh(run, *input, decoded);
    if (mesh) value = mesh->value;
    Meter meter(decoded.budget);
    parts = page::parts_of(value.view(), run.limits().max_memory_bytes, meter);
  } catch (const Error& error) {
    if (error.code() == Status::cancelled || error.code() == Status::memory) throw;
    // Other values may have members with the names of a mesh.
    notes.push_back("the value is not drawn: " + error.message() +
                    (error.path().empty() ? "" : " at " + error.path()));
    return {};
  }
  if (!parts) return {};
  parts->is_y_up = is_usually_y_up(decoded);
  if (mesh)
    for (const Loss& loss : mesh->losses)
      if (loss.loss_class != LossClass::note && loss.path != "$.materials" &&
          loss.path != "$.images" && loss.path != "$.textures")
        parts->notes.push_back("not drawn: " + loss.path + ": " + loss.what);
  const Companions companions(run, choices.file);
  page::Materials materials = page::materials_of(parts->materials, companions, most / 2, notes);
  for (const Json* part : {&materials.list, &materials.images})
    most -= std::min<std::uint64_t>(most, text_of(*part).size());
  const std::uint64_t vertices = parts->positions.size() / 3,
                      triangles = parts->triangles.size() / 3;
  // Numbers take at most four characters for three bytes, and less where they can be compressed.
  Json object;
  for (std::uint64_t room = std::max<std::uint64_t>(most, 65536) * 2;; room = room * 2 / 3) {
    page::decimate(*parts, room);
    object = page::to_json(*parts);
    if (text_of(object).size() <= most || room < 4096) break;
  }
  if (vertices != parts->positions.size() / 3 || triangles != parts->triangles.size() / 3) {
    object["decimated"] = true;
    notes.insert(notes.begin(), "decimated: " + std::to_string(parts->triangles.size() / 3) +
                                    " of " + std::to_string(triangles) + " triangles and " +
                                    std::to_string(parts->positions.size() / 3) + " of " +
                                    std::to_string(vertices) +
                                    " vertices are drawn, because the page may have " +
                                    std::to_string(choices.most) + " MiB (--max-size)");
  }
  notes.insert(notes.end(), parts->notes.begin(), parts->notes.end());
  object["materials"] = std::move(materials.list);
  object["images"] = std::move(materials.images);
  object["picture"] = picture_json(run, value, parts->is_y_up, triangles, notes);
  return object;
}

std::string page_of(const Run& run, const Choices& choices) {
  const Input input = run.open_input(choices.file);
  Read decoded = run.read(input);
  const Match match = decoded.match;
  const bool has_materials = may_have_materials(run, decoded);
  if (has_materials) {
    Format from = run.from();
    from.codec = decoded.codec_name();
    from.options = with_materials;
    decoded = run.read(input, from);
  }
  const Activity activity("Drawing", !run.out.is_quiet());
  std::vector<std::string> notes;
  if (decoded.value.is_partial()) notes.push_back("a part of the file was read");
  Json data;
  decoded.budget.walk([&] {
    data = header_json(run, choices, input, decoded, match);
    data["outline"] = page::outline(decoded.value, decoded.budget);
  });
  data["figures"] = page::figures(decoded.root(), input.bytes(), run.options.threads);
  const std::uint64_t whole = choices.most * mebibyte;
  data["mesh"] = mesh_json(run, has_materials ? nullptr : &input, decoded, choices,
                           whole > frame_bytes ? whole - frame_bytes : 0, notes);
  data["notes"] = notes;
  data["losses"] = Json::array();
  for (const Loss& loss : decoded.losses) data["losses"].push_back(describe(loss));
  std::string text = page::document(choices.title + " - polycodec", text_of(data));
  if (text.size() > whole)
    throw Error(Status::limit, "page size " + std::to_string(text.size()) +
                                   " exceeds --max-size (" + std::to_string(whole) + ")");
  return text;
}

int run_view(const Run& run, Choices& choices) {
  if (choices.title.empty())
    choices.title = choices.file == "-" ? std::string("standard input")
                                        : std::filesystem::path(choices.file).filename().string();
  const std::string text = page_of(run, choices);
  if (!run.options.output.empty()) {
    run.write_output(text, run.options.output);
    return exit_done;
  }
  const std::string path = page::write_private(text);
  run.out.print(path);
  if (!choices.no_open) page::open_in_browser(path);
  return exit_done;
}

void define(Command& command, CommonOptions& options, std::string_view) {
  command.example = "polycodec view scan.ply -o page.html";
  auto choices = std::make_shared<Choices>();
  command.add("FILE", &choices->file, "The file; - is standard input").required();
  command.add("-o,--output PAGE", &options.output,
              "The page; - is standard output (default: a private file, which a browser shows)");
  command.add("--max-size MIB", &choices->most, "Most MiB of the page; larger meshes are decimated")
      .range(1, 1024)
      .show_default();
  command.add("--title TEXT", &choices->title, "The title of the page (default: the file's name)");
  command.add("--no-open", &choices->no_open, "Print the path of the page, show no browser");
  add_projection_options(command, options);
  add_input_options(command, options);
  add_registry_options(command, options);
  command.run = [choices](const Run& run) { return run_view(run, *choices); };
}

}  // namespace
}  // namespace polycodec::cli

int main(int argc, char** argv) {
  return polycodec::cli::run_program("polycodec view", "Make one page for a browser of any file",
                                     argc, argv, polycodec::cli::define);
}
