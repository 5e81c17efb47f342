// SPDX-License-Identifier: MIT
// Symbol visibility of the host libraries.
#pragma once

#if defined(POLYCODEC_HOST_CLASSES)
#error "this header has classes of the same names as <polycodec/polycodec.hpp>: include one of both"
#endif

/// Marks what polycodec's host libraries export; everything else in them is hidden.
#define POLYCODEC_API 
