// SPDX-License-Identifier: MIT
// Calls of the codec of yggdrasil, and its bodies.
#pragma once

#include "leaf_text.hpp"
#include "shipped.hpp"

namespace polycodec::test {

inline std::filesystem::path bodies() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "yggdrasil" / "bodies";
}

inline std::string body_of(std::filesystem::path description) {
  return read_file(description.replace_extension(".body"));
}

inline Codec codec_with(const Json& options = Json::object()) {
  return shipped("yggdrasil", options);
}

}  // namespace polycodec::test
