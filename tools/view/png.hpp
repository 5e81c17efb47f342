// SPDX-License-Identifier: MIT
// Images as PNG files.
#pragma once

#include "image.hpp"
#include "meter.hpp"

#include <string>

namespace polycodec::cli {

/// The bytes of a PNG file. Charges `meter` (or null), and so ends soon after the call was
/// cancelled. Throws Error(memory) if there is none for the compressed image.
std::string to_png(const Image& image, Meter* meter = nullptr);

}  // namespace polycodec::cli
