// SPDX-License-Identifier: MIT
// `polycodec convert` on meshes with materials: what each pair of formats keeps, and the files that
// come with an output.
#include <polycodec/byte_order.hpp>

#include "command.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n";
const std::string two_materials =
    "mtllib a.mtl\n" + square + "usemtl red\nf 1/1 2/2 3/3\nusemtl wood\nf 1/1 3/3 4/4\n";
const std::string library =
    "newmtl red\nKd 0.8 0.1 0.2\nNs 250\nd 0.5\n"
    "newmtl wood\nKd 1 1 1\nPm 0.25\nPr 0.3\nKe 0.1 0 0\n"
    "map_Kd -s 2 3 1 -o 0.5 0.25 0 -clamp on wood grain.png\nnorm -bm 0.5 n.png\n";
const std::string wood("\x89PNG\r\n\x1a\nwood", 12);
const std::string bumps("\x89PNG\r\n\x1a\nbump", 12);

class MeshAssets : public Command {
 protected:
  void write_model() {
    write("a.obj", two_materials);
    write("a.mtl", library);
    write("wood grain.png", wood);
    write("n.png", bumps);
  }
  Finished convert(const std::string& from, const std::string& to,
                   const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"convert", "-q", from, to};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  void expect_converted(const std::string& from, const std::string& to,
                        const std::vector<std::string>& more = {}) {
    const Finished done = convert(from, to, more);
    EXPECT_EQ(done.status, 0) << done.err;
  }
  std::string content(const std::string& name) { return read_file(directory_ / name); }
  bool exists(const std::string& name) { return fs::exists(directory_ / name); }
  Json document(const std::string& name) { return Json::parse(content(name)); }
  /// The losses of a conversion that --lossy allows.
  std::string lost(const std::string& from, const std::string& to) {
    const Finished done = run({"convert", "--lossy", from, to});
    EXPECT_EQ(done.status, 0) << done.err;
    return done.err;
  }
  std::vector<std::string> files_in(const std::string& name) {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(directory_ / name))
      all.push_back(entry.path().filename().string());
    std::ranges::sort(all);
    return all;
  }
};

TEST_F(MeshAssets, ObjToGltfKeepsColorsAndTextures) {
  write_model();
  expect_converted("a.obj", "b.gltf");
  const Json made = document("b.gltf");
  EXPECT_EQ(made["materials"], Json::parse(R"([
    {"name": "red", "pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.1, 0.2, 0.5],
      "metallicFactor": 0.0, "roughnessFactor": 0.0890870806374748}, "alphaMode": "BLEND"},
    {"name": "wood", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0, "extensions":
        {"KHR_texture_transform": {"offset": [0.5, -2.25], "scale": [2.0, 3.0]}}},
      "metallicFactor": 0.25, "roughnessFactor": 0.3},
     "normalTexture": {"index": 1, "scale": 0.5}, "emissiveFactor": [0.1, 0.0, 0.0]}])"))
      << made["materials"].dump();
  EXPECT_EQ(made["images"], Json::parse(R"([{"uri": "wood%20grain.png"}, {"uri": "n.png"}])"));
  EXPECT_EQ(made["samplers"], Json::parse(R"([{"wrapS": 33071, "wrapT": 33071}])"));
}

TEST_F(MeshAssets, GltfBecomesTheSameFileByWayOfObj) {
  write_model();
  expect_converted("a.obj", "b.gltf");
  expect_converted("b.gltf", "c.obj");
  EXPECT_EQ(content("c.obj").substr(0, 13), "mtllib c.mtl\n");
  EXPECT_NE(content("c.mtl").find("newmtl red\nKd 0.8 0.1 0.2\nKs 0.04 0.04 0.04\nNs 250\nd 0.5\n"
                                  "Pm 0\nPr 0.0890870806374748\n"),
            std::string::npos)
      << content("c.mtl");
  expect_converted("c.obj", "d.gltf");
  EXPECT_EQ(document("d.gltf")["materials"], document("b.gltf")["materials"]);
  EXPECT_EQ(content("d.gltf"), content("b.gltf"));
  expect_converted("d.gltf", "c.obj");  // the library is the same, so nothing is replaced
}

