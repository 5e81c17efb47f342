// SPDX-License-Identifier: MIT
// Generated text beside files that were reviewed by hand. Where the difference is wanted: write the
// new files with `polycodec fastbin generate names.schema.json --out-dir golden` (and --language
// julia), and read what changed.
#include "fastbin/generator/generate.hpp"
#include "fastbin/schema/hash.hpp"
#include "fastbin/schema/parse.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;
const fs::path here = fs::path(POLYCODEC_SOURCE_DIR) / "tests/interop/fastbin/generated";

fastbin::Schema schema_of(const fs::path& path) {
  return fastbin::parse_schema(read_file(path), path.filename().string());
}

void expect_same_text(const std::string& found, const std::string& expected) {
  std::istringstream a(found), b(expected);
  std::string line_a, line_b;
  for (unsigned line = 1;; ++line) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    ASSERT_EQ(more_a, more_b) << "one text ends before line " << line;
    if (!more_a) return;
    ASSERT_EQ(line_a, line_b) << "line " << line;
  }
}

TEST(FastbinGolden, TextIsAsReviewed) {
  const fastbin::Schema schema = schema_of(here / "names.schema.json");
  const auto cpp = fastbin::generate_cpp(schema, "names");
  ASSERT_EQ(cpp.size(), 2u);
  EXPECT_EQ(cpp[0].name, "names.hpp");
  EXPECT_EQ(cpp[1].name, "fastbin_runtime.hpp");
  expect_same_text(cpp[0].text, read_file(here / "golden" / "names.hpp"));
  const auto julia = fastbin::generate_julia(schema, "names");
  ASSERT_EQ(julia.size(), 2u);
  EXPECT_EQ(julia[0].name, "names.jl");
  EXPECT_EQ(julia[1].name, "FastbinRuntime.jl");
  expect_same_text(julia[0].text, read_file(here / "golden" / "names.jl"));
}

TEST(FastbinGolden, BothSpellingsOfASchemaGiveTheSameCode) {
  unsigned count = 0;
  const fs::path directory = fs::path(POLYCODEC_TEST_VECTORS) / "fastbin";
  for (const fs::path& path : descriptions(directory)) {
    const std::string name = path.filename().string();
    if (!name.ends_with(".readme.schema.json")) continue;
    SCOPED_TRACE(name);
    const std::string stem = name.substr(0, name.find('.'));
    const fastbin::Schema list = schema_of(path);
    const fastbin::Schema object = schema_of(directory / (stem + ".schema.json"));
    EXPECT_EQ(fastbin::generate_cpp(list, stem)[0].text,
              fastbin::generate_cpp(object, stem)[0].text);
    EXPECT_EQ(fastbin::generate_julia(list, stem)[0].text,
              fastbin::generate_julia(object, stem)[0].text);
    EXPECT_NE(
        fastbin::generate_cpp(list, stem)[0].text.find("// Schema: " + fastbin::schema_hash(list)),
        std::string::npos);
    EXPECT_NE(
        fastbin::generate_julia(list, stem)[0].text.find("# Schema: " + fastbin::schema_hash(list)),
        std::string::npos);
    ++count;
  }
  EXPECT_GE(count, 12u);
}

TEST(FastbinGolden, CommentsNeverContinueOrEnd) {
  const auto text = fastbin::generate_cpp(schema_of(here / "names.schema.json"), "names")[0].text;
  std::istringstream lines(text);
  std::string line;
  unsigned comments = 0;
  while (std::getline(lines, line)) {
    EXPECT_FALSE(line.ends_with('\\')) << line;
    EXPECT_EQ(line.find("/*"), std::string::npos) << line;
    if (line.find("*/") == std::string::npos) continue;
    EXPECT_EQ(line.find_first_not_of(' '), line.find("///")) << line;
    ++comments;
  }
  EXPECT_GE(comments, 3u);
}

TEST(FastbinGolden, NamesOfFiles) {
  EXPECT_EQ(fastbin::default_name("a/b.c/trade.schema.json"), "trade");
  EXPECT_EQ(fastbin::default_name("my-trades v2.json"), "my_trades_v2");
  EXPECT_EQ(fastbin::default_name("2024.json"), "_2024");
  EXPECT_EQ(fastbin::default_name("-"), "_");
}

}  // namespace
}  // namespace polycodec::test
