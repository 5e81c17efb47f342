// SPDX-License-Identifier: MIT
// Conversion value by value, from standard input to standard output.
#pragma once

#include "common/run.hpp"

#include <optional>
#include <string>

namespace polycodec::cli {

/// Appends what standard input has at once, and waits for it if need be. False at the end.
bool read_more(std::string& bytes);

/// True if standard input may be converted value by value: --to names a codec whose values may
/// follow each other, and --from such a codec or nothing.
bool can_convert_stream(const Run& run);

/// Converts the values on standard input as they come, those of messages or of the codec of --from,
/// each written before the next is read: in memory bounded by one value. Anything else is not
/// converted but returned, with all that is on standard input.
std::optional<Input> convert_stream(const Run& run);

}  // namespace polycodec::cli
