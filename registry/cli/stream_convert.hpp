// SPDX-License-Identifier: MIT
// Conversion value by value, from standard input to standard output.
#pragma once

#include <polycodec/source.hpp>

#include <optional>

namespace polycodec::cli {

class Context;

/// True if --from and --to name codecs whose values may follow each other, so that standard input can be converted
/// value by value.
bool can_convert_stream(Context& context);

/// Converts the values on standard input as they come, each written before the next is read: in memory bounded by one
/// value. Framed messages are not converted but returned, with all that stands on standard input.
std::optional<Source> convert_stream(Context& context);

}  // namespace polycodec::cli
