// SPDX-License-Identifier: MIT
// `--tolerant` and `--lossless` of the command.
#include "command.hpp"

#include <string>

namespace polycodec::test {
namespace {

class TolerantCommand : public Command {
 protected:
  void SetUp() override {
    write("a.obj", "v 1.5D+03 0,5 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("good.obj", "v 1.5 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  }
};

constexpr const char* place =
    "mended $.v[0]: line 1, byte 0: '1.5D+03' is not a number; 'v 1.5D+03 0,5 0' is read as 'v "
    "1500 0.5 0'\n";

TEST_F(TolerantCommand, ReadsAndPrintsEachPlace) {
  EXPECT_EQ(run({"convert", "a.obj", "a.ply"}).status, 1);
  const Finished mended = run({"convert", "--tolerant", "a.obj", "a.ply"});
  EXPECT_EQ(mended.status, 0) << mended.err;
  EXPECT_NE(mended.err.find(place), std::string::npos) << mended.err;
  const Json json = Json::parse(run({"convert", "--tolerant", "--json", "a.obj", "a.ply"}).out);
  EXPECT_EQ(json["lost"][0]["path"], "$.v[0]");
  for (const char* command : {"validate", "inspect", "hash"})
    EXPECT_EQ(run({command, "--tolerant", "a.obj"}).status, 0) << command;
  // The option of the codec is the same.
  const Finished option = run(
      {"convert", "--from", "obj", "--from-options", R"({"tolerant": true})", "a.obj", "b.ply"});
  EXPECT_EQ(option.status, 0) << option.err;
  EXPECT_EQ(read_file(directory_ / "a.ply"), read_file(directory_ / "b.ply"));
  const Finished good = run({"convert", "--tolerant", "good.obj", "good.ply"});
  EXPECT_EQ(good.err.find("mended"), std::string::npos) << good.err;
}

TEST_F(TolerantCommand, LosslessRefusesWhatWasMended) {
  const Finished refused = run({"convert", "--tolerant", "--lossless", "a.obj", "a.ply"});
  EXPECT_EQ(refused.status, 1) << refused.err;
  EXPECT_NE(refused.err.find("1500 0.5 0"), std::string::npos) << refused.err;
  EXPECT_FALSE(fs::exists(directory_ / "a.ply"));
  EXPECT_EQ(run({"convert", "--lossy", "--lossless", "good.obj", "a.ply"}).status, 2);
  write("narrow.json", R"({"type": "int32", "value": 7})");
  EXPECT_EQ(run({"convert", "narrow.json", "a.msgpack"}).status, 0);
  EXPECT_EQ(run({"convert", "--lossless", "narrow.json", "b.msgpack"}).status, 1);
}

TEST_F(TolerantCommand, ReportsCountThePlaces) {
  fs::create_directory(directory_ / "out");
  const Finished done = run({"convert", "--tolerant", "--to", "ply", "--out-dir", "out", "--report",
                             "report.jsonl", "a.obj", "good.obj"});
  EXPECT_EQ(done.status, 0) << done.err;
  const std::string report = read_file(directory_ / "report.jsonl");
  EXPECT_NE(report.find(R"("class":"mended","path":"$.v[0]")"), std::string::npos) << report;
}

TEST_F(TolerantCommand, ACodecWithoutItSaysSo) {
  write("a.dynd", "\x05int32\x01");
  const Finished refused = run({"convert", "--tolerant", "--from", "dynd", "a.dynd", "a.msgpack"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("'dynd' has no tolerant reading"), std::string::npos) << refused.err;
  write("b.dynd", std::string("\x05int32\x01\0\0\0", 10));
  const Finished good = run({"convert", "--tolerant", "--from", "dynd", "b.dynd", "b.msgpack"});
  EXPECT_EQ(good.status, 0);
  EXPECT_NE(good.err.find("'dynd' has no tolerant reading"), std::string::npos) << good.err;
}

}  // namespace
}  // namespace polycodec::test
