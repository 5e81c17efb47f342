// SPDX-License-Identifier: MIT
// `polycodec fastbin verify`, `infer` and `diff`.
#include "command.hpp"

namespace {

using polycodec::test::Command;
using polycodec::test::Finished;
using polycodec::test::Json;
using polycodec::test::read_file;

constexpr const char* schema = R"({"namespace": "n",
 "enums": {"E": {"type": "int8", "members": {"A": {"value": 1}}}},
 "structs": {"S": {"members": {"a": "int8", "e": "enum:E", "t": "string"}}}})";

/// S{a: 5, e: A, t: "abc"}.
const std::string buffer(
    "\x28\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\5abc\0\0\0\0\0", 40);

TEST_F(Command, FastbinVerifySaysWhetherAFileIsABuffer) {
  write("s.json", schema);
  write("good", buffer);
  const Finished good = run({"fastbin", "verify", "s.json", "good"});
  EXPECT_EQ(good.status, 0);
  EXPECT_EQ(good.err, "good: valid\n");
  const Finished json =
      run({"fastbin", "verify", "s.json", "-", "--root", "S", "--strict", "--json"}, buffer);
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_EQ(Json::parse(json.out), Json::parse(R"({"ok": true, "file": "-", "bytes": 40})"));

  write("cut", buffer.substr(0, 32));
  const Finished cut = run({"fastbin", "verify", "s.json", "cut", "--json"});
  EXPECT_EQ(cut.status, 1);
  const Json error = Json::parse(cut.out)["error"];
  EXPECT_EQ(error["detail"], "fastbin.truncated");
  EXPECT_EQ(error["offset"], 0);
}

TEST_F(Command, FastbinVerifyIsAsStrictAsAsked) {
  write("s.json", schema);
  write("longer", buffer + std::string(8, '\0'));
  std::string unknown = buffer;
  unknown[16] = 9;
  write("unknown", unknown);
  std::string latin = buffer;
  latin[32] = '\xe4';
  write("latin", latin);
  for (const auto& [file, word] : {std::pair("longer", "fastbin.trailing"),
                                   {"unknown", "fastbin.bad_enum"},
                                   {"latin", "fastbin.bad_utf8"}}) {
    EXPECT_EQ(run({"fastbin", "verify", "s.json", file}).status, 0) << file;
    const Finished strict = run({"fastbin", "verify", "s.json", file, "--strict", "--json"});
    EXPECT_EQ(strict.status, 1) << file;
    EXPECT_EQ(Json::parse(strict.out)["error"]["detail"], word);
  }
}

TEST_F(Command, FastbinVerifyRefusesWrongUse) {
  write("s.json", schema);
  write("good", buffer);
  const Finished root = run({"fastbin", "verify", "s.json", "good", "--root", "T"});
  EXPECT_EQ(root.status, 2);
  EXPECT_NE(root.err.find("no struct 'T'; it has S"), std::string::npos) << root.err;
  EXPECT_EQ(run({"fastbin", "verify", "s.json"}).status, 2);
  EXPECT_EQ(run({"fastbin", "verify", "s.json", "missing"}).status, 1);
}

TEST_F(Command, FastbinInferMakesASchemaThatEncodesTheValue) {
  const std::string text =
      R"({"a": 5, "name": "abc", "xs": [1.5, 2.5], "rows": [{"k": 1}, {"k": 2}]})";
  write("value.json", text);
  const Finished inferred = run({"fastbin", "infer", "value.json", "--root", "Thing", "--namespace",
                                 "space", "-o", "s.json"});
  ASSERT_EQ(inferred.status, 0) << inferred.err;
  const Json made = Json::parse(read_file(directory_ / "s.json"));
  EXPECT_EQ(made["namespace"], "space");
  EXPECT_EQ(made["structs"]["Thing"]["members"]["a"], "int64");
  EXPECT_EQ(made["structs"]["Thing"]["members"]["xs"], "vector<float64>");

  const std::string options = R"({"schema_file": "s.json"})";
  ASSERT_EQ(run({"encode", "value.json", "--to", "fastbin", "--to-options", options, "-o", "bytes"})
                .status,
            0);
  EXPECT_EQ(run({"fastbin", "verify", "s.json", "bytes", "--strict"}).status, 0);
  const Finished back =
      run({"decode", "bytes", "--from", "fastbin", "--from-options", options, "--plain"});
  EXPECT_EQ(Json::parse(back.out), Json::parse(text));

  const Finished list = run({"fastbin", "infer", "-", "--from", "text"}, "[1, 2]");
  EXPECT_EQ(list.status, 1);
  EXPECT_EQ(list.out, "");
  EXPECT_NE(list.err.find("not of list"), std::string::npos) << list.err;
}

