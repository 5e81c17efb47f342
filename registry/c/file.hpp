// SPDX-License-Identifier: MIT
// Files as structs of the ABI: those that a caller holds, and those of the program's own.
#pragma once

#include <polycodec/abi.h>

#include "core/call/limits.hpp"
#include "core/io/source.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace polycodec::c {

/// How flags of sources and files say that a file is read.
FileAccess access_of(std::uint32_t given);

/// What polycodec_file_open() opened, or null for files of the program's own.
const Source* opened_file(const polycodec_file& file) noexcept;
/// A file that a program gives. Throws Status::invalid if a function is missing.
const polycodec_file& program_file(const polycodec_file* file);
/// Reads bytes from `at` on and returns how many; fewer than there is room for at the end alone.
std::size_t read_part(const polycodec_file& file, std::uint64_t at, std::span<char> to);
/// All of a file of the program's own, within `limits`.
std::string read_all(const polycodec_file& file, const Limits& limits);

}  // namespace polycodec::c
