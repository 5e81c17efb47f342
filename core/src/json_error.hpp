// SPDX-License-Identifier: MIT
// Errors in JSON text.
#pragma once

#include <polycodec/error.hpp>

#include <string>
#include <string_view>

namespace polycodec::text {

/// An error about the byte at `offset` of `text`: the message gets line and column, the error the offset and `word`.
Error json_error(Status status, std::string_view word, std::string message, std::string_view text,
                 std::uint64_t offset);

}  // namespace polycodec::text
