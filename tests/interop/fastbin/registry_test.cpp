// SPDX-License-Identifier: MIT
// The codec as hosts have it: options that keep their order, and files that no message can name.
#include <polycodec/message.hpp>
#include <polycodec/registry.hpp>

#include "files.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

std::string framed(const std::string& options, const std::string& body) {
  Header header;
  header.codec = "fastbin";
  header.options = options;
  return build_frame(header, body.size()) + body;
}

Status outcome(const Registry& registry, const std::string& bytes) {
  try {
    static_cast<void>(registry.decode(Source::owned(bytes)));
    return Status::ok;
  } catch (const Error& e) {
    return e.code();
  }
}

TEST(FastbinRegistry, InlineSchemasKeepTheOrderOfMembers) {
  const Registry registry = Registry::open({});
  for (const auto& v : test::fastbin_vectors("")) {
    SCOPED_TRACE(v.name);
    test::Json options;
    options["schema"] = test::Json::parse(v.schema);
    options["root"] = v.root;
    EXPECT_EQ(outcome(registry, framed(options.dump(), v.bytes)), Status::ok);
  }
}

TEST(FastbinRegistry, OnlyTheHostNamesFiles) {
  const Registry registry = Registry::open({});
  const auto file = test::fastbin_directory() / "strings.schema.json";
  const std::string options = test::Json{{"schema_file", file.string()}, {"root", "One"}}.dump();
  const std::string body = test::read_file(test::fastbin_directory() / "strings__len5.bin");
  EXPECT_EQ(outcome(registry, framed(options, body)), Status::denied);
  const Codec codec = registry.codec_with_json("fastbin", options);
  EXPECT_EQ(codec.decode(Source::owned(body)).view().size(), 1u);
  try {
    static_cast<void>(registry.codec_with_json("fastbin", R"({"schema_file": "/not/there.json"})"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::option);
    EXPECT_NE(e.message().find("option 'schema_file': cannot open '/not/there.json'"),
              std::string::npos)
        << e.message();
  }
}

// A verified buffer is read again: nobody may change it in between.
TEST(FastbinRegistry, FilesThatOthersMayWriteAreCopied) {
  const Registry registry = Registry::open({});
  const Codec codec = registry.codec_with_json(
      "fastbin",
      R"({"schema": {"namespace": "n", "structs": {"One": {"members": {"s": "string"}}}}})");
  const std::string text(100000, 't');
  const Value value = Value::build([&](Builder& out) {
    ObjectBuilder members = out.object();
    members.push("s", out.string_copy(text));
    return Node(members);
  });
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "shared";
  test::write_file(path, codec.encode_to_string(value.view()));
  std::filesystem::permissions(path, std::filesystem::perms::group_write,
                               std::filesystem::perm_options::add);
  const Source source = Source::file(path);
  ASSERT_FALSE(source.is_stable());
  const Value decoded = codec.decode(source);
  const std::string_view found = decoded.view().value(0).as_string();
  EXPECT_EQ(found, text);
  EXPECT_TRUE(found.data() < source.bytes().data() ||
              found.data() >= source.bytes().data() + source.bytes().size());
}

}  // namespace
}  // namespace polycodec
