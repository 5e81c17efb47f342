// SPDX-License-Identifier: MIT
// Options that keep their order, files that no message can name, and files that others may change.
#include "error_of.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

/// With options that a message has brought.
Codec of_others(const test::Json& options) {
  return test::registry().codec({.codec = "fastbin", .options = options.dump(), .of_others = true});
}

TEST(FastbinRegistry, InlineSchemasKeepTheOrderOfMembers) {
  for (const auto& v : test::fastbin_vectors("")) {
    SCOPED_TRACE(v.name);
    const Codec codec = of_others({{"schema", test::Json::parse(v.schema)}, {"root", v.root}});
    EXPECT_EQ(test::refusal(codec, v.bytes), "");
  }
}

TEST(FastbinRegistry, OnlyTheHostNamesFiles) {
  const auto file = test::fastbin_directory() / "strings.schema.json";
  const test::Json options{{"schema_file", file.string()}, {"root", "One"}};
  EXPECT_EQ(test::error_of([&] { of_others(options); }).code(), Status::denied);
  const std::string body = test::read_file(test::fastbin_directory() / "strings__len5.bin");
  EXPECT_EQ(test::node(test::decode(test::shipped("fastbin", options), body)).size(), 1u);
  const Error missing = test::error_of([] {
    test::shipped("fastbin", {{"schema_file", "/not/there.json"}});
  });
  EXPECT_EQ(missing.code(), Status::option);
  EXPECT_NE(missing.message().find("option 'schema_file': cannot open '/not/there.json'"),
            std::string::npos)
      << missing.message();
}

// A verified buffer is read again: nobody may change it in between.
TEST(FastbinRegistry, FilesThatOthersMayWriteAreCopied) {
  const Codec codec = test::shipped(
      "fastbin",
      {{"schema", test::Json::parse(
                      R"({"namespace": "n", "structs": {"One": {"members": {"s": "string"}}}})")}});
  const std::string text(100000, 't');
  const Value value = Value::build([&](Builder& out) {
    return out.object({{"s", out.string_copy(text)}});
  });
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "shared";
  test::write_file(path, test::encode(codec, value));
  std::filesystem::permissions(path, std::filesystem::perms::group_write,
                               std::filesystem::perm_options::add);
  const Source source = Source::file(path.native());
  const Value decoded = codec.decode(source);
  const std::string_view found = decoded.view()["s"].as_string();
  EXPECT_EQ(found, text);
  EXPECT_TRUE(found.data() < source.bytes().data() ||
              found.data() >= source.bytes().data() + source.bytes().size());
}

}  // namespace
}  // namespace polycodec
