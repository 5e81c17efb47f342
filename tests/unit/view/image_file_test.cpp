// SPDX-License-Identifier: MIT
// The sizes that image files say, and how many pixels one call uses.
#include "view/image_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace polycodec::cli {
namespace {

using namespace std::string_view_literals;

/// The size and the type that a file says; the bytes end where they are said.
void expect_head(std::string_view bytes, std::string_view type, std::uint64_t width,
                 std::uint64_t height, bool comes_in_passes = false) {
  const auto head = image_head(bytes);
  ASSERT_TRUE(head) << type;
  EXPECT_EQ(head->media_type, type);
  EXPECT_EQ(head->width, width) << type;
  EXPECT_EQ(head->height, height) << type;
  EXPECT_EQ(head->comes_in_passes, comes_in_passes) << type;
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(image_head(bytes.substr(0, size))) << type << " of " << size << " bytes";
}

TEST(ImageFile, SizesOfEachFormat) {
  const std::string png("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x1f\x40\0\0\1\2\1\0\0\0"sv);
  expect_head(png + '\0', "image/png", 8000, 258);
  expect_head(png + '\1', "image/png", 8000, 258, true);
  // A segment that is skipped, fill bytes, and the frame.
  expect_head("\xff\xd8\xff\xe0\0\4\xff\xc0\xff\xff\xc0\0\x0b\x08\1\2\3\4\1"sv, "image/jpeg", 772,
              258);
  expect_head("\xff\xd8\xff\xc2\0\x0b\x08\1\2\3\4\1"sv, "image/jpeg", 772, 258, true);
  expect_head("GIF89a\1\2\3\4"sv, "image/gif", 513, 1027);
  expect_head("RIFF____WEBPVP8X____\0\0\0\0\1\2\0\3\4\0"sv, "image/webp", 514, 1028);
  expect_head("RIFF____WEBPVP8L____\x2f\xff\x3f\0\0_____"sv, "image/webp", 16384, 1);
  expect_head("RIFF____WEBPVP8 ____\0\0\0\x9d\1\x2a\1\x42\3\x44"sv, "image/webp", 513, 1027);
  expect_head("BM____________\x28\0\0\0\1\2\0\0\xfe\xff\xff\xff"sv, "image/bmp", 513, 2);
  expect_head("BM____________\x0c\0\0\0\1\2\3\4____"sv, "image/bmp", 513, 1027);
}

TEST(ImageFile, OtherBytesHaveNoSize) {
  for (const std::string_view bytes :
       {"<svg width=\"3\" height=\"4\">______________________"sv,
        "GIF89a\0\0\3\4"sv,                             // no pixels
        "\xff\xd8\xff\xda\0\x0b\x08\1\2\3\4\1"sv,       // a scan without a frame
        "\xff\xd8\xff\xe0\xff\xff\x08\1\2\3\4\1"sv,     // a segment beyond the end
        "RIFF____WAVEVP8X____\0\0\0\0\1\2\0\3\4\0"sv})  // no picture
    EXPECT_FALSE(image_head(bytes)) << bytes;
}

TEST(ImageFile, EqualBytesAreOneImage) {
  const ByContent less;
  const std::string a = "aa", again = "aa";
  EXPECT_FALSE(less(a, again) || less(again, a));
  EXPECT_TRUE(less("b", "aa"));
  EXPECT_TRUE(less("aa", "ab"));
  EXPECT_FALSE(less("ab", "aa"));
}

TEST(ImageFile, PixelsAreBoundedAndFilesEarnThem) {
  const ImageHead large{"image/png", 8000, 8000};
  PixelAllowance allowance;
  EXPECT_TRUE(allowance.take(large, 8000));
  EXPECT_FALSE(allowance.take(large, 8000));
  EXPECT_TRUE(allowance.take({"image/png", 1000, 1000}, 8000)) << "others fit yet";
  EXPECT_TRUE(allowance.take(large, 8'000'000)) << "a large file";
  EXPECT_FALSE(allowance.take({"image/png", 8193, 8192}, UINT64_MAX / 16)) << "one image";
}

}  // namespace
}  // namespace polycodec::cli
