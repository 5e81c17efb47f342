// SPDX-License-Identifier: MIT
// Plugins that were built with ABI 2.0 work in hosts of all later minor versions: their libraries
// are kept as they were then, and never built again (tests/abi/kept/build.sh).

#include "core/dispatch/function_table.hpp"
#include "files.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

namespace polycodec {
namespace {

class KeptPlugin : public testing::Test {
 protected:
  void SetUp() override {
#ifndef __x86_64__
    GTEST_SKIP() << "the libraries are for x86-64";
#endif
  }

  /// A registry with a kept plugin alone.
  Registry with(const std::string& library, const std::string& manifest) const {
    for (const std::string& name : {library, manifest}) {
      const std::filesystem::path copy = directory_.path() / name;
      test::write_file(
          copy, test::read_file(std::string(POLYCODEC_SOURCE_DIR "/tests/abi/kept/") + name));
      std::filesystem::permissions(copy, std::filesystem::perms(0644));
    }
    RegistryOptions options;
    options.plugin_paths = {directory_.path()};
    options.use_environment = false;
    options.use_builtins = false;
    options.allowlist =
        std::make_shared<const Allowlist>(Allowlist::parse(R"(["test", "answer"])"));
    return Registry::open(options);
  }

 private:
  const test::TemporaryDirectory directory_;
};

TEST_F(KeptPlugin, OfAbi20Works) {
  const Registry registry = with("test.kept.so", "test.kept.polycodec.json");
  ASSERT_NE(registry.find("test.kept"), nullptr) << registry.explain_missing("test.kept");

  const Codec codec = registry.codec("test.kept");
  const Value value = codec.decode(Source::view("5:hello,0:,"));
  ASSERT_EQ(value.view().size(), 2u);
  EXPECT_EQ(value.view()[0].as_bytes(), "hello");
  EXPECT_EQ(codec.encode_to_string(value.view()), "5:hello,0:,");

  const auto error_of = [](const Codec& with, std::string_view input) {
    return attempt([&] { return with.decode(Source::view(input)); }).error();
  };
  const Error malformed = error_of(codec, "5:hello;");
  EXPECT_EQ(malformed.code(), Status::malformed);
  EXPECT_EQ(malformed.offset(), 7u);
  EXPECT_EQ(malformed.message(), "expected ',' after the string");
  EXPECT_EQ(error_of(codec, "5:he").code(), Status::truncated);
  const Codec strict = registry.codec_with_json("test.kept", R"({"max_length": 4})");
  EXPECT_EQ(error_of(strict, "5:hello,").code(), Status::limit);
  EXPECT_EQ(strict.encode_to_string(strict.decode(Source::view("4:four,")).view()), "4:four,");
}

TEST_F(KeptPlugin, StreamsFunctionsTypesAndNestedCallsOfAbi20Work) {
  const Registry registry = with("sample.so", "test.sample.polycodec.json");
  ASSERT_EQ(registry.probe("test.sample").outcome, Outcome::loaded)
      << registry.probe("test.sample").reason;
  const Codec codec = registry.codec("test.raw");
  EXPECT_EQ(codec.decode(Source::view("abc")).view().as_bytes(), "abc");
  EXPECT_EQ(codec.decode(Source::view("Nabc")).view().as_bytes(), "abc");
  EXPECT_EQ(codec.decode(Source::view("F")).view().as_int64(), 42);
  EXPECT_EQ(codec.decode(Source::view("T")).view().as_string(), "{x: float64, y: float64}");
  EXPECT_EQ(registry.choose(Source::view("RAW!")).codec->name, "test.raw");
  ValueStream stream(codec);
  Value value;
  stream.feed("ab.cd");
  ASSERT_TRUE(stream.next(value));
  EXPECT_EQ(value.view().as_bytes(), "ab");
  EXPECT_FALSE(stream.next(value));
}

}  // namespace
}  // namespace polycodec
