// SPDX-License-Identifier: MIT
#include "core/value/value.hpp"

// A value owns its memory: copying it by accident would be dear, or wrong.
polycodec::Value take(polycodec::Value& value) {
#if defined(MUST_NOT_COMPILE)
  return value;
#else
  return std::move(value);
#endif
}
