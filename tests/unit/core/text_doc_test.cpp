// SPDX-License-Identifier: MIT
// The examples of docs/text-notation.md are what print_text() writes.

#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace polycodec {
namespace {

TEST(TextDocument, ExamplesReadAndPrintTheSame) {
  std::ifstream file(POLYCODEC_SOURCE_DIR "/docs/text-notation.md");
  ASSERT_TRUE(file) << POLYCODEC_SOURCE_DIR "/docs/text-notation.md";
  std::string line;
  bool inside = false;
  int examples = 0;
  while (std::getline(file, line)) {
    if (line.starts_with("```")) {
      inside = line == "```json";
    } else if (inside && line.find("<type>") == line.npos) {
      ++examples;
      try {
        const Value value = parse_text(line);
        validate(value.view(), {}, Validation::full);
        EXPECT_EQ(to_text(value.view()), line);
      } catch (const Error& e) {
        ADD_FAILURE() << line << ": " << e.describe();
      }
    }
  }
  EXPECT_GT(examples, 30);
}

}  // namespace
}  // namespace polycodec
