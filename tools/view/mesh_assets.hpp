// SPDX-License-Identifier: MIT
// Conversions of meshes that come with files of their own: material libraries and textures.
#pragma once

#include "common/run.hpp"

#include <optional>
#include <string>

namespace polycodec::cli {

/// Run::convert(), for commands that offer --assets. A mesh whose materials the output has in a
/// file of its own gets this file beside the output, and textures become what --assets says. All
/// files are written or none, and none is replaced without --replace-assets. Such a conversion
/// is not compared.
Written convert_with_assets(const Run& run, const Input& input, const Format& from,
                            const std::string& file);

}  // namespace polycodec::cli