TEST_F(MeshAssets, AllOfAMaterialPassesThroughObj) {
  write_model();
  expect_converted("a.obj", "b.gltf");
  Json made = document("b.gltf");
  made["materials"][0] = Json::parse(R"({"name": "red", "pbrMetallicRoughness": {
    "baseColorTexture": {"index": 0}, "metallicFactor": 1.0, "roughnessFactor": 0.0},
    "emissiveFactor": [1.0, 0.25, 0.5],
    "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4.0}},
    "alphaMode": "BLEND", "doubleSided": true})");
  made["extensionsUsed"].push_back("KHR_materials_emissive_strength");
  write("b.gltf", made.dump());
  expect_converted("b.gltf", "c.obj");
  expect_converted("c.obj", "d.gltf");
  EXPECT_EQ(document("d.gltf")["materials"], made["materials"]);
}

TEST_F(MeshAssets, WordsWithoutAPlaceAreData) {
  write_model();
  write("a.mtl", library + "Ks 1 1 1\nmap_Ks a.png\nKa 0.5 0 0\n");
  const Finished refused = convert("a.obj", "b.glb");
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.err.find("of materials: Ka (1), map_Ks (1)"), std::string::npos) << refused.err;
  EXPECT_FALSE(exists("b.glb"));
}

TEST_F(MeshAssets, TexturesAreCopiedAndEmbeddedWhenAskedTo) {
  write_model();
  expect_converted("a.obj", "b.glb", {"--assets", "embed"});
  const std::string glb = content("b.glb");
  EXPECT_NE(glb.find(wood), std::string::npos);
  EXPECT_NE(glb.find(bumps), std::string::npos);
  fs::create_directory(directory_ / "out");
  const Finished inside = convert("b.glb", "out/c.obj");
  EXPECT_NE(inside.status, 0);
  EXPECT_NE(inside.err.find("--assets copy"), std::string::npos) << inside.err;
  EXPECT_EQ(files_in("out"), std::vector<std::string>{});
  expect_converted("b.glb", "out/c.obj", {"--assets", "copy"});
  EXPECT_EQ(files_in("out"),
            (std::vector<std::string>{"c.mtl", "c.obj", "n.png", "wood grain.png"}));
  EXPECT_EQ(content("out/wood grain.png"), wood);
  expect_converted("out/c.obj", "d.glb", {"--assets", "embed"});
  EXPECT_EQ(content("d.glb"), glb);
  expect_converted("a.obj", "out/e.glb", {"--assets", "link"});
  EXPECT_EQ(files_in("out").size(), 5u);
}

TEST_F(MeshAssets, NothingIsReplacedWithoutAFlag) {
  write_model();
  expect_converted("a.obj", "b.gltf");
  write("c.mtl", "mine");
  write("out.txt", "");
  const Finished refused = convert("b.gltf", "c.obj");
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.err.find("--replace-assets"), std::string::npos) << refused.err;
  EXPECT_EQ(content("c.mtl"), "mine");
  EXPECT_FALSE(exists("c.obj"));
  expect_converted("b.gltf", "c.obj", {"--replace-assets"});
  EXPECT_NE(content("c.mtl"), "mine");
  EXPECT_TRUE(exists("c.obj"));
}

TEST_F(MeshAssets, AllFilesAreWrittenOrNone) {
  write_model();
  fs::remove(directory_ / "n.png");
  fs::create_directory(directory_ / "out");
  const Finished missing = convert("a.obj", "out/b.glb", {"--assets", "copy"});
  EXPECT_NE(missing.status, 0);
  EXPECT_NE(missing.err.find("'n.png' cannot be read"), std::string::npos) << missing.err;
  EXPECT_EQ(files_in("out"), std::vector<std::string>{});
  // The library and textures are there before the file, which cannot be written.
  expect_converted("a.obj", "b.gltf");
  fs::create_directory(directory_ / "out/c.obj");
  EXPECT_NE(convert("b.gltf", "out/c.obj").status, 0);
  EXPECT_EQ(files_in("out"), std::vector<std::string>{"c.obj"});
}

