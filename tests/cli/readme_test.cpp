// SPDX-License-Identifier: MIT
// The README's examples are true: its C++ stands in programs that are built, its console sessions
// give what they show.
#include "sessions.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;

std::vector<Lines> blocks(const std::string& language) {
  return blocks_of(fs::path(POLYCODEC_SOURCE_DIR) / "README.md", language);
}

std::string unindented(const std::string& line) {
  const auto at = line.find_first_not_of(' ');
  return at == line.npos ? "" : line.substr(at);
}

/// The lines of a program between its [readme] marks.
std::vector<std::string> shown_part(const fs::path& program) {
  std::vector<std::string> part;
  bool inside = false;
  for (const std::string& line : lines_of(read_file(program))) {
    const std::string text = unindented(line);
    if (text == "// [/readme]") inside = false;
    if (inside) part.push_back(text);
    if (text == "// [readme]") inside = true;
  }
  return part;
}

TEST(Readme, CodeStandsInProgramsThatAreBuilt) {
  const fs::path programs[] = {fs::path(POLYCODEC_SOURCE_DIR) / "docs/examples/zero_copy_host.cpp"};
  const auto shown = blocks("cpp");
  ASSERT_EQ(shown.size(), std::size(programs));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    std::vector<std::string> text;
    for (const std::string& line : shown[i]) text.push_back(unindented(line));
    EXPECT_EQ(text, shown_part(programs[i])) << programs[i];
  }
}

// On the file that scripts/quickstart.sh gives it, as the comments say.
TEST(Readme, ProgramsPrintWhatTheirCommentsSay) {
  const Finished done =
      run_line(POLYCODEC_SOURCE_DIR, "'" POLYCODEC_BIN_DIR
                                     "/example_zero_copy_host' "
                                     "tests/vectors/msgpack_ndarray/nd_ext32_f8_100x100.msgpack");
  EXPECT_EQ(done.status, 0) << done.err;
  const auto shown = blocks("cpp");
  std::vector<std::string> printed;
  for (const std::string& line : shown.at(0))
    if (line.find("printf(") != std::string::npos)
      printed.push_back(line.substr(line.find("// ") + 3));
  EXPECT_EQ(lines_of(done.out), printed);
}

TEST(Readme, IsShort) {
  EXPECT_LE(lines_of(read_file(fs::path(POLYCODEC_SOURCE_DIR) / "README.md")).size(), 110U);
}

TEST(Readme, ConsoleSessionsGiveWhatTheyShow) {
  const TemporaryDirectory temporary;
  const fs::path& directory = temporary.path();
  fs::create_symlink(fs::path(POLYCODEC_SOURCE_DIR) / "tests", directory / "tests");
  const auto sessions = blocks("console");
  EXPECT_FALSE(sessions.empty());
  for (const auto& session : sessions) {
    for (const auto& [command, shown] : steps_of(session)) {
      const Finished done = run_step(directory, command);
      EXPECT_LT(done.status, 128) << command;
      EXPECT_TRUE(fits(shown, lines_of(done.out))) << "$ " << command << "\n" << done.out;
    }
  }
}

}  // namespace
}  // namespace polycodec::test
