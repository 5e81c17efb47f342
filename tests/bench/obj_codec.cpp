// SPDX-License-Identifier: MIT
#include "codec_calls.hpp"
#include "mesh_codecs.hpp"
#include "obj/codec.hpp"

namespace polycodec::bench {

void decode_obj(std::string_view bytes, Value& value) {
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{1} << 30;  // more than the least that a test call has
  test::decode_into(test::make<obj::Obj>(), test::input_of(bytes), test::TestCall(limits), value);
  // As the registry does with what a plugin decodes.
  validate(value.view(), {}, Validation::full);
}

void encode_obj(NodeView value, SegmentSink& sink) {
  test::encode_into(test::make<obj::Obj>(), value, sink);
}

}  // namespace polycodec::bench
