// SPDX-License-Identifier: MIT
// Files whose value is a mesh only if the codec is asked for it: STL and glTF.
#include "command.hpp"

#include <string>
#include <vector>

namespace polycodec::test {
namespace {

using namespace std::string_literals;

std::string vector_file(const std::string& name) {
  return std::string(POLYCODEC_TEST_VECTORS) + "/" + name;
}

class SceneCommand : public Command {
 protected:
  Json page_of(const std::string& file) {
    const Finished done = run({"view", "-o", "page.html", file});
    EXPECT_EQ(done.status, 0) << done.err;
    const std::string page = read_file(directory_ / "page.html");
    const std::string start = "<script type=\"application/json\" id=\"data\">";
    const std::size_t from = page.find(start) + start.size();
    return Json::parse(page.substr(from, page.find("</script>", from) - from));
  }
};

TEST_F(SceneCommand, ExtensionOfTheOutputChoosesTheWordOfAnOption) {
  const std::string box = vector_file("gltf/trimesh_box.glb");
  const auto written = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"convert", "--quiet"});
    const Finished done = run(words);
    EXPECT_EQ(done.status, 0) << done.err;
    return read_file(directory_ / words[3]).substr(0, 4);
  };
  EXPECT_EQ(written({box, "a.gltf"}), "{\"sc");
  EXPECT_EQ(written({box, "a.GLTF"}), "{\"sc");
  EXPECT_EQ(written({"a.gltf", "b.glb"}), "glTF");
  // Other options stay, and the option itself comes first.
  EXPECT_EQ(written({box, "c.gltf", "--to-options", R"({"triangulate": true})"}), "{\"sc");
  EXPECT_EQ(written({box, "d.gltf", "--to-options", R"({"format": "glb"})"}), "glTF");
  EXPECT_EQ(written({"a.gltf", "e.data", "--to", "gltf"}), "{\"sc");
}

TEST_F(SceneCommand, MeshProgramsReadFacetsAndScenes) {
  ASSERT_EQ(run({"convert", vector_file("gltf/trimesh_box.glb"), "a.stl", "--quiet"}).status, 0);
  for (const std::string& file : {std::string("a.stl"), vector_file("gltf/trimesh_box.glb")}) {
    EXPECT_EQ(run({"render", file, "-o", "a.png", "--width", "8", "--height", "8"}).status, 0);
    EXPECT_EQ(read_file(directory_ / "a.png").substr(1, 3), "PNG");
    const Json report = Json::parse(run({"mesh", "--json", file}).out);
    EXPECT_EQ(report["mesh"]["counts"]["positions"], 8) << report;
    const Json check = Json::parse(run({"mesh", "check", "--json", file}).out);
    EXPECT_EQ(check["shells"], Json({{"count", 1}, {"closed", 1}}));
    EXPECT_EQ(page_of(file)["mesh"]["vertices"], 8);
  }
  EXPECT_EQ(run({"mesh", "repair", "a.stl", "--merge", "-o", "b.stl"}).status, 0);
  // What the mesh of a scene lacks is lost in a repair, and only there.
  std::vector<std::string> words{
      "mesh", "repair", vector_file("gltf/gltf_transform_textured.glb"), "--merge", "-o", "b.glb"};
  const Finished repair = run(words);
  EXPECT_EQ(repair.status, 1);
  EXPECT_NE(repair.err.find("$.animations"), std::string::npos) << repair.err;
  words.emplace_back("--lossy");
  EXPECT_EQ(run(words).status, 0);
  EXPECT_EQ(page_of("b.glb")["mesh"]["materials"][0]["texture"], 0);
}

TEST_F(SceneCommand, PageHasColorsAndTexturesOfMaterials) {
  const Json textured = page_of(vector_file("gltf/gltf_transform_textured.glb"))["mesh"];
  EXPECT_EQ(textured["materialNames"], Json({"painted"}));
  EXPECT_EQ(textured["materials"][0]["name"], "painted");
  EXPECT_EQ(textured["materials"][0]["texture"], 0);
  EXPECT_TRUE(
      textured["images"][0].get<std::string>().starts_with("data:image/png;base64,iVBORw0KGgo"));
  EXPECT_EQ(textured["yUp"], true);
  const Json colored = page_of(vector_file("gltf/pygltflib_interleaved.glb"))["mesh"];
  EXPECT_EQ(colored["materials"], Json::array({{{"name", "red"}, {"color", {1.0, 0.0, 0.0}}}}));
}

