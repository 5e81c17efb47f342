// SPDX-License-Identifier: MIT
// Calls to the msgpack codec without a registry, and the vectors' description of values.
#pragma once

#include <polycodec/arena.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/sink.hpp>
#include <polycodec/value.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
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

inline Value decode(std::string_view bytes, const MsgpackNdarray& with = codec(), const Limits& limits = {}) {
  Value value;
  const polycodec_input input{sizeof(polycodec_input), 1, to_bytes(bytes), nullptr, {}};
  Builder out(value.prepare(limits.max_memory_bytes));
  value.set_root(with.decode(TestCall(limits), Input(&input), out));
  return value;
}

inline std::string encode(View value, const MsgpackNdarray& with = codec(), const Limits& limits = {}) {
  return encode(with, value, TestCall(limits));
}

inline std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// "" if the value is what the vector's NODE says, otherwise what differs.
std::string difference(View value, const Json& node);

/// "" if both values have the same kinds, numbers (bit for bit), texts and items in the same order.
std::string difference(View a, View b);

}  // namespace polycodec::test
