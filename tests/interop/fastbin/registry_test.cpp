// SPDX-License-Identifier: MIT
// The codec as hosts have it: options that keep their order, and files that no message can name.
#include <polycodec/message.hpp>
#include <polycodec/registry.hpp>

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

}  // namespace
}  // namespace polycodec
