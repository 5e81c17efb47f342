// SPDX-License-Identifier: MIT
#include "../../../plugins/obj/codec.hpp"
#include "geometry_codecs.hpp"

namespace polycodec::test {

const polycodec_node* decode_obj(const polycodec_node* options, std::string_view bytes, const Call& call,
                                 Builder& out) {
  const polycodec_input input{sizeof(polycodec_input), 1, to_bytes(bytes), nullptr, {}};
  return obj::Obj(Host(), Options(options)).decode(call, Input(&input), out);
}

void encode_obj(const polycodec_node* options, View value, const Call& call, Writer& out) {
  obj::Obj(Host(), Options(options)).encode(call, value, out);
}

}  // namespace polycodec::test
