// SPDX-License-Identifier: MIT
// Timestamps: ext type -1.
#pragma once

#include <polycodec/abi.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec::msgpack_ndarray {

/// A point in time as msgpack has it.
struct Timestamp {
  std::int64_t seconds = 0;
  std::uint32_t nanoseconds = 0;  ///< 0..999999999
};

/// Reads the body of a timestamp; nothing if it is not 4, 8 or 12 bytes with at most 999999999
/// nanoseconds.
std::optional<Timestamp> read_timestamp(std::string_view body) noexcept;

/// The shortest encoding of a timestamp, head and all: 6, 10 or 15 bytes at `out`. Returns how
/// many.
std::uint32_t write_timestamp(const Timestamp& time, std::uint8_t* out) noexcept;

/// Converts a DATETIME of any unit, exactly. Throws Error(Status::range) if it does not fit seconds
/// and whole nanoseconds, Status::unsupported for "not a time".
Timestamp to_timestamp(const polycodec_time& time);

}  // namespace polycodec::msgpack_ndarray
