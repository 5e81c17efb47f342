// SPDX-License-Identifier: MIT
// The materials of a mesh with their textures, from the files beside it.
#pragma once

#include <base/json_writer.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace polycodec::page {

/// Returns the materials of a mesh as `[{"name", "color": [r, g, b]?, "opacity"?, "texture"?}]`.
/// Those are the items of the member `materials` that are records with a name (`Kd`, `d`,
/// `map_Kd`), and one without a name for each of `texture_files`.
///
/// Materials of a scene with nodes (glTF) have a base color, which is linear, and its texture.
/// Names are those of the type `mesh`.
///
/// `texture` is a `data:` address of an image of the scene, or of an image file below the directory
/// of `file`. Its name has no
/// `..`, and no link leads out of the directory. Files that are not PNG, JPEG, GIF, WebP or BMP by
/// their first bytes are never embedded. `notes` get a line for each texture that is left out. The
/// textures take at most `most` bytes. Throws nothing for missing files.
Json materials_of(const View& root, const std::vector<std::string>& texture_files,
                  const std::string& file, std::uint64_t most, std::vector<std::string>& notes);

}  // namespace polycodec::page
