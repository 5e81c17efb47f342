// SPDX-License-Identifier: MIT
#include "registry/load/isolation_rule.hpp"

#include <polycodec/error.hpp>

#include "registry/config/config.hpp"
#include "registry/load/library.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

Policy policy_of(const std::string& isolation) {
  return parse_config(R"({"policy": {"isolation": )" + isolation + "}}", "c.json").registry.policy;
}

Manifest plugin(const std::string& id, bool isolate = false) {
  Manifest manifest;
  manifest.id = id;
  manifest.isolate = isolate;
  return manifest;
}

constexpr std::uint32_t bit(Layer layer) {
  return 1u << static_cast<unsigned>(layer);
}

TEST(IsolationRule, AutomaticTrustsThePackageOnly) {
  const Policy policy;
  const auto mode = [&](bool isolate, PluginOrigin origin) {
    return isolation_rule(policy, plugin("a", isolate), origin).mode;
  };
  EXPECT_EQ(mode(false, PluginOrigin::package), IsolationMode::in_process);
  EXPECT_EQ(mode(true, PluginOrigin::package), IsolationMode::process);
  EXPECT_EQ(mode(false, PluginOrigin::foreign), IsolationMode::process);
  EXPECT_EQ(mode(false, PluginOrigin::program), IsolationMode::in_process);
}

TEST(IsolationRule, TheMostLiteralPatternDecides) {
  const Policy policy = policy_of(
      R"({"mode": "process", "memory": 1000, "wall_seconds": 9, "require": ["seccomp", "landlock"],
          "plugins": {"lab.*": "in-process", "lab.bad.*": {"mode": "process", "memory": 5, "reuse": false},
                      "lab.bad.one": {"wall_seconds": 3, "require": []}}})");
  const auto rule = [&](const char* id) {
    return isolation_rule(policy, plugin(id), PluginOrigin::package);
  };
  EXPECT_EQ(rule("other").mode, IsolationMode::process);
  EXPECT_EQ(rule("other").memory_bytes, 1000u);
  EXPECT_EQ(rule("other").require, bit(Layer::seccomp) | bit(Layer::landlock));
  EXPECT_EQ(rule("lab.good").mode, IsolationMode::in_process);
  EXPECT_EQ(rule("lab.bad.two").memory_bytes, 5u);
  EXPECT_EQ(rule("lab.bad.two").wall_seconds, 9u);
  EXPECT_FALSE(rule("lab.bad.two").reuse);
  EXPECT_EQ(rule("lab.bad.one").wall_seconds, 3u);
  EXPECT_EQ(rule("lab.bad.one").memory_bytes, 1000u);
  EXPECT_EQ(rule("lab.bad.one").require, 0u);
}

TEST(IsolationRule, CodeOfTheProgramCannotBeIsolated) {
  const auto mode = [](const char* isolation) {
    return isolation_rule(policy_of(isolation), plugin("program"), PluginOrigin::program).mode;
  };
  EXPECT_EQ(mode(R"("auto")"), IsolationMode::in_process);
  EXPECT_THROW(mode(R"("process")"), LoadFailure);
  EXPECT_THROW(mode(R"({"plugins": {"program": "process"}})"), LoadFailure);
  EXPECT_EQ(mode(R"({"mode": "process", "plugins": {"program": "in-process"}})"),
            IsolationMode::in_process);
}

TEST(IsolationRule, TextChangesTheModeAndKeepsTheLimits) {
  Policy policy = policy_of(R"({"memory": 77, "plugins": {"a": "in-process"}})");
  read_isolation_text("", policy);
  EXPECT_EQ(policy.isolation_of.size(), 1u);
  read_isolation_text("process", policy);
  EXPECT_EQ(policy.isolation.mode, IsolationMode::process);
  EXPECT_EQ(policy.isolation.memory_bytes, 77u);
  EXPECT_TRUE(policy.isolation_of.empty());
  read_isolation_text(R"({"mode": "auto", "cpu_seconds": 2})", policy);
  EXPECT_EQ(policy.isolation.cpu_seconds, 2u);
}

TEST(IsolationRule, WrongConfigurationsAreRejected) {
  for (const char* wrong :
       {R"("sandbox")", "1", R"({"mode": "no"})", R"({"memory": -1})", R"({"require": ["magic"]})",
        R"({"plugins": {"a": "b"}})", R"({"plugins": {"a": {"plugins": {}}}})", R"({"cpu": 1})"})
    EXPECT_THROW(policy_of(wrong), Error) << wrong;
  Policy policy;
  for (const char* wrong : {"sandbox", "a\"b", "{", "{\"x\": 1}", R"(process", "mode": "open)",
                            R"({"mode": "process"}, "mode": "open")"})
    EXPECT_THROW(read_isolation_text(wrong, policy), Error) << wrong;
}

}  // namespace
}  // namespace polycodec
