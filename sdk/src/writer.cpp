// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <polycodec/writer.hpp>

#include <algorithm>
#include <string>

namespace polycodec {

void Writer::put_fill(std::uint8_t value, std::uint64_t count) {
  while (count != 0) {
    const std::uint64_t part = std::min<std::uint64_t>(count, 65536);
    std::memset(reserve(part), value, part);
    commit(part);
    count -= part;
  }
}

template <class T>
void Writer::print(T value) {
  char text[max_decimal_size];
  put_text({text, static_cast<std::size_t>(print_decimal(text, value) - text)});
}
void Writer::put_signed(std::int64_t value) {
  print(value);
}
void Writer::put_unsigned(std::uint64_t value) {
  print(value);
}
void Writer::put_float(float value) {
  print(value);
}
void Writer::put_double(double value) {
  print(value);
}

void Writer::reference(const void* data, std::uint64_t size) {
  if (size < reference_threshold) return put_bytes(data, size);
  flush();
  invoke(sink_->reference, sink_, data, size);
  resume();
  before_ += size;
}

void Writer::expect(std::uint64_t size) {
  if (sink_ == nullptr) return;
  flush();
  invoke(sink_->expect, sink_, size);
  resume();
}

const polycodec_store* Writer::base() const noexcept {
  return has_blobs() ? output_->store->base : nullptr;
}

void Writer::begin_blob(std::string_view name, std::string_view owner) {
  if (!has_blobs())
    throw Error(Status::unsupported, "this output is one run of bytes and takes no named blobs");
  if (sink_ != nullptr) flush();
  auto* const store = output_->store;
  invoke(store->begin_blob, store, call_, to_bytes(name),
         owner.empty() ? output_->member : to_bytes(owner), &sink_);
  resume();
  before_ = 0;
}

void Writer::adopt(void* object, void (*release)(void* object), std::string_view extent) {
  const polycodec_bytes extents[] = {to_bytes(extent)};
  invoke(sink_->adopt, sink_, object, release, +extents, std::uint64_t{1});
}

void Writer::encode_with(std::string_view codec, const polycodec_node* options,
                         const polycodec_node* root) {
  if (call_ == nullptr) throw Error(Status::unsupported, "this writer has no call to encode with");
  flush();
  polycodec_output output{};
  output.struct_size = sizeof output;
  output.parts = POLYCODEC_INPUT_BYTES;
  output.sink = sink_;
  invoke(call_->host->encode_with, call_->host, call_, to_bytes(codec), options, root,
         static_cast<const polycodec_output*>(&output));
  resume();
}

void Writer::grow(std::uint64_t size) {
  if (sink_ == nullptr)
    throw Error(Status::unsupported, "this output takes named blobs only: begin one first");
  if (size > POLYCODEC_MAX_WINDOW && (sink_->flags & POLYCODEC_SINK_CONTIGUOUS) == 0)
    throw Error(Status::invalid, "a writer can reserve no more than " +
                                     std::to_string(POLYCODEC_MAX_WINDOW) + " bytes at once, not " +
                                     std::to_string(size));
  flush();
  invoke(sink_->grow, sink_, size);
  resume();
  if (window() < size)
    throw Error(Status::internal, "the sink gave a smaller window than it was asked for");
}

void Writer::put_long(const std::uint8_t* data, std::uint64_t size) {
  while (size != 0) {
    if (window() == 0) grow(std::min<std::uint64_t>(size, POLYCODEC_MAX_WINDOW));
    const std::uint64_t part = std::min(size, window());
    copy(data, part);
    data += part;
    size -= part;
  }
}

}  // namespace polycodec
