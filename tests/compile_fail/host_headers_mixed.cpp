// SPDX-License-Identifier: MIT
#include <polycodec/polycodec.hpp>
#if defined(MUST_NOT_COMPILE)
#include <polycodec/value.hpp>
#endif
