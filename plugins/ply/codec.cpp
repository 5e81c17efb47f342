// SPDX-License-Identifier: MIT
#include "codec.hpp"

#include "decode.hpp"
#include "encode.hpp"

namespace polycodec::ply {

Node Ply::decode(Call& call, const Input& input, Builder& out) const {
  return *ply::decode(settings_, call, input.bytes(), out);
}

void Ply::encode(const Call& call, NodeView value, Writer& out) const {
  ply::encode(settings_, call, value, out);
}

Sniff Ply::sniff(Call&, const Input& input) {
  const std::string_view head = input.bytes();
  if (!head.starts_with("ply\n") && !head.starts_with("ply\r"))
    return {0, "the first line is not 'ply'"};
  for (const std::string_view word : {"format ", "comment", "obj_info", "element "})
    if (head.find(word) != std::string_view::npos)
      return {98, "a line 'ply' and header lines after it"};
  return {55, "the first line is 'ply'"};
}

}  // namespace polycodec::ply
