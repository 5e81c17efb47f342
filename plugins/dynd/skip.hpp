// SPDX-License-Identifier: MIT
// Finding the end of a value without making it.
#pragma once

#include <polycodec/call.hpp>

#include "bytes_in.hpp"
#include "plan.hpp"

#include <cstdint>
#include <memory>

namespace polycodec::dynd {

/// Moves `in` after a value of `plan`. Looks only at what says where the value ends; takes no
/// memory that grows with the value. Throws as decoding does; when the bytes end too early,
/// in.wanted() is how many are needed at least. `depth_left` bounds the nesting of types in types.
void skip_value(const Plan& plan, BytesIn& in, PlanCache& plans, std::uint32_t depth_left,
                Meter& pace);

/// The program of the type whose text is at the cursor, moving after it.
std::shared_ptr<const Program> read_program(BytesIn& in, PlanCache& plans);

}  // namespace polycodec::dynd
