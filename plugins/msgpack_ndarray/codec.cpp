// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include "decode.hpp"
#include "encode.hpp"
#include "item_head.hpp"

#include <algorithm>
#include <string>

namespace polycodec::msgpack_ndarray {

Node MsgpackNdarray::decode(Call& call, const Input& input, Builder& out) const {
  return *Decoder(settings_, call, input.bytes(), out).all();
}

void MsgpackNdarray::encode(const Call& call, NodeView value, Writer& out) const {
  const std::uint64_t size = msgpack_ndarray::encoded_size(settings_, value);
  if (size != POLYCODEC_SIZE_UNKNOWN) out.expect(size);
  Encoder(settings_, call, out).value(value.raw());
}

std::uint64_t MsgpackNdarray::encoded_size(const Call&, NodeView value) const {
  return msgpack_ndarray::encoded_size(settings_, value);
}

std::unique_ptr<MsgpackNdarray::StreamReader> MsgpackNdarray::open_reader(Call&) const {
  return std::make_unique<StreamReader>(settings_);
}

std::optional<Node> MsgpackNdarray::StreamReader::next(Call& call, Step& step, Builder& out) {
  std::string_view bytes = step.bytes();
  if (bytes.empty() && step.final()) return std::nullopt;
  if (!step.final()) {
    // Looking for the end first is quick and takes no memory, however often the bytes come too
    // short.
    call.tick(bytes.size() / 16);
    const Scan found = scan(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (found.state == Scan::incomplete) {
      if (found.wanted > call.limits().max_input_bytes)
        throw Error(Status::limit,
                    "the message announces at least " + std::to_string(found.wanted) +
                        " bytes, the limit is " + std::to_string(call.limits().max_input_bytes),
                    0);
      step.want(found.wanted);
      return std::nullopt;
    }
    if (found.state == Scan::complete)
      bytes = bytes.substr(0, static_cast<std::size_t>(found.size));
  }
  Decoder decoder(settings_, call, bytes, out);
  const polycodec_node* root = decoder.document();
  step.consume(decoder.position());
  return *root;
}

}  // namespace polycodec::msgpack_ndarray
