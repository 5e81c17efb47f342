// SPDX-License-Identifier: MIT
// The table in the codec's README: every row is written, and reads back as what the row says.

#include "support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {
namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  line.remove_prefix(1);
  while (!line.empty()) {
    const std::size_t end = line.find('|');
    std::string_view cell = line.substr(0, end);
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    cells.push_back(cell);
    if (end == line.npos) break;
    line.remove_prefix(end + 1);
  }
  return cells;
}

std::string_view code(std::string_view cell) {
  return cell.size() > 2 && cell.starts_with('`') && cell.ends_with('`')
             ? cell.substr(1, cell.size() - 2)
             : std::string_view();
}

TEST(YggdrasilReadme, EveryRowOfTheTableIsTrue) {
  const std::string readme = read_file(POLYCODEC_SOURCE_DIR "/plugins/yggdrasil/README.md");
  std::string_view rest(readme);
  rest.remove_prefix(rest.find("| yggdrasil | C++ |"));
  std::vector<std::string> rows;
  std::size_t examples = 0;
  while (rest.starts_with('|')) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const auto cells = cells_of(line);
    ASSERT_GE(cells.size(), 6u) << line;
    rows.emplace_back(cells[0]);
    const std::string_view type = code(cells[4]), value = code(cells[5]);
    if (type.empty() || value.empty()) continue;
    ++examples;
    const std::string text =
        "{\"type\": \"" + std::string(type) + "\", \"value\": " + std::string(value) + "}";
    SCOPED_TRACE(text);
    const Value given = Value::parse(text);
    const auto with = codec_with({{"geometry", "text"}});
    EXPECT_EQ(given.text(), text);
    EXPECT_EQ(decode(with, encode(with, given)).text(), text);
  }
  EXPECT_GT(examples, 28u);
  // All that the specification's table has.
  for (const char* word :
       {"array",  "boolean", "bytes",   "class", "complex", "float",  "function", "instance",
        "int",    "integer", "ndarray", "null",  "number",  "obj",    "object",   "ply",
        "scalar", "schema",  "string",  "uint",  "unicode", "1darray"})
    EXPECT_NE(std::find(rows.begin(), rows.end(), word), rows.end()) << word;
}

}  // namespace
}  // namespace polycodec::test
