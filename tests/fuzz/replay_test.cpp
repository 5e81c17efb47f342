// SPDX-License-Identifier: MIT
// Every fuzz target on every file of its corpus.
#include "files.hpp"
#include "replay_targets.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace {

class FuzzReplay : public testing::TestWithParam<Replay> {};

TEST_P(FuzzReplay, Survives) {
  std::size_t inputs = 0;
  for (const char* directory : GetParam().directories) {
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      if (!entry.is_regular_file()) continue;
      SCOPED_TRACE(entry.path());
      const std::string bytes = polycodec::test::read_file(entry.path());
      GetParam().target(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
      ++inputs;
    }
  }
  EXPECT_NE(inputs, 0u);
}

INSTANTIATE_TEST_SUITE_P(Corpus, FuzzReplay, testing::ValuesIn(replays()),
                         [](const auto& replay) { return std::string(replay.param.name); });

}  // namespace
