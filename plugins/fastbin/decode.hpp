// SPDX-License-Identifier: MIT
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/codec.hpp>

#include "plan.hpp"

#include <memory>
#include <string_view>

namespace polycodec::fastbin {

/// Verifies `bytes` and makes an OBJECT of its root struct. The value views `bytes` and keeps the plan.
const polycodec_node* decode(const std::shared_ptr<const Plan>& plan, const Call& call, std::string_view bytes,
                             Builder& out);

}  // namespace polycodec::fastbin
