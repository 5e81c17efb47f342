// SPDX-License-Identifier: MIT
// The JSON of the DyND vectors as values, and values held against it.
#pragma once

#include <model/type/type.hpp>
#include <polycodec/view.hpp>

#include "codec.hpp"
#include "codec_calls.hpp"
#include "hex.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace polycodec::test {

using Json = nlohmann::ordered_json;

/// The codec in any form, or in data form of a type.
inline dynd::Dynd dynd_codec() {
  return make<dynd::Dynd>();
}
inline dynd::Dynd dynd_codec(std::string_view type) {
  return make<dynd::Dynd>({{"type", Builder::string_view(type)}});
}
inline dynd::DyndCbor cbor_codec() {
  return make<dynd::DyndCbor>();
}

/// The value that the JSON of a vector says, as document nodes.
polycodec_node build_value(Builder& out, const type::Type& type, const Json& json);

/// What differs between a decoded value and the JSON of a vector, or "".
std::string difference(const type::Type& type, const View& item, const Json& json,
                       const std::string& path = "$");

}  // namespace polycodec::test
