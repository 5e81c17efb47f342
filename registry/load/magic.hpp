// SPDX-License-Identifier: MIT
// What a manifest says of the bytes and the names of its formats.
#pragma once

#include "registry/load/plugins.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// The bytes at the start of an input that are looked at.
inline constexpr std::size_t head_bytes = 4096;

/// The score of the best magic number of the manifest that fits the bytes, or 0; `offset` (or
/// null): its place.
std::uint32_t magic_score_of(const CodecInfo& info, std::string_view bytes,
                             std::uint64_t* offset = nullptr) noexcept;

/// True if the file name has this extension (lower case, with the dot) and is more than that.
bool has_extension(std::string_view extension, std::string_view name);

/// The length of the longest extension of the codec that `text` ends with, in any case, or 0.
std::size_t extension_length(const CodecInfo& info, std::string_view text);

/// `text` with ASCII letters in lower case.
std::string lower_case(std::string_view text);

}  // namespace polycodec
