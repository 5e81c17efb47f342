// SPDX-License-Identifier: MIT
// The examples in docs/type-notation.md mean what the page says.
#include <model/type/match.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace type = polycodec::type;

namespace {

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

/// The lines of all fenced blocks with this mark.
std::vector<std::string> block_lines(const std::string& mark) {
  std::ifstream in(std::string(POLYCODEC_TEST_VECTORS) + "/../../docs/type-notation.md");
  std::vector<std::string> lines;
  std::string line, block;
  while (std::getline(in, line)) {
    if (line.starts_with("```"))
      block = block.empty() ? line.substr(3) + " " : "";
    else if (block == mark + " ")
      lines.push_back(line);
  }
  return lines;
}

std::pair<std::string, std::string> halves(const std::string& line, const std::string& mark) {
  const auto at = line.find(mark);
  EXPECT_NE(at, line.npos) << line;
  return {trim(line.substr(0, at)), trim(line.substr(at + mark.size()))};
}

}  // namespace

TEST(TypeDocument, TypesAreCanonical) {
  const auto lines = block_lines("types");
  EXPECT_GE(lines.size(), 15u);
  for (const std::string& line : lines) EXPECT_EQ(type::print(type::parse(line)), line);
}

TEST(TypeDocument, Rewrites) {
  const auto lines = block_lines("rewrites");
  EXPECT_GE(lines.size(), 10u);
  for (const std::string& line : lines) {
    const auto [input, printed] = halves(line, " => ");
    EXPECT_EQ(type::print(type::parse(input)), printed);
  }
}

TEST(TypeDocument, Refused) {
  const auto lines = block_lines("refused");
  EXPECT_GE(lines.size(), 10u);
  for (const std::string& line : lines) {
    const auto [input, word] = halves(line, " => ");
    try {
      type::parse(input);
      ADD_FAILURE() << "accepted: " << input;
    } catch (const polycodec::Error& e) {
      EXPECT_EQ(e.detail(), word) << input;
    }
  }
}

TEST(TypeDocument, Matches) {
  const auto lines = block_lines("matches");
  EXPECT_GE(lines.size(), 10u);
  for (const std::string& line : lines) {
    const bool refused = line.find(" !~ ") != line.npos;
    const auto [pattern, candidate] = halves(line, refused ? " !~ " : " ~ ");
    EXPECT_EQ(type::matches(type::parse(pattern), type::parse(candidate)), !refused) << line;
  }
}
