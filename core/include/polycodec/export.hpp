// SPDX-License-Identifier: MIT
// Symbol visibility of the host libraries.
#pragma once

/// Marks what polycodec's host libraries export; everything else in them is hidden.
#define POLYCODEC_API __attribute__((visibility("default")))
