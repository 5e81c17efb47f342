// SPDX-License-Identifier: MIT
// Data that other codecs unpack: EXT_meshopt_compression and KHR_draco_mesh_compression.
#pragma once

#include "document.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::gltf {

inline constexpr std::string_view meshopt_extension = "EXT_meshopt_compression";
inline constexpr std::string_view draco_extension = "KHR_draco_mesh_compression";

/// True for an extension that reading undoes, so that a value never has it.
bool is_compression(std::string_view extension) noexcept;
/// True if the document requires the extension.
bool requires_extension(View document, std::string_view extension);

/// The object of EXT_meshopt_compression of a buffer view, or nothing.
std::optional<View> meshopt_of(View description, const std::string& path);

/// The bytes of a buffer view of this description, of which `packed` are what the object
/// `extension` says. `path` is that of the object.
std::string_view unpack_meshopt(const Call& call, View extension, View description,
                                std::string_view packed, const std::string& path, Builder& out);

/// The bytes of a buffer view, which `path` refers to.
using ViewBytes = std::function<std::string_view(std::uint64_t view, const std::string& path)>;

/// The elements of all accessors whose primitives have them in KHR_draco_mesh_compression, by their
/// numbers. A primitive is left out if its accessors have the elements themselves, and the document
/// does not require the extension.
std::map<std::uint64_t, const polycodec_array*> unpack_draco(const Call& call, View document,
                                                             const ViewBytes& bytes_of_view,
                                                             Builder& out);

}  // namespace polycodec::gltf
