// SPDX-License-Identifier: MIT
// `polycodec diff`: the same value in two formats, differences, tolerance, and trouble.
#include "command.hpp"

#include <array>
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

// Numbers of which only the count is kept are counted in blocks of rows.
TEST_F(DiffCommand, TablesThatDifferInEachRowHaveAllDifferencesCounted) {
  constexpr int rows = 5000;
  const auto file = [&](const std::string& name, int apart) {
    std::string text =
        "ply\nformat ascii 1.0\nelement vertex 5000\nproperty double x\nproperty "
        "float y\nproperty int n\nproperty uchar c\nend_header\n";
    for (int i = 0; i < rows; ++i) {
      const std::string x = i == 4000 ? "nan" : std::to_string(i + (i < 2000 ? 0 : apart * 0.5));
      const std::string y = std::to_string(i % 100 == 0 ? i + apart : i);
      text += x + " " + y + " " + std::to_string(i == 4500 ? i - 9 * apart : i + apart) + " 7\n";
    }
    write(name, text);
  };
  file("a.ply", 0);
  file("b.ply", 1);
  const Finished done = run({"diff", "--json", "a.ply", "b.ply"});
  EXPECT_EQ(done.status, 1) << done.err;
  const Json found = Json::parse(done.out);
  EXPECT_EQ(found["count"], 2999 + 50 + 5000);
  ASSERT_EQ(found["groups"].size(), 3u);
  const auto check = [&](int i, const char* pattern, int count, double deviation,
                         const char* path) {
    const Json& group = found["groups"][static_cast<std::size_t>(i)];
    EXPECT_EQ(group["pattern"], pattern);
    EXPECT_EQ(group["count"], count);
    EXPECT_EQ(group["deviation"], deviation);
    ASSERT_EQ(group["first"].size(), 3u);
    EXPECT_EQ(group["first"][2]["path"], path);
  };
  check(0, "$.vertex[*].y", 50, 1, "$.vertex[200].y");
  check(1, "$.vertex[*].n", 5000, 9, "$.vertex[2].n");
  check(2, "$.vertex[*].x", 2999, 0.5, "$.vertex[2002].x");
  // Only the first kind of place is kept, and all are counted.
  const Json one = Json::parse(run({"diff", "--json", "--max", "1", "a.ply", "b.ply"}).out);
  EXPECT_EQ(one["count"], found["count"]);
  EXPECT_EQ(one["groups"], Json::array({found["groups"][0]}));
  // What is within the tolerance does not differ.
  const Json near = Json::parse(run({"diff", "--json", "--abs", "1", "a.ply", "b.ply"}).out);
  EXPECT_EQ(near["count"], 1);
  EXPECT_EQ(near["groups"][0]["first"][0]["path"], "$.vertex[4500].n");
  EXPECT_EQ(run({"diff", "--abs", "9", "a.ply", "b.ply"}).status, 0);
}

TEST_F(DiffCommand, TolerancesAreForNumbersAlone) {
  const auto file = [&](const std::string& name, const std::string& type, const std::string& item,
                        const std::string& last) {
    std::string items;
    for (int i = 0; i < 40; ++i) items += item + ", ";
    write(name, typed("41 * " + type, "[" + items + last + "]"));
  };
  for (const auto& [type, item, last] :
       {std::array{"string", R"("cat")", R"("bat")"},
        {"?string", R"("cat")", R"("bat")"},
        {"bytes", R"({"$bytes": "AQID"})", R"({"$bytes": "AQIE"})"},
        {"{x: float64, name: string}", R"({"x": 1, "name": "cat"})",
         R"({"x": 1, "name": "bat"})"}}) {
    file("a.json", type, item, item);
    file("b.json", type, item, last);
    for (const char* tolerance : {"--abs", "--rel"}) {
      const Finished done = run({"diff", "--json", tolerance, "2", "a.json", "b.json"});
      EXPECT_EQ(done.status, 1) << type << done.err;
      EXPECT_EQ(Json::parse(done.out)["count"], 1) << type;
    }
    EXPECT_EQ(run({"diff", "--abs", "2", "a.json", "a.json"}).status, 0) << type;
  }
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
