// SPDX-License-Identifier: MIT
// `polycodec convert` with many files at once.
#include "command.hpp"
#include "files.hpp"

#include <chrono>
#include <iterator>

namespace polycodec::test {
namespace {

class BatchConvert : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    for (const char* name : {"a", "b", "c"}) {
      write(std::string(name) + ".json", std::string("[1, 2, \"") + name + "\"]");
    }
  }
};

TEST_F(BatchConvert, EveryFileKeepsItsNameAndGetsTheExtension) {
  const Finished run1 = run(
      {"convert", "a.json", "b.json", "c.json", "--to", "msgpack", "--out-dir", "out", "--json"});
  ASSERT_EQ(run1.status, 0) << run1.err;
  const Json object = Json::parse(run1.out);
  EXPECT_TRUE(object["ok"]);
  EXPECT_EQ(object["converted"], 3);
  EXPECT_EQ(object["files"][1]["out"], "out/b.msgpack");
  EXPECT_EQ(run({"decode", "--plain", "out/c.msgpack"}).out, "[1, 2, \"c\"]\n");
}

TEST_F(BatchConvert, FailuresAreToldAndDoNotEndTheOthers) {
  write("bad.json", "[1, ");
  const Finished all = run({"convert", "a.json", "bad.json", "absent.json", "b.json", "--to",
                            "msgpack", "--out-dir", "out", "--jobs", "2"});
  EXPECT_EQ(all.status, 1);
  EXPECT_NE(all.err.find("2 of 4 converted, 2 failed"), std::string::npos) << all.err;
  EXPECT_NE(all.err.find("bad.json"), std::string::npos) << all.err;
  EXPECT_NE(all.err.find("absent.json"), std::string::npos) << all.err;
  EXPECT_TRUE(fs::exists(directory_ / "out" / "a.msgpack"));
  EXPECT_TRUE(fs::exists(directory_ / "out" / "b.msgpack"));
  // Nothing of what failed is left: neither an output nor a part of one.
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_ / "out"), {}), 2);
}

TEST_F(BatchConvert, ResumingLeavesOutWhatIsDone) {
  ASSERT_EQ(run({"convert", "a.json", "b.json", "--to", "dynd", "--out-dir", "out"}).status, 0);
  write("b.json", "[3, 4]");
  fs::last_write_time(directory_ / "b.json",
                      fs::file_time_type::clock::now() + std::chrono::seconds(5));
  const Finished again = run({"convert", "a.json", "b.json", "c.json", "--to", "dynd", "--out-dir",
                              "out", "--resume", "--json"});
  ASSERT_EQ(again.status, 0) << again.err;
  const Json object = Json::parse(again.out);
  EXPECT_EQ(object["skipped"], 1);
  EXPECT_EQ(object["converted"], 2);
  EXPECT_EQ(run({"decode", "--plain", "out/b.dynd"}).out, "[3, 4]\n");
}

TEST_F(BatchConvert, TheNumberOfThreadsChangesNoByte) {
  std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 40000\nproperty float x\n"
      "property float y\nproperty float z\nend_header\n";
  for (int i = 0; i < 40'000; ++i) ply += std::to_string(i * 0.37) + " -1.5 2\n";
  write("mesh.ply", ply);
  for (const char* threads : {"1", "3"})
    ASSERT_EQ(
        run({"convert", "mesh.ply", std::string(threads) + ".obj", "--threads", threads}).status,
        0);
  ASSERT_EQ(run({"convert", "mesh.ply", "--to", "obj", "--out-dir", "out", "--jobs", "1"}).status,
            0);
  const std::string one = read_file(directory_ / "1.obj");
  EXPECT_GT(one.size(), 500'000u);
  EXPECT_TRUE(read_file(directory_ / "3.obj") == one);
  EXPECT_TRUE(read_file(directory_ / "out/mesh.obj") == one);
  EXPECT_EQ(run({"convert", "mesh.ply", "0.obj", "--threads", "0"}).status, 2);
}

TEST_F(BatchConvert, LossesAreListedByFile) {
  write("units.json", R"({"type": "annotated[2 * string, units='cm']", "value": ["a", "b"]})");
  const Finished strict =
      run({"convert", "units.json", "a.json", "--to", "msgpack", "--out-dir", "out"});
  EXPECT_EQ(strict.status, 1);
  const Finished lossy = run({"convert", "units.json", "a.json", "--to", "msgpack", "--out-dir",
                              "out", "--lossy", "--json"});
  ASSERT_EQ(lossy.status, 0) << lossy.err;
  const Json files = Json::parse(lossy.out)["files"];
  EXPECT_EQ(files[0]["lost"][0]["path"], "$");
  EXPECT_FALSE(files[1].contains("lost"));
}

TEST_F(BatchConvert, FiltersStandBehindACodec) {
  write("n.json", "[1, 2, 3]");
  const std::string filters =
      R"([{"id": "shuffle", "item_bytes": 4}, {"id": "lz4"}, {"id": "xxhash"}])";
  ASSERT_EQ(run({"convert", "n.json", "a.bin", "--to", "dynd", "--to-filters", filters}).status, 0);
  EXPECT_EQ(run({"decode", "--plain", "a.bin", "--from", "dynd", "--from-filters", filters}).out,
            "[1, 2, 3]\n");
  EXPECT_EQ(run({"decode", "a.bin", "--from-filters", filters}).status, 2);
  EXPECT_EQ(
      run({"convert", "n.json", "b.bin", "--to", "dynd", "--to-filters", R"([{"id": "ply"}])"})
          .status,
      2);
  // A rule of the configuration has them, too.
  write("config.json", R"({"rules": [{"codec": "dynd", "filters": )" + filters + "}]}");
  ASSERT_EQ(run({"config", "check", "config.json"}).status, 0);
  ASSERT_EQ(run({"convert", "n.json", "c.bin", "--config", "config.json"}).status, 0);
  EXPECT_EQ(read_file(directory_ / "a.bin"), read_file(directory_ / "c.bin"));
  write("wrong.json",
        R"({"rules": [{"codec": "dynd", "filters": [{"id": "zstd", "level": 99}]}]})");
  const Finished wrong = run({"config", "check", "wrong.json"});
  EXPECT_NE(wrong.status, 0);
  EXPECT_NE((wrong.out + wrong.err).find("level"), std::string::npos) << wrong.out << wrong.err;
}

TEST_F(BatchConvert, WrongUsageIsFoundBeforeAnythingIsWritten) {
  fs::create_directory(directory_ / "deeper");
  write("deeper/a.json", "1");
  const Finished twice =
      run({"convert", "a.json", "deeper/a.json", "--to", "msgpack", "--out-dir", "out"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.err.find("out/a.msgpack"), std::string::npos) << twice.err;
  EXPECT_EQ(run({"convert", "a.json", "b.json", "c.json", "--to", "msgpack"}).status, 2);
  EXPECT_EQ(run({"convert", "a.json", "--out-dir", "out"}).status, 2);
  EXPECT_EQ(run({"convert", "a.json", "--to", "msgpak", "--out-dir", "out"}).status, 3);
  EXPECT_FALSE(fs::exists(directory_ / "out"));
}

}  // namespace
}  // namespace polycodec::test
