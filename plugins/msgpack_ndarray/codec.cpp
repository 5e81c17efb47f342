// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include "decode.hpp"
#include "encode.hpp"
#include "item_head.hpp"

#include <algorithm>
#include <string>

namespace polycodec::msgpack_ndarray {

const polycodec_node* MsgpackNdarray::decode(const Call& call, const Input& input, Builder& out) const {
  return Decoder(settings_, call, input.bytes(), out).all();
}

void MsgpackNdarray::encode(const Call& call, View value, Writer& out) const {
  const std::uint64_t size = msgpack_ndarray::encoded_size(settings_, value);
  if (size != POLYCODEC_SIZE_UNKNOWN) out.expect(size);
  Encoder(settings_, call, out).value(value.raw());
}

std::uint64_t MsgpackNdarray::encoded_size(const Call&, View value) const {
  return msgpack_ndarray::encoded_size(settings_, value);
}

StreamStep MsgpackNdarray::stream_next(const Call& call, std::string_view bytes, bool final, Builder& out) const {
  if (!final) {
    // Looking for the end first is quick and takes no memory, however often the bytes come too short.
    const Scan found = scan(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (found.state == Scan::incomplete) {
      if (found.wanted > call.limits().max_input_bytes)
        throw Error(Status::limit,
                    "the message announces at least " + std::to_string(found.wanted) + " bytes, the limit is " +
                        std::to_string(call.limits().max_input_bytes),
                    0);
      return {nullptr, 0, found.wanted};
    }
    if (found.state == Scan::complete) bytes = bytes.substr(0, static_cast<std::size_t>(found.size));
  }
  Decoder decoder(settings_, call, bytes, out);
  const polycodec_node* root = decoder.document();
  return {root, decoder.position(), 0};
}

}  // namespace polycodec::msgpack_ndarray
