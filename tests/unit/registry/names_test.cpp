// SPDX-License-Identifier: MIT
#include <polycodec/quote.hpp>

#include "registry/load/plugins.hpp"
#include "registry/load/policy.hpp"

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
  EXPECT_EQ(refuses_plugin(policy, "a"), "");
  policy.deny_plugins = {"org.*"};
  EXPECT_NE(refuses_plugin(policy, "org.vendor.x"), "");
  EXPECT_EQ(refuses_plugin(policy, "orgx"), "");
}

TEST(Policy, TheMoreExactEntryDecidesAndDenyBreaksTies) {
  Policy policy;
  policy.deny_codecs = {{"*"}};
  policy.allow_codecs = {{"ply"}, {"org.good.*"}};
  EXPECT_EQ(refuses_codec(policy, "ply", "p", Right::decode), "");
  EXPECT_EQ(refuses_codec(policy, "org.good.x", "p", Right::encode), "");
  EXPECT_NE(refuses_codec(policy, "org.bad.x", "p", Right::decode).find("'*'"), std::string::npos);
  policy.deny_codecs.push_back({"org.good.*"});
  EXPECT_NE(refuses_codec(policy, "org.good.x", "p", Right::encode), "");
  policy.deny_codecs.push_back({"ply"});
  EXPECT_NE(refuses_codec(policy, "ply", "p", Right::decode), "");
}

TEST(Policy, RightsAreSeparate) {
  Policy policy;
  policy.deny_codecs = {{"obj", false, true}};
  EXPECT_EQ(refuses_codec(policy, "obj", "p", Right::decode), "");
  EXPECT_NE(refuses_codec(policy, "obj", "p", Right::encode), "");
}

TEST(Policy, ListedRefusesWhatIsNotAllowed) {
  Policy policy;
  policy.mode = Policy::Mode::listed;
  EXPECT_NE(refuses_plugin(policy, "a"), "");
  EXPECT_NE(refuses_codec(policy, "c", "a", Right::decode), "");
  policy.allow_plugins = {"a"};
  EXPECT_EQ(refuses_plugin(policy, "a"), "");
  EXPECT_EQ(refuses_codec(policy, "c", "a", Right::decode), "");
  EXPECT_NE(refuses_plugin(policy, "b"), "");
  EXPECT_NE(refuses_codec(policy, "c", "b", Right::decode), "");
}

TEST(Policy, PinsNameDigests) {
  Policy policy;
  const std::string digest(64, 'a');
  EXPECT_FALSE(needs_digest(policy, "p"));
  EXPECT_EQ(refuses_digest(policy, "p", digest), "");
  policy.pins["p"] = {std::string(64, 'A')};
  EXPECT_TRUE(needs_digest(policy, "p"));
  EXPECT_EQ(refuses_digest(policy, "p", digest), "");
  EXPECT_NE(refuses_digest(policy, "p", std::string(64, 'b')), "");
  policy.pins["q"] = {};
  EXPECT_NE(refuses_digest(policy, "q", digest), "");
  policy.require_pins = true;
  EXPECT_NE(refuses_digest(policy, "r", digest).find(digest), std::string::npos);
}

}  // namespace
}  // namespace polycodec
