// SPDX-License-Identifier: MIT
// Sinks that a caller made.
#pragma once

#include "core/io/sink.hpp"
#include "registry/c/handle.hpp"

#include <string_view>

namespace polycodec::c {

/// The sink of the ABI's struct. Throws Status::invalid if it is not from
/// polycodec_sink_create().
Sink& sink_of(polycodec_sink* sink);
/// Appends text; leaves the sink empty if that fails.
void put(Sink& sink, std::string_view text);
/// Throws Status::limit if the sink holds more than it may: a window may be larger than what is
/// left. The caller resets it.
void check_bound(Sink& sink);
/// The segments of a sink of any kind.
std::vector<Segment> segments_of(Sink& sink);
/// Makes a sink of segments keep the value that they view.
void keep_for(Sink& sink, polycodec_value& value);

}  // namespace polycodec::c
