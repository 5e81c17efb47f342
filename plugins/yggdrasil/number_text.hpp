// SPDX-License-Identifier: MIT
// The numbers of ply and obj leaves as the real libraries write them, with all their digits.
#pragma once

#include <string>
#include <string_view>

namespace polycodec::yggdrasil {

/// An ascii PLY file whose floating-point numbers are as C++ streams print them: exponents below
/// 1e-4 and, unless there are more digits, from 1e6 on. Anything else comes back as it is.
std::string ply_as_streams_print(std::string_view text);
/// An OBJ file whose coordinates have a point, at least one digit after it, and no exponent.
std::string obj_with_points(std::string_view text);

}  // namespace polycodec::yggdrasil
