// SPDX-License-Identifier: MIT
// How a codec was chosen, as the C interface says it.
#pragma once

#include "registry/c/handle.hpp"

namespace polycodec::c {

/// Throws Status::invalid if the caller's struct is too short.
void check_match(const polycodec_match& match);
void fill_match(polycodec_match& to, const Match& from);

}  // namespace polycodec::c
