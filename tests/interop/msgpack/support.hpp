// SPDX-License-Identifier: MIT
// Calls to the msgpack codec without a registry, and the vectors' description of values.
#pragma once

#include <polycodec/limits.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/value.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"
#include "core/value/arena.hpp"
#include "hex.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

using Json = nlohmann::json;
using msgpack_ndarray::MsgpackNdarray;

inline std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "msgpack_ndarray";
}

/// A codec with options given as members.
inline MsgpackNdarray codec(std::initializer_list<Member> options = {}) {
  return make<MsgpackNdarray>(options);
}

inline Value decode(std::string_view bytes, const MsgpackNdarray& with = codec(),
                    const Limits& limits = {}) {
  return decode_input(with, input_of(bytes), TestCall(limits));
}

inline std::string encode(NodeView value, const MsgpackNdarray& with = codec(),
                          const Limits& limits = {}) {
  return encode(with, value, TestCall(limits));
}

/// "" if the value is what the vector's NODE says, otherwise what differs.
std::string difference(NodeView value, const Json& node);

/// "" if both values have the same kinds, numbers (bit for bit), texts and items in the same order.
std::string difference(NodeView a, NodeView b);

}  // namespace polycodec::test
