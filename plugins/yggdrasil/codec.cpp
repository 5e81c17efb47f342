// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include "decode.hpp"
#include "encode.hpp"

namespace polycodec::yggdrasil {

Node Yggdrasil::decode(Call& call, const Input& input, Builder& out) const {
  return *Decoder(settings_, call, out).all(input.bytes());
}

void Yggdrasil::encode(const Call& call, NodeView value, Writer& out) const {
  const std::uint64_t size = Encoder::size_of(settings_, call, value);
  if (size != POLYCODEC_SIZE_UNKNOWN) out.expect(size);
  Encoder(settings_, call, out).value(value.raw());
}

std::uint64_t Yggdrasil::encoded_size(const Call& call, NodeView value) const {
  return Encoder::size_of(settings_, call, value);
}

Sniff Yggdrasil::sniff(Call&, const Input& input) {
  std::string_view head = input.bytes();
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {0, "no value"};
  head.remove_prefix(first);
  if (head.starts_with("\"-YGG-")) return {85, "starts with a typed value"};
  if (head.find("\"-YGG-eyJ") != std::string_view::npos) return {75, "holds a typed value"};
  if (head.starts_with('{') || head.starts_with('[')) {
    const std::size_t next = head.find_first_not_of(" \t\r\n", 1);
    if (next == std::string_view::npos ||
        std::string_view("\"[{-0123456789tfnNI]}").find(head[next]) != std::string_view::npos)
      return {20, "may be JSON"};
    return {0, "neither JSON nor a typed value"};
  }
  if (head[0] == '"' || head[0] == '-' || (head[0] >= '0' && head[0] <= '9'))
    return {10, "may be JSON"};
  for (const std::string_view word : {"true", "false", "null", "NaN", "Infinity"})
    if (head == word) return {10, "may be JSON"};
  return {0, "neither JSON nor a typed value"};
}

}  // namespace polycodec::yggdrasil
