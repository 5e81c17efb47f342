// SPDX-License-Identifier: MIT
// PNG files of any size that are small.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <string>

namespace polycodec::test {

/// A PNG file of one color, with one bit for each pixel.
inline std::string png_file(std::uint32_t width, std::uint32_t height, const std::string& color) {
  const auto number = [](std::uint32_t value) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift);
    return text;
  };
  const auto chunk = [&](const std::string& name, const std::string& data) {
    const std::string checked = name + data;
    return number(static_cast<std::uint32_t>(data.size())) + checked +
           number(
               static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                                                static_cast<uInt>(checked.size()))));
  };
  const std::string rows(std::size_t{height} * (1 + (width + 7) / 8), '\0');
  std::string packed(compressBound(rows.size()), '\0');
  uLongf size = packed.size();
  EXPECT_EQ(compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                      reinterpret_cast<const Bytef*>(rows.data()), rows.size(), 9),
            Z_OK);
  packed.resize(size);
  return std::string("\x89PNG\r\n\x1a\n") +
         chunk("IHDR", number(width) + number(height) + std::string("\1\3\0\0\0", 5)) +
         chunk("PLTE", color) + chunk("IDAT", packed) + chunk("IEND", "");
}

/// A square for each of `count` textures, in the files NAME.obj and NAME.mtl.
inline std::string textured_squares(std::size_t count, const std::string& library) {
  std::string text = "mtllib " + library + "\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string left = std::to_string(2 * i), right = std::to_string(2 * i + 1);
    text += "v " + left + " 0 0\nv " + right + " 0 0\nv " + right + " 1 0\nv " + left +
            " 1 0\nusemtl m" + std::to_string(i) + "\nf -4/1 -3/2 -2/3 -1/4\n";
  }
  return text;
}

}  // namespace polycodec::test
