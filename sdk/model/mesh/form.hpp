// SPDX-License-Identifier: MIT
// The forms of value that codecs of meshes offer.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec::mesh {

/// What a codec makes of a file, or what it is to take a value for: as the format says it; the
/// registered type `mesh`; or one of the dictionary forms that yggdrasil's programs know.
enum class Form : std::uint8_t { file, mesh, dict, array_dict, list };

/// The form with this name (`file`, `mesh`, `dict`, `array_dict`, `list`), or nothing.
constexpr std::optional<Form> form_from_name(std::string_view name) noexcept {
  constexpr std::string_view names[] = {"file", "mesh", "dict", "array_dict", "list"};
  for (std::uint8_t i = 0; i < 5; ++i)
    if (names[i] == name) return static_cast<Form>(i);
  return std::nullopt;
}

}  // namespace polycodec::mesh
