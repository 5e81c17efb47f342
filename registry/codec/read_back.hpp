// SPDX-License-Identifier: MIT
// What comes back of a value from a codec: for conversions that report what they changed.
#pragma once

#include "registry/codec/codec_handle.hpp"

namespace polycodec {

/// Decodes what the codec writes of `value`, with the losses that the options allow and without
/// reporting them. Throws as Codec::encode() and decode(). [thread-safe]
Value read_back(const Codec& codec, NodeView value, const CallOptions& options);

}  // namespace polycodec
