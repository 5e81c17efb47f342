// SPDX-License-Identifier: MIT
// LZ4 blocks, for data that names a function to unpack them.
#pragma once

#include <polycodec/plugin.hpp>

namespace polycodec::lz4 {

/// The function ["lz4.block", "decompress"], as Python's lz4.block has it: `args[0]` is a block
/// that follows its unpacked size (32 bits, little-endian), or a block alone if
/// `uncompressed_size` gives that size.
Node decompress(Call& call, const View& args, const View& kwargs, Builder& out);

inline constexpr const char* decompress_path[] = {"lz4.block", "decompress"};
inline constexpr polycodec_function decompress_function =
    make_function<&decompress>(decompress_path, "the bytes of an LZ4 block", 1, 2);

}  // namespace polycodec::lz4
