// SPDX-License-Identifier: MIT
// The dynamic codec on the same messages.
#pragma once

namespace polycodec::bench {

/// Registers `dynamic/...`: decoding messages of several sizes from their schema. What is
/// independent of the size shows the same time in all its rows.
void register_dynamic();

}  // namespace polycodec::bench
