// SPDX-License-Identifier: MIT
#include "support.hpp"

#include <base/base64.hpp>

#include <obj/codec.hpp>
#include <ply/codec.hpp>

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
  host.raw()->decode_with = [](const polycodec_host*, polycodec_call* call, polycodec_bytes codec,
                               const polycodec_node* options, const polycodec_input* input,
                               const polycodec_node** result, polycodec_error* error) {
    return guard(error, [&] {
      Call own(call);
      Builder out(own);
      const Input in(own, input);
      *result = out.root(to_string_view(codec) == "ply"
                             ? ply::Ply(own, Options(options)).decode(own, in, out)
                             : obj::Obj(own, Options(options)).decode(own, in, out));
    });
  };
  host.raw()->encode_with = [](const polycodec_host*, polycodec_call* call, polycodec_bytes codec,
                               const polycodec_node* options, const polycodec_node* node,
                               const polycodec_output* output, polycodec_error* error) {
    return guard(error, [&] {
      Call own(call);
      Writer out(own, *output);
      if (to_string_view(codec) == "ply")
        ply::Ply(own, Options(options)).encode(own, NodeView(node), out);
      else
        obj::Obj(own, Options(options)).encode(own, NodeView(node), out);
      out.flush();
    });
  };
}

}  // namespace polycodec::test
