// SPDX-License-Identifier: MIT
// Separators and long headers of messages.
#pragma once

#include "core/frame/message.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace polycodec {

/// Where the separator first occurs in `bytes` at or after `from`, or npos. Fast where '_' is rare,
/// as in base64.
std::size_t find_separator(std::string_view bytes, std::size_t from = 0) noexcept;

/// The two parts of a framed message, as views.
struct Frame {
  std::string_view header;  ///< JSON text
  std::string_view body;
};

/// Splits a framed message. Throws Status::malformed if it does not start with the separator,
/// Status::truncated if it ends before the second one, Status::limit if the header is longer than
/// limits.max_header_bytes. Looks at no more than the header.
Frame parse_frame(std::string_view bytes, const Limits& limits = {});

/// Compares the size that the header declares with the body: Status::truncated ("incomplete", with
/// how many bytes are missing) or Status::trailing if they differ.
void check_body_size(const Header& header, std::string_view body);

/// A new random UUID (version 4), such as "0b0f2a6e-3d53-4b54-9a6c-0f5f1c8d2e11". [thread-safe]
std::string make_message_id();

/// True if `name` is a canonical codec name: ^[a-z][a-z0-9._-]{0,62}$
bool is_codec_name(std::string_view name) noexcept;

/// Takes the rest of the header from the front of message.body if the header says in_data; see
/// parse_message(). Offsets of errors count from the start of the body.
void unfold_header(Message& message, const Limits& limits = {});

/// The rest of a header that is too long, as it is before the body: JSON and a separator. The
/// frame in front of it is build_frame() of a header with in_data and without codec and fields; its
/// size counts this text too. Nothing of it is repeated in the frame. Errors as build_frame().
std::string build_rest_of_header(const Header& header);

/// JSON text in which the separator does not occur: in each one the first letter is written as
/// \u0059, which means the same. (In valid JSON it can only be inside a string.) Receivers that
/// look for the last separator of a message rather than the second one survive such a body. Takes
/// time linear in the text.
std::string escape_separators(std::string json);

}  // namespace polycodec
