// SPDX-License-Identifier: MIT
// Numbers of one type as numbers of another one, many at once.
#pragma once

#include <polycodec/view.hpp>

#include <cstddef>
#include <cstdint>

namespace polycodec::detail {

/// Writes `from` as numbers of `dtype`, one after another in host byte order, up to the first one
/// that it cannot tell to be exactly the same. Returns how many it wrote; store_scalar() does the
/// next one, or says what is wrong with it.
std::uint64_t cast_elements(const Elements& from, std::uint32_t dtype, std::byte* to) noexcept;

}  // namespace polycodec::detail
