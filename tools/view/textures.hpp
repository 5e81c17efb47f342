// SPDX-License-Identifier: MIT
// Images of files.
#pragma once

#include "image.hpp"
#include "meter.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace polycodec::cli {

/// An image that comes in passes has no more pixels: all of it is in memory at once.
inline constexpr std::uint64_t most_pixels_in_passes = std::uint64_t{1} << 24;

/// What images may take: work, and memory that is given back.
class ImageRoom {
 public:
  /// Without a budget only memory is counted.
  explicit ImageRoom(std::uint64_t max_memory, const Budget& work = {})
      : meter_(work), max_memory_(max_memory) {}

  /// Charges units of work. Throws Status::limit, Status::cancelled.
  void spend(std::uint64_t units) { meter_.tick(units); }
  /// Throws Status::limit if there are not so many bytes left.
  void take(std::uint64_t bytes);
  void give_back(std::uint64_t bytes) noexcept { taken_ -= bytes; }
  std::uint64_t taken() const noexcept { return taken_; }
  std::uint64_t max_memory() const noexcept { return max_memory_; }

 private:
  Meter meter_;
  std::uint64_t max_memory_, taken_ = 0;
};

/// The texture in the bytes of a PNG or JPEG file. Its width and height are halved so many times
/// (and rounded up) while it is read, a pixel being the mean of those that it replaces. Charges
/// `room` for each row, and for the memory that the texture has before it is taken. Throws
/// Error(unsupported) for other formats, Error(malformed) for a broken file, Error(limit) for more
/// than most_image_pixels or most_pixels_in_passes, and for what `room` does not allow.
Texture read_texture(std::string_view bytes, unsigned halvings, ImageRoom& room);

/// A texture of one image, with its smaller copies. Charges for the copies.
Texture with_copies(Texture::Level image, ImageRoom& room);

/// How often each image is halved so that all together have at most `most` pixels: always the
/// largest one.
std::vector<unsigned> halvings_of(const std::vector<std::uint64_t>& pixels, std::uint64_t most);

}  // namespace polycodec::cli
