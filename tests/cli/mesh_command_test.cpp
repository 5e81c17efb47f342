// SPDX-License-Identifier: MIT
// What the command says about meshes, and what it tells of losses.
#include "command.hpp"

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
  const Finished refused = run({"convert", "a.obj", "a.stl"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("$.statements ("), std::string::npos) << refused.err;
  EXPECT_FALSE(fs::exists(directory_ / "a.stl"));
  const Finished lossy = run({"convert", "--lossy", "a.obj", "a.stl"});
  EXPECT_EQ(lossy.status, 0) << lossy.err;
  EXPECT_NE(lossy.err.find("lost $.statements: "), std::string::npos) << lossy.err;
  const Json json = Json::parse(run({"convert", "--lossy", "--json", "a.obj", "b.stl"}).out);
  EXPECT_FALSE(json["lost"].empty());
}

TEST_F(MeshCommand, MaterialsComeBackFromPly) {
  write("a.obj", square_obj);
  ASSERT_EQ(run({"convert", "a.obj", "a.ply"}).status, 0);
  ASSERT_EQ(run({"convert", "a.ply", "b.obj"}).status, 0);
  EXPECT_EQ(run({"hash", "--logical", "b.obj"}).out.substr(0, 64),
            run({"hash", "--logical", "a.obj"}).out.substr(0, 64));
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

}  // namespace
}  // namespace polycodec::test
