// SPDX-License-Identifier: MIT
// What a difference says of the values that differ.
#pragma once

#include <polycodec/item.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::detail {

/// The type of the elements of an array, for people.
std::string dtype_text(std::uint32_t dtype);
/// What kind of value this is; of a number its type.
std::string kind_text(const Item& item);
/// A truth value, an integer of at most 64 bits, or the type and bits of another number.
std::string number_text(const Item& item);
/// A name as paths show it.
std::string shortened(std::string_view text);

}  // namespace polycodec::detail
