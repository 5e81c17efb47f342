// SPDX-License-Identifier: MIT
#include <polycodec/plugins.hpp>

#include "registry/choose/suggestions.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

TEST(Suggestions, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("msgpack", "msgpack"), 0u);
  EXPECT_EQ(edit_distance("msgpcak", "msgpack"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Suggestions, RanksTheNearestFirst) {
  const std::vector<std::string> names = {"ply", "obj", "msgpack-ndarray", "msgpack", "fastbin"};
  EXPECT_EQ(suggestions("MSGPAK", names), suggestions("msgpak", names));
  EXPECT_EQ(suggestions("msgpak", names).front(), "msgpack");
  EXPECT_EQ(suggestions("fast", names), std::vector<std::string>{"fastbin"});
  EXPECT_TRUE(suggestions("zzzzzz", names).empty());
  EXPECT_EQ(did_you_mean("pyl", names), " (did you mean 'ply'?)");
  EXPECT_EQ(did_you_mean("qqqqqq", names), "");
}

TEST(Suggestions, LongNamesCostLittle) {
  const std::vector<std::string> names(10, std::string(100, 'a'));
  EXPECT_TRUE(suggestions(std::string(10000000, 'b'), names).empty());
}

TEST(Policy, OpenAllowsWhatIsNotDenied) {
  Policy policy;
  EXPECT_EQ(policy.refuses_plugin("a"), "");
  policy.deny_plugins = {"org.*"};
  EXPECT_NE(policy.refuses_plugin("org.vendor.x"), "");
  EXPECT_EQ(policy.refuses_plugin("orgx"), "");
}

TEST(Policy, TheMoreExactEntryDecidesAndDenyBreaksTies) {
  Policy policy;
  policy.deny_codecs = {{"*"}};
  policy.allow_codecs = {{"ply"}, {"org.good.*"}};
  EXPECT_EQ(policy.refuses_codec("ply", "p", Right::decode), "");
  EXPECT_EQ(policy.refuses_codec("org.good.x", "p", Right::encode), "");
  EXPECT_NE(policy.refuses_codec("org.bad.x", "p", Right::decode).find("'*'"), std::string::npos);
  policy.deny_codecs.push_back({"org.good.*"});
  EXPECT_NE(policy.refuses_codec("org.good.x", "p", Right::encode), "");
  policy.deny_codecs.push_back({"ply"});
  EXPECT_NE(policy.refuses_codec("ply", "p", Right::decode), "");
}

TEST(Policy, RightsAreSeparate) {
  Policy policy;
  policy.deny_codecs = {{"obj", false, true}};
  EXPECT_EQ(policy.refuses_codec("obj", "p", Right::decode), "");
  EXPECT_NE(policy.refuses_codec("obj", "p", Right::encode), "");
}

TEST(Policy, ListedRefusesWhatIsNotAllowed) {
  Policy policy;
  policy.mode = Policy::Mode::listed;
  EXPECT_NE(policy.refuses_plugin("a"), "");
  EXPECT_NE(policy.refuses_codec("c", "a", Right::decode), "");
  policy.allow_plugins = {"a"};
  EXPECT_EQ(policy.refuses_plugin("a"), "");
  EXPECT_EQ(policy.refuses_codec("c", "a", Right::decode), "");
  EXPECT_NE(policy.refuses_plugin("b"), "");
  EXPECT_NE(policy.refuses_codec("c", "b", Right::decode), "");
}

TEST(Policy, PinsNameDigests) {
  Policy policy;
  const std::string digest(64, 'a');
  EXPECT_FALSE(policy.needs_digest("p"));
  EXPECT_EQ(policy.refuses_digest("p", digest), "");
  policy.pins["p"] = {std::string(64, 'A')};
  EXPECT_TRUE(policy.needs_digest("p"));
  EXPECT_EQ(policy.refuses_digest("p", digest), "");
  EXPECT_NE(policy.refuses_digest("p", std::string(64, 'b')), "");
  policy.pins["q"] = {};
  EXPECT_NE(policy.refuses_digest("q", digest), "");
  policy.require_pins = true;
  EXPECT_NE(policy.refuses_digest("r", digest).find(digest), std::string::npos);
}

}  // namespace
}  // namespace polycodec
