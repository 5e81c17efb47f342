// SPDX-License-Identifier: MIT
#include "registry/codec/read_back.hpp"

#include "core/io/sink.hpp"

#include <memory>
#include <utility>

namespace polycodec {

Value read_back(const Codec& codec, NodeView value, const CallOptions& given) {
  CallOptions options = given;
  if (!given.on_loss) options.losses &= default_losses;
  options.on_loss = [](LossClass, std::string_view, std::string_view) {};
  options.report_retyped = false;
  options.projection = {};
  // One copy of the output is held while it is decoded, not two.
  if (!codec.info().takes(POLYCODEC_INPUT_BYTES)) {
    std::shared_ptr<MemoryStore> store;
    {
      MemoryBlobs blobs;
      codec.encode(value, blobs, options);
      blobs.finish();
      store = blobs.to_store();
    }
    return codec.decode(Source::store(std::move(store)), options);
  }
  const auto sink = std::make_shared<BufferSink>();
  codec.encode(value, *sink, options);
  return codec.decode(Source::shared(sink->view(), sink, "the output"), options);
}

}  // namespace polycodec
