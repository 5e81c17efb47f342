// SPDX-License-Identifier: MIT
// `polycodec render`: pictures of meshes with materials, lines and points, and why one is empty.
#include "command.hpp"
#include "png_file.hpp"

#include <zlib.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

using namespace std::string_literals;

constexpr const char* square_obj =
    "mtllib a.mtl\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0.5\nusemtl red\nf 1 2 3 4\nf 1 2 3\nl 1 3\n";
constexpr const char* broken_ply =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
    "z\nelement face 2\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 3\n";

std::string mesh_vector(const std::string& name) {
  return std::string(POLYCODEC_TEST_VECTORS) + "/" + name;
}

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

/// The pixels of an RGB image without filters, three bytes each; checks every chunk on the way.
struct Png {
  explicit Png(const std::string& file) {
    EXPECT_EQ(file.substr(0, 8), std::string("\x89PNG\r\n\x1a\n", 8));
    std::string packed;
    for (std::size_t at = 8; at + 12 <= file.size();) {
      const std::uint32_t size = number(file, at);
      const std::string chunk = file.substr(at + 4, 4 + size);
      EXPECT_EQ(number(file, at + 8 + size), crc32(0, reinterpret_cast<const Bytef*>(chunk.data()),
                                                   static_cast<uInt>(chunk.size())));
      if (chunk.starts_with("IHDR")) {
        width = number(chunk, 4);
        height = number(chunk, 8);
      }
      if (chunk.starts_with("IDAT")) packed += chunk.substr(4);
      ended = chunk.starts_with("IEND");
      at += 12 + size;
    }
    rows.resize((1 + std::size_t{width} * 3) * height);
    uLongf size = static_cast<uLongf>(rows.size());
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &size,
                         reinterpret_cast<const Bytef*>(packed.data()),
                         static_cast<uLong>(packed.size())),
              Z_OK);
    EXPECT_EQ(size, rows.size());
  }
  std::string pixel(std::size_t x, std::size_t y) const {
    return rows.substr((1 + std::size_t{width} * 3) * y + 1 + 3 * x, 3);
  }
  /// Pixels that differ from the one in the corner.
  std::size_t drawn() const {
    std::size_t n = 0;
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) n += pixel(x, y) != pixel(0, 0) ? 1 : 0;
    return n;
  }
  std::size_t colors() const {
    std::set<std::string> all;
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) all.insert(pixel(x, y));
    return all.size();
  }

  std::uint32_t width = 0;
  std::uint32_t height = 0;
  bool ended = false;
  std::string rows;
};

class RenderCommand : public Command {
 protected:
  Png rendered(const std::string& file, std::vector<std::string> options = {}) {
    options.insert(options.begin(),
                   {"render", file, "-o", "a.png", "--width", "80", "--height", "60"});
    const Finished done = run(options);
    EXPECT_EQ(done.status, 0) << done.err;
    said_ = done.err;
    return Png(read_file(directory_ / "a.png"));
  }
  /// The share of a color in a pixel that some square of the picture shows most of.
  static bool has_color(const Png& png, std::size_t strong, std::size_t weak) {
    for (std::size_t y = 0; y < png.height; ++y)
      for (std::size_t x = 0; x < png.width; ++x) {
        const std::string p = png.pixel(x, y);
        if (static_cast<unsigned char>(p[strong]) > 90 && static_cast<unsigned char>(p[weak]) < 60)
          return true;
      }
    return false;
  }
  std::string said_;
};

TEST_F(RenderCommand, DrawsAMesh) {
  write("a.obj", square_obj);
  const Finished done = run({"render", "a.obj", "-o", "a.png", "--width", "80", "--height", "60"});
  ASSERT_EQ(done.status, 0) << done.err;
  const Png png(read_file(directory_ / "a.png"));
  EXPECT_EQ(png.width, 80u);
  EXPECT_EQ(png.height, 60u);
  EXPECT_TRUE(png.ended);
  // The mesh fills a good part of the picture, but not its edges, and its edges are smooth.
  EXPECT_GT(png.drawn(), 80u * 60u / 10);
  EXPECT_LT(png.drawn(), 80u * 60u);
  EXPECT_GT(png.colors(), 3u);
  EXPECT_NE(png.pixel(40, 30), png.pixel(0, 0));
  EXPECT_EQ(run({"render", "a.obj", "-o", "-", "--width", "80", "--height", "60"}).out,
            read_file(directory_ / "a.png"));
}

