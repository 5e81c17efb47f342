// SPDX-License-Identifier: MIT
// Numbers as the real libraries write them, also those of ply and obj leaves with all their digits.
#pragma once

#include <string>
#include <string_view>

namespace polycodec::yggdrasil {

/// Bytes that print_real() needs.
inline constexpr unsigned max_real_size = 56;

/// Writes a finite number with the fewest digits that read back, and a point or an exponent, and
/// returns the end. In the style of C++ numbers from 1e-6 to below 1e21 have no exponent (1e-7,
/// 1e21), in that of Python those from 1e-4 to below 1e16 (1e-05, 1e+16).
char* print_real(char* out, double value, bool python) noexcept;
/// Does the same, quicker where numbers are like those before: `places` is how many digits after
/// the point the last one had, 0 at first, or -1 for more than few.
char* print_real(char* out, double value, bool python, int& places) noexcept;

/// An ascii PLY file whose floating-point numbers are as C++ streams print them: exponents below
/// 1e-4 and, unless there are more digits, from 1e6 on. Anything else comes back as it is.
std::string ply_as_streams_print(std::string_view text);
/// An OBJ file whose coordinates have a point, at least one digit after it, and no exponent.
std::string obj_with_points(std::string_view text);

}  // namespace polycodec::yggdrasil
