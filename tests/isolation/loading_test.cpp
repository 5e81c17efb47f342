// SPDX-License-Identifier: MIT
// Plugins that are evil while they are loaded are rejected, and the host goes on.
#include <polycodec/error.hpp>
#include <polycodec/registry.hpp>

#include "processes.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

namespace polycodec {
namespace {

class Loading : public testing::TestWithParam<const char*> {};

TEST_P(Loading, TheHostGoesOn) {
  const std::string id = std::string("test.") + GetParam();
  test::adopt_orphans();
  {
    RegistryOptions options;
    options.plugin_paths = {POLYCODEC_TEST_BINARY_DIR "/evil_loading"};
    options.use_environment = false;
    options.policy.isolation.wall_seconds = 1;
    const Registry registry = Registry::open(options);
    const ProbeRecord record = registry.probe(id);
    // A constructor that does harm and returns may go unnoticed: it has harmed nobody.
    if (record.outcome == Outcome::refused) {
      EXPECT_FALSE(record.reason.empty());
      EXPECT_THROW(registry.codec(id), Error);
    } else {
      (void)attempt([&] { return registry.codec(id).decode(Source::view("x")); });
    }
  }
  EXPECT_TRUE(test::wait_until([] { return test::descendants(::getpid()).empty(); }));
}

/// What the plugin test.talk logs, with each kind of host.
std::vector<std::string> talk(IsolationMode mode) {
  std::vector<std::string> lines;
  {
    RegistryOptions options;
    options.plugin_paths = {POLYCODEC_TEST_BINARY_DIR "/evil_loading"};
    options.use_environment = false;
    options.policy.isolation.mode = mode;
    options.log = [&](polycodec_log_level, std::string_view source, std::string_view text) {
      if (source == "plugin") lines.emplace_back(text);
    };
    const Registry registry = Registry::open(options);
    (void)registry.codec("test.talk").decode(Source::view("x"));
    // The instance is released in its worker before this call.
    (void)registry.codec("test.talk").decode(Source::view("x"));
  }
  return lines;
}

TEST(Talk, LinesOutsideOfCallsAreLogged) {
  const auto lines = talk(IsolationMode::process);
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), "init");
  EXPECT_EQ(std::ranges::count(lines, "decode"), 2);
  EXPECT_EQ(lines.back(), "deinit");
}

INSTANTIATE_TEST_SUITE_P(All, Loading,
                         testing::Values("crash", "leave", "hang", "cling", "kill_parent",
                                         "start_thread", "close_all", "leave_child"),
                         [](const auto& it) { return std::string(it.param); });

}  // namespace
}  // namespace polycodec
