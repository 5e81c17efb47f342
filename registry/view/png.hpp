// SPDX-License-Identifier: MIT
// Images as PNG files.
#pragma once

#include "raster.hpp"

#include <string>

namespace polycodec::cli {

/// The bytes of a PNG file. Throws Error(memory) if there is none for the compressed image.
std::string to_png(const Image& image);

}  // namespace polycodec::cli
