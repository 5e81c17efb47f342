// SPDX-License-Identifier: MIT
// Plain JSON of documents, in one line: what most values are that are printed without types.
#pragma once

#include <polycodec/abi.h>

#include <cstdint>

namespace polycodec {
class HostMeter;
}  // namespace polycodec

namespace polycodec::text {

class TextOut;

/// True if the plain JSON of a value needs no type: it is of null, booleans, int64, larger uint64,
/// float64 and text in lists and objects with names, of at most `max_depth` levels, and not of very
/// many. Throws Error(limit).
bool is_document(const polycodec_node& root, std::uint32_t max_depth, HostMeter& meter);

/// Prints such a value, in one line. Throws Error(limit) with the path.
void print_document(const polycodec_node& root, TextOut& out, HostMeter& meter);

}  // namespace polycodec::text
