// SPDX-License-Identifier: MIT
#include "registry/codec/read_back.hpp"

#include <polycodec/sink.hpp>

#include <memory>

namespace polycodec {

Value read_back(const Codec& codec, NodeView value, const CallOptions& given) {
  CallOptions options = given;
  if (!given.on_loss) options.losses &= default_losses;
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  options.report_retyped = false;
  options.projection = {};
  if (!codec.info().takes(POLYCODEC_INPUT_BYTES)) {
    MemoryBlobs blobs;
    codec.encode(value, blobs, options);
    blobs.finish();
    return codec.decode(Source::store(blobs.to_store()), options);
  }
  // Large arrays are referenced by the segments: one copy of them is made, not two.
  SegmentSink sink;
  codec.encode(value, sink, options);
  return codec.decode(Source::owned(sink.to_string()), options);
}

}  // namespace polycodec
