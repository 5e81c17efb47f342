// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>

#include "plan.hpp"

#include <string_view>

namespace polycodec::fastbin {

/// Verifies `bytes` and makes an OBJECT of its root struct. The value views `bytes`, and names in
/// the arena of the instance.
Node decode(const Plan& plan, const Call& call, std::string_view bytes, Builder& out);

}  // namespace polycodec::fastbin
