// SPDX-License-Identifier: MIT
// Messages and bytes from pipes, sockets and terminals as they arrive. (Writing: write_descriptor
// in file.hpp.)
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/message_reader.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace polycodec {

/// Reads what is there into `window`, at least one byte; waits for it where need be, also on a
/// non-blocking descriptor. 0: the end of the stream. `name` is for messages. Throws Status::io
/// with the system's reason.
POLYCODEC_API std::size_t read_some(int fd, std::span<char> window, std::string_view name);

/// True if read_some() would not wait: bytes are there, or the stream has ended.
POLYCODEC_API bool is_readable_now(int fd) noexcept;

/// The next message of a stream: what `reader` holds already, else what it reads from `fd`. Nothing
/// at the end of the stream, if that is between two messages. Throws as MessageReader::next() and
/// finish(), and Status::io.
POLYCODEC_API std::optional<ReceivedMessage> read_message(int fd, MessageReader& reader,
                                                          std::string_view name);

}  // namespace polycodec
