// SPDX-License-Identifier: MIT
// Images as PNG files.
#pragma once

#include "core/value/host_meter.hpp"
#include "image.hpp"

#include <string>

namespace polycodec::cli {

/// The bytes of a PNG file. Charges `meter` (or null), and so ends soon after the call was
/// cancelled. Throws Error(memory) if there is none for the compressed image.
std::string to_png(const Image& image, HostMeter* meter = nullptr);

}  // namespace polycodec::cli
