// SPDX-License-Identifier: MIT
#include <polycodec/codec.hpp>

using namespace polycodec;

struct Mute {
  static constexpr const char* name = "mute";
  Mute(Call&, const Options&) {}
#if !defined(MUST_NOT_COMPILE)
  void encode(Call&, View, Writer&) const {}
#endif
};

constexpr polycodec_codec codec = make_codec<Mute>();
const void* use() {
  return &codec;
}
