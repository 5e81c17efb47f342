// SPDX-License-Identifier: MIT
// Calls of the codecs of DyND, and the JSON of their vectors as values.
#pragma once

#include <model/type/type.hpp>

#include "hex.hpp"
#include "shipped.hpp"

#include <string>
#include <string_view>

namespace polycodec::test {

/// The codec in any form, or in data form of a type.
inline Codec dynd_codec() {
  return shipped("dynd");
}
inline Codec dynd_codec(std::string_view type) {
  return shipped("dynd", {{"type", type}});
}
inline Codec cbor_codec(const Json& options = Json::object()) {
  return shipped("dynd-cbor", options);
}

/// The value that the JSON of a vector says, as document nodes.
polycodec_node build_value(Builder& out, const type::Type& type, const Json& json);

}  // namespace polycodec::test
