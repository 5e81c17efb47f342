// SPDX-License-Identifier: MIT
// `polycodec list`: one kind of things, or several.
#include "command.hpp"

namespace polycodec::test {
namespace {

class ListCommand : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    write("allowed.json", R"({"allowlist": ["test.function", "sum"]})");
  }
  /// With the plugins of the templates for a function and a store.
  Finished list(const std::vector<std::string>& options) {
    std::vector<std::string> words{"list", "--plugin-path", POLYCODEC_BIN_DIR "/../test_templates"};
    words.insert(words.end(), options.begin(), options.end());
    return run(words);
  }
};

TEST_F(ListCommand, ListsOneKindOrSeveral) {
  const Finished functions = list({"--functions"});
  EXPECT_EQ(functions.status, 0) << functions.err;
  EXPECT_NE(functions.out.find("test.function.sum  not allowed  test.function\n"),
            std::string::npos)
      << functions.out;
  EXPECT_NE(list({"--functions", "--config", "allowed.json"})
                .out.find("test.function.sum  allowed  test.function\n"),
            std::string::npos);
  const std::string stores = list({"--stores"}).out;
  EXPECT_NE(stores.find("test.store"), std::string::npos) << stores;
  EXPECT_EQ(stores.find("msgpack-ndarray"), std::string::npos) << stores;
  EXPECT_NE(list({"--filters"}).out.find("zlib"), std::string::npos);
  EXPECT_EQ(list({"--types"}).out.find("zlib"), std::string::npos);

  const Json json = Json::parse(list({"--stores", "--functions", "--json"}).out);
  EXPECT_EQ(json.size(), 2u) << json;
  bool found = false;
  for (const Json& function : json["functions"])
    if (function["plugin"] == "test.function") {
      found = true;
      EXPECT_EQ(function["name"], Json::parse(R"(["test.function", "sum"])"));
      EXPECT_EQ(function["allowed"], false);
    }
  EXPECT_TRUE(found) << json;
  const Json all = Json::parse(list({"--json"}).out);
  EXPECT_TRUE(all.contains("codecs") && all.contains("filters") && all.contains("stores"));
  EXPECT_FALSE(all.contains("functions"));
}

}  // namespace
}  // namespace polycodec::test
