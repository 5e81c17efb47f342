// SPDX-License-Identifier: MIT
#include <base/path_steps.hpp>
#include <polycodec/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace polycodec {
namespace {

/// The steps with a mark of their kind, such as `.a #3`.
std::string steps_of(std::string_view path) {
  std::string all;
  for (PathSteps steps(path); !steps.is_done();) {
    const PathSteps::Step step = steps.next();
    all += (all.empty() ? "" : " ") +
           (step.is_index ? "#" + std::to_string(step.index) : "." + step.name);
  }
  return all;
}

TEST(PathSteps, RootAndFirstDotMayBeLeftOut) {
  EXPECT_EQ(steps_of("$"), "");
  for (const char* path : {"$.vertex.x", ".vertex.x", "vertex.x", "$[\"vertex\"].x",
                           "[\"vertex\"].x", "vertex[\"x\"]", "[\"\\u0076ertex\"][\"x\"]"})
    EXPECT_EQ(steps_of(path), ".vertex .x") << path;
  EXPECT_EQ(steps_of("$[3].a[0][18446744073709551615]"), "#3 .a #0 #18446744073709551615");
  EXPECT_EQ(steps_of("[3]"), "#3");
}

TEST(PathSteps, NamesHaveAllButDotsAndBrackets) {
  EXPECT_EQ(steps_of("point-cloud.\xc3\xa4 b"), ".point-cloud .\xc3\xa4 b");
  EXPECT_EQ(steps_of("[\"a.b[1]\\\"]\"].c"), ".a.b[1]\"] .c");
  EXPECT_EQ(steps_of("[\"\"]"), ".");
  EXPECT_EQ(steps_of("$layout.x"), ".$layout .x");
  EXPECT_EQ(steps_of("$$"), ".$$");
}

TEST(PathSteps, FullPathsHaveRootAndDot) {
  EXPECT_EQ(full_path("vertex.x"), "$.vertex.x");
  EXPECT_EQ(full_path(".vertex"), "$.vertex");
  EXPECT_EQ(full_path("[\"a b\"]"), "$[\"a b\"]");
  EXPECT_EQ(full_path("$.a[1]"), "$.a[1]");
  EXPECT_EQ(full_path("$"), "$");
  EXPECT_EQ(full_path("$layout"), "$.$layout");
  const std::string path = "a[\"b\"].c";
  PathSteps steps(path);
  EXPECT_EQ(steps.taken(), "$");
  steps.next();
  EXPECT_EQ(steps.taken(), "$.a");
  steps.next();
  EXPECT_EQ(steps.taken(), "$.a[\"b\"]");
}

TEST(PathSteps, RefusesWhatIsNoPathAndSaysWhere) {
  struct Bad {
    const char* path;
    std::uint64_t offset;
  };
  for (const auto& [path, offset] :
       {Bad{"", 0}, Bad{".", 0}, Bad{"$.", 1}, Bad{"a.", 1}, Bad{"a..b", 1}, Bad{"$[", 1},
        Bad{"a[", 1}, Bad{"a[]", 1}, Bad{"a[b]", 1}, Bad{"a[-1]", 1}, Bad{"a[1", 1},
        Bad{"a[99999999999999999999]", 1}, Bad{"[\"x", 0}, Bad{"[\"x\"", 0}, Bad{"[\"\\q\"]", 0},
        Bad{"[3]b", 3}, Bad{"[\"x\"]b", 5}}) {
    try {
      const std::string steps = steps_of(path);
      FAIL() << path << " gave " << steps;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::option) << path;
      EXPECT_EQ(e.detail(), "path.syntax") << path;
      EXPECT_EQ(e.offset(), offset) << path;
    }
  }
}

}  // namespace
}  // namespace polycodec
