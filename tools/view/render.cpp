// SPDX-License-Identifier: MIT
// `polycodec render`: a picture of a mesh or a point cloud.
#include <polycodec/quote.hpp>

#include "assets.hpp"
#include "common/program.hpp"
#include "common/terminal.hpp"
#include "image_file.hpp"
#include "mesh_file.hpp"
#include "png.hpp"
#include "raster.hpp"
#include "scene.hpp"
#include "textures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <vector>

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
  Dresser(const Run& run, const std::string& file)
      : run_(run),
        companions_(run, file),
        // If nobody limits the work, the pixels that images may have do.
        room_(run.registry().limits({}, 0).max_memory_bytes,
              Budget(run.registry(), run.limits(), cancel_flag())) {}

  void dress(Scene& scene) {
    for (Material& material : scene.materials)
      material.texture = texture(scene, material.texture_file, material.image);
    read_images(scene);
  }

 private:
  struct Image {
    std::string name;
    std::string_view bytes;
    ImageHead head;
  };

  /// The number of the image with this name, which is to be read, or of these bytes; -1: none.
  std::int32_t texture(const Scene& scene, const std::string& name, std::string_view bytes) {
    if (scene.triangle_texcoords.empty()) return -1;
    if (!bytes.empty()) return find(name, bytes);
    if (name.empty()) return -1;
    const auto [known, added] = by_name_.emplace(name, -1);
    if (added) known->second = find(name);
    return known->second;
  }

  std::int32_t find(const std::string& name, std::string_view bytes = {}) try {
    if (bytes.empty()) bytes = companions_.read(name);
    const auto [known, added] = by_content_.emplace(bytes, -1);
    if (!added) return known->second;
    const auto head = image_head(bytes);
    if (!head) throw Error(Status::unsupported, "the image is neither PNG nor JPEG");
    if (!allowance_.take(*head, bytes.size())) {
      ++left_out_;
      return -1;
    }
    images_.push_back({name, bytes, *head});
    return known->second = static_cast<std::int32_t>(images_.size() - 1);
  } catch (const Error& error) {
    leave_out(name, error);
    return -1;
  }

  void read_images(Scene& scene) {
    scene.textures.resize(images_.size());
    std::vector<std::uint64_t> pixels;
    std::vector<std::size_t> order;
    for (const Image& image : images_) {
      order.push_back(pixels.size());
      pixels.push_back(image.head.pixels());
    }
    // With its smaller copies, and beside an image that is still whole, a texel takes 8 bytes.
    const std::uint64_t most = room_.max_memory() / 8;
    const std::vector<unsigned> halvings = halvings_of(pixels, most);
    // Images in passes take more memory while they are read, so they come first.
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return images_[i].head.comes_in_passes; });
    for (const std::size_t i : order) try {
        scene.textures[i] = read_texture(images_[i].bytes, halvings[i], room_);
      } catch (const Error& error) {
        leave_out(images_[i].name, error);
      }
    if (std::ranges::any_of(halvings, [](unsigned n) { return n != 0; }))
      run_.out.note("large textures are drawn with fewer pixels, " + std::to_string(most) +
                    " in all: raise max_memory_bytes to have more");
    if (left_out_ != 0)
      run_.out.note(std::to_string(left_out_) + " textures are left out: images of more than " +
                    std::to_string(most_image_pixels) + " pixels in all are not read");
  }

  void leave_out(const std::string& name, const Error& error) {
    if (error.code() == Status::cancelled || error.code() == Status::memory) throw;
    run_.out.note("no texture " + quote(name) + ": " + error.message());
  }

  const Run& run_;
  const Companions companions_;
  ImageRoom room_;
  PixelAllowance allowance_;
  std::vector<Image> images_;
  std::map<std::string, std::int32_t> by_name_;
  std::map<std::string_view, std::int32_t, ByContent> by_content_;
  std::size_t left_out_ = 0;
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

int run_render(const Run& run, const Choices& choices) {
  EndsAtOnce nothing_begun;
  const Input input = run.open_input(choices.file);
  const Read decoded = read_with_materials(run, input, choices.file);
  const auto mesh = read_as_mesh(run, input, decoded);
  const Activity activity("Drawing " + choices.file, !run.out.is_quiet());
  Meter meter(decoded.budget);
  Scene scene =
      scene_of((mesh ? mesh->value : decoded.value).view(), run.limits().max_memory_bytes, meter);
  Dresser(run, choices.file).dress(scene);
  Camera camera = choices.camera;
  camera.up = up_of(choices, decoded);
  Drawn drawn;
  const Image image = draw(scene, camera, choices.width, choices.height, meter, &drawn);
  const std::string png = to_png(image, &meter);
  nothing_begun.end();
  const std::string& output = run.options.output;
  run.write_output(png, output);
  if (drawn.samples == 0)
    run.out.note(styled(Style::warning, "warning:", true) +
                 " the picture is empty: " + empty_reason(scene, drawn));
  if (output != "-")
    run.out.note(choices.file + " (" + std::to_string(scene.positions.size()) + " positions, " +
                 std::to_string(scene.triangles.size()) + " triangles, " +
                 std::to_string(scene.lines.size()) + " lines, " +
                 std::to_string(scene.points.size()) + " points) -> " + output);
  return exit_done;
}

void define(Command& command, CommonOptions& options, std::string_view) {
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
  add_input_options(command, options);
  add_registry_options(command, options);
  command.add("-o,--output OUT", &options.output, "The image; - is standard output").required();
  command.run = [choices](const Run& run) { return run_render(run, *choices); };
}

}  // namespace
}  // namespace polycodec::cli

int main(int argc, char** argv) {
  return polycodec::cli::run_program("polycodec render",
                                     "Draw a mesh or a point cloud as a PNG image", argc, argv,
                                     polycodec::cli::define);
}
