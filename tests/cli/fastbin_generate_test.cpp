// SPDX-License-Identifier: MIT
// `polycodec fastbin generate`.
#include "command.hpp"

namespace {

using polycodec::test::Command;
using polycodec::test::Finished;
using polycodec::test::Json;
using polycodec::test::read_file;

constexpr const char* small_schema =
    R"({"namespace": "n", "structs": {"S": {"members": {"a": "int8", "t": "string"}}}})";

TEST_F(Command, FastbinGenerateWritesCodeAndItsRuntime) {
  write("one.schema.json", small_schema);
  const Finished cpp =
      run({"fastbin", "generate", "one.schema.json", "--out-dir", "new/directory"});
  ASSERT_EQ(cpp.status, 0) << cpp.err;
  EXPECT_EQ(cpp.out, "new/directory/one.hpp\nnew/directory/fastbin_runtime.hpp\n");
  EXPECT_NE(read_file(directory_ / "new/directory/one.hpp")
                .find("class S : public fastbin_runtime::StructView<S>"),
            std::string::npos);
  EXPECT_NE(read_file(directory_ / "new/directory/fastbin_runtime.hpp")
                .find("namespace fastbin_runtime {"),
            std::string::npos);

  const Finished julia = run({"fastbin", "generate", "-", "--language", "julia", "--name", "two",
                              "--out-dir", ".", "--json"},
                             small_schema);
  ASSERT_EQ(julia.status, 0) << julia.err;
  const Json object = Json::parse(julia.out);
  EXPECT_TRUE(object["ok"]);
  EXPECT_EQ(object["files"], Json::parse(R"(["./two.jl", "./FastbinRuntime.jl"])"));
  EXPECT_NE(read_file(directory_ / "two.jl").find("struct S <: FastbinStruct"), std::string::npos);

  // The same schema gives the same bytes.
  ASSERT_EQ(run({"fastbin", "generate", "one.schema.json", "--out-dir", "again", "--quiet"}).out,
            "");
  EXPECT_EQ(read_file(directory_ / "again/one.hpp"),
            read_file(directory_ / "new/directory/one.hpp"));
}

TEST_F(Command, FastbinGenerateNamesTheNamespaceByTheFileAndTellsAliases) {
  write("class.schema.json",
        "{\"enums\": {\"E\": {\"type\": \"uint8\", \"members\": {\"A\": {\"value\": 1},\n"
        "\"B\": {\"value\": 1}}}},\n"
        "\"structs\": {\"S\": {\"members\": {\"end\": \"enum:E\", \"class\": \"int8\"}}}}");
  const Finished cpp = run({"fastbin", "generate", "class.schema.json", "--out-dir", "."});
  ASSERT_EQ(cpp.status, 0) << cpp.err;
  EXPECT_EQ(
      cpp.err,
      "warning: class.schema.json:2: enums.E.members.B: the value 1 is that of 'A': an alias, "
      "read as 'A'\n");
  const std::string header = read_file(directory_ / "class.hpp");
  EXPECT_NE(header.find("namespace class_ {"), std::string::npos);
  EXPECT_NE(header.find("std::int8_t class_() const noexcept"), std::string::npos);
  const Finished julia = run({"fastbin", "generate", "class.schema.json", "--language", "julia",
                              "--namespace", "a::b", "--out-dir", ".", "--json"});
  ASSERT_EQ(julia.status, 0) << julia.err;
  EXPECT_EQ(Json::parse(julia.out)["warnings"].size(), 1U);
  EXPECT_NE(read_file(directory_ / "class.jl").find("module a_b\n"), std::string::npos);
  const Finished wrong =
      run({"fastbin", "generate", "class.schema.json", "--namespace", "a:b", "--out-dir", "."});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("--namespace: 'a:b' is not a name"), std::string::npos) << wrong.err;
}

TEST_F(Command, FastbinGenerateSaysWhereASchemaIsWrong) {
  write("bad.json",
        "{\"namespace\": \"n\",\n \"structs\": {\"S\": {\"members\": {\"a\": \"double\"}}}}");
  const Finished bad = run({"fastbin", "generate", "bad.json", "--out-dir", "out"});
  EXPECT_NE(bad.status, 0);
  EXPECT_NE(bad.err.find("bad.json:2: structs.S.members.a"), std::string::npos) << bad.err;
  EXPECT_FALSE(std::filesystem::exists(directory_ / "out"));
  EXPECT_EQ(run({"fastbin", "generate", "missing.json", "--out-dir", "out"}).status, 1);
  EXPECT_EQ(run({"fastbin", "generate", "bad.json"}).status, 2);
  EXPECT_EQ(
      run({"fastbin", "generate", "bad.json", "--language", "cobol", "--out-dir", "out"}).status,
      2);
  EXPECT_NE(
      run({"fastbin", "generate", "bad.json", "--name", "no name", "--out-dir", "out"}).status, 0);
}

}  // namespace
