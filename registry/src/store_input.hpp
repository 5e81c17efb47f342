// SPDX-License-Identifier: MIT
// Bytes as the store that they are: what codecs of several blobs read from a single file.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/limits.hpp>
#include <polycodec/manifest.hpp>

#include <string_view>

namespace polycodec {

/// True for a codec that reads stores and no bytes: it is handed the store inside of an archive.
inline bool takes_store_alone(const CodecInfo& info) noexcept {
  return info.takes_store && !info.takes_bytes && !info.takes_bytes_and_store;
}

/// True if the bytes begin as an archive that open_store() opens.
bool is_archive(std::string_view bytes) noexcept;

/// The store inside the archive that the input's bytes are; it lives as long as the value of `arena`. Throws
/// Status::malformed if they are no archive, and what opening one throws.
const polycodec_store* open_archive(const polycodec_input& input, const Limits& limits, polycodec_arena& arena);

}  // namespace polycodec
