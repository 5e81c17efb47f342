// SPDX-License-Identifier: MIT
// What image files say of themselves, and how many pixels of them one call reads or passes on.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace polycodec::cli {

/// No image of more pixels is used, and no images of more pixels in all, unless their files are
/// large: each byte of them is good for image_pixels_per_byte more.
inline constexpr std::uint64_t most_image_pixels = std::uint64_t{1} << 26;
inline constexpr std::uint64_t image_pixels_per_byte = 8;

/// The first bytes of an image file.
struct ImageHead {
  std::string_view media_type;  ///< such as "image/png"
  std::uint64_t width = 0, height = 0;
  bool comes_in_passes = false;  ///< an interlaced PNG or a progressive JPEG

  std::uint64_t pixels() const noexcept { return width * height; }
};

/// Returns what a PNG, JPEG, GIF, WebP or BMP file says; nothing for other bytes, and for files
/// that end before they say their size, or have no pixels. Sizes are below 2^32, so that pixels()
/// does not overflow. Thread-safe.
std::optional<ImageHead> image_head(std::string_view bytes) noexcept;

/// Orders files by their content: an image of many names or buffer views is one image.
struct ByContent {
  bool operator()(std::string_view a, std::string_view b) const noexcept {
    if (a.size() != b.size()) return a.size() < b.size();
    return a.data() != b.data() && std::memcmp(a.data(), b.data(), a.size()) < 0;
  }
};

/// The pixels that the images of one call may have. Take each distinct image once.
class PixelAllowance {
 public:
  /// True if an image of `bytes` bytes fits beside those that were taken, and takes it.
  bool take(const ImageHead& head, std::uint64_t bytes) noexcept;

 private:
  std::uint64_t left_ = most_image_pixels;
};

}  // namespace polycodec::cli
