// SPDX-License-Identifier: MIT
// The materials of a mesh with their textures, from the files beside it.
#pragma once

#include "common/json.hpp"
#include "view/assets.hpp"
#include "view/scene.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace polycodec::page {

using cli::Json;

struct Materials {
  Json list;    ///< `[{"name", "color": [r, g, b]?, "opacity"?, "texture"?}]`
  Json images;  ///< `data:` addresses, each image once; `texture` is the number of one
};

/// Returns what the page shows of the materials of a mesh.
///
/// Images are those of the mesh, and files that `companions` read. They are PNG, JPEG, GIF, WebP or
/// BMP files by their first bytes. Together they take at most `most` bytes, and have no more pixels
/// than PixelAllowance says. `notes` get a line for each texture that is left out, and one for all
/// that have too many pixels. Throws nothing for missing files.
Materials materials_of(const std::vector<cli::Material>& given, const cli::Companions& companions,
                       std::uint64_t most, std::vector<std::string>& notes);

}  // namespace polycodec::page