TEST_F(MeshAssets, NamesOfDataLeadNowhereElse) {
  write_model();
  expect_converted("a.obj", "b.gltf");
  Json made = document("b.gltf");
  for (const char* name :
       {"../../up.png", "/tmp/polycodec_up.png", "..\\up.png", ".up.png", ".."}) {
    made["images"] =
        Json::parse(R"([{"uri": "data:image/png;base64,iVBORw0KGgo="}, {"uri": "n.png"}])");
    made["images"][0]["name"] = name;
    write("b.gltf", made.dump());
    fs::remove_all(directory_ / "out");
    fs::create_directories(directory_ / "out/deep");
    expect_converted("b.gltf", "out/deep/c.obj", {"--assets", "copy"});
    EXPECT_EQ(files_in("out"), std::vector<std::string>{"deep"}) << name;
    EXPECT_EQ(files_in("out/deep").size(), 4u) << name;
    EXPECT_FALSE(fs::exists("/tmp/polycodec_up.png"));
  }
  // Files outside of the directory of the input are not read, whatever the data says.
  write("secret.png", wood);
  fs::create_directory(directory_ / "in");
  write("in/a.obj", two_materials);
  write("in/a.mtl", "newmtl red\nKd 1 0 0\nnewmtl wood\nmap_Kd ../secret.png\n");
  EXPECT_NE(convert("in/a.obj", "out/a.glb", {"--assets", "embed"}).status, 0);
  fs::create_symlink(directory_ / "secret.png", directory_ / "in/secret.png");
  EXPECT_NE(convert("in/a.obj", "out/a.glb", {"--assets", "embed"}).status, 0);
  EXPECT_FALSE(exists("out/a.glb"));
}

TEST_F(MeshAssets, StandardOutputHasNoAssets) {
  write_model();
  EXPECT_NE(run({"convert", "a.obj", "-", "--to", "gltf", "--assets", "copy"}).status, 0);
}

const std::string textured_ply =
    "ply\nformat ascii 1.0\ncomment TextureFile wood grain.png\nelement vertex 3\n"
    "property float x\nproperty float y\nproperty float z\nproperty float s\nproperty float t\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2\n";

TEST_F(MeshAssets, PlyKeepsItsTexture) {
  write("a.ply", textured_ply);
  write("wood grain.png", wood);
  expect_converted("a.ply", "b.gltf");
  EXPECT_EQ(document("b.gltf")["images"], Json::parse(R"([{"uri": "wood%20grain.png"}])"));
  EXPECT_EQ(document("b.gltf")["meshes"][0]["primitives"][0]["material"], 0);
  expect_converted("a.ply", "c.obj");
  EXPECT_NE(content("c.mtl").find("map_Kd wood grain.png\n"), std::string::npos);
  expect_converted("a.ply", "d.glb", {"--assets", "embed"});
  EXPECT_NE(content("d.glb").find(wood), std::string::npos);
  expect_converted("b.gltf", "e.ply");
  EXPECT_NE(content("e.ply").find("comment TextureFile wood grain.png\n"), std::string::npos);
  expect_converted("e.ply", "f.gltf");
  EXPECT_EQ(document("f.gltf")["materials"], document("b.gltf")["materials"]);
}

TEST_F(MeshAssets, ImagesOfASceneMoveAndAllElseStays) {
  write_model();
  expect_converted("a.obj", "b.gltf");
  Json made = document("b.gltf");
  made["extras"] = {{"mine", 1}};
  made["images"][0]["name"] = "grain";
  made["images"].push_back(Json::parse(R"({"uri": "data:image/png;base64,iVBORw0KGgo="})"));
  write("b.gltf", made.dump());
  expect_converted("b.gltf", "c.glb", {"--assets", "embed"});
  for (const std::string& part : {wood, bumps, std::string("\x89PNG\r\n\x1a\n")})
    EXPECT_NE(content("c.glb").find(part), std::string::npos);
  fs::create_directory(directory_ / "out");
  expect_converted("c.glb", "out/d.gltf", {"--assets", "copy"});
  EXPECT_EQ(files_in("out"), (std::vector<std::string>{"d.gltf", "grain", "image_1", "image_2"}));
  EXPECT_EQ(content("out/grain"), wood);
  const Json copied = document("out/d.gltf");
  EXPECT_EQ(copied["extras"], made["extras"]);
  EXPECT_EQ(copied["materials"], made["materials"]);
  EXPECT_EQ(copied["images"][1]["uri"], "image_1");
  expect_converted("b.gltf", "out/e.gltf", {"--assets", "copy"});
  EXPECT_EQ(content("out/wood grain.png"), wood);
  const Json linked = document("out/e.gltf");
  EXPECT_EQ(linked["images"][0]["uri"], made["images"][0]["uri"]);
  EXPECT_EQ(linked["images"][2]["uri"], "image_2");
  made.erase("images");
  made.erase("textures");
  made.erase("materials");
  made["meshes"][0]["primitives"] = Json::array({made["meshes"][0]["primitives"][0]});
  made["meshes"][0]["primitives"][0].erase("material");
  write("g.gltf", made.dump());
  expect_converted("g.gltf", "g.glb", {"--assets", "embed"});
  made = document("b.gltf");
  expect_converted("b.gltf", "f.gltf", {"--assets", "link"});
  EXPECT_EQ(document("f.gltf")["images"], made["images"]);
}

