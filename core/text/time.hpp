// SPDX-License-Identifier: MIT
// Points of time as ISO 8601 text: the unit decides how much is written, any number of years can
// be.
#pragma once

#include <base/json_number.hpp>
#include <polycodec/abi.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec::text {

inline constexpr std::int64_t not_a_time = INT64_MIN;

/// The most characters that write_time() writes.
inline constexpr std::size_t max_time_size = 80;

/// The count of a DATETIME64 element as the parts of a DATETIME node.
polycodec_time split_count(std::int64_t count, std::uint32_t unit) noexcept;
/// The reverse; nothing if the count does not fit 64 bits, or `time` is finer than its unit.
std::optional<std::int64_t> join_count(const polycodec_time& time) noexcept;

/// True if nanoseconds are a whole number of the unit, so that the unit's own form shows the time
/// in full.
bool is_whole(const polycodec_time& time) noexcept;

/// Writes a time that is not `not_a_time` and has a unit, in the form of its unit:
/// Y `2020`, M `2020-01`, W and D `2020-01-02`, h `2020-01-02T03Z`, m `2020-01-02T03:04Z`, s
/// `2020-01-02T03:04:05Z`, and a fraction of 3 (ms), 6 (us), 9 (ns), 12, 15 or 18 (as) digits; s,
/// ms and us that are not whole get 9 digits. Years beyond 0000..9999 have a sign and at least six
/// digits. Returns the end.
char* write_time(char* out, const polycodec_time& time) noexcept;

/// A time as text says it.
struct ReadTime {
  Int128 days = 0;                // since 1970-01-01
  Int128 months = 0;              // since 1970-01
  std::uint64_t seconds = 0;      // of the day
  std::uint64_t attoseconds = 0;  // of the second
  std::uint32_t unit = 0;         // whose form the text has
};

/// Reads what write_time() writes (the Z may be left out, the fraction may have 1 to 18 digits);
/// nothing if it is not of that form or no such date exists.
std::optional<ReadTime> read_time(std::string_view text) noexcept;

/// The parts of a DATETIME node of unit `unit`; nothing if they are out of range or the unit is too
/// coarse. For the units from s to ns, up to nine digits of the fraction are kept whatever the
/// unit.
std::optional<polycodec_time> to_time(const ReadTime& time, std::uint32_t unit) noexcept;

}  // namespace polycodec::text
