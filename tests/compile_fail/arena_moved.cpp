// SPDX-License-Identifier: MIT
#include "core/value/arena.hpp"

#include <utility>

// Plugins hold the address of an arena.
void use(polycodec::Arena& arena) {
#if defined(MUST_NOT_COMPILE)
  polycodec::Arena other(std::move(arena));
#else
  arena.reset(0);
#endif
}
