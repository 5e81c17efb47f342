// SPDX-License-Identifier: MIT
// `polycodec render`: a picture of a mesh or a point cloud.
#include <base/quote.hpp>

#include "assets.hpp"
#include "mesh_file.hpp"
#include "png.hpp"
#include "raster.hpp"
#include "registry/cli/program.hpp"
#include "registry/cli/terminal.hpp"
#include "scene.hpp"
#include "textures.hpp"

#include <cmath>
#include <memory>
#include <optional>

namespace polycodec::cli {
namespace {

struct Choices {
  std::string file;
  std::size_t width = 1024;
  std::size_t height = 768;
  Camera camera;
  std::string up;
  bool y_up = false;
};

Up up_of(const Choices& choices, const Read& decoded) {
  constexpr std::string_view names[] = {"x", "y", "z", "-x", "-y", "-z"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (choices.up == names[i]) return static_cast<Up>(i);
  return choices.y_up || is_usually_y_up(decoded) ? Up::y : Up::z;
}

/// Colors and textures of the materials; a texture that cannot be read is a note.
class Dresser {
 public:
  Dresser(Context& context, const std::string& file, HostMeter& meter)
      : context_(context), companions_(file, context.limits()), meter_(meter) {}

  void dress(Scene& scene, const std::map<std::string, MaterialWords>& known) {
    for (Material& material : scene.materials) {
      const auto words = known.find(material.name);
      if (words == known.end()) continue;
      for (std::size_t i = 0; i < 3; ++i)
        material.color[i] = static_cast<std::uint8_t>(std::lround(255 * words->second.diffuse[i]));
      material.opacity = words->second.opacity;
      material.texture = texture(scene, words->second.texture);
    }
    if (!scene.materials.empty() || scene.texture_files.empty()) return;
    const std::int32_t only = texture(scene, scene.texture_files.front());
    if (only < 0) return;
    scene.materials.push_back({"", {184, 184, 184}, 1, only});
    scene.triangle_materials.assign(scene.triangles.size(), 0);
  }

 private:
  std::int32_t texture(Scene& scene, const std::string& name) {
    if (name.empty() || scene.triangle_texcoords.empty()) return -1;
    const auto [known, added] = known_.emplace(name, -1);
    if (!added) return known->second;
    try {
      scene.textures.push_back(read_texture(companions_.read(name), meter_));
      known->second = static_cast<std::int32_t>(scene.textures.size() - 1);
    } catch (const Error& error) {
      if (error.code() == Status::cancelled || error.code() == Status::memory) throw;
      context_.note("no texture " + quote(name) + ": " + error.message());
    }
    return known->second;
  }

  Context& context_;
  const Companions companions_;
  HostMeter& meter_;
  std::map<std::string, std::int32_t> known_;
};

/// Why nothing is in the picture.
std::string empty_reason(const Scene& scene, const Drawn& drawn) {
  const std::size_t parts = scene.triangles.size() + scene.lines.size() + scene.points.size();
  if (drawn.left_out == parts) return "no position that is drawn is finite";
  if (drawn.left_out + drawn.edge_on == parts)
    return "no triangle has an area when it is seen from here; choose another --yaw, --pitch or "
           "--up";
  return "all materials are transparent, or all triangles are too small";
}

int run_render(Context& context, const Choices& choices) {
  EndsAtOnce nothing_begun;
  const Source source = context.open_input(choices.file);
  const Read decoded = read_with_materials(context, source, choices.file);
  const auto mesh = read_as_mesh(context, source, decoded);
  const Activity activity("Drawing " + choices.file, !context.options.quiet);
  const NodeView root = (mesh ? mesh->value : decoded.value).view();
  HostMeter meter(root, context.limits());
  Scene scene = scene_of(root, context.limits(), meter);
  Dresser(context, choices.file, meter).dress(scene, materials_of(View(decoded.value.view())));
  Camera camera = choices.camera;
  camera.up = up_of(choices, decoded);
  Drawn drawn;
  const Image image = draw(scene, camera, choices.width, choices.height, meter, &drawn);
  const std::string png = to_png(image, &meter);
  nothing_begun.end();
  context.write_output(png, context.options.output);
  if (drawn.samples == 0)
    context.note(styled(Style::warning, "warning:", true) +
                 " the picture is empty: " + empty_reason(scene, drawn));
  if (context.options.output != "-")
    context.note(choices.file + " (" + std::to_string(scene.positions.size()) + " positions, " +
                 std::to_string(scene.triangles.size()) + " triangles, " +
                 std::to_string(scene.lines.size()) + " lines, " +
                 std::to_string(scene.points.size()) + " points) -> " + context.options.output);
  return exit_done;
}

void define(Command& command, Context& context, std::string_view) {
  command.example = "polycodec render scan.ply -o scan.png";
  auto choices = std::make_shared<Choices>();
  command.add("FILE", &choices->file, "The file; - is standard input").required();
  command.add("--width", &choices->width, "Pixels").range(1, 8192).show_default();
  command.add("--height", &choices->height, "Pixels").range(1, 8192).show_default();
  command.add("--yaw", &choices->camera.yaw, "Degrees around the axis that is up").show_default();
  command.add("--pitch", &choices->camera.pitch, "Degrees from above").show_default();
  command
      .add("--up AXIS", &choices->up,
           "The axis that points up (default: y for OBJ and glTF, z for all others)")
      .one_of({"x", "y", "z", "-x", "-y", "-z"});
  command.add("--y-up", &choices->y_up, "The same as --up y");
  context.add_input_options(command);
  context.add_registry_options(command);
  command.add("-o,--output OUT", &context.options.output, "The image; - is standard output")
      .required();
  command.run = [&context, choices] { return run_render(context, *choices); };
}

}  // namespace
}  // namespace polycodec::cli

int main(int argc, char** argv) {
  return polycodec::cli::run_program("polycodec render",
                                     "Draw a mesh or a point cloud as a PNG image", argc, argv,
                                     polycodec::cli::define);
}
