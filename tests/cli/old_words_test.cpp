// SPDX-License-Identifier: MIT
// The words of 0.1 are read as those of today, with a notice: one test for each.
#include "command.hpp"

namespace {

using polycodec::test::Command;
using polycodec::test::Finished;

constexpr const char* filters = R"([{"id": "zlib"}])";

class OldWords : public Command {
 protected:
  /// Runs the command, which is to succeed with the notice.
  Finished expect_notice(const std::vector<std::string>& arguments, const std::string& notice,
                         const std::string& input = {}) {
    Finished done = run(arguments, input);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.err.find(notice), std::string::npos) << done.err;
    return done;
  }
};

TEST_F(OldWords, ThenAroundAFile) {
  const std::string in = vector("nd_i4_le_2x3");
  expect_notice({"convert", in, "a.bin", "--to", "dynd", "--to-then", filters},
                "warning: '--to-then' is the old name of '--to-filters'\n");
  const Finished read =
      expect_notice({"decode", "a.bin", "--from", "dynd", std::string("--from-then=") + filters},
                    "warning: '--from-then' is the old name of '--from-filters'\n");
  EXPECT_EQ(read.out, run({"decode", in}).out);
  const Finished quiet = run({"decode", "-q", "a.bin", "--from", "dynd", "--from-then", filters});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out, read.out);
}

TEST_F(OldWords, ThenOfAMessage) {
  expect_notice(
      {"message", "pack", vector("nd_i4_le_2x3"), "--codec", "dynd", "--then", filters, "-o", "m"},
      "warning: '--then' is the old name of '--filters'\n");
  EXPECT_NE(run({"message", "unpack", "m", "--header-only"}).out.find("\"filters\""),
            std::string::npos);
}

TEST_F(OldWords, Normalise) {
  write("s.json", R"({"type": "int"})");
  EXPECT_EQ(expect_notice({"schema", "normalise", "s.json", "-"},
                          "warning: 'normalise' is the old name of 'normalize'\n",
                          R"({"type": "int32", "value": 1})")
                .out,
            run({"schema", "normalize", "s.json", "-"}, R"({"type": "int32", "value": 1})").out);
}

TEST_F(OldWords, FolderOfANewPlugin) {
  expect_notice({"plugin", "new", "org.example.lines", "--folder", "lines"},
                "warning: '--folder' is the old name of '--out-dir'\n");
  EXPECT_TRUE(polycodec::test::fs::exists(directory_ / "lines/CMakeLists.txt"));
}

TEST_F(OldWords, OutOfGeneratedCode) {
  write("one.json", R"({"namespace": "n", "structs": {"S": {"members": {"a": "int8"}}}})");
  expect_notice({"fastbin", "generate", "one.json", "--out", "made"},
                "warning: '--out' is the old name of '--out-dir'\n");
  EXPECT_TRUE(polycodec::test::fs::exists(directory_ / "made/one.hpp"));
}

TEST_F(OldWords, DyndNotation) {
  EXPECT_EQ(expect_notice({"type", "--dynd", "int32"},
                          "warning: '--dynd' is the old name of '--strict'\n")
                .out,
            "int32\n");
}

TEST_F(OldWords, FolderAsAContainer) {
  const char* notice = "option 'container' has the old word 'folder' for 'directory'";
  expect_notice({"convert", vector("nd_i4_le_2x3"), "a/", "--to", "awkward", "--to-options",
                 R"({"container": "folder"})"},
                notice);
  EXPECT_EQ(run({"decode", "a/"}).status, 0);
  write("c.json", R"({"defaults": {"options": {"awkward": {"container": "folder"}}}})");
  expect_notice({"convert", vector("nd_i4_le_2x3"), "b/", "--to", "awkward", "--config", "c.json"},
                notice);
}

TEST_F(OldWords, KeysOfTheConfiguration) {
  write("c.json",
        "{\"whitelist\": [[\"zlib\", \"*\"]],\n\"limits\": {\"max_ratio\": 5},\n"
        "\"rules\": [{\"codec\": \"dynd\", \"then\": [{\"id\": \"zlib\"}]}]}");
  const Finished check = run({"config", "check", "c.json"});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_EQ(check.out,
            "c.json:1: warning: 'whitelist' is the old name of 'allowlist'\n"
            "c.json:2: warning: 'limits.max_ratio' has no effect any more: max_work, "
            "max_memory_bytes and max_output_bytes bound what a small input costs\n"
            "c.json:3: warning: 'rules[0].then' is the old name of 'filters'\n"
            "c.json: good, with warnings\n");
  EXPECT_NE(run({"config", "show", "--config", "c.json"})
                .out.find("allowlist = [[\"zlib\",\"*\"]]  (c.json:1)"),
            std::string::npos);
  expect_notice({"convert", vector("nd_i4_le_2x3"), "a.bin", "--config", "c.json"},
                "c.json:3: 'rules[0].then' is the old name of 'filters'");
}

TEST_F(OldWords, MaxRatio) {
  expect_notice({"decode", vector("nd_i4_le_2x3"), "--limits", R"({"max_ratio": 5})"},
                "limits:1: 'max_ratio' has no effect any more");
}

TEST_F(OldWords, AreNotReadInOtherPlaces) {
  EXPECT_EQ(run({"list", "--folder"}).status, 2);
  EXPECT_EQ(run({"normalise"}).status, 2);
  write("c.json", R"({"folder": 1})");
  EXPECT_EQ(run({"config", "check", "c.json"}).status, 2);
}

}  // namespace
