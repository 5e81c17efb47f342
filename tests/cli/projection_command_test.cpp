// SPDX-License-Identifier: MIT
// --columns and --rows of decode, convert and inspect.
#include "command.hpp"

namespace polycodec::test {
namespace {

constexpr const char* mesh =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
    "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0.5\n0 1 0\n3 0 1 2\n";

TEST_F(Command, ColumnsAndRowsArePartsOfAFile) {
  write("a.ply", mesh);
  const Finished part =
      run({"decode", "a.ply", "--plain", "--columns", "vertex.x,vertex.z", "--rows", "1:3"});
  EXPECT_EQ(part.status, 0) << part.err;
  EXPECT_EQ(part.out, R"({"vertex": [{"x": 1.0, "z": 0.5}, {"x": 0.0, "z": 0.0}]})"
                      "\n");
  EXPECT_NE(part.err.find("a part of the value"), std::string::npos) << part.err;
  const Finished all = run({"decode", "a.ply", "--plain", "--columns", R"($["vertex"].y)"});
  EXPECT_EQ(all.out, R"({"vertex": [{"y": 0.0}, {"y": 0.0}, {"y": 1.0}]})"
                     "\n")
      << all.err;
}

TEST_F(Command, ASelectedPartTakesThePlaceOfTheValue) {
  write("a.ply", mesh);
  const Finished converted = run({"convert", "a.ply", "a.msgpack", "--select", "$.vertex"});
  EXPECT_EQ(converted.status, 0) << converted.err;
  EXPECT_NE(converted.err.find("same value"), std::string::npos) << converted.err;
  EXPECT_EQ(run({"decode", "a.msgpack", "--plain", "--select", "[1].z"}).out, "0.5\n");
  EXPECT_EQ(run({"convert", "a.ply", "-", "--to", "text", "--select", "vertex.x"}).out,
            run({"decode", "a.ply", "--select", "vertex.x"}).out);
  EXPECT_EQ(Json::parse(run({"inspect", "a.ply", "--select", "vertex.x", "--json"}).out)["type"],
            "3 * float32");
  EXPECT_EQ(run({"convert", "--out-dir", "out", "--to", "msgpack-ndarray", "a.ply", "--select",
                 "vertex", "-q"})
                .status,
            0);
  EXPECT_EQ(read_file(directory_ / "out" / "a.msgpack"), read_file(directory_ / "a.msgpack"));
  const Finished missing = run({"convert", "a.ply", "b.msgpack", "--select", "vertices"});
  EXPECT_EQ(missing.status, 3) << missing.err;
  EXPECT_NE(missing.err.find("vertex"), std::string::npos) << missing.err;
  EXPECT_FALSE(fs::exists(directory_ / "b.msgpack"));
  EXPECT_EQ(run({"convert", "a.ply", "b.msgpack", "--select", "vertex["}).status, 2);
  // A stream of values has no place for one part: the input is one value.
  EXPECT_EQ(run({"convert", "-", "-", "--from", "msgpack-ndarray", "--to", "msgpack-ndarray",
                 "--select", "[0].x"},
                read_file(directory_ / "a.msgpack"))
                .status,
            0);
}

TEST_F(Command, ColumnsHaveAnyName) {
  write("a.json", R"({"point-cloud": {"x y": 1, "b,c": 2}, "e": 4})");
  for (const char* columns :
       {R"(point-cloud.x y,point-cloud["b,c"])", R"($.point-cloud["x y"],["point-cloud"]["b,c"])"})
    EXPECT_EQ(run({"decode", "a.json", "--plain", "--columns", columns}).out,
              R"({"point-cloud": {"x y": 1, "b,c": 2}})"
              "\n");
}

TEST_F(Command, APartIsConvertedAndSaysSo) {
  write("a.ply", mesh);
  const Finished converted =
      run({"convert", "a.ply", "a.msgpack", "--columns", "vertex.y", "--lossy", "--json"});
  ASSERT_EQ(converted.status, 0) << converted.err;
  EXPECT_EQ(Json::parse(converted.out)["partial"], true);
  EXPECT_NE(run({"decode", "a.msgpack", "--plain"}).out.find(R"("y": 1)"), std::string::npos);
  const Json seen = Json::parse(run({"inspect", "a.ply", "--columns", "vertex", "--json"}).out);
  EXPECT_EQ(seen["partial"], true);
  EXPECT_EQ(seen["type"].get<std::string>().find("face"), std::string::npos);
  EXPECT_FALSE(Json::parse(run({"inspect", "a.ply", "--json"}).out).contains("partial"));
}

TEST_F(Command, WrongPartsAreRefused) {
  write("a.ply", mesh);
  const Finished unknown = run({"decode", "a.ply", "--columns", "vertex.xx"});
  EXPECT_EQ(unknown.status, 3);
  EXPECT_NE(unknown.err.find("there is no member 'xx' (did you mean 'x'"), std::string::npos)
      << unknown.err;
  for (const char* rows : {"3", "a:b", "3:1", "-1:2", "1:2:3", ":99999999999999999999"})
    EXPECT_EQ(run({"decode", "a.ply", "--columns", "vertex", "--rows", rows}).status, 2) << rows;
  EXPECT_EQ(run({"decode", "a.ply", "--columns", "vertex[0]"}).status, 2);
}

}  // namespace
}  // namespace polycodec::test
