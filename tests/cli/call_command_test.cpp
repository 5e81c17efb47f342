// SPDX-License-Identifier: MIT
// `polycodec call`.
#include "command.hpp"

namespace polycodec::test {
namespace {

/// The plugin of the template for a function.
const std::string templates = POLYCODEC_BIN_DIR "/../test_templates";

class CallCommand : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    write("allowed.json", R"({"allow_also": [["test.function", "sum"]]})");
  }
  Finished call(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"call", "--plugin-path", templates, "--config", "allowed.json"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run(words);
  }
};

TEST_F(CallCommand, TakesJsonAndFiles) {
  const Finished made = call({"test.function.sum", "[1, 2.5]"});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(Json::parse(made.out), Json::parse(R"({"type": "float64", "value": 3.5})"));
  EXPECT_EQ(
      call({R"(["test.function", "sum"])", R"({"type": "2 * int8", "value": [3, 4]})", "--plain"})
          .out,
      "7.0\n");
  write("numbers.json", R"({"type": "3 * float64", "value": [1, 2, 3]})");
  ASSERT_EQ(run({"encode", "numbers.json", "-o", "numbers.msgpack"}).status, 0);
  const Finished of_file = call({"test.function.sum", "@numbers.msgpack", "--plain", "-o", "out"});
  EXPECT_EQ(of_file.status, 0) << of_file.err;
  EXPECT_EQ(read_file(directory_ / "out"), "6.0\n");
}

TEST_F(CallCommand, SaysWhatIsWrong) {
  const Finished denied =
      run({"call", "--plugin-path", templates, "test.function.sum", "[1]", "--json"});
  EXPECT_EQ(denied.status, 1) << denied.err;
  const Json error = Json::parse(denied.out)["error"];
  EXPECT_EQ(error["detail"], "function.denied");
  EXPECT_NE(error["message"].get<std::string>().find(R"("allow_also": [["test.function", "sum"]])"),
            std::string::npos)
      << error;
  const Finished unknown = call({"test.function.mean", "[1]"});
  EXPECT_EQ(unknown.status, 3);
  EXPECT_NE(unknown.err.find("polycodec list --functions"), std::string::npos) << unknown.err;
  const Finished count = call({"test.function.sum"});
  EXPECT_EQ(count.status, 1);
  EXPECT_NE(count.err.find("takes 1"), std::string::npos) << count.err;
  const Finished no_json = call({"test.function.sum", "numbers"});
  EXPECT_EQ(no_json.status, 2) << no_json.err;
  EXPECT_NE(no_json.err.find("argument 1 'numbers' is not JSON"), std::string::npos) << no_json.err;
  EXPECT_NE(no_json.err.find("@FILE"), std::string::npos) << no_json.err;
  EXPECT_EQ(call({"test.function.sum", "@missing.msgpack"}).status, 1);
  EXPECT_EQ(call({"test.function.sum", "[\"a\"]"}).status, 1);
  EXPECT_EQ(call({"test.function.sum", "[1]", "--keywords", "[2]"}).status, 2);
}

}  // namespace
}  // namespace polycodec::test
