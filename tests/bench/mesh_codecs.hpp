// SPDX-License-Identifier: MIT
// The two mesh codecs behind functions: their headers have the same names and do not go into one
// file.
#pragma once

#include <polycodec/sink.hpp>
#include <polycodec/value.hpp>

#include <string>
#include <string_view>

namespace polycodec::bench {

using Decode = void (*)(std::string_view bytes, Value& value);

void decode_ply(std::string_view bytes, Value& value);
void decode_obj(std::string_view bytes, Value& value);
void encode_ply(NodeView value, const char* format, SegmentSink& sink);
void encode_obj(NodeView value, SegmentSink& sink);

inline std::string encode_ply(NodeView value, const char* format) {
  SegmentSink sink;
  encode_ply(value, format, sink);
  return sink.to_string();
}
inline std::string encode_obj(NodeView value) {
  SegmentSink sink;
  encode_obj(value, sink);
  return sink.to_string();
}

}  // namespace polycodec::bench
