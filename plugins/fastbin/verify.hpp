// SPDX-License-Identifier: MIT
// The one pass over a buffer after which everything else trusts it.
#pragma once

#include <polycodec/codec.hpp>

#include "plan.hpp"

#include <cstdint>
#include <string_view>

namespace polycodec::fastbin {

/// Checks that `bytes` start with a buffer of the plan's root struct, and returns how many bytes it
/// takes. Nothing outside `bytes` is read, nothing is allocated, and every word is looked at once;
/// vectors of numbers and of fixed structs take constant time, unless they hold booleans, or enums
/// and the settings want to know all of them. Throws Error with offset, path and a detail
/// `fastbin.` truncated, not_finalized, bad_size, out_of_range, reserved_bits, bad_pad, bad_length,
/// bad_count, bad_variant_index, bad_variant_size, bad_bool, bad_enum, bad_utf8, size_mismatch,
/// trailing, bad_alignment.
std::uint64_t verify(const Plan& plan, const Call& call, std::string_view bytes);

}  // namespace polycodec::fastbin