TEST_F(RenderCommand, DrawsPointCloudsInTheirColors) {
  write("a.ply",
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty "
        "float z\nproperty "
        "uchar red\n"
        "property uchar green\nproperty uchar blue\nend_header\n0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 "
        "0 0 0 255\n0 0 1 9 "
        "9 9\n");
  ASSERT_EQ(run({"render", "a.ply", "-o", "a.png", "--width", "64", "--height", "64"}).status, 0);
  const Png png(read_file(directory_ / "a.png"));
  EXPECT_GT(png.drawn(), 20u);
  bool red = false;
  bool green = false;
  bool blue = false;
  for (std::size_t y = 0; y < 64; ++y) {
    for (std::size_t x = 0; x < 64; ++x) {
      const std::string p = png.pixel(x, y);
      const auto part = [&](std::size_t i) { return static_cast<unsigned char>(p[i]); };
      red = red || (part(0) > 90 && part(1) < 40 && part(2) < 40);
      green = green || (part(1) > 90 && part(0) < 40 && part(2) < 40);
      blue = blue || (part(2) > 90 && part(0) < 40 && part(1) < 40);
    }
  }
  EXPECT_TRUE(red && green && blue);
}

TEST_F(RenderCommand, RefusesWhatIsNoMesh) {
  write("a.ply", broken_ply);
  const Finished broken = run({"render", "a.ply", "-o", "a.png"});
  EXPECT_EQ(broken.status, 1);
  EXPECT_NE(broken.err.find("$.face[1].vertex_indices[2]"), std::string::npos) << broken.err;
  EXPECT_EQ(run({"render", mesh_vector("ply/own_types_old_little.ply"), "-o", "a.png"}).status, 1);
  EXPECT_FALSE(fs::exists(directory_ / "a.png"));
}

TEST_F(RenderCommand, TheCodecSaysWhichAxisIsUp) {
  // A tall thin triangle along y.
  const std::string rows = "0 0 0\n0.2 0 0\n0 5 0\n";
  write("a.obj", "v 0 0 0\nv 0.2 0 0\nv 0 5 0\nf 1 2 3\n");
  write("a.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
        "float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n" +
            rows + "3 0 1 2\n");
  const auto image = [&](const std::string& file, const std::vector<std::string>& options) {
    rendered(file, options);
    return read_file(directory_ / "a.png");
  };
  const std::string y_up = image("a.obj", {});
  const std::string z_up = image("a.ply", {});
  EXPECT_NE(y_up, z_up);
  EXPECT_EQ(image("a.ply", {"--up", "y"}), y_up);
  EXPECT_EQ(image("a.ply", {"--y-up"}), y_up);
  EXPECT_EQ(image("a.obj", {"--up", "z"}), z_up);
  EXPECT_NE(image("a.obj", {"--up=-y"}), y_up);
  EXPECT_EQ(run({"render", "a.obj", "-o", "b.png", "--up", "w"}).status, 2);
}

TEST_F(RenderCommand, MaterialsAndTexturesComeFromBesideTheFile) {
  write("a.obj",
        "mtllib a.mtl\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
        "usemtl m\nf 1/1 2/2 3/3 4/4\n");
  write("a.mtl", "newmtl m\nKd 1 0 0\n");
  EXPECT_TRUE(has_color(rendered("a.obj"), 0, 2)) << "red";
  // A picture of a blue square, as a texture: it replaces the color.
  write("blue.obj", "mtllib blue.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl m\nf 1 2 3 4\n");
  write("blue.mtl", "newmtl m\nKd 0 0 1\n");
  ASSERT_EQ(
      run({"render", "-q", "blue.obj", "-o", "skin.png", "--yaw", "0", "--pitch", "0"}).status, 0);
  write("a.mtl", "newmtl m\nKd 1 0 0\nmap_Kd C:\\art\\skin.png\n");
  EXPECT_TRUE(has_color(rendered("a.obj"), 2, 0)) << "blue";
  fs::remove(directory_ / "skin.png");
  EXPECT_TRUE(has_color(rendered("a.obj"), 0, 2)) << "without the texture";
  EXPECT_NE(said_.find("no texture 'C:"), std::string::npos) << said_;
  write("skin.png", "no image");
  rendered("a.obj");
  EXPECT_NE(said_.find("neither PNG nor JPEG"), std::string::npos) << said_;
}