TEST_F(Command, FastbinDiffSaysWhetherOldBuffersStayReadable) {
  const auto with = [](const std::string& members) {
    return "{\"namespace\": \"n\",\n \"structs\": {\"S\": {\"members\": {" + members + "}}}}";
  };
  write("old.json", with(R"("a": "int8", "t": "string")"));
  write("longer.json", with("\"a\": \"int8\", \"t\": \"string\",\n  \"b\": \"bool\""));
  write("wider.json", with(R"("a": "int16", "t": "string")"));

  const Finished same = run({"fastbin", "diff", "old.json", "old.json"});
  EXPECT_EQ(same.status, 0);
  EXPECT_EQ(same.out, "nothing has changed for buffers\n");

  const Finished longer = run({"fastbin", "diff", "old.json", "longer.json", "--json"});
  EXPECT_EQ(longer.status, 0) << longer.err;
  const Json report = Json::parse(longer.out);
  EXPECT_TRUE(report["ok"]);
  EXPECT_NE(report["old"]["hash"], report["new"]["hash"]);
  ASSERT_EQ(report["changes"].size(), 1u);
  EXPECT_EQ(report["changes"][0]["effect"], "lenient");
  EXPECT_EQ(report["changes"][0]["path"], "structs.S.b");
  EXPECT_EQ(report["changes"][0]["new_line"], 3);

  const Finished wider = run({"fastbin", "diff", "old.json", "wider.json"});
  EXPECT_EQ(wider.status, 1);
  EXPECT_NE(wider.out.find("breaking: wider.json:2: structs.S.a is int16, was int8"),
            std::string::npos)
      << wider.out;
  write("bad.json", "{\"structs\": ");
  for (const char* trouble : {"missing.json", "bad.json"})
    EXPECT_EQ(run({"fastbin", "diff", "old.json", trouble}).status, 2) << trouble;
  EXPECT_EQ(run({"fastbin", "diff", "old.json"}).status, 2);
}

// The lists of variable structs are views of one buffer, with other members between them.
TEST_F(Command, FiguresCountItemsOfListsAlone) {
  write(
      "a.json",
      R"({"type": "{rows: 3 * {x: float64, name: string, l: var * float64}}", "value": {"rows": [)"
      R"({"x": -1000, "name": "a", "l": [1, 2]}, {"x": 1000, "name": "b", "l": []}, )"
      R"({"x": 5, "name": "cc", "l": [3]}]}})");
  ASSERT_EQ(run({"fastbin", "infer", "a.json", "-o", "a.schema"}).status, 0);
  const std::string options = R"({"schema_file": "a.schema"})";
  ASSERT_EQ(run({"convert", "a.json", "a.fastbin", "--to-options", options}).status, 0);
  const Finished done =
      run({"inspect", "--json", "a.fastbin", "--from", "fastbin", "--from-options", options});
  ASSERT_EQ(done.status, 0) << done.err;
  const Json figures = Json::parse(done.out);
  Json lists;
  for (const Json& column : figures["columns"])
    if (column["path"] == "$.rows.l[]") lists = column;
  ASSERT_FALSE(lists.is_null()) << done.out;
  EXPECT_EQ(lists["count"], 3);
  EXPECT_EQ(lists["minimum"], "1");
  EXPECT_EQ(lists["maximum"], "3");
}

}  // namespace
