// SPDX-License-Identifier: MIT
// LZ4 blocks, for data that names a function to unpack them.
#pragma once

#include <polycodec/abi.h>

/// The function ["lz4.block", "decompress"], as Python's lz4.block has it: `source` is a block behind its unpacked
/// size (32 bits, little-endian), or a block alone if `uncompressed_size` gives that size.
const polycodec_functions& lz4_block_functions() noexcept;
