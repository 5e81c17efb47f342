// SPDX-License-Identifier: MIT
// Varints from a Reader.
#pragma once

#include <base/varint.hpp>
#include <polycodec/error.hpp>
#include <polycodec/reader.hpp>

#include <cstdint>
#include <string>

namespace polycodec {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_varint(VarintStatus status,
                                                                const char* what,
                                                                std::uint64_t offset) {
  const std::string name(what);
  if (status == VarintStatus::truncated)
    throw Error(Status::truncated, name + " is a varint that the input ends within", offset);
  if (status == VarintStatus::overlong)
    throw Error(Status::malformed, name + " is a varint that is longer than it need be", offset)
        .detail("varint.overlong");
  throw Error(Status::malformed, name + " is a varint of more than 64 bits", offset)
      .detail("varint.overflow");
}

/// Reads a varint. Throws Status::truncated, or Status::malformed with the detail varint.overlong
/// or varint.overflow, at the offset where the varint starts.
inline std::uint64_t read_varint(Reader& in, const char* what = "the next item") {
  const Varint varint = decode_varint(in.data(), in.remaining());
  if (varint.status != VarintStatus::ok) [[unlikely]]
    throw_varint(varint.status, what, in.position());
  in.skip(varint.size);
  return varint.value;
}

}  // namespace polycodec
