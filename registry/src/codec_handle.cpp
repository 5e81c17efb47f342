// SPDX-License-Identifier: MIT
#include <polycodec/codec_handle.hpp>

#include "instance.hpp"

#include <algorithm>
#include <utility>

namespace polycodec {
namespace {

/// Lowers the bound of a sink for one encode, and drops what was written if that fails.
class BoundedSink {
 public:
  BoundedSink(Sink& sink, std::uint64_t most) noexcept : sink_(sink), before_(sink.max_bytes()) {
    sink_.set_max_bytes(std::min(before_, most));
  }
  BoundedSink(const BoundedSink&) = delete;
  BoundedSink& operator=(const BoundedSink&) = delete;
  ~BoundedSink() {
    if (done_)
      sink_.set_max_bytes(before_);
    else
      sink_.reset(before_);
  }
  void done() noexcept { done_ = true; }

 private:
  Sink& sink_;
  std::uint64_t before_;
  bool done_ = false;
};

/// Runs `body`, which decodes into the value; leaves the value null if it throws.
template <class Body>
auto or_null(Value& value, Body&& body) {
  try {
    return body();
  } catch (...) {
    value.set_root(nullptr);
    throw;
  }
}

}  // namespace

const CodecInfo& Codec::info() const noexcept {
  return instance_->info();
}
const polycodec_codec* Codec::abi() const noexcept {
  return &instance_->abi;
}
void* Codec::instance() const noexcept {
  return instance_->handle;
}
const polycodec_host* Codec::host() const noexcept {
  return &instance_->catalog.host.abi;
}

Value Codec::decode(const Source& source, const CallOptions& options) const {
  Value value;
  decode_into(value, source, options);
  return value;
}

void Codec::decode_into(Value& value, const Source& source, const CallOptions& options) const {
  const CallContext context(instance_->catalog, options);
  or_null(value, [&] {
    polycodec_arena* arena = value.prepare(context.limits.max_memory_bytes);
    value.pin(source.pin());
    value.set_root(instance_->decode(context, source.input(), arena));
  });
}

void Codec::decode_into(Value& value, std::string_view bytes, const CallOptions& options) const {
  const CallContext context(instance_->catalog, options);
  or_null(value, [&] {
    polycodec_input input{};
    input.struct_size = sizeof input;
    input.has_bytes = 1;
    input.bytes = to_bytes(bytes);
    polycodec_arena* arena = value.prepare(context.limits.max_memory_bytes);
    value.set_root(instance_->decode(context, input, arena));
  });
}

Result<Value> Codec::try_decode(const Source& source, const CallOptions& options) const {
  return attempt([&] { return decode(source, options); });
}

void Codec::encode(View value, Sink& sink, const CallOptions& options) const {
  const CallContext context(instance_->catalog, options);
  BoundedSink bounded(sink, context.limits.max_output_bytes);
  instance_->encode(context, value.raw(), sink.abi());
  bounded.done();
}

std::string Codec::encode_to_string(View value, const CallOptions& options) const {
  BufferSink sink;
  encode(value, sink, options);
  return std::string(sink.view());
}

Result<void> Codec::try_encode(View value, Sink& sink, const CallOptions& options) const {
  return attempt([&] { encode(value, sink, options); });
}

std::optional<std::uint64_t> Codec::encoded_size(View value, const CallOptions& options) const {
  const CallContext context(instance_->catalog, options);
  const std::uint64_t size = instance_->encoded_size(context, value.raw());
  return size == POLYCODEC_SIZE_UNKNOWN ? std::nullopt : std::optional(size);
}

StreamProgress Codec::stream_next(Value& value, std::string_view bytes, bool final,
                                  const CallOptions& options) const {
  const CallContext context(instance_->catalog, options);
  return or_null(value, [&] {
    const polycodec_node* root = nullptr;
    polycodec_arena* arena = value.prepare(context.limits.max_memory_bytes);
    const StreamProgress progress = instance_->stream_next(context, bytes, final, arena, root);
    value.set_root(root);
    return progress;
  });
}

}  // namespace polycodec
