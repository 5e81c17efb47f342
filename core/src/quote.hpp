// SPDX-License-Identifier: MIT
// Text of unknown origin in messages. Private to core.
#pragma once

#include <string>
#include <string_view>

namespace polycodec {

/// `text` in double quotes as JSON would write it in ASCII, except that a byte which is not UTF-8 becomes \xNN; cut
/// with "..." after `max_bytes` bytes. What comes from data can thus neither forge a line of a log nor control a
/// terminal, and letters that merely look alike show what they are.
std::string quote(std::string_view text, std::size_t max_bytes = 80);

}  // namespace polycodec
