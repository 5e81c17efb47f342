// SPDX-License-Identifier: MIT
// What bytes are that no codec takes for its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// What the bytes of an input of `total` bytes, which begins with `head`, visibly are, and what to
/// do: "it is compressed with gzip: unpack it first, as with 'gzip -d'". Names empty input,
/// compression, archives, the encodings of text that have a mark, web pages, pointers of Git LFS,
/// some files that no codec reads, zero bytes, and frames with lengths. Empty for all other bytes.
std::string describe_content(std::string_view head, std::uint64_t total);

}  // namespace polycodec
