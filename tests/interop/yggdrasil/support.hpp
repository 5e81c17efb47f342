// SPDX-License-Identifier: MIT
// Calls to the codec, and a host that offers the codecs for geometries.
#pragma once

#include "codec.hpp"
#include "codec_calls.hpp"
#include "core/value/arena.hpp"

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::test {

using yggdrasil::Yggdrasil;

inline std::filesystem::path bodies() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "yggdrasil" / "bodies";
}

inline std::string body_of(std::filesystem::path description) {
  return read_file(description.replace_extension(".body"));
}

/// The codec with options that are words.
inline Yggdrasil codec_with(std::initializer_list<std::pair<const char*, const char*>> words = {}) {
  Arena arena;
  Builder builder(arena.abi());
  std::vector<Member> members;
  for (const auto& [name, word] : words) members.push_back({name, Builder::string_view(word)});
  const polycodec_node node = builder.object(members);
  return open<Yggdrasil>(&node);
}

/// The base64 form of a typed leaf, with its quotes.
std::string leaf_text(std::string_view schema, std::string_view data);

/// A call whose host has the codecs `ply` and `obj`.
class GeometryCall : public TestCall {
 public:
  GeometryCall();
};

}  // namespace polycodec::test
