// SPDX-License-Identifier: MIT
// The values of enum members as schemas write them.
#pragma once

#include "json_tree.hpp"
#include "schema.hpp"

#include <cstdint>
#include <string>

namespace polycodec::fastbin {

/// Reads an integer, a boolean (storage `bool`), or a text that is an integer literal of C++
/// (decimal, 0x, 0b, a character such as 'A'), which the original generator copies into the code.
/// `bits` gets it in the width of `storage`, zero above. Returns what is wrong, or "". A `char` may
/// be -128 to 255.
std::string read_enum_value(const JsonNode& node, Primitive storage, std::uint64_t& bits);

}  // namespace polycodec::fastbin
