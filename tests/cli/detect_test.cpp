// SPDX-License-Identifier: MIT
// Which codec a file is for, why none is, and errors that say what to type.
#include "command.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::test {
namespace {

using namespace std::string_view_literals;

/// The word that a message advises after `option`, without its quotes; empty if it advises none.
std::string advised(const std::string& message, const std::string& option) {
  const std::size_t at = message.find(option + " '");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + option.size() + 2;
  return message.substr(begin, message.find('\'', begin) - begin);
}

TEST_F(Command, FilesOfAnExtensionAreReadOrRefusedByItsCodec) {
  struct Case {
    const char* name;
    std::string bytes;
    const char* words;
  };
  for (const Case& each : std::vector<Case>{
           {"a.ply", "PLY \nformat ascii 1.0\n", "ply: "},
           {"b.ply", std::string(40, '\0'), "40 bytes are 0"},
           {"c.stl", "", "it is empty"},
           {"d.stl", std::string(80, ' ') + std::string("\5\0\0\0abc", 7), "stl: "},
           {"e.msgpack", std::string("\x92\x01\xc1", 3), "at byte 2"},
           {"f.msgpack", "{\"a\": 1}\n", "the bytes are text"},
           {"g.msgpack", std::string("\0\0\0\x04\x81\xa1\x61\1\0\0\0\x04\x81\xa1\x62\2", 16),
            "4 bytes, big-endian"},
           {"h.ygg", "{'a': 1}", "yggdrasil: "},
           {"i.obj", std::string("\x1f\x8b\x08\0\0\0\0\0\0\3\x2b\x53", 12), "gzip"},
           {"j.json", std::string("\xff\xfe{\0}\0", 6), "UTF-16"}}) {
    write(each.name, each.bytes);
    const Finished done = run({"validate", each.name});
    EXPECT_EQ(done.status, 1) << each.name << done.err;
    EXPECT_NE(done.err.find(each.words), std::string::npos) << each.name << ": " << done.err;
    EXPECT_EQ(done.err.find("Candidates"), std::string::npos) << each.name << ": " << done.err;
  }
}

TEST_F(Command, DetectChoosesWhatIsRead) {
  write("a.msgpack", "{\"a\": 1}\n");
  const Finished done = run({"detect", "--json", "a.msgpack"});
  EXPECT_EQ(done.status, 1);
  EXPECT_TRUE(Json::parse(done.out)["chosen"].is_null()) << done.out;
  EXPECT_EQ(Json::parse(done.out)["error"]["codec"], "msgpack-ndarray") << done.out;
}

TEST_F(Command, TheOwnerOfTheExtensionIsAskedFirst) {
  // Also JSON of a scene, which is what most would take it for.
  write("a.json", R"({"asset": {"version": "2.0"}})");
  EXPECT_EQ(Json::parse(run({"detect", "--json", "a.json"}).out)["chosen"], "gltf");
  write("b.msgpack", std::string("\x93\1\2\3", 4));
  EXPECT_EQ(Json::parse(run({"detect", "--json", "b.msgpack"}).out)["chosen"], "msgpack-ndarray");
  write("c.msgpack", std::string("\1\2\3", 3));
  EXPECT_EQ(run({"validate", "c.msgpack"}).status, 0);
  write("d.obj", "# nothing but a comment\n");
  EXPECT_EQ(run({"validate", "d.obj"}).status, 0);
  // A score below 10 never wins.
  write("e.txt", "what people write\n");
  EXPECT_NE(run({"validate", "e.txt"}).status, 0);
}

TEST_F(Command, CompressedFilesThatMayNotBeUnpackedAreNamed) {
  write("a.ply.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\3\x2b\x53", 12));
  Finished done = run({"validate", "a.ply.gz"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.err.find("the gzip member ends too early; the input may be incomplete"),
            std::string::npos)
      << done.err;
  write("config.json", R"({"policy": {"deny_codecs": ["gzip"]}})");
  done = run({"validate", "a.ply.gz", "--config", "config.json"});
  EXPECT_NE(done.status, 0);
  EXPECT_NE(done.err.find("unpack it first"), std::string::npos) << done.err;
}

TEST_F(Command, AdviceIsWhatOneTypes) {
  // What --tolerant mends.
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\nf 1 2 3\n"},
           {"b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\nf 1 2 3\n"},
           {"c.ply",
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty uchar red\nend_header\n255.0\n"}}) {
    write(name, bytes);
    const Finished done = run({"validate", name});
    EXPECT_EQ(done.status, 1) << name;
    EXPECT_NE(done.err.find("; use --tolerant to mend it"), std::string::npos) << done.err;
    EXPECT_EQ(run({"validate", "--tolerant", name}).status, 0) << name;
  }
  // Nothing mends this.
  write("d.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n");
  EXPECT_EQ(run({"validate", "d.ply"}).err.find("--tolerant"), std::string::npos);
  // Options of the codec.
  for (const auto& [name, bytes] : std::vector<std::pair<std::string, std::string>>{
           {"a.msgpack", std::string("\xa2\xff\xfe", 3)},
           {"b.msgpack", std::string("\x93\1\2\3\1", 5)},
           {"c.msgpack", std::string("\x81\xa1v\xc7\5nhello", 11)}}) {
    write(name, bytes);
    const Finished done = run({"validate", name});
    EXPECT_EQ(done.status, 1) << name;
    const std::string option = advised(done.err, "--from-options");
    EXPECT_NE(option, "") << done.err;
    EXPECT_EQ(run({"validate", "--from", "msgpack", "--from-options", option, name}).status, 0)
        << option;
  }
  // Limits.
  write("deep.msgpack", std::string(600, '\x91') + '\1');
  const Finished deep = run({"validate", "deep.msgpack"});
  EXPECT_EQ(deep.status, 1);
  EXPECT_LT(deep.err.size(), 600u) << deep.err;
  const std::string limits = advised(deep.err, "--limits");
  EXPECT_EQ(run({"validate", "--limits", limits, "deep.msgpack"}).status, 0) << deep.err;
  const Json object = Json::parse(run({"validate", "--json", "deep.msgpack"}).out);
  EXPECT_NE(object["error"]["message"].get<std::string>().find("--limits"), std::string::npos);
}

TEST_F(Command, AdviceComesBeforeLists) {
  std::string splat = "ply\nformat ascii 1.0\nelement vertex 1\n";
  for (const char* name : {"x", "y", "z", "red", "greeb", "blue"})
    splat += std::string("property float ") + name + "\n";
  for (int i = 0; i < 60; ++i) splat += "property float f_rest_" + std::to_string(i) + "\n";
  splat += "end_header\n";
  for (int i = 0; i < 66; ++i) splat += "0 ";
  write("a.ply", splat + "\n");
  const Finished done = run({"convert", "a.ply", "a.obj"});
  EXPECT_EQ(done.status, 1);
  const std::size_t advice = done.err.find("use --lossy to omit them");
  ASSERT_NE(advice, std::string::npos) << done.err;
  EXPECT_LT(advice, done.err.find("f_rest_0")) << done.err;
  EXPECT_NE(done.err.find("and 57 more (a property that a mesh has no place for)"),
            std::string::npos)
      << done.err;
  EXPECT_NE(done.err.find("'green', which is missing (did you mean 'greeb'?)"), std::string::npos)
      << done.err;
  EXPECT_EQ(run({"convert", "--lossy", "a.ply", "a.obj"}).status, 0);
}

TEST_F(Command, MissingFilesOfAScene) {
  write(
      "a.gltf",
      R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "gone.bin", "byteLength": 4}],)"
      R"("bufferViews": [{"buffer": 0, "byteLength": 4}],)"
      R"("accessors": [{"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": 1}]})");
  const Finished done = run({"validate", "a.gltf"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.err.find("the file 'gone.bin' beside it is missing"), std::string::npos)
      << done.err;
  EXPECT_EQ(done.err.find("blob '"), std::string::npos) << done.err;
}

