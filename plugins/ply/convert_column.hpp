// SPDX-License-Identifier: MIT
// A column of any numbers, or lists of numbers, as one of a type that PLY has.
#pragma once

#include "columns.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace polycodec::ply {

/// The value of a column in a row.
using GetItem = std::function<View(std::uint64_t row)>;

/// Copies a column into memory of `table`. The type is that of all numbers if it is one of PLY;
/// otherwise integers become int or uint (uchar, if it is a part of a `color` and they fit), and
/// floating-point numbers float or double, whichever holds all of them exactly. Throws Error(type)
/// for what is no number, Error(range) for integers beyond 32 bits, or that a double among others
/// does not hold; `path` is the column's.
Source convert_column(std::uint64_t rows, const GetItem& get, Table& table, const std::string& path,
                      bool color);

}  // namespace polycodec::ply
