// SPDX-License-Identifier: MIT
// The mistakes of docs/mistakes.md are answered as the page shows, and what it advises works.
#include <polycodec/polycodec.hpp>

#include "sessions.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;

const fs::path guide = fs::path(POLYCODEC_SOURCE_DIR) / "docs/mistakes.md";

// The first block makes the files of the others. In each of the others the first command is a
// mistake, and the last one does what the user wanted.
TEST(Mistakes, AreAnsweredByWhatToDo) {
  const TemporaryDirectory temporary;
  const fs::path& directory = temporary.path();
  const auto sessions = blocks_of(guide, "console");
  ASSERT_GE(sessions.size(), 51u);
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const auto steps = steps_of(sessions[i]);
    ASSERT_GE(steps.size(), 2u) << i;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const auto& [command, shown] = steps[k];
      const Finished done = run_step(directory, command);
      const bool is_mistake = i != 0 && k == 0;
      EXPECT_EQ(done.status != 0, is_mistake) << "$ " << command << "\n" << done.out;
      EXPECT_LT(done.status, 128) << "$ " << command << "\n" << done.out;
      EXPECT_TRUE(fits(shown, lines_of(done.out))) << "$ " << command << "\n" << done.out;
    }
  }
}

/// An expression, and a function that computes it.
using Mistake = std::pair<std::string, std::function<void()>>;
#define MISTAKE(...)                                      \
  Mistake {                                               \
#__VA_ARGS__, [&] { static_cast<void>(__VA_ARGS__); } \
  }

// A block `cpp` has an expression, and in a comment the error that it throws.
TEST(Mistakes, OfHostsAreAnsweredByWhatToDo) {
  const TemporaryDirectory temporary;
  const std::string mesh = (temporary.path() / "mesh.ply").string();
  write_file(mesh, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n");
  const auto registry = Registry::open();
  const auto codec = registry.codec("ply");
  const auto source = Source::file(mesh);
  const auto value = codec.decode(source);
  Sink out;
  const std::vector<Mistake> mistakes = {
      MISTAKE(registry.codec("plyy")),
      MISTAKE(codec.decode(Source::view("{}"))),
      MISTAKE(value.find("vertices")),
      MISTAKE(value.find("vertex.x").as<double>()),
      MISTAKE(codec.encode(Value::parse("[1, 2]"), out)),
      MISTAKE(Source::file("absent.ply")),
  };
  const auto blocks = blocks_of(guide, "cpp");
  ASSERT_EQ(blocks.size(), mistakes.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i][0], mistakes[i].first + ";");
    Lines shown;
    for (std::size_t k = 1; k < blocks[i].size(); ++k) shown.push_back(blocks[i][k].substr(3));
    try {
      mistakes[i].second();
      ADD_FAILURE() << mistakes[i].first << " throws nothing";
    } catch (const Error& error) {
      EXPECT_TRUE(fits(shown, lines_of(error.what()))) << error.what();
    }
  }
}

}  // namespace
}  // namespace polycodec::test