TEST_F(RenderCommand, TexturesOfComments) {
  write("blue.obj", "mtllib blue.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl m\nf 1 2 3 4\n");
  write("blue.mtl", "newmtl m\nKd 1 0 0\n");
  ASSERT_EQ(
      run({"render", "-q", "blue.obj", "-o", "skin.png", "--yaw", "0", "--pitch", "0"}).status, 0);
  write("a.ply",
        "ply\nformat ascii 1.0\ncomment TextureFile skin.png\nelement vertex 3\nproperty float "
        "x\nproperty "
        "float y\nproperty float z\nproperty float s\nproperty float t\nelement face 1\nproperty "
        "list uchar "
        "int vertex_indices\nend_header\n0 0 0 0 0\n1 0 0 1 0\n0 0 1 0 1\n3 0 1 2\n");
  EXPECT_TRUE(has_color(rendered("a.ply"), 0, 2));
}

/// Squares with textures: material number i has the image `names[i]`.
class TexturedRender : public RenderCommand {
 protected:
  void write_squares(const std::vector<std::string>& names) {
    std::string library;
    for (std::size_t i = 0; i < names.size(); ++i)
      library += "newmtl m" + std::to_string(i) + "\nmap_Kd " + names[i] + "\n";
    write("a.mtl", library);
    write("a.obj", textured_squares(names.size(), "a.mtl"));
  }
};

TEST_F(TexturedRender, AnImageOfManyNamesIsReadOnce) {
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back("d" + std::to_string(i) + "/skin.png");
  names.push_back("copy.png");
  write_squares(names);
  for (const char* name : {"skin.png", "copy.png"}) write(name, png_file(512, 512, "\xff\0\0"s));
  // Work for one and a half of them.
  const std::vector<std::string> limits{"--limits", R"({"max_work": 2000000})"};
  EXPECT_TRUE(has_color(rendered("a.obj", limits), 0, 2));
  EXPECT_EQ(said_.find("texture"), std::string::npos) << said_;
  write("copy.png", png_file(512, 512, "\0\xff\0"s));
  rendered("a.obj", limits);
  EXPECT_NE(said_.find("no texture 'copy.png': the call would do more than 2000000"),
            std::string::npos)
      << said_;
}

TEST_F(TexturedRender, PixelsOfAllImagesAreBounded) {
  write_squares({"t0.png", "t1.png", "t2.png", "sub/t2.png", "small.png"});
  for (int i = 0; i < 3; ++i)
    write("t" + std::to_string(i) + ".png", png_file(8000, 8000, "\xff\0"s + static_cast<char>(i)));
  write("small.png", png_file(64, 64, "\0\0\xff"s));
  const Png png = rendered("a.obj");
  EXPECT_TRUE(has_color(png, 0, 2)) << "the first one";
  EXPECT_TRUE(has_color(png, 2, 0)) << "those that fit yet";
  EXPECT_NE(said_.find("2 textures are left out: images of more than 67108864 pixels in all"),
            std::string::npos)
      << said_;
  EXPECT_NE(said_.find("large textures are drawn with fewer pixels, "), std::string::npos) << said_;
}

