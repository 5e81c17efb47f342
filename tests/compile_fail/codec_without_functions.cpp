// SPDX-License-Identifier: MIT
#include <polycodec/codec.hpp>

using namespace polycodec;

struct Mute {
  static constexpr const char* name = "mute";
  static constexpr const char* description = "{}";
  Mute(Host, const Options&) {}
#if !defined(MUST_NOT_COMPILE)
  void encode(const Call&, View, Writer&) const {}
#endif
};

constexpr polycodec_codec codec = make_codec<Mute>();
const void* use() {
  return &codec;
}