TEST_F(MeshAssets, LibrariesMayBeNamedFromTheirDirectory) {
  write_model();
  write("a.obj", "mtllib ./a.mtl\n" + two_materials.substr(two_materials.find('\n') + 1));
  expect_converted("a.obj", "b.gltf");
  EXPECT_EQ(document("b.gltf")["materials"][0]["name"], "red");
  EXPECT_TRUE(document("b.gltf").contains("images"));
  fs::create_directory(directory_ / "out");
  expect_converted("a.obj", "out/a.obj", {"--assets", "copy"});
  EXPECT_EQ(files_in("out"),
            (std::vector<std::string>{"a.mtl", "a.obj", "n.png", "wood grain.png"}));
}

TEST_F(MeshAssets, FilesThatAnOutputNamesAsTheInputDoesAreCopied) {
  write_model();
  write("a.ply", textured_ply);
  fs::create_directory(directory_ / "out");
  expect_converted("a.ply", "out/b.ply", {"--assets", "copy"});
  EXPECT_EQ(files_in("out"), (std::vector<std::string>{"b.ply", "wood grain.png"}));
  EXPECT_EQ(content("out/b.ply"), textured_ply);
  expect_converted("a.obj", "out/b.obj", {"--assets", "copy"});
  EXPECT_EQ(files_in("out"),
            (std::vector<std::string>{"a.mtl", "b.obj", "b.ply", "n.png", "wood grain.png"}));
  EXPECT_EQ(content("out/a.mtl"), library);
  for (const char* name : {"a.obj", "a.ply"}) {
    const Finished refused =
        convert(name, std::string("out/c") + (name + 1), {"--assets", "embed"});
    EXPECT_NE(refused.status, 0);
    EXPECT_NE(refused.err.find("no images inside"), std::string::npos) << refused.err;
  }
  fs::create_directory(directory_ / "sub");
  write("sub/wood.png", wood);
  write("a.mtl", "newmtl red\nmap_Kd sub/wood.png\n");
  const Finished elsewhere = convert("a.obj", "out/d.obj", {"--assets", "copy"});
  EXPECT_NE(elsewhere.status, 0);
  EXPECT_NE(elsewhere.err.find("--assets link"), std::string::npos) << elsewhere.err;
  EXPECT_FALSE(exists("out/d.obj"));
}

/// A binary STL file with one facet for each of these attributes.
std::string colored_stl(const std::string& header, const std::vector<std::uint16_t>& attributes) {
  std::string bytes = header;
  bytes.resize(80, ' ');
  const auto put = [&](auto value) {
    std::array<char, sizeof value> text{};
    store_le(text.data(), value);
    bytes.append(text.data(), text.size());
  };
  put(static_cast<std::uint32_t>(attributes.size()));
  float z = 0;
  for (const std::uint16_t attribute : attributes) {
    for (const float number : {0.F, 0.F, 1.F, 0.F, 0.F, z, 1.F, 0.F, z, 0.F, 1.F, z}) put(number);
    put(attribute);
    z += 1;
  }
  return bytes;
}

std::vector<std::uint16_t> attributes_of(const std::string& stl) {
  std::vector<std::uint16_t> all;
  for (std::size_t at = 84; at + 50 <= stl.size(); at += 50)
    all.push_back(load_le<std::uint16_t>(stl.data() + at + 48));
  return all;
}

/// A file as MeshLab writes it: textures by number, and colors of faces.
const std::string textures_ply =
    "ply\nformat ascii 1.0\ncomment TextureFile a.png\ncomment TextureFile b.png\n"
    "element vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 3\n"
    "property list uchar int vertex_indices\nproperty list uchar float texcoord\n"
    "property int texnumber\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
    "property uchar alpha\nend_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n"
    "3 0 1 2 6 0 0 1 0 0 1 0 255 255 255 255\n3 0 1 3 6 0 0 1 0 1 1 1 255 255 255 255\n"
    "3 0 2 3 6 0 0 0 1 1 1 1 255 0 0 51\n";

