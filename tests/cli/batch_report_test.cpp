// SPDX-License-Identifier: MIT
// `polycodec convert` over directories, in parts and with a report, and `polycodec report`.
#include "command.hpp"

#include <chrono>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

class BatchReport : public Command {
 protected:
  static constexpr int files = 40;

  void SetUp() override {
    Command::SetUp();
    fs::create_directories(directory_ / "in" / "deep" / "er");
    for (int i = 0; i < files; ++i) {
      const std::string place = i % 3 == 0 ? "in/" : i % 3 == 1 ? "in/deep/" : "in/deep/er/";
      write(place + std::to_string(i) + ".json", "[" + std::to_string(i) + ", 2]");
    }
  }

  Finished convert(std::vector<std::string> more) {
    std::vector<std::string> words{"convert", "-r", "in", "--to", "msgpack", "--sync", "none"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }

  std::string read(const std::string& name) { return read_file(directory_ / name); }

  /// The lines of a report, by the name of their file. The first and the last have no name.
  std::map<std::string, Json> lines(const std::string& name) {
    std::map<std::string, Json> found;
    std::istringstream text(read(name));
    for (std::string line; std::getline(text, line);) {
      const Json object = Json::parse(line);
      if (object.contains("source")) found[object["source"]] = object;
    }
    return found;
  }

  std::map<std::string, std::string> contents(const std::string& below) {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(directory_ / below))
      if (entry.is_regular_file())
        all[fs::relative(entry.path(), directory_ / below)] =
            read(fs::relative(entry.path(), directory_));
    return all;
  }
};

TEST_F(BatchReport, FilesKeepTheirPlaceBelowTheDirectory) {
  const Finished all = convert({"--out-dir", "out"});
  ASSERT_EQ(all.status, 0) << all.err;
  EXPECT_NE(all.err.find("40 of 40 converted"), std::string::npos) << all.err;
  EXPECT_EQ(run({"decode", "--plain", "out/deep/er/2.msgpack"}).out, "[2, 2]\n");
  EXPECT_EQ(contents("out").size(), std::size_t{files});
}

TEST_F(BatchReport, OutputsHiddenFilesAndLinksToDirectoriesAreNoInputs) {
  write("in/.hidden.json", "[1]");
  fs::create_directory_symlink("..", directory_ / "in" / "deep" / "up");
  ASSERT_EQ(convert({"--out-dir", "in/out", "--report", "in/report.jsonl"}).status, 0);
  const Finished again = convert({"--out-dir", "in/out", "--report", "in/report.jsonl"});
  EXPECT_NE(again.err.find("40 of 40 converted"), std::string::npos) << again.err;
}

TEST_F(BatchReport, PatternsChooseAmongFoundFiles) {
  const Finished some = convert({"--out-dir", "out", "--include", "deep/*", "--exclude", "*/er/*"});
  ASSERT_EQ(some.status, 0) << some.err;
  for (const auto& [name, bytes] : contents("out"))
    EXPECT_EQ(fs::path(name).parent_path(), "deep") << name;
}

TEST_F(BatchReport, TwoFilesOfOneOutputAreRefusedBeforeAnythingIsWritten) {
  write("in/0.txt", "[0]");
  const Finished both = convert({"--out-dir", "out"});
  EXPECT_EQ(both.status, 2);
  EXPECT_NE(both.err.find("--exclude"), std::string::npos) << both.err;
  EXPECT_FALSE(fs::exists(directory_ / "out"));
}

TEST_F(BatchReport, FilesOfUnknownFormatsAreIgnoredUnlessTheyAreNamed) {
  write("in/README", "some words about these files\n");
  const Finished found = convert({"--out-dir", "out", "--report", "r.jsonl"});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(lines("r.jsonl")["README"]["status"], "ignored");
  EXPECT_EQ(run({"convert", "in/README", "--to", "msgpack", "--out-dir", "out"}).status, 1);
}

TEST_F(BatchReport, ALineSaysWhatTheFileWasAndWhatCameOut) {
  ASSERT_EQ(convert({"--out-dir", "out", "--report", "r.jsonl"}).status, 0);
  const Json line = lines("r.jsonl")["deep/1.json"];
  EXPECT_EQ(line["output"], "deep/1.msgpack");
  EXPECT_EQ(line["status"], "converted");
  EXPECT_EQ(line["source_bytes"], 6);
  // What sha256sum says of "[1, 2]"; the msgpack document is 92 01 02.
  EXPECT_EQ(line["source_sha256"],
            "3a316d6d3226f84c1e46e4447fa8d5fd800bff4a1bc6498152523cd4a602b69b");
  EXPECT_EQ(line["output_bytes"], 3);
  EXPECT_EQ(line["codecs"]["from"].get<std::string>().substr(0, 5), "json@");
  EXPECT_EQ(line["attempts"], 1);
  EXPECT_EQ(line["losses"], Json::array());
  EXPECT_EQ(line["error"], nullptr);
  EXPECT_FALSE(fs::exists(directory_ / "r.jsonl.journal"));
}

