// SPDX-License-Identifier: MIT
// What yggdrasil has no type for, written with words of our own:
// `{"type":"polycodec","kind":"map"}`. Readers of the real libraries keep such a leaf as an opaque
// string.
#pragma once

#include <polycodec/abi.h>

#include <cstdint>
#include <string_view>

namespace polycodec::yggdrasil {

/// In the schema of the first column: this JSON array of arrays is a table.
inline constexpr char own_table_text[] = "polycodec:table";
inline constexpr std::string_view own_table_key =
    own_table_text;  // its address tells it from what a body says
/// Before attributes whose names mean something else in a schema.
inline constexpr std::string_view own_prefix = "polycodec:";

/// `kind` of a leaf of our own. The first three stand first in a JSON array and say what the array
/// is.
enum class OwnKind : std::uint8_t { map, extension, member, scalar, ndarray, time, none };
std::string_view to_string(OwnKind kind) noexcept;
OwnKind own_kind(std::string_view word) noexcept;

/// True for dtypes that yggdrasil has no subtype for.
constexpr bool is_own_dtype(std::uint32_t dtype) noexcept {
  return dtype == POLYCODEC_DTYPE_INT128 || dtype == POLYCODEC_DTYPE_UINT128 ||
         dtype == POLYCODEC_DTYPE_FLOAT128 || dtype == POLYCODEC_DTYPE_COMPLEX32 ||
         dtype == POLYCODEC_DTYPE_TIMESTAMP64 || dtype == POLYCODEC_DTYPE_DURATION64;
}
/// The name of such a dtype in a schema, such as "datetime64"; "" for others.
std::string_view own_dtype_name(std::uint32_t dtype) noexcept;
/// DTYPE_NONE for a name that is none.
std::uint8_t own_dtype(std::string_view name) noexcept;

}  // namespace polycodec::yggdrasil
