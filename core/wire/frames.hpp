// SPDX-License-Identifier: MIT
// Values in pieces for a wire: pickling, message passing, shared memory. See docs/frames.md.
#pragma once

#include "core/call/limits.hpp"
#include "core/io/sink.hpp"
#include "core/value/value.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// A value as a header, which has its structure and all short runs of bytes, and the long ones.
struct Frames {
  std::string header;
  std::vector<Segment> buffers;  ///< memory of the value, in the order in which they are sent
};

/// Takes `value` apart. Copies no run of 4 KiB or more. Throws Status::limit, Status::memory.
/// [thread-safe]
Frames to_frames(const Value& value, const Limits& limits = {});

/// Puts a value together, which views `header` and `buffers`: `owner` keeps them (null: the caller
/// does). `stable`: nobody writes to them; otherwise structure is copied out of them. Checks them
/// as any input. Throws Status::malformed, Status::truncated, Status::unsupported for another
/// version, and as validate(). [thread-safe]
Value from_frames(std::string_view header, std::span<const Segment> buffers,
                  std::shared_ptr<const void> owner, const Limits& limits = {}, bool stable = true);

}  // namespace polycodec
