// SPDX-License-Identifier: MIT
// `polycodec diff`: the same value in two formats, differences, tolerance, and trouble.
#include "command.hpp"

#include <string>

namespace polycodec::test {
namespace {

class DiffCommand : public Command {
 protected:
  static std::string typed(const std::string& type, const std::string& value) {
    return R"({"type": ")" + type + R"(", "value": )" + value + "}";
  }
};

TEST_F(DiffCommand, TheSameValueInTwoFormatsHasNoDifference) {
  write("a.json", typed("{n: 3 * float64, s: string}", R"({"n": [1, 2, 3], "s": "x"})"));
  ASSERT_EQ(run({"convert", "a.json", "a.msgpack", "-q"}).status, 0);
  const Finished same = run({"diff", "a.json", "a.msgpack"});
  EXPECT_EQ(same.status, 0) << same.out << same.err;
  EXPECT_EQ(same.out, "");
  const Json json = Json::parse(run({"diff", "--json", "a.json", "a.msgpack"}).out);
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["count"], 0);
  EXPECT_EQ(json["groups"], Json::array());
  EXPECT_EQ(json["a"]["codec"], "text");
  EXPECT_EQ(json["b"]["codec"], "msgpack-ndarray");
}

TEST_F(DiffCommand, DifferencesHavePathsAndReasons) {
  write("a.json",
        typed("{n: 3 * float64, s: string, t: int32}", R"({"n": [1, 2, 3], "s": "x", "t": 1})"));
  write("b.json",
        typed("{n: 3 * float64, s: string, u: int32}", R"({"n": [1, 2.5, 4], "s": "y", "u": 1})"));
  const Finished text = run({"diff", "a.json", "b.json"});
  EXPECT_EQ(text.status, 1);
  EXPECT_EQ(text.out,
            "$.n[*]: 2 differences (value), the largest is 1\n"
            "  $.n[1]: 2 and 2.5\n"
            "  $.n[2]: 3 and 4\n"
            "$.s: 'x' and 'y'\n"
            "$: 2 differences (members)\n"
            "  $: member 't' is missing in the second value\n"
            "  $: member 'u' is missing in the first value\n");
  const Finished report = run({"diff", "--json", "a.json", "b.json"});
  EXPECT_EQ(report.status, 1);
  const Json json = Json::parse(report.out);
  EXPECT_EQ(json["ok"], false);
  EXPECT_EQ(json["count"], 5);
  EXPECT_EQ(json["groups"][0]["pattern"], "$.n[*]");
  EXPECT_EQ(json["groups"][0]["kind"], "value");
  EXPECT_EQ(json["groups"][0]["count"], 2);
  EXPECT_EQ(json["groups"][0]["deviation"], 1.0);
  EXPECT_EQ(json["groups"][0]["first"][0]["path"], "$.n[1]");
  EXPECT_EQ(json["groups"][2]["kind"], "members");
}

TEST_F(DiffCommand, ToleranceAndWhatCounts) {
  write("a.json", typed("2 * float64", "[1, 100]"));
  write("b.json", typed("2 * float64", "[1.25, 101]"));
  write("c.json", typed("2 * int32", "[1, 100]"));
  EXPECT_EQ(run({"diff", "a.json", "b.json"}).status, 1);
  EXPECT_EQ(run({"diff", "--abs", "1", "a.json", "b.json"}).status, 0);
  EXPECT_EQ(run({"diff", "--rel", "0.01", "a.json", "b.json"}).status, 1);
  EXPECT_EQ(run({"diff", "--rel", "0.2", "a.json", "b.json"}).status, 0);
  EXPECT_EQ(run({"diff", "a.json", "c.json"}).status, 1);
  EXPECT_EQ(run({"diff", "--by-value", "a.json", "c.json"}).status, 0);
  write("x.json", typed("{a: int32, b: int32}", R"({"a": 1, "b": 2})"));
  write("y.json", typed("{b: int32, a: int32}", R"({"b": 2, "a": 1})"));
  EXPECT_EQ(run({"diff", "x.json", "y.json"}).status, 1);
  EXPECT_EQ(run({"diff", "--unordered", "x.json", "y.json"}).status, 0);
}

TEST_F(DiffCommand, OutputIsBounded) {
  std::string x = "{";
  std::string y = "{";
  std::string type = "{";
  for (int i = 0; i < 300; ++i) {
    const std::string name = "m" + std::to_string(i);
    x += (i == 0 ? "\"" : ", \"") + name + "\": 1";
    y += (i == 0 ? "\"" : ", \"") + name + "\": 2";
    type += (i == 0 ? "" : ", ") + name + ": int32";
  }
  write("a.json", typed(type + "}", x + "}"));
  write("b.json", typed(type + "}", y + "}"));
  const Finished text = run({"diff", "--max", "5", "a.json", "b.json"});
  EXPECT_EQ(text.status, 1);
  EXPECT_NE(text.out.find("295 differences at other places; use --max"), std::string::npos)
      << text.out;
  const Json json = Json::parse(run({"diff", "--json", "a.json", "b.json"}).out);
  EXPECT_EQ(json["count"], 300);
  EXPECT_EQ(json["groups"].size(), 100u);
}

TEST_F(DiffCommand, TroubleIsStatusTwo) {
  write("a.json", typed("int32", "1"));
  write("bad.ply", "ply\nformat ascii 1.0\nelement");
  EXPECT_EQ(run({"diff", "a.json", "missing.json"}).status, 2);
  EXPECT_EQ(run({"diff", "a.json", "bad.ply"}).status, 2);
  EXPECT_EQ(run({"diff", "a.json"}).status, 2);
  EXPECT_EQ(run({"diff", "-", "-"}).status, 2);
  EXPECT_EQ(run({"diff", "--from", "nosuch", "a.json", "a.json"}).status, 2);
  EXPECT_EQ(run({"diff", "--abs=-1", "a.json", "a.json"}).status, 2);
  const Finished json = run({"diff", "--json", "a.json", "bad.ply"});
  EXPECT_EQ(json.status, 2);
  EXPECT_TRUE(Json::parse(json.out).contains("error"));
}

TEST_F(DiffCommand, EachSideMayHaveACodecOfItsOwn) {
  write("a.txt", typed("int32", "1"));
  write("b.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n");
  EXPECT_EQ(run({"diff", "--from", "text", "--from-b", "ply", "a.txt", "b.ply"}).status, 1);
  EXPECT_EQ(run({"diff", "-", "a.txt", "--from", "text"}, typed("int32", "1")).status, 0);
}

}  // namespace
}  // namespace polycodec::test
