// SPDX-License-Identifier: MIT
// Values to PLY files.
#pragma once

#include <polycodec/codec.hpp>

#include "columns.hpp"

namespace polycodec::ply {

/// Writes the rows of an element as numbers in the byte order of the format. Rows that already
/// stand in memory as they are to be written are referenced, not copied.
void encode_binary_element(const Call& call, const ElementSource& element, Format format,
                           Writer& out);
/// Writes the rows of an element as text, one row a line, on several threads if there are many.
void encode_ascii_element(const Call& call, const ElementSource& element, LineEnding ending,
                          Writer& out);

/// Writes a value as a file.
void encode(const Settings& settings, const Call& call, NodeView value, Writer& out);

}  // namespace polycodec::ply
