// SPDX-License-Identifier: MIT
// `polycodec view`: a file as one page for a browser.
#include <base/quote.hpp>
#include <model/type/print.hpp>
#include <polycodec/text.hpp>

#include "core/convert/infer.hpp"
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
#include "tools/common/program.hpp"
#include "tools/common/terminal.hpp"
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

std::string address_text(Context& context, const Read& decoded, Address kind) {
  try {
    return context.registry().address(decoded.value.view(), kind, context.call_options());
  } catch (const Error& error) {
    if (error.code() == Status::cancelled) throw;
    return "none: " + error.message();
  }
}

/// True if the codec can read the materials of a mesh from the files beside it, and nobody has said
/// how the file is to be read.
bool may_have_materials(Context& context, const Read& decoded) {
  if (decoded.codec == nullptr || !context.options.from_options.empty() ||
      decoded.by == ChosenBy::header)
    return false;
  const NodeView schema = decoded.codec->options_schema;
  if (!schema.is_object()) return false;
  const auto properties = schema.find("properties");
  return properties && properties->is_object() && properties->find("materials").has_value();
}

/// What is known of the file before its value is looked at.
Json header_json(Context& context, const Choices& choices, const Source& source,
                 const Read& decoded, const std::string& chosen) {
  Json object = Json::object();
  object["file"] = choices.title;
  object["codec"] = decoded.codec_name();
  object["chosen"] = chosen;
  object["bytes"] = source.has_bytes() ? Json(source.bytes().size()) : Json();
  object["partial"] = decoded.value.is_partial();
  object["type"] =
      page::cut(type::print(infer_type(decoded.value.view(), context.limits())), type_bytes);
  Json addresses = Json::object();
  addresses["exact"] = address_text(context, decoded, Address::exact);
  addresses["logical"] = address_text(context, decoded, Address::logical);
  object["addresses"] = std::move(addresses);
  if (!decoded.options.empty()) object["options"] = decoded.options;
  if (!decoded.filters.empty()) object["filters"] = decoded.filters;
  object["program"] = "polycodec " + version_text();
  return object;
}

/// A picture for browsers without WebGL. It is smaller where a large one would take too much work.
Json picture_json(NodeView root, bool is_y_up, Context& context, std::vector<std::string>& notes) {
  std::string problem;
  for (const std::size_t scale : {4u, 2u, 1u}) {
    try {
      HostMeter meter(root, context.limits(), make_budget(context.limits(), &interrupted()));
      const Scene scene = scene_of(root, context.limits(), meter);
      Camera camera;
      if (is_y_up) camera.up = Up::y;
      return Json("data:image/png;base64," +
                  page::to_base64(to_png(draw(scene, camera, 180 * scale, 120 * scale, meter))));
    } catch (const Error& error) {
      if (error.code() == Status::cancelled) throw;
      problem = error.message();
      if (error.code() != Status::limit) break;
    }
  }
  notes.push_back("there is no picture for browsers without WebGL: " + problem);
  return {};
}

