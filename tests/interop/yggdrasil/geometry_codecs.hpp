// SPDX-License-Identifier: MIT
// The codecs ply and obj behind functions: the headers of codecs have the same names and do not go into one file.
#pragma once

#include <polycodec/codec.hpp>

#include <string_view>

namespace polycodec::test {

const polycodec_node* decode_ply(const polycodec_node* options, std::string_view bytes, const Call& call,
                                 Builder& out);
const polycodec_node* decode_obj(const polycodec_node* options, std::string_view bytes, const Call& call,
                                 Builder& out);
void encode_ply(const polycodec_node* options, View value, const Call& call, Writer& out);
void encode_obj(const polycodec_node* options, View value, const Call& call, Writer& out);

inline const polycodec_node* decode_geometry(std::string_view codec, const polycodec_node* options,
                                             std::string_view bytes, const Call& call, Builder& out) {
  return codec == "ply" ? decode_ply(options, bytes, call, out) : decode_obj(options, bytes, call, out);
}
inline void encode_geometry(std::string_view codec, const polycodec_node* options, View value, const Call& call,
                            Writer& out) {
  codec == "ply" ? encode_ply(options, value, call, out) : encode_obj(options, value, call, out);
}

}  // namespace polycodec::test
