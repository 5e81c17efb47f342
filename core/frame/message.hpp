// SPDX-License-Identifier: MIT
// Separators and long headers of messages.
#pragma once

#include <polycodec/message.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace polycodec {

/// Where the separator first occurs in `bytes` at or after `from`, or npos. Fast where '_' is rare,
/// as in base64.
POLYCODEC_API std::size_t find_separator(std::string_view bytes, std::size_t from = 0) noexcept;

/// Takes the rest of the header from the front of message.body if the header says in_data; see
/// parse_message(). Offsets of errors count from the start of the body.
POLYCODEC_API void unfold_header(Message& message, const Limits& limits = {});

/// The rest of a header that is too long, as it stands before the body: JSON and a separator. The
/// frame in front of it is build_frame() of a header with in_data and without codec and fields; its
/// size counts this text too. Nothing of it is repeated in the frame. Errors as build_frame().
POLYCODEC_API std::string build_rest_of_header(const Header& header);

/// JSON text in which the separator does not occur: in each one the first letter is written as
/// \u0059, which means the same. (In valid JSON it can only stand inside a string.) Receivers that
/// look for the last separator of a message rather than the second one survive such a body. Takes
/// time linear in the text.
POLYCODEC_API std::string escape_separators(std::string json);

}  // namespace polycodec
