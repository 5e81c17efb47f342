// SPDX-License-Identifier: MIT
// What the command says about meshes, what it draws of them, and what it tells of losses.
#include "command.hpp"

#include <zlib.h>

#include <cstdint>
#include <set>
#include <string>

namespace polycodec::test {
namespace {

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

class MeshCommand : public Command {};

TEST_F(MeshCommand, ShowsCountsOfAMesh) {
  write("a.obj", square_obj);
  const Finished text = run({"mesh", "a.obj"});
  EXPECT_EQ(text.status, 0) << text.err;
  for (const char* part : {"Mesh", "positions", "bounds  0 0 0  to  2 1 0.5",
                           "faces x corners  1 x 3, 1 x 4", "indices  all in range"})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
  const Json json = Json::parse(run({"mesh", "--json", "a.obj"}).out);
  EXPECT_EQ(json["mesh"]["counts"]["faces"], 2);
  EXPECT_EQ(json["mesh"]["counts"]["materials"], 1);
  EXPECT_EQ(json["mesh"]["bounds"]["greatest"], Json({2.0, 1.0, 0.5}));
  EXPECT_EQ(json["mesh"]["index_problems"]["count"], 0);
  EXPECT_FALSE(Json::parse(run({"mesh", "--json", mesh_vector("ply/own_types_old_little.ply")}).out)
                   .contains("mesh"));
}

TEST_F(MeshCommand, IndexProblemsAreShownAndAreNotValid) {
  write("a.ply", broken_ply);
  const Finished shown = run({"mesh", "a.ply"});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_NE(shown.out.find("1 indices out of range"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("$.face[1].vertex_indices[2]: index 3 with 3 rows"), std::string::npos)
      << shown.out;
  const Finished valid = run({"validate", "--json", "a.ply"});
  EXPECT_EQ(valid.status, 1);
  EXPECT_EQ(Json::parse(valid.out)["error"]["detail"], "mesh.index_out_of_range");
  EXPECT_EQ(run({"decode", "a.ply"}).status, 0);
  EXPECT_EQ(run({"convert", "a.ply", "a.obj"}).status, 1);
  EXPECT_FALSE(fs::exists(directory_ / "a.obj"));
}

TEST_F(MeshCommand, ConvertRefusesLossAndPrintsItWhereItIsAllowed) {
  write("a.obj", square_obj);
  const Finished refused = run({"convert", "a.obj", "a.ply"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("names of materials"), std::string::npos) << refused.err;
  const Finished lossy = run({"convert", "--lossy", "a.obj", "a.ply"});
  EXPECT_EQ(lossy.status, 0) << lossy.err;
  EXPECT_NE(lossy.err.find("lost $.materials: 1 names of materials: their numbers stay\n"),
            std::string::npos);
  EXPECT_NE(lossy.err.find("lost $: 1 names of material libraries\n"), std::string::npos);
  const Json json = Json::parse(run({"convert", "--lossy", "--json", "a.obj", "b.ply"}).out);
  ASSERT_EQ(json["lost"].size(), 2u);
  EXPECT_EQ(json["lost"][0]["path"], "$.materials");
  EXPECT_EQ(Json::parse(run({"convert", "--lossy", "--json", "a.ply", "b.obj"}).out)["lost"],
            Json::array());
}

TEST_F(MeshCommand, CommentsAreNotesUnlessTheyNameATexture) {
  const std::string ply =
      "element vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n";
  write("a.ply", "ply\nformat ascii 1.0\ncomment by hand\n" + ply);
  const Finished noted = run({"convert", "a.ply", "a.msgpack"});
  EXPECT_EQ(noted.status, 0) << noted.err;
  EXPECT_NE(noted.err.find("lost $: the attribute 'comments'\n"), std::string::npos) << noted.err;
  EXPECT_EQ(Json::parse(run({"convert", "--json", "a.ply", "a.dynd"}).out)["lost"][0]["what"],
            "the attribute 'comments'");
  write("b.ply", "ply\nformat ascii 1.0\ncomment TextureFile skin.png\n" + ply);
  const Finished refused = run({"convert", "b.ply", "b.msgpack"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("with the texture 'skin.png'"), std::string::npos) << refused.err;
  EXPECT_EQ(run({"convert", "--lossy", "b.ply", "b.msgpack"}).status, 0);
  EXPECT_EQ(run({"convert", "b.ply", "b.obj"}).status, 0) << "OBJ keeps comments";
}

TEST_F(MeshCommand, MaterialsAreReadFromBesideTheFile) {
  fs::create_directories(directory_ / "models");
  write("models/a.obj", "mtllib a.mtl\nmtllib ../a.mtl\nv 0 0 0\np 1\n");
  write("models/a.mtl", "newmtl red\nKd 1 0 0\n");
  write("a.mtl", "newmtl outside\n");
  const Finished with = run({"decode", "--from-options", R"({"materials": true})", "models/a.obj"});
  EXPECT_EQ(with.status, 0) << with.err;
  EXPECT_NE(with.out.find("\"red\""), std::string::npos) << with.out;
  EXPECT_EQ(with.out.find("outside"), std::string::npos) << with.out;
  EXPECT_EQ(run({"decode", "models/a.obj"}).out.find("\"red\""), std::string::npos);
}

TEST_F(MeshCommand, RenderDrawsAMesh) {
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

TEST_F(MeshCommand, RenderDrawsPointCloudsInTheirColors) {
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

TEST_F(MeshCommand, RenderRefusesWhatIsNoMesh) {
  write("a.ply", broken_ply);
  const Finished broken = run({"render", "a.ply", "-o", "a.png"});
  EXPECT_EQ(broken.status, 1);
  EXPECT_NE(broken.err.find("$.face[1].vertex_indices[2]"), std::string::npos) << broken.err;
  EXPECT_EQ(run({"render", mesh_vector("ply/own_types_old_little.ply"), "-o", "a.png"}).status, 1);
  EXPECT_FALSE(fs::exists(directory_ / "a.png"));
}

}  // namespace
}  // namespace polycodec::test
