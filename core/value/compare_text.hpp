// SPDX-License-Identifier: MIT
// What a difference says of the values that differ.
#pragma once

#include <polycodec/view.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec::detail {

/// The type of the elements of an array, for people.
std::string dtype_text(std::uint32_t dtype);
/// What kind of value this is; of a number its type.
std::string kind_text(const View& item);
/// A boolean, an integer of at most 64 bits, or the type and bits of another number.
std::string number_text(const View& item);

}  // namespace polycodec::detail
