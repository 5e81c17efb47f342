// SPDX-License-Identifier: MIT
// `polycodec render`: a picture of a mesh or a point cloud.
#include "png.hpp"
#include "raster.hpp"
#include "registry/cli/program.hpp"
#include "scene.hpp"

#include <memory>

namespace polycodec::cli {
namespace {

struct Choices {
  std::string file;
  std::size_t width = 1024;
  std::size_t height = 768;
  Camera camera;
};

int run_render(Context& context, const Choices& choices) {
  const Read decoded = context.read_file(choices.file);
  const NodeView root = decoded.value.view();
  HostMeter meter(root, context.limits());
  const Scene scene = scene_of(root, context.limits(), meter);
  const std::string png = to_png(draw(scene, choices.camera, choices.width, choices.height, meter));
  context.write_output(png, context.options.output);
  if (context.options.output != "-")
    context.note(choices.file + " (" + std::to_string(scene.positions.size()) + " points, " +
                 std::to_string(scene.triangles.size()) + " triangles) -> " +
                 context.options.output);
  return exit_done;
}

void define(Command& command, Context& context, std::string_view) {
  auto choices = std::make_shared<Choices>();
  command.add("FILE", &choices->file, "The file; - is standard input").required();
  command.add("--width", &choices->width, "Pixels").range(1, 8192).show_default();
  command.add("--height", &choices->height, "Pixels").range(1, 8192).show_default();
  command.add("--yaw", &choices->camera.yaw, "Degrees around the axis that is up").show_default();
  command.add("--pitch", &choices->camera.pitch, "Degrees from above").show_default();
  command.add("--y-up", &choices->camera.y_up, "The y axis is up, not z");
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
                                     "Draws a mesh or a point cloud as a PNG image", argc, argv,
                                     polycodec::cli::define);
}
