// SPDX-License-Identifier: MIT
// Images: reading what was written, and broken files.
#include "view/textures.hpp"

#include "view/png.hpp"

#include <gtest/gtest.h>
#include <jpeglib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace polycodec::cli {
namespace {

constexpr std::uint64_t much = std::uint64_t{1} << 30;

Texture read(std::string_view bytes, unsigned halvings = 0, std::uint64_t max_memory = much) {
  ImageRoom room(max_memory);
  return read_texture(bytes, halvings, room);
}

Image gradient(std::size_t width, std::size_t height) {
  Image image{width, height, {}};
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (const std::size_t part : {x * 9, y * 9, x + y})
        image.pixels.push_back(static_cast<std::uint8_t>(part));
  return image;
}

std::string to_jpeg(const Image& image, std::span<const jpeg_scan_info> scans = {}) {
  jpeg_compress_struct jpeg{};
  jpeg_error_mgr errors{};
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_compress(&jpeg);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&jpeg, &bytes, &size);
  jpeg.image_width = static_cast<JDIMENSION>(image.width);
  jpeg.image_height = static_cast<JDIMENSION>(image.height);
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, 100, TRUE);
  if (!scans.empty()) {
    jpeg.scan_info = scans.data();
    jpeg.num_scans = static_cast<int>(scans.size());
  }
  jpeg_start_compress(&jpeg, TRUE);
  for (std::size_t y = 0; y < image.height; ++y) {
    auto* row = const_cast<JSAMPROW>(image.pixels.data() + y * image.width * 3);
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  std::string out(reinterpret_cast<char*>(bytes), size);
  std::free(bytes);
  return out;
}

TEST(Textures, ReadsPngPixelByPixel) {
  const Image image = gradient(20, 7);
  const Texture texture = read(to_png(image));
  ASSERT_FALSE(texture.levels.empty());
  const Texture::Level& level = texture.levels[0];
  ASSERT_EQ(level.width, 20u);
  ASSERT_EQ(level.height, 7u);
  for (std::size_t i = 0; i < level.pixels.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) ASSERT_EQ(level.pixels[i][k], image.pixels[3 * i + k]);
    ASSERT_EQ(level.pixels[i][3], 255);
  }
}

TEST(Textures, ReadsJpeg) {
  const Image image = gradient(24, 24);
  const Texture texture = read(to_jpeg(image));
  const Texture::Level& level = texture.levels.at(0);
  ASSERT_EQ(level.pixels.size(), 24u * 24u);
  for (std::size_t i = 0; i < level.pixels.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k)
      ASSERT_NEAR(level.pixels[i][k], image.pixels[3 * i + k], 12) << i;
}

/// An interlaced image of 8 x 8 pixels: three times their number, in gray.
std::string interlaced() {
  const std::string digits =
      "89504e470d0a1a0a0000000d49484452000000080000000808000000019663d1c10000005a494441"
      "5478da014f00b0ff0000000c00606c0006120066720030363c420090969ca20003090f150033393f"
      "450063696f750093999fa500181b1e2124272a2d00484b4e5154575a5d00787b7e8184878a8d00a8"
      "abaeb1b4b7babdcaa917a1c4c01ba60000000049454e44ae426082";
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return bytes;
}

TEST(Textures, PixelsOfSmallerCopiesAreMeans) {
  const Image image = gradient(20, 7);
  const Texture::Level level = read(to_png(image), 2).levels.at(0);
  ASSERT_EQ(level.width, 5u);
  ASSERT_EQ(level.height, 2u);
  for (std::size_t line = 0; line < 2; ++line)
    for (std::size_t at = 0; at < 5; ++at) {
      unsigned sum = 0;
      unsigned count = 0;
      for (std::size_t y = 4 * line; y < std::min<std::size_t>(7, 4 * line + 4); ++y)
        for (std::size_t x = 4 * at; x < 4 * at + 4; ++x, ++count)
          sum += image.pixels[3 * (20 * y + x) + 2];
      EXPECT_EQ(level.pixels[5 * line + at][2], (sum + count / 2) / count) << line << " " << at;
      EXPECT_EQ(level.pixels[5 * line + at][3], 255);
    }
  EXPECT_EQ(read(to_jpeg(image), 3).levels.at(0).pixels.size(), 3u);
  EXPECT_EQ(read(to_png(image), 40).levels.size(), 1u);
}

TEST(Textures, ReadsInterlacedPng) {
  const Texture::Level whole = read(interlaced()).levels.at(0);
  ASSERT_EQ(whole.pixels.size(), 64u);
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(whole.pixels[i][0], 3 * i);
  const Texture::Level half = read(interlaced(), 1).levels.at(0);
  ASSERT_EQ(half.width, 4u);
  EXPECT_EQ(half.pixels[0][0], (0 + 3 + 24 + 27 + 2) / 4);
}

