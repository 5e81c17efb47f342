// SPDX-License-Identifier: MIT
// Files whose value is a mesh only if the codec is asked for it: STL and glTF.
#include "command.hpp"

#include <string>
#include <vector>

namespace polycodec::test {
namespace {

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
  const Finished repair = run({"mesh", "repair", vector_file("gltf/gltf_transform_textured.glb"),
                               "--merge", "-o", "b.glb"});
  EXPECT_EQ(repair.status, 1);
  EXPECT_NE(repair.err.find("$.images"), std::string::npos) << repair.err;
}

TEST_F(SceneCommand, PageHasColorsAndTexturesOfMaterials) {
  const Json textured = page_of(vector_file("gltf/gltf_transform_textured.glb"))["mesh"];
  EXPECT_EQ(textured["materialNames"], Json({"painted"}));
  EXPECT_EQ(textured["materials"][0]["name"], "painted");
  EXPECT_TRUE(textured["materials"][0]["texture"].get<std::string>().starts_with(
      "data:image/png;base64,iVBORw0KGgo"));
  EXPECT_EQ(textured["yUp"], true);
  const Json colored = page_of(vector_file("gltf/pygltflib_interleaved.glb"))["mesh"];
  EXPECT_EQ(colored["materials"], Json::array({{{"name", "red"}, {"color", {1.0, 0.0, 0.0}}}}));
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
  const Json good = scene("data:image/jpeg;base64,iVBORw0KGgo=");
  EXPECT_EQ(
      good["mesh"]["materials"],
      Json::array({{{"name", "material_0"}, {"texture", "data:image/png;base64,iVBORw0KGgo="}}}));
  for (const char* uri : {"data:text/html;base64,PHNjcmlwdD4=", "data:image/png,%89PNG",
                          "data:image/png;base64,!", "../a.png"}) {
    const Json bad = scene(uri);
    EXPECT_EQ(bad["mesh"]["materials"], Json::array({{{"name", "material_0"}}})) << uri;
    EXPECT_NE(bad["notes"].dump().find("is not shown"), std::string::npos) << bad["notes"];
  }
}

}  // namespace
}  // namespace polycodec::test
