// SPDX-License-Identifier: MIT
// Images of files.
#pragma once

#include "core/value/host_meter.hpp"
#include "image.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::cli {

/// No image of more pixels is read.
inline constexpr std::uint64_t most_texture_pixels = std::uint64_t{1} << 26;

/// The texture in the bytes of a PNG or JPEG file. Charges `meter` for each row. Throws
/// Error(unsupported) for other formats, Error(malformed) for a broken file, Error(limit) for more
/// than most_texture_pixels.
Texture read_texture(std::string_view bytes, HostMeter& meter);

/// A texture of one image, with its smaller copies.
Texture with_copies(Texture::Level image, HostMeter& meter);

}  // namespace polycodec::cli
