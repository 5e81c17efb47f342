// SPDX-License-Identifier: MIT
// Elements of leaves to vectors of the engine: one copy, from any stride and byte order.
#pragma once

#include "sql_type.hpp"

namespace polycodec_sql {

/// Where elements lie: at distances of `step` bytes from `first` on, or at the offsets of a list.
/// Offsets count from polycodec_array.data.
struct Places {
  static constexpr std::int64_t missing = INT64_MIN;

  const std::int64_t* list = nullptr;
  std::int64_t first = 0;
  std::int64_t step = 0;
  std::uint64_t size = 0;

  std::int64_t operator[](std::uint64_t i) const noexcept {
    return list == nullptr ? first + static_cast<std::int64_t>(i) * step : list[i];
  }
};

/// Copies the elements at `places` of the leaf `array` to the rows of `vector` from `at` on, which
/// has the type `type`: that of the leaf, or one that joined() made of it. Missing elements become
/// NULL. Throws Failure for a time that the type does not hold.
void put_leaf(duckdb_vector vector, std::uint64_t at, const SqlType& type,
              const polycodec_array& array, const Places& places);

/// Copies text or bytes to one row of a vector. Throws Failure where they are too long, or not
/// UTF-8.
void put_bytes(duckdb_vector vector, std::uint64_t at, const SqlType& type, std::string_view bytes);

/// Makes a row NULL, with all that it consists of.
void put_null(duckdb_vector vector, std::uint64_t at, const SqlType& type);

}  // namespace polycodec_sql
