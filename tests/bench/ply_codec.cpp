// SPDX-License-Identifier: MIT
#include "../../plugins/ply/codec.hpp"
#include "codec_calls.hpp"
#include "mesh_codecs.hpp"

namespace polycodec::bench {

void decode_ply(std::string_view bytes, Value& value) {
  const polycodec_input input{sizeof(polycodec_input), 1, to_bytes(bytes), nullptr, {}};
  Builder out(value.prepare(UINT64_MAX));
  const auto codec = test::make<ply::Ply>();
  value.set_root(codec.decode(test::TestCall(), Input(&input), out));
  // As the registry does with what a plugin decodes.
  validate(value.view(), {}, Validation::full);
}

void encode_ply(View value, const char* format, SegmentSink& sink) {
  Writer out(sink.abi());
  test::make<ply::Ply>({{"format", Builder::string_view(format)}}).encode(test::TestCall(), value, out);
  out.flush();
}

}  // namespace polycodec::bench
