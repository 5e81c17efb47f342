// SPDX-License-Identifier: MIT
// Images of files.
#pragma once

#include "core/value/budget.hpp"
#include "image.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace polycodec::cli {

/// An image that comes in passes has no more pixels: all of it is in memory at once.
inline constexpr std::uint64_t most_pixels_in_passes = std::uint64_t{1} << 24;

/// The texture in the bytes of a PNG or JPEG file. Its width and height are halved so many times
/// (and rounded up) while it is read, a pixel being the mean of those that it replaces. Charges
/// `budget` for each row, and for the memory that the texture has before it is taken. Throws
/// Error(unsupported) for other formats, Error(malformed) for a broken file, Error(limit) for more
/// than most_image_pixels or most_pixels_in_passes, and for what the budget does not allow.
Texture read_texture(std::string_view bytes, unsigned halvings, Budget& budget);

/// A texture of one image, with its smaller copies. Charges for the copies.
Texture with_copies(Texture::Level image, Budget& budget);

/// How often each image is halved so that all together have at most `most` pixels: always the
/// largest one.
std::vector<unsigned> halvings_of(const std::vector<std::uint64_t>& pixels, std::uint64_t most);

}  // namespace polycodec::cli
