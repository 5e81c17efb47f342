// SPDX-License-Identifier: MIT
#include <polycodec/view.hpp>

// The column of an optional that dies before the loop begins: undefined behavior.
float sum(const polycodec::View& v) {
  float all = 0;
#if defined(MUST_NOT_COMPILE)
  for (const float x : *v.column<float>()) all += x;
#else
  for (const float x : v.as<float>()) all += x;
#endif
  return all;
}
