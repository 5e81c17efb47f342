// SPDX-License-Identifier: MIT
// What happens when a mapped input is cut short while it is read.
#pragma once

#include <cstddef>
#include <string_view>

namespace polycodec::posix {

/// From now on, reading past the new end of a mapped input gives zeros and no SIGBUS, and
/// check_mappings() throws. For programs that own the handler of this signal, before they open
/// inputs. A SIGBUS that no input raised does what it did before. [thread-safe]
void guard_mappings();

/// Throws Status::io if an open input was cut short since it was mapped, also within its last page,
/// where reading gives zeros and no signal. To be called before results of reading leave the
/// program. [thread-safe]
void check_mappings();

/// Gives back the memory of a mapped input; who reads it again gets it from the file. [thread-safe]
void release_pages(std::string_view mapped) noexcept;

/// Guards a mapping of `file` until end_guard(). `name` stays the caller's, and `file` may be
/// closed. False: there are too many.
bool begin_guard(void* mapping, std::size_t size, std::string_view name, int file);
/// Guards a second mapping of the file at `mapping`, which may be written. Zeros there count as
/// zeros of the first, which ends later. False: there are too many.
bool begin_guard(void* second, std::size_t size, const void* mapping);
void end_guard(const void* mapping) noexcept;

/// True if the file has fewer bytes than that.
bool is_cut_short(int file, std::size_t size) noexcept;
[[noreturn]] void throw_cut_short(std::string_view name);

}  // namespace polycodec::posix
