// SPDX-License-Identifier: MIT
// What happens when a mapped input is cut short while it is read.
#pragma once

#include <polycodec/export.hpp>

#include <cstddef>
#include <string_view>

namespace polycodec::posix {

/// From now on, reading past the new end of a mapped input gives zeros and no SIGBUS, and
/// check_mappings() throws. For programs that own the handler of this signal, before they open
/// inputs. A SIGBUS that no input raised does what it did before. [thread-safe]
POLYCODEC_API void guard_mappings();

/// Throws Status::io if an open input was cut short since it was mapped. To be called before
/// results of reading leave the program. [thread-safe]
POLYCODEC_API void check_mappings();

/// Guards a mapping until end_guard(). `name` stays the caller's. False: there are too many.
bool begin_guard(void* mapping, std::size_t size, std::string_view name);
void end_guard(const void* mapping) noexcept;

}  // namespace polycodec::posix
