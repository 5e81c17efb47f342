// SPDX-License-Identifier: MIT
// A plugin that was built with ABI 2.0 works in hosts of all later minor versions: its library is
// kept as it was then, and never built again (tests/abi/kept/build.sh).
#include <polycodec/registry.hpp>

#include "files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace polycodec {
namespace {

TEST(KeptPlugin, OfAbi20Works) {
#ifndef __x86_64__
  GTEST_SKIP() << "the library is for x86-64";
#endif
  const test::TemporaryDirectory directory;
  for (const char* name : {"test.kept.so", "test.kept.polycodec.json"}) {
    const std::filesystem::path copy = directory.path() / name;
    test::write_file(copy,
                     test::read_file(std::string(POLYCODEC_SOURCE_DIR "/tests/abi/kept/") + name));
    std::filesystem::permissions(copy, std::filesystem::perms(0644));
  }
  RegistryOptions options;
  options.plugin_paths = {directory.path()};
  options.use_environment = false;
  options.use_builtins = false;
  const Registry registry = Registry::open(options);
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

}  // namespace
}  // namespace polycodec
