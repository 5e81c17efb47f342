// SPDX-License-Identifier: MIT
// `polycodec render`: a picture of a mesh or a point cloud.
#include "commands.hpp"
#include "render/png.hpp"
#include "render/raster.hpp"
#include "render/scene.hpp"
#include "terminal.hpp"

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
  const Source source = context.open_input(choices.file);
  const Context::Decoded decoded = context.decode(source);
  const Scene scene = scene_of(Item(decoded.value.view()), context.limits());
  const std::string png = to_png(draw(scene, choices.camera, choices.width, choices.height));
  context.write_output(png, context.options.output);
  if (context.options.output != "-")
    context.remark(choices.file + " (" + std::to_string(scene.positions.size()) + " points, " +
                   std::to_string(scene.triangles.size()) + " triangles) -> " + context.options.output);
  return exit_done;
}

}  // namespace

void add_render(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("render", "Draw a mesh or a point cloud as a PNG image");
  auto choices = std::make_shared<Choices>();
  command->add_option("FILE", choices->file, "The file; - is standard input")->required();
  command->add_option("--width", choices->width, "Pixels")->check(CLI::Range(1, 8192))->capture_default_str();
  command->add_option("--height", choices->height, "Pixels")->check(CLI::Range(1, 8192))->capture_default_str();
  command->add_option("--yaw", choices->camera.yaw, "Degrees around the axis that is up")->capture_default_str();
  command->add_option("--pitch", choices->camera.pitch, "Degrees from above")->capture_default_str();
  command->add_flag("--y-up", choices->camera.y_up, "The y axis is up, not z");
  context.add_input_options(*command);
  context.add_registry_options(*command);
  command->add_option("-o,--output", context.options.output, "The image; - is standard output")
      ->type_name("OUT")
      ->required();
  command->callback([&, choices] { action = [&, choices] { return run_render(context, *choices); }; });
}

}  // namespace polycodec::cli
