// SPDX-License-Identifier: MIT
// POLYCODEC_SANITIZED: this build has AddressSanitizer, which is slow and takes much memory and
// stack.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define POLYCODEC_SANITIZED 1
#elif defined(__has_feature)
#define POLYCODEC_SANITIZED __has_feature(address_sanitizer)
#else
#define POLYCODEC_SANITIZED 0
#endif
