// SPDX-License-Identifier: MIT
#include "support.hpp"

#include <polycodec/base64.hpp>

#include "geometry_codecs.hpp"

namespace polycodec::test {

std::string leaf_text(std::string_view schema, std::string_view data) {
  const auto base64 = [](std::string_view bytes) {
    std::string text(base64_encoded_size(bytes.size()), '\0');
    base64_encode(text.data(), bytes.data(), bytes.size());
    return text;
  };
  return "\"-YGG-" + base64(schema) + "-YGG-" + base64(data) + "-YGG-\"";
}

GeometryCall::GeometryCall() {
  call_.struct_size = sizeof call_;
  call_.limits = &limits_;
  host_.struct_size = sizeof host_;
  host_.abi_major = POLYCODEC_ABI_MAJOR;
  host_.log = [](const polycodec_host*, std::int32_t, polycodec_bytes) {};
  host_.decode_with = [](const polycodec_host* host, const polycodec_call* call, polycodec_bytes codec,
                         const polycodec_node* options, polycodec_bytes bytes, polycodec_arena* arena,
                         const polycodec_node** result, polycodec_error* error) {
    return guard(error, [&] {
      Builder out(arena);
      *result = decode_geometry(to_string_view(codec), options, to_string_view(bytes), Call(host, call), out);
    });
  };
  host_.encode_with = [](const polycodec_host* host, const polycodec_call* call, polycodec_bytes codec,
                         const polycodec_node* options, const polycodec_node* node, polycodec_sink* sink,
                         polycodec_error* error) {
    return guard(error, [&] {
      Writer out(sink);
      encode_geometry(to_string_view(codec), options, View(node), Call(host, call), out);
      out.flush();
    });
  };
}

Value decode_in(const Yggdrasil& codec, std::string_view bytes, const Call& call) {
  Value value;
  const polycodec_input input{sizeof(polycodec_input), 1, to_bytes(bytes), nullptr, {}};
  Builder out(value.prepare(call.limits().max_memory_bytes));
  value.set_root(codec.decode(call, Input(&input), out));
  validate(value.view(), {}, Validation::full);
  return value;
}

std::string encode_in(const Yggdrasil& codec, View value, const Call& call) {
  SegmentSink sink;
  Writer out(sink.abi());
  codec.encode(call, value, out);
  out.flush();
  return sink.to_string();
}

}  // namespace polycodec::test
