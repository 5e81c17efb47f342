// SPDX-License-Identifier: MIT
// `polycodec convert --out-dir` in directories that others may write: links, pipes, odd names and a
// report that is in the way.
#include "command.hpp"

#include <sys/stat.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace polycodec::test {
namespace {

class BatchPaths : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    for (const char* name : {"in/sub", "out", "victim"}) fs::create_directories(directory_ / name);
    write("in/a.json", "[1]");
    write("in/b.json", "[2]");
    write("in/sub/c.json", "[3]");
    write("victim/file", "mine");
  }

  Finished convert(std::vector<std::string> more) {
    std::vector<std::string> words{"convert", "-r",      "in",     "--out-dir", "out",
                                   "--to",    "msgpack", "--sync", "none"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::string read(const std::string& name) { return read_file(directory_ / name); }
  void link(const std::string& target, const std::string& name) {
    fs::create_symlink(target, directory_ / name);
  }
  /// The lines of a report, by the name of their file.
  std::map<std::string, Json> lines(const std::string& name) {
    std::map<std::string, Json> found;
    std::istringstream text(read(name));
    for (std::string line; std::getline(text, line);) {
      const Json object = Json::parse(line);
      if (object.contains("source")) found[object["source"]] = object;
    }
    return found;
  }
  void expect_victim() {
    EXPECT_EQ(read("victim/file"), "mine");
    EXPECT_EQ(
        std::distance(fs::directory_iterator(directory_ / "victim"), fs::directory_iterator()), 1);
  }
};

TEST_F(BatchPaths, LinksAndPipesBelowTheOutputDirectoryAreFailures) {
  write("in/d.json", "[4]");
  link("../victim/file", "out/a.msgpack");
  link("../victim", "out/sub");
  ASSERT_EQ(::mkfifo((directory_ / "out/b.msgpack").c_str(), 0600), 0);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--report", "r.jsonl"}, {"--report", "r.jsonl", "--resume"}}) {
    const Finished done = convert(more);
    EXPECT_EQ(done.status, 1) << done.err;
    EXPECT_NE(done.err.find("1 of 4 converted"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("a.msgpack' is a symbolic link"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("b.msgpack' is a pipe"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("below 'sub', a symbolic link"), std::string::npos) << done.err;
    expect_victim();
    fs::remove(directory_ / "out/d.msgpack");
  }
  link("../victim/file", "out/a.typed.json");
  const Finished text = run({"convert", "in/a.json", "--out-dir", "out", "--to", "text"});
  EXPECT_EQ(text.status, 1) << text.err;
  expect_victim();
}

TEST_F(BatchPaths, StoresBelowTheOutputDirectoryFollowNoLinks) {
  link("../victim/file", "out/a.awkd");
  link("../victim", "out/sub");
  const Finished done = run({"convert", "-r", "in", "--out-dir", "out", "--to", "awkward"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.err.find("1 of 3 converted, 2 failed"), std::string::npos) << done.err;
  expect_victim();
}

TEST_F(BatchPaths, TheOutputDirectoryItselfMayBeALink) {
  link("out", "other");
  const Finished done = run({"convert", "-r", "in", "--out-dir", "other", "--to", "msgpack"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_TRUE(fs::exists(directory_ / "out/sub/c.msgpack"));
}

TEST_F(BatchPaths, GeneratedFilesAndTemplatesFollowNoLinks) {
  write("s.json", R"({"namespace": "n", "structs": {"One": {"members": {"s": "string"}}}})");
  const Finished first = run({"fastbin", "generate", "s.json", "-o", "made", "--json"});
  ASSERT_EQ(first.status, 0) << first.err;
  const std::string made = Json::parse(first.out)["files"][0];
  fs::remove(directory_ / made);
  link("../victim/file", made);
  EXPECT_NE(run({"fastbin", "generate", "s.json", "-o", "made"}).status, 0);
  expect_victim();
}

TEST_F(BatchPaths, LinksOutOfTheDirectoryAreFailuresAndThoseInsideAreRead) {
  write("outside.json", "[5]");
  link("../outside.json", "in/leaves.json");
  link("a.json", "in/stays.json");
  link("nothing.json", "in/dangling.json");
  link("../../in/b.json", "in/sub/around.json");
  const Finished done = convert({"--report", "r.jsonl"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.err.find("5 of 7 converted, 2 failed"), std::string::npos) << done.err;
  EXPECT_FALSE(fs::exists(directory_ / "out/leaves.msgpack"));
  EXPECT_EQ(read("out/stays.msgpack"), read("out/a.msgpack"));
  auto report = lines("r.jsonl");
  for (const char* name : {"leaves.json", "dangling.json"}) {
    EXPECT_EQ(report[name]["status"], "failed") << name;
    EXPECT_EQ(report[name]["error"]["code"], "denied") << name;
    EXPECT_NE(std::string(report[name]["error"]["message"]).find("symbolic link that leads"),
              std::string::npos);
  }
  // Who names a link means it.
  EXPECT_EQ(run({"convert", "in/leaves.json", "--out-dir", "out", "--to", "msgpack"}).status, 0);
  EXPECT_EQ(convert({"--exclude", "leaves*", "--exclude", "dangling*"}).status, 0);
}

TEST_F(BatchPaths, WhatIsReplacedByALinkAfterTheSearchIsAFailure) {
  write("victim/c.json", "[5]");
  const auto replace = [&](const std::string& name, const std::string& target) {
    link(target, "by");
    const std::string at = directory_.string() + "/";
    const Finished done = run(
        {"convert", "-r", "in", "--out-dir", "out", "--to", "msgpack", "-q", "--jobs", "2",
         "--report", "r.jsonl"},
        "",
        "LD_PRELOAD=" POLYCODEC_CUT_SHORT " EXCHANGE=" + at + name + " EXCHANGE_BY=" + at + "by");
    EXPECT_FALSE(fs::exists(fs::symlink_status(directory_ / "by"))) << "it was not put there";
    fs::remove(directory_ / name);
    fs::rename(directory_ / (name + ".away"), directory_ / name);
    return done;
  };
  for (const auto& [name, target, failed] :
       {std::tuple{"in/a.json", "../victim/c.json", "a.json"},
        {"in/sub", "../victim", "sub/c.json"},
        {"in/sub/c.json", "../../victim/c.json", "sub/c.json"}}) {
    fs::remove_all(directory_ / "out");
    fs::remove(directory_ / "r.jsonl");
    const Finished done = replace(name, target);
    EXPECT_EQ(done.status, 1) << name << done.err;
    auto report = lines("r.jsonl");
    for (const char* each : {"a.json", "b.json", "sub/c.json"})
      EXPECT_EQ(report[each]["status"], std::string(each) == failed ? "failed" : "converted")
          << each;
    EXPECT_EQ(report[failed]["error"]["code"], "denied") << report[failed].dump();
    EXPECT_NE(std::string(report[failed]["error"]["message"]).find("replaced by a symbolic link"),
              std::string::npos);
    EXPECT_TRUE(report[failed]["source_sha256"].is_null()) << report[failed].dump();
  }
  // The directory that was named is the one that was searched.
  fs::create_directories(directory_ / "other/sub");
  for (const char* file : {"other/a.json", "other/b.json", "other/sub/c.json"}) write(file, "[6]");
  fs::remove_all(directory_ / "out");
  fs::remove(directory_ / "r.jsonl");
  EXPECT_EQ(replace("in", "other").status, 0);
  EXPECT_EQ(read("out/a.msgpack"), std::string("\x91\x01", 2));
}

TEST_F(BatchPaths, FilesBesideOneAreNotThoseOfAnotherDirectory) {
  // The scene is open when its directory gives way to another: what lies there is not read.
  fs::remove_all(directory_ / "in");
  fs::create_directories(directory_ / "in/scene");
  const std::string scene =
      R"({"asset": {"version": "2.0"}, "buffers": [{"uri": "b.bin", "byteLength": 4}]})";
  write("in/scene/s.gltf", scene);
  write("in/scene/b.bin", "mine");
  write("victim/b.bin", "your");
  write("victim/s.gltf", scene);
  link("../victim", "by");
  const std::string at = directory_.string() + "/";
  const Finished done =
      run({"convert", "-r", "in", "--out-dir", "out", "--to", "text", "-q", "--jobs", "1"}, "",
          "LD_PRELOAD=" POLYCODEC_CUT_SHORT " EXCHANGE=" + at + "in/scene EXCHANGE_BY=" + at +
              "by EXCHANGE_WHEN=/s.gltf");
  EXPECT_EQ(done.status, 1) << done.err;
  EXPECT_NE(done.err.find("it was replaced while it was read"), std::string::npos) << done.err;
  EXPECT_FALSE(fs::exists(directory_ / "out/scene/s.json"));
}

TEST_F(BatchPaths, ANameThatIsNotUtf8IsOneFailure) {
  write("in/\xff\\.json", "[1]");
  const Finished done = convert({"--report", "r.jsonl"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.err.find("3 of 4 converted, 1 failed"), std::string::npos) << done.err;
  auto report = lines("r.jsonl");
  const Json line = report["\\xff\\\\.json"];
  EXPECT_EQ(line["status"], "failed");
  EXPECT_NE(std::string(line["error"]["message"]).find("not UTF-8"), std::string::npos);
  EXPECT_EQ(run({"report", "show", "r.jsonl"}).status, 1);
  EXPECT_EQ(convert({}).status, 0) << "without a report no name is needed";
  EXPECT_EQ(convert({"--report", "r.jsonl", "--exclude", "\xff*"}).status, 0);
}

TEST_F(BatchPaths, AReportInTheWayIsFoundBeforeAnythingIsWritten) {
  const std::string before = read("in/a.json");
  link("in/a.json", "link.jsonl");
  fs::create_hard_link(directory_ / "in/b.json", directory_ / "hard.jsonl");
  write("in/x.journal", "[9]");
  for (const char* report : {"out/a.msgpack", "out/../out/sub/c.msgpack", "in/a.json", "link.jsonl",
                             "hard.jsonl", "in/x", "out"}) {
    const Finished done = convert({"--report", report});
    EXPECT_EQ(done.status, 2) << report << " " << done.err;
    EXPECT_NE(done.err.find("--report"), std::string::npos) << done.err;
    EXPECT_TRUE(fs::is_empty(directory_ / "out")) << report;
    EXPECT_EQ(read("in/a.json"), before) << report;
  }
  const Finished named =
      run({"convert", "in/a.json", "--out-dir", "out", "--to", "msgpack", "--report", "in/a.json"});
  EXPECT_EQ(named.status, 2) << named.err;
  EXPECT_EQ(read("in/a.json"), before);
}

TEST_F(BatchPaths, TheReportOfAnEarlierRunIsNoInput) {
  fs::remove_all(directory_ / "out");
  for (int i = 0; i < 2; ++i) {
    const Finished done = convert({"--report", "in/r.jsonl"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.err.find("3 of 3 converted"), std::string::npos) << done.err;
    write("in/r.jsonl.journal", "\n{\"source\":\"tor");  // as an interrupted run leaves it
  }
}

TEST_F(BatchPaths, TheJournalIsNotWrittenThroughALink) {
  const auto refused = [&](const char* what) {
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--report", "r"}, {"--report", "r", "--resume"}}) {
      const Finished done = convert(more);
      EXPECT_NE(done.status, 0) << what;
      EXPECT_NE(done.err.find("'r.journal'"), std::string::npos) << done.err;
    }
    EXPECT_EQ(read("victim/file"), "mine") << what;
    fs::remove(directory_ / "r.journal");
  };
  link("victim/file", "r.journal");
  refused("a symbolic link");
  fs::create_hard_link(directory_ / "victim/file", directory_ / "r.journal");
  refused("a hard link");
  ASSERT_EQ(::mkfifo((directory_ / "r.journal").c_str(), 0600), 0);
  refused("a pipe");
  EXPECT_EQ(convert({"--report", "r"}).status, 0);
}

TEST_F(BatchPaths, AReportBringsNoOptions) {
  ASSERT_EQ(::mkfifo((directory_ / "pipe").c_str(), 0600), 0);  // who opens it waits for ever
  ASSERT_EQ(convert({"--report", "r"}).status, 0);
  std::string text = read("r");
  for (std::size_t at = 0; (at = text.find("\"options\":{", at)) != std::string::npos; at += 20)
    text.insert(at + 11, R"("from":"fastbin","from_options":"{\"schema_file\":\"pipe\"}")");
  write("r", text);
  const Finished again = convert({"--report", "r", "--resume"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_NE(again.err.find("3 of 3 converted"), std::string::npos)
      << "options differ: " << again.err;
}

TEST_F(BatchPaths, ReportsOfOtherWordsAreRefused) {
  ASSERT_EQ(convert({"--report", "r"}).status, 0);
  const std::string good = read("r");
  const auto refused = [&](const std::string& from, const std::string& to, const char* what) {
    std::string text = good;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write("bad", text.replace(at, from.size(), to));
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"report", "show", "bad"}, {"report", "merge", "all", "bad"}}) {
      const Finished done = run(words);
      EXPECT_EQ(done.status, 1) << done.out << done.err;
      EXPECT_NE(done.err.find(what), std::string::npos) << done.err;
      EXPECT_NE(done.err.find("bad:"), std::string::npos) << done.err;
    }
    EXPECT_FALSE(fs::exists(directory_ / "all"));
  };
  refused("\"status\":\"converted\"", "\"status\":\"exploded\"", "the status 'exploded'");
  refused("\"number\":1", "\"number\":0", "the shard is 0 of 1");
  refused("\"number\":1,\"count\":1", "\"number\":0,\"count\":0", "the shard is 0 of 0");
  refused("\"number\":1,\"count\":1", "\"number\":3,\"count\":2", "the shard is 3 of 2");
  refused("\"count\":1}", "\"count\":4294967297}", "the shard is 1 of 4294967297");
}

}  // namespace
}  // namespace polycodec::test
