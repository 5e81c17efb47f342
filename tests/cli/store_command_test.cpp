// SPDX-License-Identifier: MIT
// `polycodec store`, and encoding to files of named blobs.
#include "command.hpp"

namespace {

namespace fs = std::filesystem;
using polycodec::test::Command;
using polycodec::test::Finished;
using polycodec::test::Json;
using polycodec::test::read_file;

class StoreCommand : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    write("lists.json", R"({"type": "2 * var * int64", "value": [[1, 2], [3]]})");
    write("texts.json", R"({"type": "2 * string", "value": ["a", "b"]})");
  }
  std::string plain(const std::string& file, const std::string& options = "{}") {
    return run({"decode", "--plain", "--from-options", options, file}).out;
  }
};

TEST_F(StoreCommand, AddsListsReplacesAndDeletes) {
  EXPECT_EQ(run({"store", "add", "x.awkd", "one", "lists.json"}).status, 0);
  EXPECT_EQ(run({"store", "add", "x.awkd", "two", "texts.json", "-q"}).err, "");
  const Json listed = Json::parse(run({"store", "list", "x.awkd", "--json"}).out);
  ASSERT_EQ(listed["values"].size(), 2u);
  EXPECT_EQ(listed["values"][0]["name"], "one");
  EXPECT_EQ(listed["values"][0]["schema"], "one.json");
  EXPECT_EQ(listed["values"][0]["blobs"].size(), 2u);
  EXPECT_EQ(plain("x.awkd", R"({"array": "one"})"), "[[1, 2], [3]]\n");
  EXPECT_NE(run({"store", "list", "x.awkd"}).out.find("two: "), std::string::npos);

  const std::string before = read_file(directory_ / "x.awkd");
  const Finished taken = run({"store", "add", "x.awkd", "one", "texts.json"});
  EXPECT_EQ(taken.status, 1);
  EXPECT_NE(taken.err.find("'one'"), std::string::npos) << taken.err;
  EXPECT_EQ(read_file(directory_ / "x.awkd"), before);

  EXPECT_EQ(run({"store", "replace", "x.awkd", "one", "texts.json"}).status, 0);
  EXPECT_EQ(plain("x.awkd", R"({"array": "one"})"), "[\"a\", \"b\"]\n");
  EXPECT_EQ(run({"store", "delete", "x.awkd", "one"}).status, 0);
  EXPECT_EQ(run({"store", "delete", "x.awkd", "one"}).status, 1);
  EXPECT_EQ(plain("x.awkd"), "{\"two\": [\"a\", \"b\"]}\n");
}

TEST_F(StoreCommand, InspectListsValuesBlobsAndCompression) {
  run({"store", "add", "x.awkd", "one", "lists.json"});
  EXPECT_EQ(run({"store", "add", "x.awkd", "two", "texts.json", "--to-options",
                 R"({"compression": true})"})
                .status,
            0);
  const Json json = Json::parse(run({"inspect", "--json", "x.awkd"}).out);
  ASSERT_EQ(json["values"].size(), 2u);
  EXPECT_EQ(json["values"][0]["name"], "one");
  EXPECT_EQ(json["values"][0]["type"], "2 * var * int64");
  EXPECT_EQ(json["values"][0]["blobs"][0]["compression"], nullptr);
  EXPECT_EQ(json["values"][1]["type"], "2 * string");
  EXPECT_EQ(json["values"][1]["blobs"][0]["compression"], "zlib.decompress");
  EXPECT_GT(json["values"][1]["blobs"][0]["bytes"], 0);
  const std::string text = run({"inspect", "x.awkd"}).out;
  for (const char* part :
       {"Values by name", "two", "2 * string", "Blobs", "one-1.raw", "zlib.decompress"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;

  run({"encode", "lists.json", "-o", "single.awkd"});
  const Json single = Json::parse(run({"inspect", "--json", "single.awkd"}).out);
  ASSERT_EQ(single["values"].size(), 1u);
  EXPECT_EQ(single["values"][0]["name"], "");
  EXPECT_EQ(single["values"][0]["type"], "2 * var * int64");
  run({"encode", "lists.json", "-o", "x.dynd"});
  EXPECT_FALSE(Json::parse(run({"inspect", "--json", "x.dynd"}).out).contains("values"));
}

TEST_F(StoreCommand, EncodesToTheContainerThatTheNameSays) {
  EXPECT_EQ(run({"encode", "lists.json", "-o", "out.awkd"}).status, 0);
  EXPECT_EQ(read_file(directory_ / "out.awkd").substr(0, 2), "PK");
  EXPECT_EQ(plain("out.awkd"), "[[1, 2], [3]]\n");
  EXPECT_EQ(run({"convert", "out.awkd", "blobs", "--to", "awkward", "--to-options",
                 R"({"array": "evt"})"})
                .status,
            0);
  EXPECT_TRUE(fs::is_regular_file(directory_ / "blobs" / "evt.json"));
  EXPECT_EQ(plain("blobs"), "{\"evt\": [[1, 2], [3]]}\n");
  EXPECT_EQ(run({"encode", "lists.json", "--to", "awkward"}).status, 2)
      << "blobs have no place on standard output";
}

}  // namespace