TEST_F(TexturedRender, ImagesAreSmallerWhereMemoryIs) {
  write_squares({"t.png", "small.png"});
  write("t.png", png_file(2048, 2048, "\xff\0\0"s));
  write("small.png", png_file(64, 64, "\0\0\xff"s));
  const Png png = rendered("a.obj", {"--limits", R"({"max_memory_bytes": 4000000})"});
  EXPECT_NE(said_.find("large textures are drawn with fewer pixels, 500000 in all: raise "
                       "max_memory_bytes"),
            std::string::npos)
      << said_;
  EXPECT_TRUE(has_color(png, 0, 2) && has_color(png, 2, 0));
}

TEST_F(TexturedRender, OrdinaryTexturesAreDrawnWhole) {
  write_squares({"t0.png", "t1.png", "t2.png", "t3.png", "t4.png"});
  for (int i = 0; i < 5; ++i)
    write("t" + std::to_string(i) + ".png", png_file(2048, 2048, "\xff\0"s + static_cast<char>(i)));
  EXPECT_TRUE(has_color(rendered("a.obj"), 0, 2));
  EXPECT_EQ(said_.find("texture"), std::string::npos) << said_;
  write_squares({"t.png"});
  write("t.png", png_file(5000, 5000, "\0\0\xff"s));
  EXPECT_TRUE(has_color(rendered("a.obj"), 2, 0));
  EXPECT_EQ(said_.find("texture"), std::string::npos) << said_;
}

TEST_F(RenderCommand, LinesAndPointsAlone) {
  write("lines.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n");
  const std::size_t lines = rendered("lines.obj").drawn();
  EXPECT_GT(lines, 40u);
  EXPECT_LT(lines, 80u * 60u / 4);
  EXPECT_NE(said_.find("2 lines, 0 points"), std::string::npos) << said_;
  write("points.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 9 9 9\np 1 2 3\n");
  EXPECT_GT(rendered("points.obj").drawn(), 10u);
  EXPECT_NE(said_.find("0 lines, 3 points"), std::string::npos) << said_;
}

TEST_F(RenderCommand, SaysWhyAPictureIsEmpty) {
  write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 0 0\nf 1 2 3\n");
  EXPECT_EQ(rendered("a.obj").drawn(), 0u);
  EXPECT_NE(said_.find("the picture is empty: no triangle has an area"), std::string::npos)
      << said_;
  write("a.obj", "v nan 0 0\n");
  rendered("a.obj");
  EXPECT_NE(said_.find("the picture is empty: no position that is drawn is finite"),
            std::string::npos)
      << said_;
  write("a.obj", "# nothing\n");
  const Finished none = run({"render", "a.obj", "-o", "b.png"});
  EXPECT_EQ(none.status, 1);
  EXPECT_FALSE(fs::exists(directory_ / "b.png"));
}

TEST_F(RenderCommand, InterruptEndsItAndLeavesNoFile) {
  // Thousands of squares that fill the picture, one before the other: hours of work.
  std::string obj = "mtllib no.mtl\n";
  for (int i = 0; i < 4000; ++i) {
    const std::string z = std::to_string(i);
    obj += "v -9999 -9999 " + z + "\nv 9999 -9999 " + z + "\nv 9999 9999 " + z + "\nv -9999 9999 " +
           z + "\nf -4 -3 -2 -1\n";
  }
  write("a.obj", obj);
  // A warning of the codec says that the program runs: before that the signal may find no handler.
  const Finished done =
      run_line(directory_,
               std::string(POLYCODEC_BIN_DIR) +
                   "/polycodec-render a.obj -o a.png --width 3000 --height 3000 --yaw 0 --pitch 0 "
                   "--limits "
                   "'{\"max_work\": 1000000000000000}' 2> said & "
                   "while kill -0 $! && ! grep -q material said; do sleep 0.05; done; kill -INT "
                   "$!; wait $!");
  EXPECT_EQ(done.status, 130) << done.err;
  // It ends at once, and not where some step looks whether it shall go on.
  const std::string said = read_file(directory_ / "said");
  EXPECT_EQ(said.find("cancel"), std::string::npos) << said;
  EXPECT_FALSE(fs::exists(directory_ / "a.png"));
}

}  // namespace
}  // namespace polycodec::test
