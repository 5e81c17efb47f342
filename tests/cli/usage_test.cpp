// SPDX-License-Identifier: MIT
// The command line as users of other commands know it: help, places of options, pipes, Ctrl-C.
#include "command.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

class Usage : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    write("a.json", "{\"x\": [1, 2], \"name\": \"a:b\"}");
  }

  /// Runs a line of the shell in the directory. `$P` is the command.
  Finished shell(const std::string& line) {
    return run_line(directory_,
                    "env P=" + shell_word(polycodec_command) + " bash -c " + shell_word(line), "");
  }

  /// The commands in a help text, and those below them, as the words that name them.
  std::vector<std::vector<std::string>> commands(const std::vector<std::string>& above = {}) {
    std::vector<std::string> words{"help"};
    words.insert(words.end(), above.begin(), above.end());
    std::istringstream help(run(words).out);
    std::vector<std::vector<std::string>> all;
    bool is_list = false;
    for (std::string line; std::getline(help, line);) {
      if (line.starts_with("  ") && line[2] != ' ' && line[2] != '-' && is_list) {
        std::vector<std::string> name = above;
        name.push_back(line.substr(2, line.find(' ', 2) - 2));
        all.push_back(name);
        if (above.empty())
          for (const auto& below : commands(name)) all.push_back(below);
      } else if (line.ends_with(':')) {
        is_list = line != "Options:" && line != "Positionals:" && line != "Other programs:";
      }
    }
    return all;
  }
};

TEST_F(Usage, EachCommandHasAShortHelpAndAnExample) {
  const auto all = commands();
  EXPECT_GT(all.size(), 25u);
  for (const auto& words : all) {
    std::vector<std::string> line = words;
    line.insert(line.begin(), "help");
    const Finished help = run(line);
    std::string name;
    for (const auto& word : words) name += word + " ";
    ASSERT_EQ(help.status, 0) << name;
    EXPECT_NE(help.out.find("Example: polycodec "), std::string::npos) << name;
    const std::string summary = help.out.substr(0, help.out.find('\n'));
    EXPECT_LE(summary.size(), 70u) << name << summary;
    EXPECT_FALSE(summary.ends_with('.')) << summary;
  }
}

TEST_F(Usage, HelpOfACommandIsItsOwnOption) {
  EXPECT_EQ(run({"help", "convert"}).out, run({"convert", "--help"}).out);
  EXPECT_EQ(run({"help", "store", "add"}).out, run({"store", "add", "--help"}).out);
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "mesh"}).out, run({"mesh", "--help"}).out);
  EXPECT_EQ(run({"-V"}).out, run({"--version"}).out);
}

TEST_F(Usage, SharedOptionsMayStandBeforeTheCommand) {
  EXPECT_EQ(run({"-q", "--limits", "{\"max_depth\": 64}", "decode", "--plain", "a.json"}).status,
            0);
  EXPECT_EQ(run({"--limits={\"max_depth\": 1}", "decode", "a.json"}).status, 1);
  EXPECT_EQ(run({"--config", "absent.toml", "list"}).status, 2);
  EXPECT_EQ(run({"-q", "store", "--json", "list", "absent.awkd"}).out,
            run({"store", "list", "absent.awkd", "--json"}).out);
  EXPECT_EQ(run({"-q", "type", "int32"}).out, "int32\n");
  EXPECT_EQ(run({"--json", "type", "int32"}).out.front(), '{');
}

TEST_F(Usage, ShortOptionsAreThoseOfOtherConverters) {
  ASSERT_EQ(run({"convert", "a.json", "-f", "text", "-t", "msgpack", "-o", "a.bin"}).status, 0);
  EXPECT_EQ(run({"detect", "a.bin", "--json"}).out, run({"sniff", "a.bin", "--json"}).out);
  EXPECT_EQ(run({"convert", "a.json", "-t", "msgpack", "--out-dir", "out", "-j", "1"}).status, 0);
  EXPECT_EQ(run({"convert", "a.bin", "-o", "plain.json", "--plain"}).status, 0);
  EXPECT_EQ(Json::parse(read_file(directory_ / "plain.json"))["x"][1], 2);
  EXPECT_EQ(run({"convert", "a.bin", "-", "--plain"}).out, read_file(directory_ / "plain.json"));
}

TEST_F(Usage, AnOptionTakesOneWordAndAnOperandIsWhole) {
  write("a.json", "1");
  write("[a,b]", "2");
  const Finished two = run({"convert", "--plugin-path", ".", "a.json", "b.msgpack"});
  EXPECT_EQ(two.status, 0) << two.err;
  const Finished brackets = run({"convert", "--from", "json", "--to", "msgpack-ndarray",
                                 "--out-dir", "out", "[a,b]", "a.json"});
  EXPECT_EQ(brackets.status, 0) << brackets.err;
  EXPECT_TRUE(fs::exists(directory_ / "out" / "a.msgpack"));
  EXPECT_EQ(run({"inspect", "a.json", "[a,b]", "-q"}).err.find('\1'), std::string::npos);
}

