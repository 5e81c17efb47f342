// SPDX-License-Identifier: MIT
// Calls of the codec of MessagePack.
#pragma once

#include "hex.hpp"
#include "shipped.hpp"

namespace polycodec::test {

inline std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "msgpack_ndarray";
}

inline Codec codec(const Json& options = Json::object()) {
  return shipped("msgpack-ndarray", options);
}

inline Value decode(std::string_view bytes, const Codec& with = codec(),
                    const Limits& limits = {}) {
  return decode(with, bytes, {.limits = limits});
}

inline std::string encode(const Value& value, const Codec& with = codec(),
                          const Limits& limits = {}) {
  return encode(with, value, {.limits = limits});
}

}  // namespace polycodec::test
