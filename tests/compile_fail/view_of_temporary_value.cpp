// SPDX-License-Identifier: MIT
#include <polycodec/polycodec.hpp>

// The value dies before the loop begins.
float sum(const polycodec::Registry& registry) {
  float all = 0;
#if defined(MUST_NOT_COMPILE)
  for (const float x : registry.read("x").view().as<float>()) all += x;
#else
  const polycodec::Value value = registry.read("x");
  for (const float x : value.view().as<float>()) all += x;
#endif
  return all;
}