TEST_F(Usage, MistakesAreShortAndSayTheWayOut) {
  const Finished option = run({"convert", "a.json", "b.json", "--form", "text"});
  EXPECT_EQ(option.status, 2);
  EXPECT_NE(option.err.find("did you mean '--from'"), std::string::npos) << option.err;
  EXPECT_LT(option.err.size(), 200u) << option.err;
  const Finished missing = run({"decode"});
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("polycodec decode --help"), std::string::npos) << missing.err;
  EXPECT_LT(missing.err.size(), 200u) << missing.err;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"decode", "--json"},
        {"decode", "a.json", "--nonsense", "--json"},
        {"convert", "a.json", "--out-dir", "o", "--jobs", "many", "--json"}}) {
    const Finished wrong = run(words);
    EXPECT_EQ(wrong.status, 2);
    EXPECT_EQ(Json::parse(wrong.out)["error"]["code"], "option") << wrong.err;
  }
  const Finished file = run({"info", "a.json"});
  EXPECT_EQ(file.status, 2);
  EXPECT_NE(file.err.find("polycodec inspect a.json"), std::string::npos) << file.err;
}

TEST_F(Usage, AReaderThatHasEnoughEndsTheCommandInSilence) {
  std::string list = "[0";
  for (int i = 1; i < 200000; ++i) list += "," + std::to_string(i);
  write("big.json", list + "]");
  // 141: what the shell says of a program that SIGPIPE ended.
  const Finished head =
      shell("set -o pipefail; $P decode --pretty big.json | head -n 2; echo $? >&2");
  EXPECT_EQ(head.err, "141\n");
  const Finished full = shell("$P decode big.json >/dev/full");
  EXPECT_EQ(full.status, 1);
  EXPECT_NE(full.err.find("No space left"), std::string::npos) << full.err;
}

TEST_F(Usage, CtrlCEndsWith130) {
  // The command waits for its input when the signal comes.
  const Finished stopped = shell(
      "mkfifo in; exec 3<>in; $P decode - <&3 3>&- & p=$!; "
      "until grep -q '^SigCgt:.*[2367abef]$' /proc/$p/status; do sleep 0.05; done; "
      "kill -INT $p; exec 3>&-; sleep 0; wait $p; echo $?");
  EXPECT_EQ(stopped.out, "130\n") << stopped.err;
}

TEST_F(Usage, CompletionsAreOfTheirShells) {
  for (const char* name : {"bash", "zsh", "fish"}) {
    const Finished text = run({"documentation", name});
    ASSERT_EQ(text.status, 0);
    EXPECT_NE(text.out.find("convert"), std::string::npos);
    write("completion", text.out);
    if (shell(std::string("command -v ") + name).status != 0) continue;
    const Finished checked = shell(std::string(name) + " -n completion");
    EXPECT_EQ(checked.status, 0) << name << ": " << checked.err;
  }
  const Finished words = shell(
      "source <($P documentation bash); COMP_WORDS=(polycodec convert --out); COMP_CWORD=2; "
      "_polycodec; echo ${COMPREPLY[@]}");
  EXPECT_NE(words.out.find("--out-dir"), std::string::npos) << words.out << words.err;
}

TEST_F(Usage, OtherProgramsHaveAnExample) {
  for (const char* name : {"fastbin", "mesh", "render", "view"}) {
    const Finished help = run({"help", name});
    EXPECT_EQ(help.status, 0) << name;
    EXPECT_NE(help.out.find(std::string("Example: polycodec ") + name), std::string::npos) << name;
    EXPECT_EQ(help.out.substr(0, help.out.find('\n')).find('.'), std::string::npos) << help.out;
  }
}

TEST_F(Usage, ErrorsNameTheFile) {
  write("short.msgpack", "\x93\x01");
  for (const char* command : {"validate", "decode", "inspect", "hash"})
    EXPECT_TRUE(run({command, "short.msgpack"})
                    .err.starts_with("polycodec: short.msgpack: msgpack-ndarray: "))
        << command;
  const Finished second = run({"diff", "a.json", "short.msgpack"});
  EXPECT_TRUE(second.err.starts_with("polycodec: short.msgpack: ")) << second.err;
  const Finished json = run({"validate", "short.msgpack", "--json"});
  EXPECT_EQ(Json::parse(json.out)["file"], "short.msgpack");
  const Finished absent = run({"validate", "absent.msgpack"});  // named once
  EXPECT_TRUE(absent.err.starts_with("polycodec: cannot open 'absent.msgpack'")) << absent.err;
  const Finished option = run({"decode", "a.json", "--from", "ply", "--from-options", "{\"x\":1}"});
  EXPECT_EQ(option.err.find("a.json"), std::string::npos) << option.err;
}

TEST_F(Usage, EachCommandHasAManPage) {
  fs::create_directory(directory_ / "man");
  ASSERT_EQ(run({"documentation", "pages", "man"}).status, 0);
  for (const auto& words : commands()) {
    if (words.size() != 1) continue;
    const std::string page = read_file(directory_ / "man" / ("polycodec-" + words[0] + ".1"));
    EXPECT_NE(page.find(".SH EXAMPLE"), std::string::npos) << words[0];
  }
}

}  // namespace
}  // namespace polycodec::test
