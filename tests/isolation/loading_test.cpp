// SPDX-License-Identifier: MIT
// Plugins that are evil while they are loaded are rejected, and the host goes on.
#include <polycodec/error.hpp>

#include "processes.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
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
    options.policy.isolation.load_seconds = 1;
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

/// Collects what plugins log.
RegistryOptions listening(std::vector<std::string>& lines) {
  RegistryOptions options;
  options.plugin_paths = {POLYCODEC_TEST_BINARY_DIR "/evil_loading"};
  options.use_environment = false;
  options.policy.isolation.mode = IsolationMode::process;
  options.log = [&](polycodec_log_level, std::string_view source, std::string_view text) {
    if (source == "plugin") lines.emplace_back(text);
  };
  return options;
}

TEST(Lines, OutsideOfCallsAreLogged) {
  std::vector<std::string> lines;
  {
    const Registry registry = Registry::open(listening(lines));
    (void)registry.codec("test.log_and_talk").decode(Source::view("x"));
    // The instance is released in its worker before this call.
    (void)registry.codec("test.log_and_talk").decode(Source::view("x"));
  }
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front(), "init");
  EXPECT_EQ(std::ranges::count(lines, "decode"), 2);
  EXPECT_EQ(lines.back(), "deinit");
}

TEST(Lines, OfALoadThatFailsAreLogged) {
  for (const char* const id : {"test.log_and_refuse", "test.log_and_crash"}) {
    std::vector<std::string> lines;
    const Registry registry = Registry::open(listening(lines));
    EXPECT_EQ(registry.probe(id).outcome, Outcome::refused) << id;
    EXPECT_EQ(lines, std::vector<std::string>{"init"}) << id;
  }
}

TEST(Restart, ThatFailsIsAnErrorOfThePlugin) {
  const std::string mark = POLYCODEC_TEST_BINARY_DIR "/evil_loading/mark";
  std::vector<std::string> lines;
  const Registry registry = Registry::open(listening(lines));
  const Codec codec = registry.codec("test.log_and_refuse_if_marked");
  (void)codec.decode(Source::view("x"));
  std::ofstream(mark).put('x');
  for (const test::Process& one : test::descendants(::getpid())) ::kill(one.id, SIGKILL);
  // The first call finds that its worker has died.
  (void)attempt([&] { return codec.decode(Source::view("x")); });
  const auto failed = attempt([&] { return codec.decode(Source::view("x")); });
  std::filesystem::remove(mark);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code(), Status::plugin);
  EXPECT_NE(failed.error().describe().find("cannot be started again"), std::string::npos)
      << failed.error().describe();
  (void)codec.decode(Source::view("x"));
}

INSTANTIATE_TEST_SUITE_P(All, Loading,
                         testing::Values("crash", "leave", "hang", "cling", "kill_parent",
                                         "start_thread", "close_all", "leave_child"),
                         [](const auto& it) { return std::string(it.param); });

}  // namespace
}  // namespace polycodec