TEST_F(BatchReport, ResumingRedoesWhatChanged) {
  ASSERT_EQ(convert({"--out-dir", "out", "--report", "r.jsonl"}).status, 0);
  const auto resume = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--out-dir", "out", "--report", "r.jsonl", "--resume", "--json"});
    const Finished done = convert(more);
    EXPECT_EQ(done.status, 0) << done.err;
    return Json::parse(done.out)["converted"].get<int>();
  };
  EXPECT_EQ(resume({}), 0);
  write("in/0.json", "[0, 3]");  // as long as before
  fs::last_write_time(directory_ / "in/0.json",
                      fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(resume({}), 1);
  fs::remove(directory_ / "out/deep/1.msgpack");
  EXPECT_EQ(resume({}), 1);
  EXPECT_EQ(resume({"--lossy"}), files);
  EXPECT_EQ(resume({"--lossy"}), 0);
}

TEST_F(BatchReport, ResumingReadsTheJournalOfAnInterruptedRun) {
  ASSERT_EQ(convert({"--out-dir", "out", "--report", "r.jsonl"}).status, 0);
  // A run that ended in the middle of a line: its journal is there, and no report.
  const std::string report = read("r.jsonl");
  const std::size_t first = report.find('\n') + 1;
  write("r.jsonl.journal", report.substr(first, report.size() / 2));
  fs::remove(directory_ / "r.jsonl");
  const Finished rest = convert({"--out-dir", "out", "--report", "r.jsonl", "--resume", "--json"});
  ASSERT_EQ(rest.status, 0) << rest.err;
  const Json counts = Json::parse(rest.out);
  EXPECT_GT(counts["skipped"], 0);
  EXPECT_GT(counts["converted"], 0);
  EXPECT_EQ(lines("r.jsonl").size(), std::size_t{files});
}

TEST_F(BatchReport, PartsTogetherAreOneRun) {
  ASSERT_EQ(convert({"--out-dir", "whole", "--report", "whole.jsonl"}).status, 0);
  std::vector<std::string> merge{"report", "merge", "all.jsonl"};
  std::set<std::string> names;
  for (const char* part : {"1/3", "2/3", "3/3"}) {
    const std::string report = std::string("part") + part[0] + ".jsonl";
    ASSERT_EQ(convert({"--out-dir", "parts", "--shard", part, "--report", report}).status, 0);
    for (const auto& [name, line] : lines(report)) EXPECT_TRUE(names.insert(name).second) << name;
    merge.push_back(report);
  }
  EXPECT_EQ(names.size(), std::size_t{files});
  EXPECT_EQ(contents("parts"), contents("whole"));
  const Finished merged = run(merge);
  EXPECT_EQ(merged.status, 0) << merged.err;
  EXPECT_EQ(lines("all.jsonl").size(), std::size_t{files});
  for (const auto& [name, line] : lines("whole.jsonl"))
    EXPECT_EQ(lines("all.jsonl")[name]["output_sha256"], line["output_sha256"]);
}

TEST_F(BatchReport, MergingRefusesMissingForeignAndUnfinishedParts) {
  for (const char* part : {"1/2", "2/2"})
    ASSERT_EQ(convert({"--out-dir", "out", "--shard", part, "--report",
                       std::string("part") + part[0] + ".jsonl"})
                  .status,
              0);
  const auto refused = [&](const char* first, const char* second, const char* why) {
    const Finished merged = run({"report", "merge", "all.jsonl", first, second});
    EXPECT_EQ(merged.status, 2) << merged.out;
    EXPECT_NE(merged.err.find(why), std::string::npos) << merged.err;
    EXPECT_FALSE(fs::exists(directory_ / "all.jsonl"));
  };
  EXPECT_EQ(run({"report", "merge", "all.jsonl", "part1.jsonl"}).status, 2);
  refused("part1.jsonl", "part1.jsonl", "there twice");
  write("in/new.json", "[1]");
  ASSERT_EQ(convert({"--out-dir", "out", "--shard", "2/2", "--report", "foreign.jsonl"}).status, 0);
  refused("part1.jsonl", "foreign.jsonl", "another run");
  const std::string text = read("part2.jsonl");
  write("short.jsonl", text.substr(0, text.rfind("{\"summary\"")));
  refused("part1.jsonl", "short.jsonl", "its last line is missing");
  write("noise.jsonl", "no report\n");
  EXPECT_EQ(run({"report", "show", "noise.jsonl"}).status, 1);
}

