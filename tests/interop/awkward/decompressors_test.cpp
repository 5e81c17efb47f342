// SPDX-License-Identifier: MIT
// Functions of another plugin: LZ4 blocks, which files name and the plugin lz4 unpacks.

#include "core/io/source.hpp"
#include "core/text/text.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>
#include <lz4.h>

#include <filesystem>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;

class Lz4Blocks : public testing::Test {
 protected:
  static RegistryOptions options() {
    RegistryOptions options;
    options.use_environment = false;
    options.plugin_paths = {fs::path(POLYCODEC_TEST_BINARY_DIR) / "lib" / "polycodec" / "plugins" /
                            "abi2"};
    return options;
  }

  static std::string packed(const std::string& bytes) {
    std::string block(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(bytes.size()))),
                      '\0');
    const int size = LZ4_compress_default(
        bytes.data(), block.data(), static_cast<int>(bytes.size()), static_cast<int>(block.size()));
    block.resize(static_cast<std::size_t>(size));
    return block;
  }
  static std::string size_of(std::uint32_t size) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(size >> (8 * i));
    return bytes;
  }

  /// The array of bytes that the blob unpacks to, or the detail and path of the error.
  std::string read(const std::string& blob, const std::string& arguments = R"({"read": "b"})",
                   const std::string& more = {}) {
    const std::string schema =
        R"({"awkward0": "1", "schema": {"call": ["numpy", "frombuffer"], "args": [{"call": ["lz4.block", "decompress"],
            "args": [)" +
        arguments + "]" + more + R"(}, {"dtype": "uint8"}]}})";
    const auto store = std::make_shared<MemoryStore>(
        std::vector<std::pair<std::string, std::string>>{{".json", schema}, {"b", blob}});
    try {
      TextOptions text;
      text.plain = true;
      return to_text(
          registry_.codec_with_json("awkward", "{}").decode(Source::store(store), {}).view(), text);
    } catch (const Error& e) {
      return e.detail() + " " + e.path();
    }
  }

  const Registry registry_ = Registry::open(options());
};

TEST_F(Lz4Blocks, AreUnpacked) {
  const std::string bytes(40, '\7');
  std::string expected;
  for (int i = 0; i < 40; ++i) expected += i == 0 ? "[7" : ", 7";
  EXPECT_EQ(expected + "]", read(size_of(40) + packed(bytes)));
  EXPECT_EQ(expected + "]", read(packed(bytes), R"({"read": "b"}, {"json": 40})"));
  EXPECT_EQ(expected + "]", read(packed(bytes), R"({"read": "b"})",
                                 R"(, "kwargs": {"uncompressed_size": {"json": 40}})"));
  EXPECT_EQ("[]", read(size_of(0) + std::string(1, '\0')));
}

TEST_F(Lz4Blocks, BadOnesAreRefused) {
  const std::string block = packed(std::string(40, '\7'));
  const std::string at = " $.schema.args[0].args[0]";
  EXPECT_EQ("buffer.compressed" + at, read("abc"));
  EXPECT_EQ("buffer.compressed" + at, read(size_of(41) + block)) << "shorter than it says";
  EXPECT_EQ("buffer.compressed" + at, read(size_of(39) + block)) << "longer than it says";
  EXPECT_EQ("buffer.compressed" + at, read(size_of(40) + block.substr(0, block.size() - 1)));
  EXPECT_EQ("buffer.compressed" + at, read(size_of(0x70000000) + block))
      << "nothing is taken for a size";
  EXPECT_EQ("function.argument_kind" + at, read({}, R"({"json": "text"})"));
  EXPECT_EQ("function.arguments $.schema.args[0].kwargs",
            read(block, R"({"read": "b"})", R"(, "kwargs": {"x": {"json": 1}})"));
}

}  // namespace
}  // namespace polycodec::test
