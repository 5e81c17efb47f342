// SPDX-License-Identifier: MIT
#include "registry/codec/registry.hpp"

// An error that nobody looks at is no error handling.
void use(const polycodec::Codec& codec, const polycodec::Source& source) {
#if defined(MUST_NOT_COMPILE)
  polycodec::attempt([&] { return codec.decode(source); });
#else
  if (!polycodec::attempt([&] { return codec.decode(source); }).ok()) return;
#endif
}