TEST_F(MeshAssets, PlyHasTexturesByNumberAndColorsOfFaces) {
  write("a.ply", textures_ply);
  expect_converted("a.ply", "b.gltf");
  const Json made = document("b.gltf");
  EXPECT_EQ(made["images"], Json::parse(R"([{"uri": "a.png"}, {"uri": "b.png"}])"));
  EXPECT_EQ(made["materials"], Json::parse(R"([
    {"name": "material_0", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0},
      "metallicFactor": 0.0, "roughnessFactor": 1.0}},
    {"name": "material_1", "pbrMetallicRoughness": {"baseColorTexture": {"index": 1},
      "metallicFactor": 0.0, "roughnessFactor": 1.0}},
    {"name": "material_1_ff000033", "pbrMetallicRoughness": {
      "baseColorFactor": [1.0, 0.0, 0.0, 0.2], "baseColorTexture": {"index": 1},
      "metallicFactor": 0.0, "roughnessFactor": 1.0}, "alphaMode": "BLEND"}])"))
      << made["materials"].dump();
  // The names follow from the looks, so they are not written.
  expect_converted("b.gltf", "c.ply", {"--to-options", R"({"format": "ascii"})"});
  EXPECT_NE(content("c.ply").find("property int texnumber\nend_header\n"), std::string::npos);
  EXPECT_EQ(content("c.ply").find("material_index"), std::string::npos);
  expect_converted("c.ply", "d.gltf");
  EXPECT_EQ(content("d.gltf"), content("b.gltf"));
  expect_converted("a.ply", "e.obj");
  expect_converted("e.obj", "f.gltf");
  EXPECT_EQ(document("f.gltf")["materials"], made["materials"]);
}

