// SPDX-License-Identifier: MIT
// Small glTF files, made of their parts.
#pragma once

#include <polycodec/byte_order.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::test {

/// A GLB file with this JSON and this binary chunk.
inline std::string glb(std::string json, std::string bin = {}) {
  while (json.size() % 4 != 0) json += ' ';
  while (bin.size() % 4 != 0) bin += '\0';
  std::string bytes("glTF\2\0\0\0", 8);
  const auto number = [&](std::size_t value) {
    char text[4];
    store_le(text, static_cast<std::uint32_t>(value));
    bytes.append(text, 4);
  };
  number(20 + json.size() + (bin.empty() ? 0 : 8 + bin.size()));
  number(json.size());
  bytes += "JSON" + json;
  if (bin.empty()) return bytes;
  number(bin.size());
  bytes += std::string("BIN\0", 4) + bin;
  return bytes;
}

/// A document with one accessor and what it lies in; `accessor` and `view` are the members that say
/// where.
inline std::string with_accessor(std::string_view accessor, std::string_view view,
                                 std::string_view more = "") {
  return R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":64}],"bufferViews":[{"buffer":0,)" +
         std::string(view) + R"(}],"accessors":[{)" + std::string(accessor) + "}]" +
         std::string(more) + "}";
}

}  // namespace polycodec::test
