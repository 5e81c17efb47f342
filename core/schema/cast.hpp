// SPDX-License-Identifier: MIT
// Numbers as numbers of another type and unit, decided by their values.
#pragma once

#include "core/schema/schema.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace polycodec::schema {

struct CastRules {
  std::uint32_t from = 0, to = 0;  ///< dtypes: integers, floats of up to 64 bits, complex numbers
  const UnitConversion* units = nullptr;  ///< null: as they are
  Rounding rounding = Rounding::floats;
};

/// Which element can't be cast, and why.
struct CastFailure {
  std::uint64_t index;
  std::string reason;
};

/// Casts `count` elements, contiguous and in host byte order on both sides. Nothing if all went
/// well.
std::optional<CastFailure> cast_elements(const CastRules& rules, const std::byte* from,
                                         std::uint64_t count, std::byte* to);

}  // namespace polycodec::schema
