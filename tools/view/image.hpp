// SPDX-License-Identifier: MIT
// Images in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace polycodec::cli {

/// An image of 8-bit RGB, rows from the top.
struct Image {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// An image of 8-bit RGBA, rows from the top, and its smaller copies, each of half the width and
/// height, down to one pixel. Empty: `levels` is.
struct Texture {
  struct Level {
    std::size_t width = 0, height = 0;
    std::vector<std::array<std::uint8_t, 4>> pixels;
  };
  std::vector<Level> levels;
};

}  // namespace polycodec::cli