/// The mesh of the page; null if the value is none. `most` are the bytes that the page has left.
Json mesh_json(const Source& source, const Read& decoded, const Choices& choices,
               std::uint64_t most, Context& context, std::vector<std::string>& notes) {
  std::optional<MeshRead> read;
  std::optional<page::Parts> parts;
  try {
    read = read_as_mesh(context, source, decoded);
    const NodeView root = (read ? read->value : decoded.value).view();
    HostMeter meter(root, context.limits());
    parts = page::parts_of(root, context.limits(), meter);
  } catch (const Error& error) {
    if (error.code() == Status::cancelled || error.code() == Status::memory) throw;
    // Other values may have members with the names of a mesh.
    notes.push_back("the value is not drawn: " + error.message() +
                    (error.path().empty() ? "" : " at " + error.path()));
    return {};
  }
  if (!parts) return {};
  parts->is_y_up = is_usually_y_up(decoded);
  if (read)
    for (const Loss& loss : read->losses)
      if (loss.loss_class != LossClass::note && loss.path != "$.materials" &&
          loss.path != "$.images" && loss.path != "$.textures")
        parts->notes.push_back("not drawn: " + loss.path + ": " + loss.what);
  page::Materials materials = page::materials_of(View(decoded.value.view()), parts->texture_files,
                                                 choices.file, context.limits(), most / 2, notes);
  for (const Json* part : {&materials.list, &materials.images})
    most -= std::min<std::uint64_t>(most, part->text(json_compact).size());
  const std::uint64_t vertices = parts->positions.size() / 3,
                      triangles = parts->triangles.size() / 3;
  // Numbers take at most four characters for three bytes, and less where they can be compressed.
  Json object;
  for (std::uint64_t room = std::max<std::uint64_t>(most, 65536) * 2;; room = room * 2 / 3) {
    page::decimate(*parts, room);
    object = page::to_json(*parts);
    if (object.text(json_compact).size() <= most || room < 4096) break;
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
  object["picture"] =
      picture_json((read ? read->value : decoded.value).view(), parts->is_y_up, context, notes);
  return object;
}

std::string page_of(Context& context, const Choices& choices) {
  const Source source = context.open_input(choices.file);
  Read decoded = context.read(source);
  const std::string chosen = std::string(chosen_by_name(decoded.by)) + ": " + decoded.reason;
  if (may_have_materials(context, decoded)) {
    context.options.from = decoded.codec_name();
    context.options.from_options = R"({"materials": true})";
    decoded = context.read(source);
  }
  const NodeView root = decoded.value.view();
  const Activity activity("Drawing", !context.options.quiet);
  std::vector<std::string> notes;
  if (decoded.value.is_partial()) notes.push_back("a part of the file was read");
  Json data = header_json(context, choices, source, decoded, chosen);
  data["outline"] = page::outline(root, context.limits());
  data["figures"] = page::figures(root, source.bytes());
  const std::uint64_t whole = choices.most * mebibyte;
  data["mesh"] = mesh_json(source, decoded, choices, whole > frame_bytes ? whole - frame_bytes : 0,
                           context, notes);
  data["notes"] = Json(notes);
  data["losses"] = Json::list();
  for (const Loss& loss : context.report_losses()) data["losses"].push_back(describe(loss));
  std::string text = page::document(choices.title + " - polycodec", data.text(json_compact));
  if (text.size() > whole)
    throw Error(Status::limit, "page size " + std::to_string(text.size()) +
                                   " exceeds --max-size (" + std::to_string(whole) + ")");
  return text;
}

int run_view(Context& context, Choices& choices) {
  if (choices.title.empty())
    choices.title = choices.file == "-" ? std::string("standard input")
                                        : std::filesystem::path(choices.file).filename().string();
  const std::string text = page_of(context, choices);
  if (!context.options.output.empty()) {
    context.write_output(text, context.options.output);
    return exit_done;
  }
  const std::string path = page::write_private(text);
  context.print(path);
  if (!choices.no_open) page::open_in_browser(path);
  return exit_done;
}

void define(Command& command, Context& context, std::string_view) {
  command.example = "polycodec view scan.ply -o page.html";
  auto choices = std::make_shared<Choices>();
  command.add("FILE", &choices->file, "The file; - is standard input").required();
  command.add("-o,--output PAGE", &context.options.output,
              "The page; - is standard output (default: a private file, which a browser shows)");
  command.add("--max-size MIB", &choices->most, "Most MiB of the page; larger meshes are decimated")
      .range(1, 1024)
      .show_default();
  command.add("--title TEXT", &choices->title, "The title of the page (default: the file's name)");
  command.add("--no-open", &choices->no_open, "Print the path of the page, show no browser");
  context.add_projection_options(command);
  context.add_input_options(command);
  context.add_registry_options(command);
  command.run = [&context, choices] { return run_view(context, *choices); };
}

}  // namespace
}  // namespace polycodec::cli

int main(int argc, char** argv) {
  return polycodec::cli::run_program("polycodec view", "Make one page for a browser of any file",
                                     argc, argv, polycodec::cli::define);
}
