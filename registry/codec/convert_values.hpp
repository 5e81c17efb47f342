// SPDX-License-Identifier: MIT
// Conversion of values that follow each other, one by one: in memory bounded by the largest.
#pragma once

#include "registry/codec/check_written.hpp"
#include "registry/codec/codec_handle.hpp"

#include <cstdint>
#include <string>

namespace polycodec {

/// What convert_values() wrote.
struct ConvertedValues {
  std::uint64_t bytes = 0;
  Check check;
};

/// Reads the values that follow each other in `source` and writes them to the file `path`, each
/// before the next is read. `compares`: each is read back as soon as it is written, and compared;
/// then what differs throws as check_written(). Paths have the number of the value as their first
/// step, but those of losses, each of which is reported once for all values: there it is `[*]`.
/// `call` has a budget. Throws before it writes anything Status::unsupported for a codec without
/// streams, or with filters; what reading and writing throw; Status::truncated for a source without
/// a value.
ConvertedValues convert_values(const Source& source, const Codec& from, const Codec& to,
                               const std::string& path, const CallOptions& call,
                               const WriteOptions& how, bool compares);

}  // namespace polycodec
