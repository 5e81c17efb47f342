// SPDX-License-Identifier: MIT
#include "codec_calls.hpp"
#include "mesh_codecs.hpp"
#include "ply/codec.hpp"

namespace polycodec::bench {

void decode_ply(std::string_view bytes, Value& value) {
  test::decode_into(test::make<ply::Ply>(), test::input_of(bytes), test::TestCall(), value);
  // As the registry does with what a plugin decodes.
  validate(value.view(), {}, Validation::full);
}

void encode_ply(NodeView value, const char* format, SegmentSink& sink) {
  Writer out(sink.abi());
  test::make<ply::Ply>({{"format", Builder::string_view(format)}})
      .encode(test::TestCall(), value, out);
  out.flush();
}

}  // namespace polycodec::bench
