// SPDX-License-Identifier: MIT
// Images: reading what was written, and broken files.
#include "registry/view/textures.hpp"

#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>

#include "registry/view/png.hpp"

#include <gtest/gtest.h>
#include <jpeglib.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace polycodec::cli {
namespace {

const polycodec_node nothing = Builder::null();

Texture read(std::string_view bytes) {
  HostMeter meter(NodeView(&nothing), Limits{});
  return read_texture(bytes, meter);
}

Image gradient(std::size_t width, std::size_t height) {
  Image image{width, height, {}};
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (const std::size_t part : {x * 9, y * 9, x + y})
        image.pixels.push_back(static_cast<std::uint8_t>(part));
  return image;
}

std::string to_jpeg(const Image& image) {
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

TEST(Textures, CopiesHalveDownToOnePixel) {
  HostMeter meter(NodeView(&nothing), Limits{});
  Texture::Level level{5, 2, {}};
  level.pixels.assign(10, {100, 200, 0, 255});
  const Texture texture = with_copies(level, meter);
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
