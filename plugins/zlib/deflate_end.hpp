// SPDX-License-Identifier: MIT
// Where a deflate stream (RFC 1951) ends, to the bit: what joining streams needs.
#pragma once

#include <cstdint>
#include <string_view>

namespace polycodec::zlib {

/// Places in a deflate stream, in bits from its start.
struct DeflateEnd {
  std::uint64_t
      last_block;     ///< the head of the last block, whose first bit says that it is the last
  std::uint64_t end;  ///< after the last code
};

/// Walks over the codes of a whole stream and makes no bytes. Throws Error(Status::internal) if the
/// bytes are not such a stream, so it is for streams of this process.
DeflateEnd find_deflate_end(std::string_view stream);

}  // namespace polycodec::zlib
