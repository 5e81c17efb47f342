// SPDX-License-Identifier: MIT
// The kernels of polycodec/utf.hpp for one set of instructions each.
#pragma once

#include <base/cpu.hpp>

#include <cstddef>
#include <cstdint>

namespace polycodec::detail {

// Validation with the instructions of `level`, which the processor must have.
std::size_t validate_utf8_at(CpuLevel level, const std::uint8_t* data, std::size_t size) noexcept;

#if defined(__x86_64__)
// True if the first `size` <= 31 bytes are valid UTF-8. 32 bytes must be readable, and the
// processor must have AVX2.
bool is_short_utf8_avx2(const std::uint8_t* p, std::uint64_t size) noexcept;
#endif

}  // namespace polycodec::detail
