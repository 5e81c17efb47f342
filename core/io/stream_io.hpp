// SPDX-License-Identifier: MIT
// Bytes that come by a descriptor.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace polycodec {

/// Reads what is there into `window`, at least one byte; waits for it where need be, also on a
/// non-blocking descriptor. 0: the end of the stream. `name` is for messages. Throws Status::io
/// with the system's reason.
std::size_t read_some(int fd, std::span<char> window, std::string_view name);

/// True if read_some() would not wait: bytes are there, or the stream has ended.
bool is_readable_now(int fd) noexcept;

}  // namespace polycodec