TEST_F(Command, OutputsThatNoCodecWritesByThemselves) {
  write("a.json", "[1, 2]");
  const Finished store = run({"convert", "a.json", "a.h5"});
  EXPECT_EQ(store.status, 2);
  EXPECT_NE(store.err.find("'.h5' is a store of named blobs"), std::string::npos) << store.err;
  EXPECT_NE(store.err.find("--to NAME"), std::string::npos) << store.err;
  EXPECT_NE(store.err.find("awkward"), std::string::npos) << store.err;
}

TEST_F(Command, HeadersOfMessagesSayWhatBodiesAre) {
  write("a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0.5\n");
  write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write("a.msgpack", std::string("\x81\xa1x\1", 4));
  for (const auto& [name, type] : std::vector<std::pair<std::string, std::string>>{
           {"a.ply", "ply"}, {"a.obj", "obj"}, {"a.msgpack", "object"}}) {
    EXPECT_EQ(run({"message", "pack", name, "-o", "first.msg"}).status, 0);
    const Finished unpacked = run({"message", "unpack", "--header-only", "first.msg"});
    const Json header = Json::parse(unpacked.out);
    EXPECT_EQ(header["type"], type);
    EXPECT_EQ(header["serializer"]["datatype"]["type"], type) << unpacked.out;
    // The value that was received is written as the one that came from the file.
    EXPECT_EQ(run({"message", "pack", "first.msg", "-o", "second.msg"}).status, 0);
    const Json again = Json::parse(run({"message", "unpack", "--header-only", "second.msg"}).out);
    EXPECT_EQ(again["type"], type);
    EXPECT_EQ(again["serializer"], header["serializer"]);
    EXPECT_EQ(run({"message", "unpack", "first.msg"}).status, 0);
  }
}

}  // namespace
}  // namespace polycodec::test
