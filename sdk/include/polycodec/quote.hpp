// SPDX-License-Identifier: MIT
// Text of unknown origin in messages, and names that may have been meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Returns `text` in single quotes, cut with "..." after `max_bytes` bytes. Quotes, backslashes and
/// all but printable ASCII are escaped as in JSON, bytes that are not UTF-8 as `\xNN`. Text from
/// data can thus neither forge a line of a log nor control a terminal, and letters that merely look
/// alike show what they are.
std::string quote(std::string_view text, std::size_t max_bytes = 80);

/// Returns a file name or path as quote() does, but in full, and with the letters of all languages.
std::string quote_path(std::string_view path);

/// Returns text for a terminal or a log: characters that a terminal obeys or does not show, and
/// bytes that are not UTF-8, are escaped as quote() does. Tabs stay, and newlines if `has_lines`.
std::string printable(std::string_view text, bool has_lines = true);

/// Returns a character as 'x', or as "byte 0x1b" where it is not printable ASCII.
std::string quote_byte(char byte);

/// Which characters append_escaped() leaves as they are.
enum class Letters : bool { ascii, all };

/// Appends `text` to `out` with the escapes of quote(), but without quotes. `mark` is the quote
/// character that it escapes. Letters::all keeps all characters but controls and invisible ones.
void append_escaped(std::string& out, std::string_view text, char mark, Letters letters,
                    std::size_t max_bytes = 80);

/// Edit distance in bytes: insertions, deletions, replacements and swaps of neighbors count 1
/// each.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// At most `most` of the candidates that are near `wanted` (edit distance at most a third of its
/// length, letters compared without case, or one being the beginning of the other), nearest first,
/// then in order of name.
std::vector<std::string> suggestions(std::string_view wanted,
                                     std::span<const std::string> candidates, std::size_t most = 3);

/// ` (did you mean 'a', 'b'?)`, or nothing if no candidate is near: to be appended to a message.
std::string did_you_mean(std::string_view wanted, std::span<const std::string> candidates);

}  // namespace polycodec

#include <polycodec/detail/quote_inline.hpp>