TEST(Textures, WorkAndMemoryAreCharged) {
  for (const std::string& bytes : {to_png(gradient(64, 64)), to_jpeg(gradient(64, 64))}) {
    ImageRoom room(much);
    (void)read_texture(bytes, 0, room);
    EXPECT_GE(room.taken(), 64u * 64 * 4 * 5 / 4);
    const Registry registry = Registry::open({.flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT});
    Limits few;
    few.max_work = 64u * 64 * 4 * 5 / 4;
    ImageRoom little_work(much, Budget(registry, few));
    ImageRoom little_memory(16000);
    for (const auto& [little, detail] : {std::pair{&little_work, "limit.max_work"},
                                         std::pair{&little_memory, "limit.max_memory_bytes"}}) {
      try {
        (void)read_texture(bytes, 0, *little);
        FAIL() << detail;
      } catch (const Error& error) {
        EXPECT_EQ(error.detail(), detail);
      }
    }
  }
}

TEST(Textures, ScansOfJpegAreBounded) {
  // One coefficient and one of its bits a scan.
  std::vector<jpeg_scan_info> scans{{3, {0, 1, 2}, 0, 0, 0, 0}};
  for (int bit = 3; bit >= 0; --bit)
    for (int component = 0; component < 3; ++component)
      for (int k = 1; k < 64; ++k)
        scans.push_back({1, {component}, k, k, bit == 3 ? 0 : bit + 1, bit});
  ASSERT_GT(scans.size(), 500u);
  EXPECT_EQ(read(to_jpeg(gradient(16, 16), std::span(scans).first(400))).levels.size(), 5u);
  try {
    (void)read(to_jpeg(gradient(16, 16), scans));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("more than 500 scans"), std::string::npos) << error.message();
  }
}

TEST(Textures, LargestImagesAreHalvedUntilAllFit) {
  using Halvings = std::vector<unsigned>;
  EXPECT_EQ(halvings_of({}, 0), Halvings{});
  EXPECT_EQ(halvings_of({100, 20, 3}, 123), (Halvings{0, 0, 0}));
  EXPECT_EQ(halvings_of({100, 20, 3}, 122), (Halvings{1, 0, 0}));
  EXPECT_EQ(halvings_of({100, 20, 3}, 30), (Halvings{2, 0, 0}));
  EXPECT_EQ(halvings_of({100, 20, 3}, 29), (Halvings{2, 1, 0}));
  EXPECT_EQ(halvings_of({1, 1}, 0), (Halvings{0, 0}));
}

TEST(Textures, CopiesHalveDownToOnePixel) {
  ImageRoom room(much);
  Texture::Level level{5, 2, {}};
  level.pixels.assign(10, {100, 200, 0, 255});
  const Texture texture = with_copies(level, room);
  ASSERT_EQ(texture.levels.size(), 3u);
  EXPECT_EQ(texture.levels[1].width, 2u);
  EXPECT_EQ(texture.levels[1].height, 1u);
  EXPECT_EQ(texture.levels[2].pixels,
            (std::vector<std::array<std::uint8_t, 4>>{{100, 200, 0, 255}}));
}

TEST(Textures, BrokenFilesAreErrors) {
  EXPECT_THROW(read(""), Error);
  EXPECT_THROW(read("GIF89a"), Error);
  std::mt19937 random(7);
  for (const std::string& whole : {to_png(gradient(16, 16)), to_jpeg(gradient(16, 16))}) {
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 60) {
      try {  // a truncated JPEG may pass as a grey one
        (void)read(whole.substr(0, size));
      } catch (const Error&) {
      }
    }
    for (int i = 0; i < 300; ++i) {
      std::string bytes = whole;
      for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
      try {
        (void)read(bytes);
      } catch (const Error& error) {
        EXPECT_FALSE(error.message().empty());
      }
    }
  }
}

TEST(Textures, HugeSizesAreRefusedBeforeMemoryIsTaken) {
  std::string png = to_png(gradient(2, 2));
  png.replace(16, 8, std::string("\x00\x0f\xff\xff\x00\x0f\xff\xff", 8));
  EXPECT_THROW(read(png), Error);
  std::string jpeg = to_jpeg(gradient(16, 16));
  const std::size_t frame = jpeg.find("\xff\xc0");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\xff\xdc\xff\xdc");
  try {
    (void)read(jpeg);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Status::limit);
  }
}

}  // namespace
}  // namespace polycodec::cli