TEST_F(SceneCommand, BuffersAreInFilesBelowTheDirectory) {
  fs::create_directories(directory_ / "models/sub");
  for (const char* name : {"models/in.bin", "models/sub/in.bin", "out.bin"})
    write(name, std::string(36, '\0'));
  const auto mesh_with = [&](const std::string& uri) {
    write(
        "models/a.gltf",
        R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0}],)"
        R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,)"
        R"("componentType":5126,"type":"VEC3","count":3}],"bufferViews":[{"buffer":0,)"
        R"("byteLength":36}],"buffers":[{"byteLength":36,"uri":")" +
            uri + R"("}]})");
    return run({"mesh", "models/a.gltf"});
  };
  for (const std::string& uri :
       {"in.bin"s, "./in.bin"s, "././in.bin"s, "./sub/./in.bin"s, "sub/in.bin"s, "%2e/in.bin"s,
        "dAtA:application/octet-stream;base64,"s + std::string(48, 'A')}) {
    const Finished read = mesh_with(uri);
    EXPECT_EQ(read.status, 0) << uri << ": " << read.err;
  }
  for (const char* uri : {"../out.bin", "./../out.bin", "sub/../in.bin", ".//in.bin", "./", ".",
                          "sub/.", "%2e%2e/out.bin"}) {
    const Finished refused = mesh_with(uri);
    EXPECT_EQ(refused.status, 1) << uri;
    EXPECT_NE(refused.err.find("$.buffers[0].uri"), std::string::npos)
        << uri << ": " << refused.err;
  }
}

TEST_F(SceneCommand, BuffersOfAnySizeAreText) {
  // More than a piece of base64, and rests of one and two bytes.
  for (const int count : {3, 4, 5, 9001}) {
    std::string obj;
    for (int i = 0; i < count; ++i)
      obj += "v " + std::to_string(i) + " " + std::to_string(i % 7) + " 0.5\n";
    obj += "f 1 2 3\np 1\n";
    write("a.obj", obj);
    for (const auto& [from, to] : {std::pair("a.obj", "a.glb"), std::pair("a.glb", "b.gltf"),
                                   std::pair("b.gltf", "b.glb"), std::pair("a.glb", "c.glb")}) {
      const Finished done = run({"convert", from, to, "--lossy", "--quiet"});
      ASSERT_EQ(done.status, 0) << done.err;
    }
    EXPECT_EQ(read_file(directory_ / "b.glb"), read_file(directory_ / "c.glb")) << count;
  }
}

TEST_F(SceneCommand, PrimitivesAreLookedAtOnce) {
  const auto of_many = [](const char* item, int count) {
    std::string items = item;
    for (int i = 1; i < count; ++i) items += std::string(",") + item;
    return "[" + items + "]";
  };
  // 100,000 triangles in two lists of hundreds. Reading the file and making the mesh share the
  // work.
  write("a.gltf", R"({"asset":{"version":"2.0"},"nodes":)" + of_many(R"({"mesh":0})", 200) +
                      R"(,"meshes":[{"primitives":)" +
                      of_many(R"({"attributes":{"POSITION":0}})", 500) +
                      R"(}],"accessors":[{"componentType":5126,"type":"VEC3","count":3}]})");
  const Finished done = run({"mesh", "--json", "a.gltf", "--limits", R"({"max_work": 48000000})"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(Json::parse(done.out)["mesh"]["counts"]["positions"], 300000);
}

TEST_F(SceneCommand, ImagesInTheTextAreEmbeddedByTheirBytes) {
  const auto scene = [&](const std::string& uri) {
    write("a.gltf", R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
                    R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],)"
                    R"("accessors":[{"componentType":5126,"type":"VEC3","count":3}],)"
                    R"("materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],)"
                    R"("textures":[{"source":0}],"images":[{"uri":")" +
                        uri + R"("}]})");
    return page_of("a.gltf");
  };
  const std::string pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkkAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg="
      "=";
  for (const char* type : {"data:image/jpeg;base64,", "DATA:image/png;base64,"}) {
    const Json good = scene(type + pixel)["mesh"];
    EXPECT_EQ(good["materials"], Json::array({{{"name", "material_0"}, {"texture", 0}}}));
    EXPECT_EQ(good["images"], Json::array({"data:image/png;base64," + pixel}));
  }
  for (const char* uri :
       {"data:text/html;base64,PHNjcmlwdD4=", "data:image/png,%89PNG", "data:image/png;base64,!",
        "data:image/png;base64,iVBORw0KGgo=", "../a.png"}) {
    const Json bad = scene(uri);
    EXPECT_EQ(bad["mesh"]["materials"], Json::array({{{"name", "material_0"}}})) << uri;
    EXPECT_NE(bad["notes"].dump().find("is not shown"), std::string::npos) << bad["notes"];
  }
}

}  // namespace
}  // namespace polycodec::test
