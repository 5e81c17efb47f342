// SPDX-License-Identifier: MIT
// The reader has a short way for the usual lines. Each line here is read that way and the general
// way, with equal values and errors.
#include "shipped.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace polycodec::test {
namespace {

constexpr std::string_view before =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvn 0 0 1\nvn 0 1 0\nvn 1 0 0\n";
// The short way needs this many bytes after a line.
const std::string after = "\n" + std::string(200, '#') + "\n";

// What a file says, or which error it ends with. An offset behind `keyword` counts from `shift`
// bytes later.
std::string outcome(const std::string& file, std::size_t keyword, std::size_t shift) {
  Value value;
  try {
    value = decode(shipped("obj"), file);
  } catch (const Error& caught) {
    const std::uint64_t at = caught.offset();
    return (caught.detail().empty() ? "(no detail)" : caught.detail()) + " " +
           std::to_string(at > keyword ? at - shift : at) + " " + caught.message();
  }
  return encode(shipped("obj"), value);
}

// Two spaces after a keyword are for the general way.
void expect_equal_ways(std::string_view line, std::string_view rest) {
  const std::string start(before);
  const std::string fast = start + std::string(line) + std::string(rest);
  std::string slow = fast;
  if (line.size() > 1 && line[1] == ' ') slow.insert(start.size() + 1, " ");
  SCOPED_TRACE(fast);
  EXPECT_EQ(outcome(fast, start.size(), 0), outcome(slow, start.size(), slow.size() - fast.size()));
}

TEST(ObjFastPath, EachPrefixOfALineIsReadAsTheGeneralWayReadsIt) {
  constexpr std::string_view lines[] = {
      "v 1.5 -2 3e2",
      "v 0.1234567890123456789 12345678 1",
      "v 1 2 3 4 5 6 7",
      "v +1 .5 5.",
      "v nan inf -infinity",
      "v 1 2 3\r",
      "v 1 2 3 # near",
      "v 1 \\\n2 3",
      "f 1 2 3",
      "f 1 2 3 1 2 3 1 2 3 1",
      "f 1/1 2/2 3/3",
      "f 1//1 2//2 3//3",
      "f 1/1/1 2/2/2 3/3/3",
      "f 1 2/2 3//3 1/1/1",
      "f -1 -2 -3",
      "f -1/-1/-1 -2//-2 -3/-3",
      "f 1 2 -4",
      "f 1 2 4",
      "f 1/1 2/2 3/4",
      "f 1//1 2//2 3//4",
      "f 0 1 2",
      "f 2147483647 1 2",
      "f 2147483648 1 2",
      "f 1/99999999999999999999/1 2/2/2 3/3/3",
      "f 00000000000000001 2 3",
      "f 1/1/1\t2/2/2  3/3/3 ",
      "f 1//1 2//2 3//3\r",
      "f 1 2 3 # near",
      "f 1/1 \\\n2/2 \\\r\n3/3",
      "f 1/1/1/1 2 3",
      "f /1 2 3",
      "f 1/ 2/ 3//",
  };
  for (const std::string_view line : lines)
    for (std::size_t size = 1; size <= line.size(); ++size) {
      expect_equal_ways(line.substr(0, size), after);
      expect_equal_ways(line.substr(0, size), "");
      expect_equal_ways(line.substr(0, size), "\nf 1/1/1 2/2/2 3/3/3\nf 3 2 1" + after);
    }
}

}  // namespace
}  // namespace polycodec::test
