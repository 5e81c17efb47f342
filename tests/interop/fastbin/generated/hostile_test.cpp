// SPDX-License-Identifier: MIT
// Buffers that were changed at every word: whatever generated code accepts it must also be able to
// read and write.
#include "access.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace polycodec::test {
namespace {

namespace fs = std::filesystem;

const Access* find(const Json& description) {
  for (const Access& access : generated_structs())
    if (access.schema == description["schema"] && access.name == description["struct"])
      return &access;
  return nullptr;
}

TEST(FastbinGenerated, SurvivesEveryChangeOfAWord) {
  const fs::path directory = fs::path(POLYCODEC_TEST_VECTORS) / "fastbin";
  unsigned refused = 0;
  unsigned accepted = 0;
  for (const fs::path& path : descriptions(directory)) {
    if (path.filename().string().find("__") == std::string::npos) continue;
    SCOPED_TRACE(path.filename().string());
    const Access* access = find(Json::parse(read_file(path)));
    ASSERT_NE(access, nullptr);
    const std::string good = read_file(fs::path(path).replace_extension(".bin"));
    if (good.size() > 800) continue;  // one more of the same
    for (std::size_t at = 0; at + 8 <= good.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, good.data() + at, 8);
      const std::uint64_t words[] = {0,
                                     1,
                                     7,
                                     8,
                                     word + 1,
                                     word - 1,
                                     word + 8,
                                     word - 8,
                                     word << 8,
                                     word >> 8,
                                     word ^ 0x0100'0000'0000'0000,
                                     word ^ 0x8000'0000'0000'0000,
                                     0x00FF'FFFF'FFFF'FFF8,
                                     0x7FFF'FFFF'FFFF'FFF8,
                                     0xFFFF'FFFF'FFFF'FFF0,
                                     0xFFFF'FFFF'FFFF'FFF8,
                                     0xFFFF'FFFF'FFFF'FFFF};
      for (const std::uint64_t changed : words) {
        Bytes bytes(good.size());
        std::memcpy(bytes.data(), good.data(), good.size());
        std::memcpy(bytes.data() + at, &changed, 8);
        if (access->check(bytes, false, false)) {
          ++refused;
          continue;
        }
        ++accepted;
        const Json value = access->read(bytes);
        const Bytes written = access->rewrite(bytes);
        ASSERT_FALSE(access->check(written, false, true)) << "word at " << at << ": " << changed;
        EXPECT_EQ(access->read(written).dump(), value.dump())
            << "word at " << at << ": " << changed;
      }
    }
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(accepted, 1000u);
}

TEST(FastbinGenerated, OptionsRefuseUnknownEnumsAndTrailingBytes) {
  const fs::path directory = fs::path(POLYCODEC_TEST_VECTORS) / "fastbin";
  const auto bytes_of = [&](const char* name) {
    const std::string text = read_file(directory / name);
    Bytes bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
  };
  const Access* enums = find(Json{{"schema", "enums"}, {"struct", "AllEnums"}});
  ASSERT_NE(enums, nullptr);
  const Bytes unknown = bytes_of("enums__unknown.bin");
  EXPECT_FALSE(enums->check(unknown, false, false));
  const auto refused = enums->check(unknown, true, false);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, "bad_enum");
  EXPECT_EQ(refused->path, "i8");
  EXPECT_EQ(refused->offset, 0u);
  EXPECT_NE(refused->text.find("-77"), std::string::npos) << refused->text;
  EXPECT_FALSE(enums->check(bytes_of("enums__zero.bin"), true, false));

  const Access* strings = find(Json{{"schema", "strings"}, {"struct", "One"}});
  ASSERT_NE(strings, nullptr);
  const Bytes trailing = bytes_of("strings__q_trailing.bin");
  EXPECT_FALSE(strings->check(trailing, false, false));
  const auto too_long = strings->check(trailing, false, true);
  ASSERT_TRUE(too_long);
  EXPECT_EQ(too_long->code, "trailing");
  EXPECT_EQ(too_long->offset, trailing.size() - 64);
}

}  // namespace
}  // namespace polycodec::test
