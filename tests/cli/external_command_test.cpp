// SPDX-License-Identifier: MIT
// `polycodec NAME` for a program of its own, `polycodec-NAME`.
#include "command.hpp"

#include <algorithm>

namespace {

using polycodec::test::Command;
using polycodec::test::Finished;
using polycodec::test::Json;
using polycodec::test::shell_word;
namespace fs = std::filesystem;

class ExternalCommand : public Command {
 protected:
  void SetUp() override {
    fs::create_directory(directory_ / "plugins");
    program("plugins/polycodec-hello", "echo \"hello $*\"\nexit 7\n");
  }
  void program(const std::string& name, const std::string& text) {
    write(name, "#!/bin/sh\n" + text);
    fs::permissions(directory_ / name, fs::perms::owner_all);
  }
  std::string plugins() const {
    return "POLYCODEC_PLUGIN_PATH=" + shell_word((directory_ / "plugins").string());
  }
  /// With a configuration.
  Finished run_with(const std::string& config, const std::vector<std::string>& arguments) {
    write("c.json", config);
    return run(arguments, "",
               plugins() + " POLYCODEC_CONFIG=" + shell_word((directory_ / "c.json").string()));
  }
};

TEST_F(ExternalCommand, GetsItsArgumentsAndGivesItsStatus) {
  const Finished done = run({"hello", "--help", "a b", "-x"}, "", plugins());
  EXPECT_EQ(done.status, 7) << done.err;
  EXPECT_EQ(done.out, "hello --help a b -x\n");
}

TEST_F(ExternalCommand, IsNeverTakenFromPathOrTheCurrentDirectory) {
  program("polycodec-hello", "echo wrong\n");
  const Finished done =
      run({"hello"}, "", "PATH=" + shell_word(directory_.string()) + ":/usr/bin:/bin");
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.out, "");
  EXPECT_NE(done.err.find("no command is called 'hello'"), std::string::npos) << done.err;
}

TEST_F(ExternalCommand, NeverReplacesABuiltInOne) {
  program("plugins/polycodec-list", "echo wrong\n");
  const Finished done = run({"list"}, "", plugins());
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out.find("wrong"), std::string::npos);
}

TEST_F(ExternalCommand, IsUnderPolicyAndPins) {
  const Finished denied = run_with(R"({"policy": {"deny_plugins": ["command:hello"]}})", {"hello"});
  EXPECT_EQ(denied.status, 3);
  EXPECT_EQ(denied.out, "");
  EXPECT_NE(denied.err.find("refused (policy)"), std::string::npos) << denied.err;
  EXPECT_EQ(run_with(R"({"policy": {"mode": "listed"}})", {"hello"}).status, 3);
  EXPECT_EQ(run_with(R"({"policy": {"mode": "listed", "allow_codecs": ["*"]}})", {"hello"}).status,
            3);
  EXPECT_EQ(run_with(R"({"policy": {"mode": "listed", "allow_plugins": ["command:*"]}})", {"hello"})
                .status,
            7);
  const Finished pinned = run_with(
      R"({"policy": {"pins": {"command:hello": ")" + std::string(64, '0') + "\"}}}", {"hello"});
  EXPECT_EQ(pinned.status, 3);
  EXPECT_NE(pinned.err.find("refused (pin)"), std::string::npos) << pinned.err;
}

TEST_F(ExternalCommand, OfThePackageNeedsNoEntryInAList) {
  const std::string listed = R"({"policy": {"mode": "listed"}})";
  EXPECT_EQ(run_with(listed, {"render", "--help"}).status, 0);
  const auto outcome = [&](const std::string& config, const std::string& id) -> std::string {
    const Json records = Json::parse(run_with(config, {"doctor", "--json"}).out)["records"];
    for (const Json& r : records)
      if (r["id"] == id) return r["outcome"];
    return "absent";
  };
  EXPECT_NE(outcome(listed, "command:render"), "refused");
  EXPECT_NE(outcome(listed, "command:render"), "absent");
  EXPECT_EQ(outcome(listed, "command:hello"), "refused");
  const std::string denied = R"({"policy": {"deny_plugins": ["command:render"]}})";
  EXPECT_EQ(outcome(denied, "command:render"), "refused");
  EXPECT_EQ(run_with(denied, {"render", "--help"}).status, 3);
}

TEST_F(ExternalCommand, IsInTheHelp) {
  const Finished help = run({"--help"}, "", plugins());
  EXPECT_EQ(help.status, 0) << help.err;
  for (const char* name : {"\n  hello ", "\n  render ", "\n  mesh ", "\n  view "})
    EXPECT_NE(help.out.find(name), std::string::npos) << name << help.out;
  const Finished denied =
      run_with(R"({"policy": {"deny_plugins": ["command:hello"]}})", {"--help"});
  EXPECT_EQ(denied.out.find("\n  hello "), std::string::npos) << denied.out;
  const Finished broken = run_with("{", {"--help"});  // no configuration hides the help
  EXPECT_EQ(broken.status, 0);
  EXPECT_NE(broken.out.find("\n  inspect "), std::string::npos);
}

TEST_F(ExternalCommand, MustNotBeWritableByOthers) {
  fs::permissions(directory_ / "plugins/polycodec-hello", fs::perms::all);
  const Finished refused = run({"hello"}, "", plugins());
  EXPECT_EQ(refused.status, 3);
  EXPECT_NE(refused.err.find("writable by all users"), std::string::npos) << refused.err;
  const Finished doctor = run({"doctor", "--json"}, "", plugins());
  const Json records = Json::parse(doctor.out)["records"];
  const auto found = std::find_if(records.begin(), records.end(),
                                  [](const Json& r) { return r["id"] == "command:hello"; });
  ASSERT_NE(found, records.end()) << doctor.out;
  EXPECT_EQ((*found)["outcome"], "refused");
  EXPECT_EQ((*found)["stage"], "path");
}

TEST_F(ExternalCommand, NamesWithSlashesAreNone) {
  for (const char* name : {"../hello", "plugins/polycodec-hello", "Hello", "hello.sh"})
    EXPECT_EQ(run({name}, "", plugins()).status, 2) << name;
  EXPECT_NE(run({"helo"}, "", plugins()).err.find("did you mean 'hello'"), std::string::npos);
}

}  // namespace
