// SPDX-License-Identifier: MIT
// What the materials of a mesh look like.
#pragma once

#include <polycodec/detail/hex.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// What a texture shows beyond its borders.
enum class MeshWrap : std::uint8_t { repeat, clamp, mirror };

/// The texture of a material: an image file, beside the mesh or inside it. Not owning.
struct MeshTexture {
  std::string_view
      name;  ///< of the file, as the data says it: never opened unchecked; may be empty
  std::string_view data;  ///< the bytes of the file, where they are inside
  // Texture coordinates are scaled, turned and moved in this order, as KHR_texture_transform of
  // glTF does it: with the origin in the upper left corner.
  std::array<double, 2> offset{0, 0}, scale{1, 1};
  double rotation = 0;  ///< radians
  std::array<MeshWrap, 2> wrap{};
  double strength = 1;  ///< of a texture of normals

  bool empty() const noexcept { return name.empty() && data.empty(); }
};

/// How the alpha of a material counts.
enum class MeshAlpha : std::uint8_t { opaque, mask, blend };

/// What a material looks like, by metallic-roughness. Colors are linear. Not owning.
struct MeshMaterial {
  bool is_known = false;  ///< false: only its name is known
  std::array<double, 3> base_color{1, 1, 1};
  double opacity = 1;
  double metallic = 0;
  double roughness = 1;
  std::array<double, 3> emission{};
  MeshAlpha alpha = MeshAlpha::opaque;
  double alpha_cutoff = 0.5;  ///< of MeshAlpha::mask
  bool double_sided = false;
  MeshTexture base_texture, normal_texture;
};

namespace detail {

/// The name of a material that is a color of faces alone.
inline std::string color_name(const std::array<double, 3>& color) {
  std::string name = "color_";
  for (const double part : color)
    append_hex(name, static_cast<std::uint64_t>(std::lround(255 * std::clamp(part, 0.0, 1.0))), 2);
  return name;
}

}  // namespace detail

}  // namespace polycodec
