// SPDX-License-Identifier: MIT
// `polycodec NAME` for a program of its own, `polycodec-NAME`.
#include "command.hpp"

namespace {

using polycodec::test::Command;
using polycodec::test::Finished;
using polycodec::test::run_line;
using polycodec::test::shell_word;
namespace fs = std::filesystem;

/// A copy of the command with programs of the test's own beside it.
class ExternalCommand : public Command {
 protected:
  void SetUp() override {
    fs::create_directory(directory_ / "bin");
    fs::copy(polycodec::test::polycodec_command, directory_ / "bin/polycodec");
    fs::create_directory_symlink(fs::path(POLYCODEC_BIN_DIR) / "../lib", directory_ / "lib");
    program("bin/polycodec-hello", "echo \"hello $*\"\nexit 7\n");
  }
  void program(const std::string& name, const std::string& text) {
    write(name, "#!/bin/sh\n" + text);
    fs::permissions(directory_ / name, fs::perms::owner_all);
  }
  Finished run_copy(const std::vector<std::string>& arguments,
                    const std::string& environment = "") {
    std::string line = "env " + environment + " bin/polycodec";
    for (const std::string& a : arguments) line += " " + shell_word(a);
    return run_line(directory_, line);
  }
};

TEST_F(ExternalCommand, GetsItsArgumentsAndGivesItsStatus) {
  const Finished done = run_copy({"hello", "--help", "a b", "-x"});
  EXPECT_EQ(done.status, 7) << done.err;
  EXPECT_EQ(done.out, "hello --help a b -x\n");
}

TEST_F(ExternalCommand, IsTakenFromTheDirectoryOfTheCommandAlone) {
  for (const char* place : {"", "plugins/", "path/"}) {
    fs::create_directory(directory_ / place);
    program(std::string(place) + "polycodec-other", "echo wrong\n");
  }
  const Finished done = run_copy(
      {"other"}, "POLYCODEC_PLUGIN_PATH=" + shell_word((directory_ / "plugins").string()) +
                     " PATH=" + shell_word((directory_ / "path").string()) + ":/usr/bin:/bin");
  EXPECT_EQ(done.status, 2);
  EXPECT_EQ(done.out, "");
  EXPECT_NE(done.err.find("no command is called 'other'"), std::string::npos) << done.err;
}

TEST_F(ExternalCommand, NeverReplacesABuiltInOne) {
  program("bin/polycodec-list", "echo wrong\n");
  const Finished done = run_copy({"list"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out.find("wrong"), std::string::npos);
}

TEST_F(ExternalCommand, IsInTheHelp) {
  const Finished help = run_copy({"--help"});
  EXPECT_EQ(help.status, 0) << help.err;
  EXPECT_NE(help.out.find("\n  hello "), std::string::npos) << help.out;
  const Finished installed = run({"--help"});
  for (const char* name : {"\n  render ", "\n  mesh ", "\n  view "})
    EXPECT_NE(installed.out.find(name), std::string::npos) << name << installed.out;
}

TEST_F(ExternalCommand, MustBeExecutable) {
  fs::permissions(directory_ / "bin/polycodec-hello", fs::perms::owner_read);
  EXPECT_EQ(run_copy({"hello"}).status, 2);
}

TEST_F(ExternalCommand, NamesWithSlashesAreNone) {
  for (const char* name : {"../bin/polycodec-hello", "bin/polycodec-hello", "Hello", "hello.sh"})
    EXPECT_EQ(run_copy({name}).status, 2) << name;
  EXPECT_NE(run_copy({"helo"}).err.find("did you mean 'hello'"), std::string::npos);
}

}  // namespace
