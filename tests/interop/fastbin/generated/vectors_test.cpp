// SPDX-License-Identifier: MIT
// Generated code on the vectors: reads every good one to its value, writes it again byte for byte,
// refuses every bad one at the right place.
#include "access.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;
const fs::path directory = fs::path(POLYCODEC_TEST_VECTORS) / "fastbin";

/// A block of exactly this size, so that a sanitizer sees each read outside it.
Bytes bytes_of(const fs::path& path) {
  const std::string text = read_file(path);
  Bytes bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

const Access& access_of(const Json& description) {
  for (const Access& access : generated_structs())
    if (access.schema == description["schema"] && access.name == description["struct"])
      return access;
  throw std::runtime_error("no struct " + description["struct"].dump());
}

TEST(FastbinGenerated, ReadsEveryGoodVectorAndWritesItAgain) {
  unsigned count = 0;
  unsigned canonical = 0;
  for (const fs::path& path : descriptions(directory)) {
    if (path.filename().string().find("__") == std::string::npos) continue;
    SCOPED_TRACE(path.filename().string());
    const Json description = Json::parse(read_file(path));
    const Access& access = access_of(description);
    const Bytes bytes = bytes_of(fs::path(path).replace_extension(".bin"));

    const auto refused = access.check(bytes, false, false);
    ASSERT_FALSE(refused) << refused->text;
    std::size_t size = 0;
    ASSERT_FALSE(access.verify(bytes, &size));
    EXPECT_LE(size, bytes.size());
    EXPECT_EQ(access.read(bytes).dump(), description["value"].dump());
    EXPECT_TRUE(access.print(bytes).starts_with(access.name + "{")) << access.print(bytes);

    const Bytes written = access.rewrite(bytes);
    if (description["canonical"].get<bool>()) {
      EXPECT_EQ(written, bytes);
      ++canonical;
    } else {
      // Unused bytes are not kept: what was written is as long, and says the same.
      EXPECT_EQ(written.size(), size);
      ASSERT_FALSE(access.check(written, false, true));
      EXPECT_EQ(access.read(written).dump(), description["value"].dump());
    }

    // Any alignment will do.
    Bytes shifted(bytes.size() + 1);
    std::memcpy(shifted.data() + 1, bytes.data(), bytes.size());
    const std::span<const std::byte> odd(shifted.data() + 1, bytes.size());
    ASSERT_FALSE(access.check(odd, false, false));
    EXPECT_EQ(access.read(odd).dump(), description["value"].dump());
    EXPECT_EQ(access.rewrite(odd), written);

    // Every beginning of the struct is too short.
    for (std::size_t n = 0; n < size; ++n) {
      const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
      ASSERT_TRUE(access.check(part, false, false)) << n;
    }
    ++count;
  }
  EXPECT_GE(count, 80u);
  EXPECT_GE(canonical, 75u);
}

/// Where two codes are as good as each other, the words of the vectors' README.
bool same_code(const std::string& expected, const std::string& found) {
  if (expected == found) return true;
  const auto either = [&](std::string_view a, std::string_view b) {
    return (expected == a && found == b) || (expected == b && found == a);
  };
  return either("truncated", "bad_count") || either("bad_pad", "bad_variant_size") ||
         either("truncated", "out_of_range");
}

TEST(FastbinGenerated, RefusesEveryBadVectorAtItsPlace) {
  unsigned count = 0;
  for (const fs::path& path : descriptions(directory / "bad")) {
    SCOPED_TRACE(path.filename().string());
    const Json description = Json::parse(read_file(path));
    const Json& expected = description["expect"];
    const Access& access = access_of(description);
    const Bytes bytes = bytes_of(fs::path(path).replace_extension(".bin"));

    const auto refused = access.check(bytes, false, false);
    ASSERT_TRUE(refused);
    EXPECT_TRUE(same_code(expected["code"], refused->code)) << refused->text;
    EXPECT_EQ(refused->path, expected["path"].get<std::string>()) << refused->text;
    EXPECT_EQ(refused->offset, expected["offset"].get<std::uint64_t>()) << refused->text;
    std::size_t size = 0;
    ASSERT_TRUE(access.verify(bytes, &size));
    ++count;
  }
  EXPECT_GE(count, 37u);
}

}  // namespace
}  // namespace polycodec::test
