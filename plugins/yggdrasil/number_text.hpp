// SPDX-License-Identifier: MIT
// Numbers as the real libraries write them.
#pragma once

namespace polycodec::yggdrasil {

/// Bytes that print_real() needs.
inline constexpr unsigned max_real_size = 56;

/// Writes a finite number with the fewest digits that read back, and a point or an exponent, and
/// returns the end. In the style of C++ numbers from 1e-6 to below 1e21 have no exponent (1e-7,
/// 1e21), in that of Python those from 1e-4 to below 1e16 (1e-05, 1e+16).
char* print_real(char* out, double value, bool python) noexcept;

}  // namespace polycodec::yggdrasil