/// Names and comments of many materials are found at once: a file of a megabyte would take minutes.
TEST_F(MeshAssets, ManyColorsOfFacesHaveNamesOfTheirOwn) {
  constexpr int faces = 60'000;
  std::string text =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face " +
      std::to_string(faces) +
      "\nproperty list uchar int vertex_indices\nproperty double red\nproperty double green\n"
      "property double blue\nend_header\n0 0 0\n1 0 0\n0 1 0\n";
  for (int i = 0; i < faces; ++i) text += "3 0 1 2 0.5000" + std::to_string(i + 10'000) + " 0 0\n";
  write("a.ply", text);
  expect_converted("a.ply", "b.obj", {"--no-compare"});
  std::set<std::string> names;
  std::istringstream lines(content("b.mtl"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("newmtl ")) continue;
    EXPECT_TRUE(names.insert(line).second) << line;
  }
  EXPECT_EQ(names.size(), std::size_t{faces});
}

TEST_F(MeshAssets, NamedMaterialsHaveColorsInPlyToo) {
  write_model();
  write("a.mtl", "newmtl red\nKd 1 0 0\nd 0.2\nPr 1\nnewmtl wood\nKd 1 1 1\nPr 1\n");
  expect_converted("a.obj", "b.gltf");
  expect_converted("b.gltf", "c.ply");
  EXPECT_NE(content("c.ply").find("obj.text usemtl red\n"), std::string::npos);
  expect_converted("c.ply", "d.gltf");
  EXPECT_EQ(document("d.gltf")["materials"], document("b.gltf")["materials"]);
  expect_converted("c.ply", "e.obj");
  EXPECT_NE(content("e.mtl").find("newmtl red\nKd 1 0 0\n"), std::string::npos);
}

TEST_F(MeshAssets, ColorsOfFacetsAreColorsOfFaces) {
  const std::vector<std::uint16_t> colors{0x8000 | 31 << 10, 0x8000 | 31, 0x8000};
  write("a.stl", colored_stl("", colors));
  expect_converted("a.stl", "b.ply");
  EXPECT_NE(content("b.ply").find("property list uchar int vertex_indices\nproperty uchar red\n"
                                  "property uchar green\nproperty uchar blue\nend_header\n"),
            std::string::npos)
      << content("b.ply");
  expect_converted("b.ply", "c.stl");
  EXPECT_EQ(attributes_of(content("c.stl")), colors);
  // Without a color of its own a facet stays so.
  write("a.stl", colored_stl("", {0x8000 | 31, 0}));
  expect_converted("a.stl", "b.ply");
  expect_converted("b.ply", "c.stl");
  EXPECT_EQ(attributes_of(content("c.stl")), (std::vector<std::uint16_t>{0x8000 | 31, 0}));
}

TEST_F(MeshAssets, TextureCoordinatesOfCornersComeFirst) {
  const auto both = [](const char* last) {
    return "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
           "property float z\nproperty float texture_u\nproperty float texture_v\n"
           "element face 1\nproperty list uchar int vertex_indices\n"
           "property list uchar float texcoord\nend_header\n"
           "0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2 6 0 0 1 0 0 " +
           std::string(last) + "\n";
  };
  write("same.ply", both("1"));
  expect_converted("same.ply", "same.obj");
  EXPECT_NE(content("same.obj").find("vt 0 0\nvt 1 0\nvt 0 1\n"), std::string::npos);
  write("other.ply", both("0.5"));
  EXPECT_NE(convert("other.ply", "other.obj").status, 0);
  EXPECT_NE(lost("other.ply", "other.obj").find("those of corners differ"), std::string::npos);
  EXPECT_NE(content("other.obj").find("vt 0 0\nvt 1 0\nvt 0 0.5\n"), std::string::npos);
}

TEST_F(MeshAssets, StlLosesTheTextureOfAComment) {
  write("a.ply", textured_ply);
  EXPECT_NE(lost("a.ply", "b.stl").find("comments with the texture 'wood grain.png'"),
            std::string::npos);
}

TEST_F(MeshAssets, PlyLosesTheRestOfMaterials) {
  write_model();
  expect_converted("a.obj", "b.gltf");
  EXPECT_NE(lost("b.gltf", "c.ply").find("parameters beside the colors of 2 materials"),
            std::string::npos);
}

TEST_F(MeshAssets, ColorsOfFacetsAreMaterials) {
  const std::vector<std::uint16_t> colors{0x8000 | 31 << 10, 0x8000 | 31, 0, 0x8000 | 31 << 10};
  write("a.stl", colored_stl("made here", colors));
  expect_converted("a.stl", "b.gltf");
  const Json made = document("b.gltf");
  EXPECT_EQ(made["materials"].size(), 2u);
  EXPECT_EQ(made["materials"][0]["name"], "color_ff0000");
  EXPECT_EQ(made["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"],
            Json::parse("[1.0, 0.0, 0.0, 1.0]"));
  expect_converted("a.stl", "c.obj");
  EXPECT_NE(content("c.mtl").find("newmtl color_0000ff\nKd 0 0 1\n"), std::string::npos);
  expect_converted("c.obj", "d.stl");
  EXPECT_EQ(attributes_of(content("d.stl")), colors);
}

TEST_F(MeshAssets, ColorsOfMagicsHaveTheOtherOrderAndAnObject) {
  write("a.stl", colored_stl("COLOR=\xff\x80" + std::string("\0\xff", 2), {31, 0x8000, 31 << 10}));
  expect_converted("a.stl", "b.gltf");
  const Json materials = document("b.gltf")["materials"];
  ASSERT_EQ(materials.size(), 3u);
  EXPECT_EQ(materials[0]["name"], "color_ff0000");
  EXPECT_EQ(materials[1]["name"], "object");
  EXPECT_EQ(materials[2]["name"], "color_0000ff");
}

TEST_F(MeshAssets, PlyNamesTheTexturesOfAMeshWithObjects) {
  write_model();
  write("a.obj", "o thing\n" + two_materials);
  expect_converted("a.obj", "b.gltf");
  lost("b.gltf", "c.ply");
  const std::string made = content("c.ply");
  EXPECT_NE(made.find("\nobj_info obj.text o thing\n"), std::string::npos) << made.substr(0, 500);
  EXPECT_NE(made.find("\ncomment TextureFile wood grain.png\n"), std::string::npos)
      << made.substr(0, 500);
  lost("c.ply", "d.gltf");
  EXPECT_EQ(document("d.gltf")["images"][0]["uri"], "wood%20grain.png");
}

TEST_F(MeshAssets, CopiesBesidePlyKeepTheObjFile) {
  write_model();
  write("a.obj", two_materials + "s 0\n# made here\nf 1 2 4\n");
  for (const char* name : {"linked", "copied", "again"}) fs::create_directory(directory_ / name);
  expect_converted("a.obj", "linked/a.ply");
  expect_converted("a.obj", "copied/a.ply", {"--assets", "copy"});
  EXPECT_EQ(content("copied/a.ply"), content("linked/a.ply"));
  EXPECT_EQ(files_in("copied"),
            (std::vector<std::string>{"a.mtl", "a.ply", "n.png", "wood grain.png"}));
  expect_converted("copied/a.ply", "again/a.obj", {"--assets", "copy"});
  EXPECT_EQ(content("again/a.obj"), content("a.obj"));
  EXPECT_EQ(content("again/a.mtl"), library);
  // Formats that name no library have no copy of it.
  expect_converted("a.obj", "again/b.gltf", {"--assets", "copy", "--lossy"});
  EXPECT_FALSE(exists("again/b.mtl"));
}

TEST_F(MeshAssets, PlyOfALibraryHasColorsForOtherPrograms) {
  write_model();
  write("a.mtl", "newmtl red\nKd 1 0 0\nd 0.2\nnewmtl wood\nmap_Kd wood grain.png\n");
  write("a.obj", two_materials);
  expect_converted("a.obj", "b.ply", {"--to-options", R"({"format": "ascii"})"});
  const std::string made = content("b.ply");
  for (const char* line : {"comment TextureFile wood grain.png", "property uchar red",
                           "property uchar alpha", "property int texnumber"})
    EXPECT_NE(made.find("\n" + std::string(line) + "\n"), std::string::npos) << made;
  EXPECT_NE(made.find(" 255 0 0 51 -1\n"), std::string::npos) << made;
  EXPECT_NE(made.find(" 255 255 255 255 0\n"), std::string::npos) << made;
  // The library says the same, so that the file comes back without a loss.
  expect_converted("b.ply", "c.obj", {"--lossless"});
  EXPECT_EQ(content("c.obj"), two_materials);
}

TEST_F(MeshAssets, ImagesOfOneNameAreFilesOfTheirOwn) {
  write_model();
  expect_converted("a.obj", "b.gltf");
  Json made = document("b.gltf");
  made["images"] = Json::array();
  made["textures"] = Json::array();
  for (const char* content : {"iVBORw0KGgo=", "iVBORw0KGgoA", "iVBORw0KGgo=", "iVBORw0KGgoB"}) {
    const Json image{{"name", "x.png"}, {"uri", std::string("data:image/png;base64,") + content}};
    made["textures"].push_back({{"source", made["images"].size()}});
    made["images"].push_back(image);
  }
  write("b.gltf", made.dump());
  fs::create_directory(directory_ / "out");
  expect_converted("b.gltf", "out/c.gltf", {"--assets", "copy"});
  const Json images = Json::parse(content("out/c.gltf"))["images"];
  EXPECT_EQ(images[0]["uri"], "x.png");
  EXPECT_EQ(images[1]["uri"], "x_2.png");
  EXPECT_EQ(images[2]["uri"], "x.png");
  EXPECT_EQ(images[3]["uri"], "x_3.png");
  EXPECT_EQ(files_in("out").size(), 4u);
}

TEST_F(MeshAssets, ColorsOfFacetsGoBeforeNamesOfSolids) {
  write("a.obj", "mtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0\nv 1 1 0\nusemtl red\nf 1 2 3\n");
  write("a.mtl", "newmtl red\nKd 1 0 0\nPr 1\n");
  EXPECT_NE(lost("a.obj", "b.stl").find("the name of the solid"), std::string::npos);
  EXPECT_EQ(attributes_of(content("b.stl")), (std::vector<std::uint16_t>{0x8000 | 31 << 10}));
  write("a.mtl", "newmtl blue\nKd 1 0 0\n");
  lost("a.obj", "c.stl");
  EXPECT_EQ(content("c.stl").substr(0, 11), "solid thing");
}

TEST_F(MeshAssets, StlLosesTheRestOfMaterials) {
  write_model();
  const std::string losses = lost("a.obj", "b.stl");
  EXPECT_NE(losses.find("2 names of materials: their colors stay"), std::string::npos) << losses;
  EXPECT_NE(losses.find("2 materials that are more than a color"), std::string::npos) << losses;
  EXPECT_EQ(attributes_of(content("b.stl")),
            (std::vector<std::uint16_t>{0x8000 | 25 << 10 | 3 << 5 | 6, 0xffff}));
}

}  // namespace
}  // namespace polycodec::test
