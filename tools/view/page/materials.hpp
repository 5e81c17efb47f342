// SPDX-License-Identifier: MIT
// The materials of a mesh with their textures, from the files beside it.
#pragma once

#include <polycodec/view.hpp>

#include "common/json.hpp"
#include "view/assets.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace polycodec::page {

using cli::Json;

struct Materials {
  Json list;    ///< `[{"name", "color": [r, g, b]?, "opacity"?, "texture"?}]`
  Json images;  ///< `data:` addresses, each image once; `texture` is the number of one
};

/// Returns the materials of a mesh: the items of the member `materials` that are records with a
/// name
/// (`Kd`, `d`, `map_Kd`), and one without a name for each of `texture_files`.
///
/// Materials of a scene with nodes (glTF) have a base color, which is linear, and its texture.
/// Names are those of the type `mesh`.
///
/// Images are those of the scene, and files that `companions` read. They
/// are PNG, JPEG, GIF, WebP or BMP files by their first bytes. Together they take at most `most`
/// bytes, and have no more pixels than PixelAllowance says. `notes` get a line for each texture
/// that is left out, and one for all that have too many pixels. Throws nothing for missing files.
Materials materials_of(const View& root, const std::vector<std::string>& texture_files,
                       const cli::Companions& companions, std::uint64_t most,
                       std::vector<std::string>& notes);

}  // namespace polycodec::page
