// SPDX-License-Identifier: MIT
// Bytes of fixed size whose patterns are not all values: bool, fixed_string, and floats that may be
// missing.
#pragma once

#include <polycodec/call.hpp>

#include "plan.hpp"

#include <cstdint>
#include <string>

namespace polycodec::dynd {

/// Checks `count` values of a plan with fixed width, `stride` bytes apart; `offset` is that of the
/// first in the input. Refuses with `bool`, `fixed-string-padding`, `utf8` or `na-noncanonical`,
/// with offset and path.
void check_fixed(const Plan& plan, const std::uint8_t* data, std::uint64_t count,
                 std::uint64_t stride, std::uint64_t offset, Meter& pace);
/// The same for a single value, which has no index in the path.
void check_fixed(const Plan& plan, const std::uint8_t* data, std::uint64_t offset, Meter& pace);

/// True if the text fits the rules of fixed_string: valid in its encoding, and nothing but zeros
/// after a zero. `word` is set to what is wrong otherwise.
bool check_fixed_string(const Plan& plan, const std::uint8_t* data, const char*& word) noexcept;

/// True if these little-endian bytes are a NaN of FLOAT32 or FLOAT64.
bool is_nan(std::uint32_t dtype, const std::uint8_t* data) noexcept;

}  // namespace polycodec::dynd
