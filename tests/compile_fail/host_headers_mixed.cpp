// SPDX-License-Identifier: MIT
#include <polycodec/polycodec.hpp>

#include "core/value/value.hpp"
#if defined(MUST_NOT_COMPILE)
#endif
