// SPDX-License-Identifier: MIT
// `polycodec mesh check` and `mesh repair` on meshes with one thing wrong at a time.
#include "command.hpp"

#include <string>
#include <vector>

namespace polycodec::test {
namespace {

/// A closed cube that looks outward, in quads.
const std::string cube_points =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
const std::string cube_faces = "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

class MeshCheck : public Command {
 protected:
  /// The findings of a file as `name x count`, problems with a mark.
  std::vector<std::string> findings(const std::string& file) {
    const Finished done = run({"mesh", "check", "--json", "-q", file});
    std::vector<std::string> all;
    bool problems = false;
    const Json json = Json::parse(done.out);
    for (const Json& one : json["findings"]) {
      const bool problem = one["severity"] == "problem";
      problems = problems || problem;
      all.push_back((problem ? "! " : "") + one["name"].get<std::string>() + " x" +
                    std::to_string(one["count"].get<int>()));
    }
    EXPECT_EQ(done.status, problems ? 1 : 0);
    EXPECT_EQ(json["ok"], !problems);
    return all;
  }
  std::vector<std::string> findings_of(const std::string& obj) {
    write("a.obj", obj);
    return findings("a.obj");
  }
  /// What a repair of `obj` writes.
  std::string repaired(const std::string& obj, const std::vector<std::string>& options) {
    write("in.obj", obj);
    std::vector<std::string> words{"mesh", "repair", "-q", "in.obj", "-o", "out.obj"};
    words.insert(words.end(), options.begin(), options.end());
    const Finished done = run(words);
    EXPECT_EQ(done.status, 0) << done.err;
    return read_file(directory_ / "out.obj");
  }
  using Lines = std::vector<std::string>;
};

TEST_F(MeshCheck, AClosedCubeIsClean) {
  EXPECT_EQ(findings_of(cube_points + cube_faces), Lines{"no_normals x1"});
  const Finished text = run({"mesh", "check", "a.obj"});
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.out.find("6 faces in 1 shells (1 closed)"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("no problems"), std::string::npos) << text.out;
}

TEST_F(MeshCheck, FindsEachKindOfProblem) {
  EXPECT_EQ(findings_of(cube_points + "v 0 0 0\nv 9 9 9\nl 9 1\n" + cube_faces),
            (Lines{"! duplicate_positions x1", "! unreferenced_positions x1", "no_normals x1"}));
  EXPECT_EQ(findings_of(cube_points + cube_faces + "f 1 2 2\n"),
            (Lines{"! degenerate_faces x1", "no_normals x1"}));
  EXPECT_EQ(findings_of("v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\n"),
            (Lines{"! degenerate_faces x1", "no_normals x1"}));
  EXPECT_EQ(findings_of(cube_points + cube_faces + "f 4 3 2 1\n"),
            (Lines{"! duplicate_faces x1", "! non_manifold_edges x4", "no_normals x1"}));
  EXPECT_EQ(findings_of(cube_points + cube_faces.substr(10)),
            (Lines{"boundary_edges x4", "no_normals x1"}));
  EXPECT_EQ(findings_of(cube_points + "f 1 2 3 4\n" + cube_faces.substr(10)),
            (Lines{"! inconsistent_winding x4", "no_normals x1"}));
  EXPECT_EQ(findings_of(cube_points +
                        "f 1 2 3 4\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n"),
            (Lines{"! inside_out_shells x1", "no_normals x1"}));
  EXPECT_EQ(findings_of("v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n").at(0),
            "! positions_not_finite x1");
}

TEST_F(MeshCheck, FindsWrongNormals) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(findings_of(points + "vn 0 0 1\nf 1//1 2//1 3//1\n"), Lines{"boundary_edges x3"});
  EXPECT_EQ(findings_of(points + "vn 0 0 -1\nf 1//1 2//1 3//1\n"),
            (Lines{"boundary_edges x3", "! normals_against_winding x3"}));
  EXPECT_EQ(findings_of(points + "vn 0 0 2\nf 1//1 2//1 3//1\n"),
            (Lines{"boundary_edges x3", "! normals_not_unit x1"}));
  EXPECT_EQ(findings_of(points + "vn 0 0 0\nvn 0 0 1\nf 1//1 2//2 3//2\nf 1 2 3\n"),
            (Lines{"! duplicate_faces x1", "! inconsistent_winding x3", "! missing_normals x1",
                   "! zero_normals x1"}));
  EXPECT_EQ(
      findings_of(points + "vn 0 0 1\nvn 0 0 1\nvt 0 0\nf 1//1 2//1 3//1\n"),
      (Lines{"! unreferenced_texcoords x1", "! unreferenced_normals x1", "boundary_edges x3"}));
}

TEST_F(MeshCheck, CavitiesAndSeamsAreNotes) {
  std::string inner =
      "v 0.2 0.2 0.2\nv 0.8 0.2 0.2\nv 0.8 0.8 0.2\nv 0.2 0.8 0.2\n"
      "v 0.2 0.2 0.8\nv 0.8 0.2 0.8\nv 0.8 0.8 0.8\nv 0.2 0.8 0.8\n";
  inner +=
      "f 9 10 11 12\nf 16 15 14 13\nf 13 14 10 9\nf 14 15 11 10\nf 15 16 12 11\nf 16 13 9 12\n";
  EXPECT_EQ(findings_of(cube_points + cube_faces + inner), (Lines{"cavities x1", "no_normals x1"}));
  write(
      "seam.ply",
      "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float "
      "z\nproperty float s\nproperty float t\nelement face 2\nproperty list uchar int "
      "vertex_indices\nend_header\n0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n1 0 0 0 0\n0 1 0 1 1\n1 1 0 1 "
      "0\n3 0 1 2\n3 3 5 4\n");
  EXPECT_EQ(findings("seam.ply"),
            (Lines{"seam_positions x2", "boundary_edges x4", "no_normals x1"}));
}

TEST_F(MeshCheck, IndicesOutOfRangeAreCountedAndSkipped) {
  write(
      "a.ply",
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face 3\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 "
      "0\n3 0 1 2\n3 0 1 3\n3 -1 0 -2147483648\n");
  EXPECT_EQ(findings("a.ply"), (Lines{"! wrong_indices x3", "boundary_edges x3", "no_normals x1"}));
  const Finished repair = run({"mesh", "repair", "--orient", "a.ply", "-o", "b.ply"});
  EXPECT_EQ(repair.status, 1);
  EXPECT_NE(repair.err.find("$.face[1].vertex_indices[2]"), std::string::npos) << repair.err;
  EXPECT_FALSE(fs::exists(directory_ / "b.ply"));
}

TEST_F(MeshCheck, MissingFilesAndMaterials) {
  write("a.mtl", "newmtl red\nmap_Kd -s 1 1 1 sub\\skin.png\nnewmtl blue\nmap_Kd ../outside.png\n");
  write("a.obj",
        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\nusemtl green\nf 3 2 1\n");
  const Json json = Json::parse(run({"mesh", "check", "--json", "a.obj"}).out);
  std::string missing;
  std::string materials;
  for (const Json& one : json["findings"]) {
    if (one["name"] == "missing_files") missing = one.dump();
    if (one["name"] == "missing_materials") materials = one.dump();
  }
  EXPECT_NE(missing.find("skin.png"), std::string::npos) << json;
  EXPECT_NE(missing.find("outside.png"), std::string::npos) << json;
  EXPECT_NE(materials.find("'green'"), std::string::npos) << json;
  EXPECT_EQ(materials.find("'red'"), std::string::npos) << json;
  fs::create_directories(directory_ / "sub");
  write("sub/skin.png", "");
  write("outside.png", "");  // the last part of a name that leads out of the directory
  EXPECT_EQ(run({"mesh", "check", "a.obj"}).out.find("skin.png"), std::string::npos);
  EXPECT_EQ(run({"mesh", "check", "a.obj"}).out.find("outside.png"), std::string::npos);
  write("b.obj", "mtllib no.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_NE(run({"mesh", "check", "b.obj"}).out.find("material library 'no.mtl'"),
            std::string::npos);
}

TEST_F(MeshCheck, WhatIsNoMeshIsAnError) {
  EXPECT_EQ(run({"mesh", "check", vector("mix_list_of_nd")}).status, 1);
  EXPECT_EQ(run({"mesh", "check"}).status, 2);
  EXPECT_EQ(run({"mesh", "check", "nothing.obj"}).status, 1);
  EXPECT_EQ(run({"mesh", "repair", "--merge", vector("mix_list_of_nd"), "-o", "a.ply"}).status, 1);
}

TEST_F(MeshCheck, RepairDoesWhatWasAskedAndNothingElse) {
  const std::string obj =
      "# by hand\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 7 7 7\nv 0 1 1\n"
      "o thing\ng part\nusemtl red\nf 1 2 3\nf 2 4 3\nusemtl blue\nf 3 3 1\nf 4 3 6\n";
  EXPECT_EQ(repaired(obj, {"--merge"}),
            "# by hand\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 7 7 7\nv 0 1 1\no thing\ng part\nusemtl red\n"
            "f 1 2 3\nf 2 1 3\nusemtl blue\nf 3 3 1\nf 1 3 5\n");
  EXPECT_EQ(repaired(obj, {"--drop", "unreferenced"}),
            "# by hand\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 0 1 1\no thing\ng part\nusemtl red\n"
            "f 1 2 3\nf 2 4 3\nusemtl blue\nf 3 3 1\nf 4 3 5\n");
  EXPECT_EQ(repaired(obj, {"--drop", "degenerate,duplicate-faces"}),
            "# by hand\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 7 7 7\nv 0 1 1\no thing\ng part\n"
            "usemtl red\nf 1 2 3\nusemtl blue\nf 4 3 6\n");
  const Json json = Json::parse(run({"mesh", "repair", "--json", "--merge", "--drop",
                                     "unreferenced", "in.obj", "-o", "out.obj"})
                                    .out);
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["changes"][0]["operation"], "merge");
  EXPECT_EQ(json["changes"][0]["count"], 1);
  EXPECT_EQ(json["changes"][0]["examples"][0], "3 became 0");
  const Finished text = run({"mesh", "repair", "--merge", "in.obj", "-o", "out.obj"});
  EXPECT_NE(text.err.find("merge: 1 positions became an earlier one"), std::string::npos)
      << text.err;
}

TEST_F(MeshCheck, RepairMergesWithinADistance) {
  const std::string obj =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.004 0 0\nv 1 1 0\nv 1 0.004 0\nf 1 2 3\nf 4 6 5\n";
  EXPECT_EQ(repaired(obj, {"--merge-within", "0.01"}),
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 1 2 4\n");
  EXPECT_EQ(repaired(obj, {"--merge-within", "0.001"}), obj);
}

TEST_F(MeshCheck, RepairKeepsPositionsApartWhoseAttributesDiffer) {
  const std::string obj =
      "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nv 0 0 0 0 0 1\nv 1 0 0 1 0 0\n"
      "f 1 2 3\nf 4 5 3\n";
  EXPECT_EQ(repaired(obj, {"--merge"}),
            "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nv 0 0 0 0 0 1\nf 1 2 3\nf 4 2 3\n");
}

TEST_F(MeshCheck, RepairOrients) {
  const std::string outward = repaired(cube_points + cube_faces, {"--orient"});
  EXPECT_EQ(outward, cube_points + cube_faces) << "nothing is wrong";
  EXPECT_EQ(repaired(cube_points + "f 1 2 3 4\n" + cube_faces.substr(10), {"--orient"}), outward);
  repaired(cube_points + "f 1 2 3 4\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\n",
           {"--orient"});
  EXPECT_EQ(findings("out.obj"), Lines{"no_normals x1"});
  // A Moebius strip of three quads stays as it is.
  const std::string strip =
      "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 1 0 1\nv 0 1 0.2\nv 0 1 0.8\nf 1 3 4 2\nf 3 5 6 4\nf 5 2 1 6\n";
  EXPECT_EQ(repaired(strip, {"--orient"}), strip);
  bool found = false;
  for (const std::string& one : findings("out.obj"))
    found = found || one == "! one_sided_shells x1";
  EXPECT_TRUE(found);
}

TEST_F(MeshCheck, RepairTriangulatesConcaveFaces) {
  const std::string arrow = "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4\n";
  repaired(arrow, {"--triangulate"});
  const Json report = Json::parse(run({"mesh", "--json", "out.obj"}).out);
  EXPECT_EQ(report["mesh"]["face_sizes"], Json({{"3", 2}}));
  EXPECT_DOUBLE_EQ(report["mesh"]["area"].get<double>(), 4) << "no triangle lies outside";
}

TEST_F(MeshCheck, RepairMakesNormals) {
  EXPECT_EQ(repaired("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", {"--normals", "area"}),
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\nf 1//1 2//2 3//3\n");
  // A corner of the cube has three right angles, however the faces are cut into triangles.
  repaired(cube_points + cube_faces, {"--triangulate", "--normals", "angle"});
  const std::string cube = read_file(directory_ / "out.obj");
  EXPECT_NE(cube.find("vn -0.577350269189625"), std::string::npos) << cube;
  EXPECT_EQ(findings("out.obj"), Lines{});
}

TEST_F(MeshCheck, RepairSplitsSeamsSoThatPlyHoldsAll) {
  const std::string obj =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvt 1 1\nvn 0 0 1\n"
      "f 1/1/1 2/2/1 3/3/1\nf 2/1/1 4/4/1 3/3/1\n";
  write("in.obj", obj);
  const Finished done = run({"mesh", "repair", "-q", "--split-seams", "in.obj", "-o", "out.ply",
                             "--to-options", R"({"format": "ascii"})"});
  ASSERT_EQ(done.status, 0) << done.err;
  const std::string ply = read_file(directory_ / "out.ply");
  EXPECT_NE(ply.find("element vertex 5\n"), std::string::npos) << ply;
  EXPECT_NE(ply.find("3 0 1 2\n3 4 3 2\n"), std::string::npos) << ply;
  ASSERT_EQ(run({"convert", "-q", "out.ply", "back.obj"}).status, 0);
  ASSERT_EQ(run({"mesh", "repair", "-q", "--split-seams", "back.obj", "-o", "again.obj"}).status,
            0);
  EXPECT_EQ(run({"diff", "back.obj", "again.obj"}).status, 0) << "there is nothing left to split";
}

TEST_F(MeshCheck, RepairKeepsHowAFileWasWritten) {
  const std::string ply =
      "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\nproperty float "
      "y\n"
      "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n5 5 5\n3 0 1 2\n";
  write("a.ply", ply);
  ASSERT_EQ(run({"mesh", "repair", "-q", "--drop", "unreferenced", "a.ply", "-o", "b.ply"}).status,
            0);
  EXPECT_EQ(read_file(directory_ / "b.ply"),
            "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 3\nproperty float x\nproperty "
            "float y\n"
            "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
            "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
}

TEST_F(MeshCheck, RepairRefusesToLoseAnything) {
  write(
      "a.ply",
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\nproperty float quality\nelement face 1\nproperty list uchar int "
      "vertex_indices\nend_header\n"
      "0 0 0 1\n1 0 0 2\n0 1 0 3\n3 0 1 2\n");
  const Finished refused = run({"mesh", "repair", "--orient", "a.ply", "-o", "b.ply"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("$.vertex.quality"), std::string::npos) << refused.err;
  EXPECT_FALSE(fs::exists(directory_ / "b.ply"));
  const Finished lossy = run({"mesh", "repair", "--lossy", "--orient", "a.ply", "-o", "b.ply"});
  EXPECT_EQ(lossy.status, 0) << lossy.err;
  EXPECT_NE(lossy.err.find("lost $.vertex.quality"), std::string::npos) << lossy.err;
}

TEST_F(MeshCheck, RepairWantsToBeToldWhat) {
  write("a.obj", cube_points + cube_faces);
  EXPECT_EQ(run({"mesh", "repair", "a.obj", "-o", "b.obj"}).status, 2);
  EXPECT_EQ(run({"mesh", "repair", "--merge", "a.obj"}).status, 2);
  EXPECT_EQ(run({"mesh", "repair", "--drop", "everything", "a.obj", "-o", "b.obj"}).status, 2);
  EXPECT_EQ(run({"mesh", "repair", "--merge-within=-1", "a.obj", "-o", "b.obj"}).status, 2);
  EXPECT_EQ(run({"mesh", "repair", "--normals", "up", "a.obj", "-o", "b.obj"}).status, 2);
  EXPECT_FALSE(fs::exists(directory_ / "b.obj"));
}

TEST_F(MeshCheck, ManyThingsAtOnePlaceTakeLittleWork) {
  // All corners of 20,000 faces lie at one of three places, and every edge has 20,000 faces.
  std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (int i = 0; i < 20000; ++i) obj += i % 2 == 0 ? "v 0 0 0\n" : "v -0 0 0\n";
  for (int i = 0; i < 20000; ++i) obj += "f " + std::to_string(i + 4) + " 2 3\n";
  write("a.obj", obj);
  const std::string limits = R"({"max_work": 30000000})";
  EXPECT_EQ(run({"mesh", "check", "-q", "--limits", limits, "a.obj"}).status, 1);
  const Finished done = run({"mesh", "repair", "-q", "--limits", limits, "--merge", "--drop",
                             "duplicate-faces", "--orient", "a.obj", "-o", "b.obj"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(read_file(directory_ / "b.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const Finished few = run({"mesh", "check", "--limits", R"({"max_work": 300000})", "a.obj"});
  EXPECT_EQ(few.status, 1) << few.err;
  EXPECT_NE(few.err.find("max_work"), std::string::npos) << few.err;
}

}  // namespace
}  // namespace polycodec::test
