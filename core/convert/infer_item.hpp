// SPDX-License-Identifier: MIT
#pragma once

#include <model/type/type.hpp>
#include <polycodec/limits.hpp>

namespace polycodec {

/// The type of one item of `array`, as infer_type() finds it; metadata included.
type::Type infer_item(const polycodec_array& array, const Limits& limits);

}  // namespace polycodec