TEST_F(BatchReport, LossesAreCountedByClass) {
  write("in/units.json", R"({"type": "annotated[2 * string, units='cm']", "value": ["a", "b"]})");
  ASSERT_EQ(convert({"--out-dir", "out", "--report", "r.jsonl", "--lossy"}).status, 0);
  const Json losses = lines("r.jsonl")["units.json"]["losses"];
  ASSERT_FALSE(losses.empty());
  const std::string of_class = losses[0]["class"];
  EXPECT_EQ(losses[0]["path"], "$");
  EXPECT_FALSE(losses[0]["what"].get<std::string>().empty());
  const Json shown = Json::parse(run({"report", "show", "r.jsonl", "--json"}).out);
  EXPECT_GE(shown["losses"][of_class], 1);
  const std::string text = run({"report", "show", "r.jsonl"}).out;
  EXPECT_NE(text.find(" lost (" + of_class + ")"), std::string::npos) << text;
}

TEST_F(BatchReport, FailuresHaveTheirReasons) {
  write("in/bad.json", "[1, ");
  EXPECT_EQ(convert({"--out-dir", "out", "--report", "r.jsonl", "--retries", "1"}).status, 1);
  const Finished shown = run({"report", "show", "r.jsonl", "--json"});
  EXPECT_EQ(shown.status, 1);
  const Json report = Json::parse(shown.out);
  EXPECT_EQ(report["states"]["failed"]["files"], 1);
  EXPECT_EQ(report["reasons"][0]["files"][0], "bad.json");
  const Json line = lines("r.jsonl")["bad.json"];
  EXPECT_EQ(line["attempts"], 1) << "what is wrong stays wrong";
  EXPECT_EQ(line["output_bytes"], nullptr);
  EXPECT_EQ(line["error"]["message"], report["reasons"][0]["reason"]);
}

TEST_F(BatchReport, NoPathOfAReportIsUsed) {
  fs::remove_all(directory_ / "in/deep");
  ASSERT_EQ(convert({"--out-dir", "out", "--report", "r.jsonl"}).status, 0);
  std::vector<Json> good;
  std::istringstream text(read("r.jsonl"));
  for (std::string line; std::getline(text, line);) good.push_back(Json::parse(line));
  write("victim.json", "[1]");
  const std::string victim = (directory_ / "victim.json").string();
  const auto with = [&](const char* member, const Json& value) {
    std::vector<Json> changed = good;
    changed[1][member] = value;
    return changed;
  };
  std::vector<std::vector<Json>> reports;
  for (const char* member : {"source", "output"})
    for (const Json& value : {Json("../victim.json"), Json(victim), Json(".."), Json(""),
                              Json("a\0b"), Json(std::string(5000, 'a')), Json(7), Json(nullptr)})
      reports.push_back(with(member, value));
  for (const char* member : {"source_bytes", "output_bytes", "source_mtime_ns", "attempts"})
    for (const Json& value : {Json(-1), Json(UINT64_MAX), Json("x")})
      reports.push_back(with(member, value));
  reports.push_back(with("options", {{"schema_file", victim}}));
  reports.push_back(with("losses", std::string(50000, '[')));
  reports.push_back(with("error", {{"message", "\x1b[31m"}}));
  std::vector<Json> many = good;
  many[0]["sources"] = UINT64_MAX;
  reports.push_back(many);
  many[0]["shard"] = {{"number", 1}, {"count", UINT64_MAX}};
  reports.push_back(many);
  const auto outside = contents("in");
  for (const std::vector<Json>& lines : reports) {
    std::string report;
    for (const Json& line : lines) report += line.dump() + "\n";
    write("r.jsonl", report);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"report", "show", "r.jsonl"},
          {"report", "merge", "merged.jsonl", "r.jsonl"},
          {"convert", "-r", "in", "--to", "msgpack", "--out-dir", "out", "--resume", "--report",
           "r.jsonl"}}) {
      const Finished done = run(words);
      EXPECT_TRUE(done.status >= 0 && done.status <= 2) << lines[1].dump() << done.err;
      EXPECT_EQ(done.out.find('\x1b'), std::string::npos) << done.out;
      EXPECT_EQ(read("victim.json"), "[1]") << lines[1].dump();
      EXPECT_EQ(contents("in"), outside) << lines[1].dump();
      std::set<std::string> names;
      for (const auto& entry : fs::directory_iterator(directory_))
        names.insert(entry.path().filename());
      for (const char* own : {"merged.jsonl", "r.jsonl.journal"}) names.erase(own);
      EXPECT_EQ(names, (std::set<std::string>{"in", "out", "r.jsonl", "victim.json"}));
      for (const char* own : {"merged.jsonl", "r.jsonl.journal"}) fs::remove(directory_ / own);
    }
  }
}

TEST_F(BatchReport, PartsAndNumbersAreChecked) {
  for (const char* part : {"0/2", "3/2", "1", "a/b", "1/", "/2", "-1/2"}) {
    const Finished wrong = convert({"--out-dir", "out", "--shard", part});
    EXPECT_EQ(wrong.status, 2) << part;
  }
}

}  // namespace
}  // namespace polycodec::test
