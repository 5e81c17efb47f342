// SPDX-License-Identifier: MIT
// `polycodec store`, and encoding to files of named blobs.
#include "command.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

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

TEST_F(StoreCommand, ListsAndReadsBlobsOfAnyStore) {
  const std::string templates = POLYCODEC_BIN_DIR "/../test_templates";
  run({"store", "add", "x.awkd", "one", "lists.json", "-q"});
  const Json zip = Json::parse(run({"store", "list", "--blobs", "x.awkd", "--json"}).out);
  ASSERT_EQ(zip["blobs"].size(), 3u) << zip;
  const Finished schema = run({"store", "get", "x.awkd", "one.json"});
  EXPECT_EQ(schema.status, 0) << schema.err;
  EXPECT_TRUE(Json::accept(schema.out)) << schema.out;
  EXPECT_EQ(run({"store", "get", "x.awkd", "one.json", "-o", "schema.json"}).status, 0);
  EXPECT_EQ(read_file(directory_ / "schema.json"), schema.out);
  const Finished missing = run({"store", "get", "x.awkd", "two.json", "-o", "schema.json"});
  EXPECT_EQ(missing.status, 3) << missing.err;
  EXPECT_NE(missing.err.find("'two.json'"), std::string::npos) << missing.err;
  EXPECT_EQ(read_file(directory_ / "schema.json"), schema.out) << "it is as it was";
  EXPECT_EQ(run({"store", "get", "x.awkd", "../lists.json"}).status, 1) << "the name is unsafe";

  fs::create_directory(directory_ / "d");
  write("d/a", "abc");
  const Finished directory = run({"store", "list", "d"});
  EXPECT_EQ(directory.status, 0) << directory.err;
  EXPECT_EQ(directory.out, "a: 3 B\n");
  EXPECT_NE(directory.err.find("these are blobs"), std::string::npos) << directory.err;
  EXPECT_EQ(run({"store", "get", "d", "a"}).out, "abc");

  // A store of a plugin, without and with values that a codec knows.
  write("two.test.store", "a 3\nabcb/c 0\n");
  const Finished foreign = run({"store", "list", "--plugin-path", templates, "two.test.store"});
  EXPECT_EQ(foreign.status, 0) << foreign.err;
  EXPECT_EQ(foreign.out, "a: 3 B\nb/c: 0 B\n");
  EXPECT_EQ(run({"store", "get", "--plugin-path", templates, "two.test.store", "a"}).out, "abc");
  std::string awkward;
  for (const Json& blob : zip["blobs"]) {
    const std::string name = blob["name"];
    const std::string bytes = run({"store", "get", "x.awkd", name}).out;
    awkward += name + " " + std::to_string(bytes.size()) + "\n" + bytes;
  }
  write("values.test.store", awkward);
  const Json values = Json::parse(
      run({"store", "list", "--plugin-path", templates, "values.test.store", "--json"}).out);
  ASSERT_EQ(values["values"].size(), 1u) << values;
  EXPECT_EQ(values["values"][0]["name"], "one");
  EXPECT_EQ(Json::parse(run({"inspect", "--plugin-path", templates, "values.test.store", "--json"})
                            .out)["values"][0]["type"],
            "2 * var * int64");
  EXPECT_EQ(run({"store", "list", "--plugin-path", templates, "--to", "awkward", "-q",
                 "values.test.store"})
                .status,
            0);

  const Finished no_store = run({"store", "list", "lists.json"});
  EXPECT_EQ(no_store.status, 1) << no_store.err;
  EXPECT_NE(run({"store", "list", "--blobs", "lists.json"}).err.find("is not a store"),
            std::string::npos);
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

TEST_F(StoreCommand, ParallelAddsLoseNothing) {
  constexpr int writers = 64;
  std::vector<std::string> containers{"x.awkd", "x"};
  if (fs::exists(fs::path(POLYCODEC_BIN_DIR) / "../lib/polycodec/plugins/abi2/hdf5.so"))
    containers.push_back("x.h5");
  for (const std::string& file : containers) {
    std::string line;
    for (int i = 0; i < writers; ++i)
      line += polycodec::test::shell_word(polycodec::test::polycodec_command) + " store add " +
              file + " v" + std::to_string(i) + " lists.json -q --to awkward & ";
    const Finished all = polycodec::test::run_line(directory_, line + "wait");
    EXPECT_EQ(all.err, "") << file;
    const Json listed = Json::parse(run({"store", "list", file, "--to", "awkward", "--json"}).out);
    EXPECT_EQ(listed["values"].size(), std::size_t{writers}) << file;
  }
}

TEST_F(StoreCommand, KilledWritersLeaveTheOldOrTheNewFile) {
  using Clock = std::chrono::steady_clock;
  std::string numbers = "0";
  for (int i = 1; i < 3000; ++i) numbers += ", " + std::to_string(i) + ".5";
  write("new.json", "[" + numbers + "]");
  run({"encode", "lists.json", "-o", "old.awkd", "--to", "awkward", "--to-options",
       R"({"array": "one"})"});
  run({"encode", "new.json", "-o", "new.awkd", "--to", "awkward", "--to-options",
       R"({"array": "one"})"});
  const std::string old_file = read_file(directory_ / "old.awkd");
  const std::vector<std::string> convert{"convert", "new.awkd",     "whole.awkd",          "--to",
                                         "awkward", "--to-options", R"({"array": "one"})", "-q"};
  ASSERT_EQ(run(convert).status, 0);
  const std::string new_file = read_file(directory_ / "whole.awkd");
  std::mt19937 random(13);
  int longest = 0;  // in microseconds: twice what a writer takes here
  const Clock::time_point end = Clock::now() + std::chrono::seconds(8);
  const std::string command = polycodec::test::polycodec_command;
  int runs = 0, finished = 0;
  const auto killed = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), command);
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      if (::chdir(directory_.c_str()) == 0) ::execv(words[0], words.data());
      ::_exit(127);
    }
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution<int>(0, longest)(random)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ++runs;
    finished += WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 1 : 0;
  };
  for (const std::string file : {"s.awkd", "s"}) {
    const Clock::time_point start = Clock::now();
    run({"store", "add", file, "first", "lists.json", "--to", "awkward"});
    longest = static_cast<int>((Clock::now() - start) / std::chrono::microseconds(1)) * 2;
    int added = 0;
    std::size_t before = 1;
    while (Clock::now() < end - std::chrono::seconds(file == "s" ? 0 : 4)) {
      write("whole.awkd", old_file);
      killed(convert);
      const std::string now = read_file(directory_ / "whole.awkd");
      ASSERT_TRUE(now == old_file || now == new_file);
      killed({"store", "add", file, "v" + std::to_string(added++), "new.json", "-q", "--to",
              "awkward"});
      const Finished listed = run({"store", "list", file, "--to", "awkward", "--json"});
      ASSERT_EQ(listed.status, 0) << listed.err;
      const std::size_t after = Json::parse(listed.out)["values"].size();
      ASSERT_TRUE(after == before || after == before + 1) << before << " " << after;
      before = after;
      if (added % 8 == 0) {  // all values are whole
        const Finished read = run({"decode", file, "-o", "all.json", "--from", "awkward"});
        ASSERT_EQ(read.status, 0) << read.err;
      }
    }
    EXPECT_GT(before, 1u) << "no writer was quick enough";
  }
  EXPECT_GT(runs, finished) << "no writer was killed";
}

}  // namespace
